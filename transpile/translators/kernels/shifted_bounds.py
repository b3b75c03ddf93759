"""``i < n >> 1``, which the parser takes for an instance of a template ``i``: parentheses help it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from transpile.code.edits import Edit, edited
from transpile.code.identity import Same
from transpile.code.syntax import Function, declared_name, field, find, function_of, operator, source
from transpile.core import Source, Unit, UnitKind


def with_parentheses(source: Source) -> Source:
    """Return a source in which what kernels and device functions shift in comparisons has parentheses."""
    return _with(Same(source))


@lru_cache(maxsize=4)
def _with(key: Same) -> Source:
    found: dict[str, dict[Edit[bytes], None]] = {}
    for unit in key.source.units:
        if unit.kind in (UnitKind.KERNEL, UnitKind.DEVICE) and b">>" in unit.text and b"<" in unit.text:
            found.setdefault(unit.path, {}).update(dict.fromkeys(_edits(unit)))
    edits = {path: tuple(items) for path, items in found.items() if items}
    return edited(key.source, edits) if edits else key.source


def _edits(unit: Unit) -> Iterator[Edit[bytes]]:
    """Yield the parentheses of a unit, where they stand in its file."""
    function = function_of(unit.text.decode("latin-1"))
    if function is None:
        return
    for start, end in _shifts(function):
        for place, text in ((start, b"("), (end, b")")):
            yield Edit(unit.span.start + place, unit.span.start + place, text)


def _shifts(function: Function) -> Iterator[tuple[int, int]]:
    """Yield where a number that is shifted, and compared with a variable, begins and ends."""
    known = {item.name for item in function.parameters}
    known |= set(_declared(function))
    for instance in find(function.body, "template_function"):
        whole = instance.parent
        begins, ends = field(instance, "arguments").named_children, instance.end_byte
        compares = whole is not None and whole.type == "binary_expression" and operator(whole) == ">"
        if not compares or whole is None or source(field(instance, "name")) not in known or len(begins) != 1:
            continue
        if field(whole, "left").id == instance.id and function.text[ends - 1 : ends + 1] == ">>":
            yield begins[0].start_byte, whole.end_byte


def _declared(function: Function) -> Iterator[str]:
    """Yield the names of the variables that a function declares."""
    for declaration in find(function.body, "declaration"):
        yield from map(declared_name, declaration.children_by_field_name("declarator"))
