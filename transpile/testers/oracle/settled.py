"""Conditions of called functions that come out alike in every call, by the numbers that calls pass.

``if (2 <= levels) …`` in a function that is called with 4 and with 5 alone has a way out that nothing takes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tree_sitter import Node

from transpile.code.trees import descendants, grammar_of, parse, text
from transpile.core import Source, Unit
from transpile.parsers.warp_synchronous import waiting
from transpile.testers.oracle.passing import changes, parameters, passed, plain_name

_COMPARES: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_WHOLE = re.compile(r"(?:unsigned|int|unsigned int|long|size_t|short|unsigned char)")
_NUMBER = re.compile(r"\d{1,2}[uU]?")
"""Small enough for each of these types."""


def settled_conditions(source: Source, unit: Unit) -> dict[tuple[str, int], int]:
    """Return the lines of such conditions with how many they are, as the source is run: with its barriers."""
    source = waiting(source)
    unit = source.unit(unit.id)
    called = source.closure(unit)
    roots = [parse(part.text, grammar_of(part.path)).root_node for part in (unit, *called)]
    found: dict[tuple[str, int], int] = {}
    for part, root in zip(called, roots[1:], strict=True):
        for position, parameter in enumerate(parameters(root)):
            name = plain_name(parameter)
            numbers = _numbers(roots, part.name.rpartition("::")[2], position)
            if not name or not numbers or not _stays(root, parameter, name):
                continue
            for line in _settled(root, name, numbers):
                place = (part.path, part.line + line)
                found[place] = found.get(place, 0) + 1
    return found


def _stays(root: Node, parameter: Node, name: str) -> bool:
    """Tell whether a parameter of a whole number is declared constant, and no other variable has its name."""
    qualifiers = [text(item) for item in parameter.named_children if item.type == "type_qualifier"]
    whole = _WHOLE.fullmatch(text(parameter.child_by_field_name("type"))) is not None
    return whole and "const" in qualifiers and not changes(root, name)


def _numbers(roots: Sequence[Node], callee: str, position: int) -> frozenset[int]:
    """Return the numbers that all calls pass; none where one passes something else."""
    given = [item for root in roots for item in passed(root, callee, position)]
    if not all(item is not None and _NUMBER.fullmatch(text(item)) for item in given):
        return frozenset()
    return frozenset(int(text(item).rstrip("uU")) for item in given if item is not None)


def _settled(root: Node, name: str, numbers: frozenset[int]) -> Iterator[int]:
    """Yield the lines of branches whose whole condition comes out alike for all numbers."""
    for branch in descendants(root, "if_statement"):
        clause = branch.child_by_field_name("condition")
        test = clause.child_by_field_name("value") if clause is not None else None
        if test is None or test.type != "binary_expression":
            continue
        sides = [test.child_by_field_name(side) for side in ("left", "right")]
        compares = _COMPARES.get(text(test.child_by_field_name("operator")))
        written = [text(side) for side in sides]
        other = next((word for word in written if word != name), "")
        if compares is None or name not in written or not _NUMBER.fullmatch(other):
            continue
        limit = int(other.rstrip("uU"))
        turned = written[1] == name
        ways = {compares(limit, number) if turned else compares(number, limit) for number in numbers}
        if len(ways) == 1:
            yield test.start_point[0]
