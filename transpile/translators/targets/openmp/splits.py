"""Loops in three parts: the iterations before one that others depend on, that one, and those behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name, with_number
from transpile.code.polynomial import names, spelled
from transpile.code.syntax import (
    INDENT,
    LOOPS,
    begins_line,
    condition,
    field,
    find,
    indentation,
    inside,
    replace,
    source,
)
from transpile.translators.loops.analysis.analysis import Nest, by_rows
from transpile.translators.loops.analysis.index_sets import Split, split
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.iteration.nests import SIGNED, Loop, begun
from transpile.translators.loops.iteration.places import in_block
from transpile.translators.loops.iteration.trips import ends, moved
from transpile.translators.loops.iteration.wrapping import WIDE, is_above_zero, subtracts
from transpile.translators.loops.planning.overlaps import apart, declared, entangled
from transpile.translators.loops.symbols.members import types
from transpile.translators.refusal import Refused
from transpile.translators.targets.openmp.clauses import private, uneven
from transpile.translators.targets.openmp.vectors import goes_along_rows

_NAME = re.compile(r"\w+(?:@\d+)?")


def in_parts(setting: Setting, nest: Nest, flag: str) -> tuple[str, Edit[str]] | None:
    """Return the edit after which parts of loops of a nest run in parallel; None where none are known to.

    Args:
        setting: What the nest is in.
        nest: The loops.
        flag: What to call the flag that says whether arrays lie apart, if there has to be one.
    """
    function = setting.function
    whole = SequentialNest(nest, "")
    try:
        conditions = apart(whole, setting.contract, setting.variables)
    except Refused:
        return None
    if entangled(whole, setting.contract, setting.variables):
        return None  # a bound is read once, and by the source each time
    asked = "".join(conditions)
    if len(conditions) > 1:
        asked = free_name(function.identifiers, flag)
    writer = _Writer(setting, nest, asked)
    edits = [writer.in_threads(item) for item in writer.outermost()]
    if not edits or not in_block(nest.node):
        return None
    start, end = nest.node.start_byte, nest.node.end_byte
    text, indent = apply_outermost(function.text, edits, start, end), indentation(function.text, start)
    if len(conditions) > 1:
        text = f"{declared(asked, conditions, indent)}\n{indent}{text}"
    return "index sets", Edit(start, end, text)


@dataclass(frozen=True, slots=True)
class _Writer:
    setting: Setting
    nest: Nest
    asked: str
    """Whether arrays lie apart; empty where they do."""

    def outermost(self) -> list[Split]:
        """Return the loops that do enough between two meetings of threads, none in another one."""
        found: list[Split] = []
        for known in self.nest.loops:
            node, inner = known.loop.node, find(known.loop.body, *LOOPS)
            enough = node.id == self.nest.node.id or any(inner)
            if enough and not any(inside(node, item.known.loop.node) for item in found):
                found += self._split(known.loop)
        return found

    def in_threads(self, item: Split) -> Edit[str]:
        """Return the edit that runs each part of a loop at once."""
        band = Band(self.nest, (item.known,))
        clauses = [*private(band), *([f"if ({self.asked})"] if self.asked else [])]
        clauses += ["schedule(dynamic)"] if uneven(band) else []
        inner = () if self.asked else self._in_vectors(item.known.loop)
        return self._parted(item, " ".join(("#pragma omp parallel for", *clauses)), list(inner))

    def _in_vectors(self, loop: Loop) -> Iterator[Edit[str]]:
        """Yield the edits that part innermost loops in one that go along rows."""
        for known in self.nest.loops:
            inner = known.loop
            if (
                inner.node.id == loop.node.id
                or not inside(inner.node, loop.body)
                or any(find(inner.body, *LOOPS))
            ):
                continue
            touched = (item for item in by_rows(self.nest) if inside(item.node, inner.body))
            if all(goes_along_rows(item, inner.dimension) for item in touched):
                for item in self._split(inner):
                    line = " ".join(("#pragma omp simd", *private(Band(self.nest, (known,)))))
                    yield self._parted(item, line)

    def _split(self, loop: Loop) -> list[Split]:
        """Return a loop with what parts it, where that can be said beside the loop in its variable's type."""
        known = self.nest.of(loop.node)
        found = split(self.nest, known) if known is not None else None
        if found is None or not self._counts(found):
            return []
        used = (types(part, self.setting.variables, self.setting.around) for part in (loop.first, loop.bound))
        alike = frozenset().union(*used) <= {loop.variable.bare}
        return [found] if alike and all(self._means(item, loop) for item in names(found.at)) else []

    def _counts(self, item: Split) -> bool:
        """Tell whether what a loop and those around it go through is a range of whole numbers in C."""
        loops = [known.loop for known in self.nest.loops]
        around = [loop for loop in loops if inside(item.known.loop.node, loop.node)]
        if all(loop.variable.bare in SIGNED for loop in around):
            return True
        values = self.setting.values(self.nest)
        return not subtracts(item.at) and all(
            loop.variable.bare in WIDE and is_above_zero(loop, values) for loop in around
        )

    def _means(self, name: str, loop: Loop) -> bool:
        """Tell whether a name in a polynomial means the same beside a loop, in its variable's type."""
        plain = _plain(name)
        seen = [
            item
            for item in self.setting.variables.all
            if item.name == plain and inside(loop.node, item.scope)
        ]
        return _NAME.fullmatch(name) is not None and all(
            len(seen) == 1 and item.bare == loop.variable.bare for item in seen
        )

    def _parted(self, item: Split, line: str, inner: Sequence[Edit[str]] = ()) -> Edit[str]:
        """Return the edit that goes through the parts of a loop, each under a line of OpenMP."""
        loop, text = item.known.loop, self.setting.function.text
        parts, part = self._name(loop, "parts"), self._name(loop, "part")
        first, end = ends(loop)
        at = spelled({tuple(map(_plain, monomial)): factor for monomial, factor in item.at.items()})
        head = [replace(loop.first, f"{parts}[{part}]"), replace(loop.bound, f"{parts}[{part} + 1]")]
        if loop.inclusive:
            sign = field(condition(loop.node), "operator")
            head.append(replace(sign, source(sign).removesuffix("=")))
        body = apply_outermost(text, [*head, *inner], loop.node.start_byte, loop.node.end_byte)
        lines = (
            f"// No two iterations before {at} depend on each other, nor two behind it.",
            f"const {loop.variable.type} {parts}[] = {{{first}, {at}, {moved(at, 1)}, {end}}};",
            f"for (int {part} = 0; {part} < 3; {part}++) {{",
            f"{INDENT}{line}",
            INDENT + re.sub(r"\n(?!#)([ \t]*)(?=\S)", rf"\n\1{INDENT}", body),
            "}",
        )
        return _in_place(text, loop.node, lines)

    def _name(self, loop: Loop, end: str) -> str:
        """Return a name for what belongs to a loop, another one than loops before it have."""
        heads = (
            node.child_by_field_name("initializer")
            for node in find(self.setting.function.body, "for_statement")
        )
        before = [head for head in heads if head is not None and head.end_byte < loop.node.start_byte]
        given = [begun(head, self.setting.variables) for head in before]
        number = sum(item is not None and item[0].name == loop.variable.name for item in given)
        return free_name(
            self.setting.function.identifiers, with_number(f"{loop.variable.name}_{end}", number)
        )


def _plain(name: str) -> str:
    """Return what the source calls something whose name tells its declaration apart."""
    return name.partition("@")[0]


def _in_place(text: str, node: Node, lines: Sequence[str]) -> Edit[str]:
    """Return the edit that puts lines in the place of a statement, in a block if it is in none."""
    start, indent, lead, end = node.start_byte, indentation(text, node.start_byte), "", ""
    if not begins_line(text, start):
        start, indent = len(text[:start].rstrip()), indent + INDENT
        lead = f"\n{indent}"
    if not in_block(node):
        assert node.parent is not None
        end = f"\n{indentation(text, node.parent.start_byte)}}}"
        head = _head_end(node)
        start, lead = head, f" {{{text[head:start]}{lead}"
    return Edit(start, node.end_byte, lead + f"\n{indent}".join(lines) + end)


def _head_end(node: Node) -> int:
    """Return where ends what stands before a statement, but for comments."""
    before = node.prev_sibling
    while before is not None and before.type == "comment":
        before = before.prev_sibling
    assert before is not None
    return before.end_byte
