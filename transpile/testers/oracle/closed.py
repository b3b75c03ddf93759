"""Switches over enumerations that no valid call leaves by their default.

A value of an enumerated type may be any number of its width, but where trials draw enumerators alone, and
each of them has a case, the way past all cases is taken by nothing that is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from transpile.code.trees import descendants, grammar_of, parse, text
from transpile.core import Contract, Unit
from transpile.parsers.text.enumerations import Enumerators, ends, enumerators

_DEPTH = 4


def closed_switches(
    files: Mapping[str, bytes], parts: Sequence[Unit], contract: Contract
) -> dict[tuple[str, int], int]:
    """Return the lines of such switches with how many they are; ``parts`` are the unit and what it calls."""
    if not any(b"switch" in part.text for part in parts):
        return {}
    bodies = [_Body(part, files) for part in parts]
    found: dict[tuple[str, int], int] = {}
    for body in bodies:
        for line, name in body.whole():
            if _drawn(bodies, body, name, contract, _DEPTH):
                place = (body.unit.path, body.unit.line + line)
                found[place] = found.get(place, 0) + 1
    return found


class _Body:
    """A function with those of its parameters that are enumerated and stay as they are passed."""

    def __init__(self, unit: Unit, files: Mapping[str, bytes]) -> None:
        self.unit = unit
        self.name = unit.name.rpartition("::")[2]
        self.root = parse(unit.text, grammar_of(unit.path)).root_node
        self.order: list[str] = []
        self.types: dict[str, Enumerators] = {}
        listed = next(descendants(self.root, "parameter_list"), None)
        for item in listed.named_children if listed is not None else ():
            if not item.type.endswith("parameter_declaration"):
                continue
            declarator = item.child_by_field_name("declarator")
            name = text(declarator) if declarator is not None and declarator.type == "identifier" else ""
            self.order.append(name)
            values = enumerators(files, text(item.child_by_field_name("type")))
            if values is not None and name and not self._changes(name):
                self.types[name] = values

    def _changes(self, name: str) -> bool:
        """Tell whether something sets a name, takes its address, or declares it anew."""
        for node in descendants(
            self.root, "assignment_expression", "update_expression", "pointer_expression", "init_declarator",
            "declaration",
        ):  # fmt: skip
            kinds = ("left", "argument", "declarator")
            if any(text(node.child_by_field_name(kind)) == name for kind in kinds):
                return True
        return False

    def whole(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of switches over such a parameter that have a case for each enumerator."""
        for node in descendants(self.root, "switch_statement"):
            name = text(node.child_by_field_name("condition")).strip("() ")
            values = self.types.get(name)
            complete = values is not None and set(values.values()) <= set(_cases(node, values))
            if complete and not _shared(node):
                yield node.start_point[0], name


def _cases(switch: Node, values: Enumerators) -> Iterator[int]:
    for node in descendants(switch, "case_statement"):
        label = text(node.child_by_field_name("value")).rpartition("::")[2]
        if label in values:
            yield values[label]
        elif label.isdigit():
            yield int(label)


def _shared(switch: Node) -> bool:
    """Tell whether the way past all cases is that of a case as well: it is taken then, or not told apart."""
    cases = list(descendants(switch, "case_statement"))
    bodies = [[item for item in case.named_children if item.type != "comment"] for case in cases]
    bodies = [
        body[1:] if case.child_by_field_name("value") is not None else body
        for case, body in zip(cases, bodies, strict=True)
    ]
    default = next((turn for turn, case in enumerate(cases) if not case.child_by_field_name("value")), None)
    if default is not None:
        return not bodies[default] or (default > 0 and not bodies[default - 1])
    return any(not body or body[0].type == "break_statement" for body in bodies)


def _drawn(bodies: Sequence[_Body], body: _Body, name: str, contract: Contract, depth: int) -> bool:
    """Tell whether a parameter holds nothing but enumerators in all trials."""
    values = body.types.get(name)
    span = ends(values) if values is not None else None
    if span is None or depth == 0:
        return False
    if body is bodies[0]:
        fact = contract.scalar(name)
        drawn = {str(number) for number in range(span[0], span[1] + 1)}
        return fact is not None and {fact.values.low, fact.values.high} <= drawn
    position = body.order.index(name)
    passed = [item for other in bodies for item in _passed(other, body.name, position)]
    return bool(passed) and all(
        item is not None and item[0].types.get(item[1]) == values
        and _drawn(bodies, item[0], item[1], contract, depth - 1)
        for item in passed
    )  # fmt: skip


def _passed(body: _Body, callee: str, position: int) -> Iterator[tuple[_Body, str] | None]:
    """Yield what the calls in a body pass at a position; None for any other use of the name."""
    for node in descendants(body.root, "identifier"):
        if text(node) != callee or node.parent is None or node.parent.type == "function_declarator":
            continue
        listed = node.parent.child_by_field_name("arguments")
        given = [item for item in listed.named_children if item.type != "comment"] if listed else []
        yield (body, text(given[position])) if position < len(given) else None
