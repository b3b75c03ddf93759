"""Containers of C++ taken apart: vectors, strings, spans, and vectors of rows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from transpile.core import ElementType, Parameter, Rows, Scalar
from transpile.parsers.types.flat import Flat, counted, local, sized
from transpile.parsers.types.layouts import element, unqualified, with_texts

Type = Any

_CONTAINER = re.compile(r"std::(?:\w+::)*(vector|basic_string|span|basic_string_view)<")
_OPEN = 2**64 - 1
"""The extent of a span that does not say how long it is."""
_GAP = 16
"""Bytes between rows: as many as it takes for the sanitizers to see all that runs past a row."""


def container(name: str, kind: Type) -> Flat | None:
    """Return a container of numbers as its elements and their number; None for what is none."""
    match = _CONTAINER.match(unqualified(kind))
    if match is None:
        return None
    inner = kind.get_template_argument_type(0).get_canonical()
    held = element(inner)
    if held is None and match[1] == "vector":
        return _rows(name, kind, inner) or _of_texts(name, kind, inner)
    if held is None:
        return None
    if held.scalar is Scalar.BOOL and match[1] == "vector":
        return _bits(name, kind, inner)
    least = _fixed(kind) if match[1] == "span" else 0
    data = _data(name, inner, const=kind.is_const_qualified() or match[1].endswith("view"), least=least)
    if match[1] in ("span", "basic_string_view"):
        return _view(name, kind, data, inner)
    return _borrowed(name, kind, data, terminated=match[1] == "basic_string")


def _data(
    name: str, inner: Type, *, const: bool, least: int = 0, whole: ElementType | None = None
) -> Parameter:
    return Parameter(
        name=f"{name}.data",
        spelling=f"{inner.spelling} *",
        element=whole or element(inner),
        pointer=True,
        const=const or inner.is_const_qualified(),
        least=least,
    )


def _fixed(kind: Type) -> int:
    """Return how many elements the type of a span tells; 0 where that is left to each span."""
    told = re.search(r",\s*(\d+)(?:UL)?\s*>$", unqualified(kind))
    return int(told[1]) if told and int(told[1]) != _OPEN else 0


def _view(name: str, kind: Type, data: Parameter, inner: Type) -> Flat:
    """Return what refers to elements without owning them."""
    held, size = f"{name}__held", sized(f"{name}.size")
    pointer = f"({unqualified(inner)} *){local(data)}"
    if data.least:
        made = f"{unqualified(kind)} {held}({pointer}, {data.least}ul);"
        return Flat(parameters=(data,), argument=held, taken=_members(name)[:1], before=(made,))
    made = f"{unqualified(kind)} {held}({pointer}, {local(size)});"
    return Flat(
        parameters=(data, size),
        argument=held,
        taken=_members(name),
        before=(made,),
        sizes=((size.name, data.name),),
    )


def _members(name: str) -> tuple[str, str]:
    """Return how the elements and their number are read."""
    return f"{name}.data()", f"{name}.size()"


def _borrowed(name: str, kind: Type, data: Parameter, *, terminated: bool) -> Flat:
    """Return what owns its elements, with an owner that leaves them where they are."""
    held, size = f"{name}__held", sized(f"{name}.size")
    owner = "transpile::borrowed_text" if terminated else "transpile::borrowed"
    given = f"({local(data)}, {local(size)})"
    return Flat(
        parameters=(data, size),
        argument=f"{held}.get()",
        taken=_members(name),
        before=(f"{owner}<{unqualified(kind)}> {held}{given};",),
        after=(f"{held}.check{given};",),
        sizes=((size.name, data.name),),
        terminated=(data.name,) if terminated else (),
    )


def _of_texts(name: str, kind: Type, inner: Type) -> Flat | None:
    """Return a vector of strings, or of structs that hold some; None for what holds none."""
    found = with_texts(inner)
    if found is None:
        return None
    data = _data(name, inner, const=kind.is_const_qualified(), whole=found[0])
    whole = _borrowed(name, kind, data, terminated=False)
    texts = f"{name}__texts"
    places = ", ".join((unqualified(inner), *map(str, found[1])))
    given = f"({local(data)}, {local(whole.parameters[1])})"
    return replace(
        whole,
        before=(f"transpile::borrowed_texts<{places}> {texts}{given};", *whole.before),
        after=(*whole.after, f"{texts}.check();"),
    )


def _bits(name: str, kind: Type, inner: Type) -> Flat:
    """Return a vector that packs truth values as one that is made of them, and sets them again."""
    data, size = _data(name, inner, const=kind.is_const_qualified()), sized(f"{name}.size")
    held = f"{name}__held"
    made = f"transpile::borrowed_bits<{unqualified(kind)}> {held}({local(data)}, {local(size)});"
    return Flat(
        parameters=(data, size),
        argument=f"{held}.get()",
        before=(made,),
        after=(f"{held}.check();",),
        sizes=((size.name, data.name),),
    )


def _rows(name: str, kind: Type, row: Type) -> Flat | None:
    """Return a vector of vectors of numbers: one array whose rows lie at equal distances, with gaps."""
    match = _CONTAINER.match(unqualified(row))
    if match is None or match[1] != "vector":
        return None
    inner = row.get_template_argument_type(0).get_canonical()
    held = element(inner)
    if held is None or held.scalar is Scalar.BOOL:
        return None
    data = _data(name, inner, const=kind.is_const_qualified())
    rows, columns = sized(f"{name}.rows"), sized(f"{name}.columns")
    stride, ragged = counted(f"{name}.stride"), counted(f"{name}.ragged")
    parts = (data, rows, columns, stride, ragged)
    own = f"{name}__held"
    given = ", ".join(local(part) for part in parts)
    return Flat(
        parameters=parts,
        argument=f"{own}.get()",
        before=(f"transpile::borrowed_rows<{unqualified(kind)}> {own}({given});",),
        after=(f"{own}.check();",),
        rows=(
            Rows(
                data=data.name,
                rows=rows.name,
                columns=columns.name,
                stride=stride.name,
                ragged=ragged.name,
                gap=-(-_GAP // held.size),
            ),
        ),
    )
