"""Variables at file scope that a function finds set, as flat parameters: whole numbers, pointers to numbers.

So are elements of arrays that go by a number (``n[2]``), and members of structs in the memory of a device.
A trial chooses such numbers as it does sizes, and gives such pointers arrays of their own. What the function
writes itself stays a variable that is set and saved as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from clang.cindex import CursorKind, TypeKind

from transpile.core import Parameter
from transpile.parsers.files.comments import code
from transpile.parsers.types import clang
from transpile.parsers.types.flat import Flat, local, member
from transpile.parsers.types.layouts import element

Cursor = Any
Type = Any

_DECLARED = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
_ELEMENT_READ = (
    rb"(?<![&\w])(?<!\+\+)(?<!--)%b\s*\[[^\[\]]*\]"
    rb"(?!\s*(?:\[|\+\+|--|(?:[-+*/%%&|^]|<<|>>)?=(?!=)))"
)
_ASKED = (
    rb"(?:(?:\b(?:if|while|switch)\s*\(|!|&&|\|\|)\s*"
    rb"|(?:[(\[,?:]|(?<![=!<>])=|\breturn\b)\s*(?=%b\s*(?:&&|\|\||\?|[=!]=)))"
    rb"%b(?=\s*(?:[)?]|&&|\|\||[=!]=\s*(?:-?\d|[A-Z][A-Z0-9_]*\b)))"
)
"""A number whose truth is asked for, or whether it equals a constant."""
_FIRST_READ = (
    rb"(?<!\+\+)(?<!--)\*\s*%b\b(?!\s*\[)"
    rb"(?!\s*\)*\s*(?:\+\+|--|(?:[-+*/%%&|^]|<<|>>)?=(?!=)))"
)
"""No array can be multiplied by."""
_ROWS = (TypeKind.CONSTANTARRAY,)


def found_set(function: Cursor, variables: Mapping[str, Cursor], text: bytes) -> Iterator[Flat]:
    """Yield such variables, but for those whose name means something else in the function.

    Args:
        function: The function that is called.
        variables: Those that it and what it calls name, by qualified name.
        text: Of all these functions.
    """
    own = _own(function)
    for name, variable in sorted(variables.items()):
        kind = variable.type.get_canonical()
        if not _is_settable(name, kind, own):
            continue
        if kind.kind is TypeKind.POINTER:
            yield from _pointer(name, variable)
        elif _is_whole(kind) and not _is_written(name, text):
            yield _number(name, kind)
        elif kind.kind in _ROWS and _is_whole(kind.element_type) and _is_only_read(name, text):
            yield from _elements(name, kind, text)


def numbers_of_device(function: Cursor, variables: Mapping[str, Cursor], text: bytes) -> Iterator[Flat]:
    """Yield the whole numbers of a device's variables that a kernel finds set, members of structs among them.

    Flags, of which functions only ask whether they are set or equal a constant, are no sizes: they stay
    variables.

    Args:
        function: The kernel.
        variables: Those that it and what it calls name, by qualified name.
        text: Of all these functions.
    """
    found = [*found_set(function, _of_numbers(variables), text)]
    own = _own(function)
    for name, variable in sorted(variables.items()):
        kind = variable.type.get_canonical()
        if kind.kind is TypeKind.RECORD and _is_settable(name, kind, own) and not _is_written(name, text):
            found += _members(name, kind, text)
    spoken = code(text) if found else b""
    yield from (part for part in found if not _is_flag(part.parameters[0].name, spoken))


def _of_numbers(variables: Mapping[str, Cursor]) -> dict[str, Cursor]:
    pointer = TypeKind.POINTER
    return {name: item for name, item in variables.items() if item.type.get_canonical().kind is not pointer}


def _is_flag(name: str, text: bytes) -> bool:
    """Tell whether code does no more with a number than ask whether it is set, or equals a constant."""
    word = re.escape(name.encode())
    asked = re.findall(_ASKED % (word, word), text)
    return len(asked) == len(re.findall(rb"(?<![\w.])%b(?!\w)" % word, text)) > 0


def _own(function: Cursor) -> frozenset[str]:
    """Return the names that mean something of the function's own in it."""
    return frozenset(item.spelling for item in clang.descend(function) if item.kind in _DECLARED)


def _is_settable(name: str, kind: Type, own: frozenset[str]) -> bool:
    """Tell whether an entry can set a variable, by the name that it has in the function."""
    fixed = kind.is_const_qualified() or kind.is_volatile_qualified()
    return name not in own and "::" not in name and not fixed


def _members(name: str, kind: Type, text: bytes) -> Iterator[Flat]:
    """Yield the whole numbers of a struct that functions name and do not write."""
    laid_out = element(kind)
    for leaf in laid_out.leaves if laid_out is not None else ():
        path = f"{name}.{leaf.name}"
        if leaf.scalar.floating or "[" in leaf.name or _is_written(path, text):
            continue
        if re.search(rb"\b%b\b" % re.escape(path.encode()), text) is None:
            continue
        value = member(name, leaf, outside=True)
        yield Flat(parameters=(value,), argument="", taken=(path,), before=(f"{path} = {local(value)};",))


def _number(name: str, kind: Type) -> Flat:
    value = Parameter(name=name, spelling=kind.spelling, element=element(kind), pointer=False, outside=True)
    return Flat(parameters=(value,), argument="", taken=(name,), before=(f"{name} = {local(value)};",))


def _elements(name: str, kind: Type, text: bytes) -> Iterator[Flat]:
    """Yield the elements of an array that functions name by their numbers."""
    word = re.escape(name.encode())
    named = {int(digits) for digits in re.findall(rb"\b%b\s*\[\s*(\d{1,4})\s*\]" % word, text)}
    for place in sorted(named | ({0} if re.search(_FIRST_READ % word, text) else set())):
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
    reads = [*re.findall(_ELEMENT_READ % word, text), *re.findall(_FIRST_READ % word, text)]
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
