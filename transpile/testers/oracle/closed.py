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
from transpile.testers.oracle.passing import changes, parameters, passed, plain_name

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
        for item in parameters(self.root):
            name = plain_name(item)
            self.order.append(name)
            values = enumerators(files, text(item.child_by_field_name("type")))
            if values is not None and name and not changes(self.root, name):
                self.types[name] = values

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
    given = [(other, item) for other in bodies for item in passed(other.root, body.name, position)]
    return bool(given) and all(
        item is not None and other.types.get(text(item)) == values
        and _drawn(bodies, other, text(item), contract, depth - 1)
        for other, item in given
    )  # fmt: skip
