"""Groups of calls as text: a task for each but the one that the thread makes itself, and a wait for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import INDENT, begins_line, field, indentation, replace
from transpile.code.variables import declared_type
from transpile.translators.tasks.body import Body
from transpile.translators.tasks.groups import Group
from transpile.translators.tasks.parts import Part
from transpile.translators.tasks.spawns import Form, Spawn, shared

_WAIT = "#pragma omp taskwait"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the groups of one function."""

    body: Body
    tasks: str
    """The name of the function that makes tasks."""
    levels: str
    """The parameter that says how often calls may still make them."""

    def edits(self, groups: Sequence[Group]) -> Iterator[Edit[str]]:
        """Yield the edits that make tasks of groups, and lead every call a level down."""
        taken = set(self.body.function.identifiers)
        for group in groups:
            results: dict[Spawn, str] = {}
            for spawn in (spawn for part in group.parts for spawn in part.spawns):
                if spawn.form in (Form.WITHIN, Form.ADDED):
                    results[spawn] = free_name(taken, f"{self.body.function.name}_{len(results) + 1}")
                    taken.add(results[spawn])
            yield from self._group(group, results)
        yield from self._calls(self.body.function.body)

    def _calls(self, node: Node) -> Iterator[Edit[str]]:
        for call in self.body.calls(node):
            given = field(call, "arguments")
            comma = ", " if given.named_children else ""
            yield replace(field(call, "function"), self.tasks)
            yield Edit(given.end_byte - 1, given.end_byte - 1, f"{comma}{self.levels} - 1")

    def _group(self, group: Group, results: Mapping[Spawn, str]) -> Iterator[Edit[str]]:
        text = self.body.function.text
        indent = indentation(text, group.parts[0].statement.start_byte)
        ahead = [results[item] for part in group.parts for item in part.spawns if item.form is Form.WITHIN]
        late: list[str] = []
        for part in group.parts:
            lines = list(self._lines(part, group, results)) if part.spawns else [self._text(part.statement)]
            if part is group.parts[0] and ahead:
                lines.insert(0, f"{self._returns} {', '.join(ahead)};")
            if part.waits:
                late.append(self._finished(part, results))
            if part is group.parts[-1]:
                lines += [_WAIT, *late]
            yield replace(part.statement, f"\n{indent}".join(lines))

    @property
    def _returns(self) -> str:
        return declared_type(self.body.function.node)

    def _lines(self, part: Part, group: Group, results: Mapping[Spawn, str]) -> Iterator[str]:
        """Yield a statement that calls, without what waits for the calls."""
        if any(spawn.statement.id != part.statement.id for spawn in part.spawns):
            yield self._text(part.statement, [self._in_place(item, group, results) for item in part.spawns])
            return
        for spawn in part.spawns:
            yield from self._made(spawn, group, results)

    def _made(self, spawn: Spawn, group: Group, results: Mapping[Spawn, str]) -> Iterator[str]:
        """Yield a call as a task, or as it is where the thread makes it itself."""
        stays = spawn is group.stays
        line = self._text(spawn.statement)
        if spawn.form is Form.STORED and spawn.target is not None and not stays:
            if spawn.statement.type == "declaration":
                yield f"{spawn.target.type} {spawn.target.name};"
            line = f"{spawn.target.name} = {self._text(spawn.call)};"
        elif spawn.form is Form.WITHIN:
            line = f"{results[spawn]} = {self._text(spawn.call)};"
        if stays:
            yield line
            return
        reached = sorted(item.name for item in shared(self.body, [spawn]))
        own = [spawn.target.name] if spawn.target is not None else []
        own += [results[spawn]] if spawn.form is Form.WITHIN else []
        yield "#pragma omp task" + (f" shared({', '.join((*own, *reached))})" if own or reached else "")
        if spawn.form is not Form.ADDED:
            yield line
            return
        yield "{"
        yield f"{INDENT}{self._returns} {results[spawn]} = {self._text(spawn.call)};"
        yield f"{INDENT}#pragma omp atomic"
        yield f"{INDENT}{own[0]} += {results[spawn]};"
        yield "}"

    def _in_place(self, spawn: Spawn, group: Group, results: Mapping[Spawn, str]) -> Edit[str]:
        """Return the edit that makes a task of a call within another statement."""
        text, node = self.body.function.text, spawn.statement
        indent, start = indentation(text, node.start_byte), node.start_byte
        lines = list(self._made(spawn, group, results))
        if len(lines) > 1 and not begins_line(text, start):
            indent, start = indent + INDENT, len(text[:start].rstrip())
            lines.insert(0, "")
        return Edit(start, node.end_byte, f"\n{indent}".join(lines))

    def _finished(self, part: Part, results: Mapping[Spawn, str]) -> str:
        """Return a statement with results in place of its calls."""
        named = [replace(spawn.call, results[spawn]) for spawn in part.spawns]
        return apply_outermost(
            self.body.function.text, named, part.statement.start_byte, part.statement.end_byte
        )

    def _text(self, node: Node, edits: Sequence[Edit[str]] = ()) -> str:
        """Return a node with edits made, and its calls a level down."""
        whole = [*edits, *self._calls(node)]
        return apply_outermost(self.body.function.text, whole, node.start_byte, node.end_byte)
