"""Variables at file scope that a function finds set, as flat parameters: whole numbers, pointers to numbers.

So are elements of arrays that go by a number (``n[2]``). A trial chooses such numbers as it does sizes, and
gives such pointers arrays of their own. What the function writes itself stays a variable that is set and
saved as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import Parameter
from transpile.parsers.types import clang
from transpile.parsers.types.flat import Flat, local
from transpile.parsers.types.layouts import element

Cursor = Any
Type = Any

_DECLARED = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
_ELEMENT_READ = (
    rb"(?<![&\w])(?<!\+\+)(?<!--)%b\s*\[[^\[\]]*\]"
    rb"(?!\s*(?:\[|\+\+|--|(?:[-+*/%%&|^]|<<|>>)?=(?!=)))"
)
_ROWS = (TypeKind.CONSTANTARRAY,)


def found_set(function: Cursor, variables: Mapping[str, Cursor], text: bytes) -> Iterator[Flat]:
    """Yield such variables, but for those whose name means something else in the function.

    Args:
        function: The function that is called.
        variables: Those that it and what it calls name, by qualified name.
        text: Of all these functions.
    """
    own = {item.spelling for item in clang.descend(function) if item.kind in _DECLARED}
    for name, variable in sorted(variables.items()):
        kind = variable.type.get_canonical()
        if name in own or "::" in name or kind.is_const_qualified() or kind.is_volatile_qualified():
            continue
        if kind.kind is TypeKind.POINTER:
            yield from _pointer(name, variable)
        elif _is_whole(kind) and not _is_written(name, text):
            yield _number(name, kind)
        elif kind.kind in _ROWS and _is_whole(kind.element_type) and _is_only_read(name, text):
            yield from _elements(name, kind, text)


def _number(name: str, kind: Type) -> Flat:
    value = Parameter(name=name, spelling=kind.spelling, element=element(kind), pointer=False, outside=True)
    return Flat(parameters=(value,), argument="", taken=(name,), before=(f"{name} = {local(value)};",))


def _elements(name: str, kind: Type, text: bytes) -> Iterator[Flat]:
    """Yield the elements of an array that functions name by their numbers."""
    named = re.findall(rb"\b%b\s*\[\s*(\d{1,4})\s*\]" % re.escape(name.encode()), text)
    for place in sorted({int(digits) for digits in named}):
        if place < kind.element_count:
            yield _number(f"{name}[{place}]", kind.element_type.get_canonical())


def _pointer(name: str, variable: Cursor) -> Iterator[Flat]:
    inner = variable.type.get_canonical().get_pointee().get_canonical()
    while inner.kind in _ROWS:
        inner = inner.element_type.get_canonical()
    held = element(inner)
    if held is None:
        return
    array = Parameter(
        name=name,
        spelling=variable.type.spelling,
        element=held,
        pointer=True,
        const=inner.is_const_qualified(),
        outside=True,
    )
    # Where it leads is not compared, so it must not change.
    yield Flat(
        parameters=(array,),
        argument="",
        taken=(name,),
        before=(f"{name} = (__typeof__({name})){local(array)};",),
        after=(f"if ((const void *){name} != {local(array)}) __builtin_trap();",),
    )


def _is_whole(kind: Type) -> bool:
    held = element(kind)
    return held is not None and held.scalar is not None and not held.scalar.floating


def _is_only_read(name: str, text: bytes) -> bool:
    """Tell whether functions do nothing to an array but read elements, as far as their text tells."""
    word = re.escape(name.encode())
    reads = re.findall(_ELEMENT_READ % word, text)
    return len(reads) == len(re.findall(rb"\b%b\b" % word, text))


def _is_written(name: str, text: bytes) -> bool:
    """Tell whether functions may write a variable, as far as their text tells."""
    word = re.escape(name.encode())
    return (
        re.search(
            rb"(?:(?<!&)&|\+\+|--)\s*%b\b|\b%b\s*(?:\+\+|--|(?:[-+*/%%&|^]|<<|>>)?=(?!=))" % (word, word),
            text,
        )
        is not None
    )
