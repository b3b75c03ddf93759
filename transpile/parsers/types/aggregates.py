"""Parameters of host functions that are more than a number or a pointer to some, taken apart into such.

A struct with members that are sizes or arrays or lead to other structs, a reference, a vector, rows behind
pointers: a trial provides flat arrays and scalars, and the entry of the call puts the object together again.
What a call changes in an object is seen as in any other array: the object itself lies in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from clang.cindex import TypeKind

from transpile.code.lexer import Kind, Token, tokenize
from transpile.core import Assembly, Parameter
from transpile.parsers.types.clang import REFERENCES
from transpile.parsers.types.containers import container
from transpile.parsers.types.flat import Flat, counted, local, member, target
from transpile.parsers.types.layouts import element, empty, object_of, unqualified

Cursor = Any
Type = Any

_NOWHERE = Flat(parameters=(), argument="0")
"""Of a pointer in a struct that nothing uses."""
_ROWS = 4096
"""Rows that a table of rows has."""
_MOST_MEMBERS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """What texts tell of a function's parameters."""

    body: bytes
    """Of the function: whether a pointer is to one object."""
    words: frozenset[bytes] | None
    """All that the function and what it calls may name; None where that is not to be seen."""

    def names(self, path: str) -> bool:
        """Tell whether a member of a struct may be used."""
        return self.words is None or path.rpartition(".")[2].encode() in self.words


def taken_apart(declared: Cursor, uses: Uses) -> Flat | None:
    """Return the parts of a parameter; None where it is flat already, or out of reach."""
    name, kind = declared.spelling, declared.type.get_canonical()
    if not name:
        return None
    if kind.kind in REFERENCES:
        inner = kind.get_pointee().get_canonical()
        return container(name, inner) or _referenced(name, inner, uses)
    if kind.kind is TypeKind.RECORD:
        return container(name, kind) or _by_value(name, kind, uses)
    if kind.kind is TypeKind.POINTER:
        inner = kind.get_pointee().get_canonical()
        if inner.kind is TypeKind.POINTER:
            return _rows(name, inner.get_pointee().get_canonical())
        if _single(name, uses.body):
            return _object(name, inner, f"({unqualified(inner)} *){name}", uses, address=name)
    return None


def with_pointers(declared: Cursor, uses: Uses) -> Flat | None:
    """Return the parts of a struct that a kernel takes by value and that holds pointers; None for others."""
    name, kind = declared.spelling, declared.type.get_canonical()
    return _by_value(name, kind, uses) if name and kind.kind is TypeKind.RECORD else None


def assembled_last(
    names: Sequence[str], parts: Sequence[Flat | None], outside: Sequence[Flat] = ()
) -> Assembly | None:
    """Return the same for parameters of which the source's own come first, and what they lead to last."""
    found = assembled(names, parts, outside)
    if found is None:
        return None
    led = (text for part in parts if part is not None for text in _taken(part)[1:])
    behind = (*led, *(text for part in outside for text in part.taken))
    return replace(found, taken=(*names, *behind))


def assembled(
    names: Sequence[str], parts: Sequence[Flat | None], outside: Sequence[Flat] = ()
) -> Assembly | None:
    """Return how the source's parameters of these names are made; None where all of them are flat.

    Args:
        names: Of the parameters.
        parts: What each is made of; None where it is flat.
        outside: What variables at file scope are made of.
    """
    if not any(parts) and not outside:
        return None
    known = [*(part for part in parts if part is not None), *outside]
    return Assembly(
        arguments=tuple(
            (name, part.argument if part else name) for name, part in zip(names, parts, strict=True)
        ),
        taken=tuple(
            text
            for name, part in zip(names, parts, strict=True)
            for text in (_taken(part) if part else (name,))
        )
        + tuple(text for part in outside for text in part.taken),
        before=tuple(text for part in known for text in part.before),
        after=tuple(text for part in known for text in part.after),
        sizes=tuple(pair for part in known for pair in part.sizes),
        strides=tuple(pair for part in known for pair in part.strides),
        terminated=tuple(name for part in known for name in part.terminated),
        rows=tuple(rows for part in known for rows in part.rows),
    )


def _taken(part: Flat) -> tuple[str, ...]:
    return part.taken or ("",) * len(part.parameters)


def _referenced(name: str, inner: Type, uses: Uses) -> Flat | None:
    scalar = element(inner)
    if scalar is not None and scalar.scalar is not None and inner.is_const_qualified():
        value = Parameter(name=name, spelling=inner.spelling, element=scalar, pointer=False)
        return Flat(parameters=(value,), argument=name, taken=(name,))
    if inner.kind is TypeKind.CONSTANTARRAY:
        return _array(name, inner)
    nothing = empty(inner)
    if nothing is not None:
        value = Parameter(name=name, spelling=inner.spelling, element=nothing, pointer=False)
        return Flat(parameters=(value,), argument=name, taken=(name,))
    return _object(name, inner, f"*({unqualified(inner)} *){name}", uses, address=f"&{name}")


def _array(name: str, kind: Type) -> Flat | None:
    """Return an array whose length its type tells."""
    lengths, count = "", 1
    while kind.kind is TypeKind.CONSTANTARRAY:
        lengths, count = f"{lengths}[{kind.element_count}]", count * kind.element_count
        kind = kind.element_type.get_canonical()
    held = element(kind)
    if held is None:
        return None
    const = kind.is_const_qualified()
    itself = Parameter(
        name=name, spelling=f"{kind.spelling} *", element=held, pointer=True, const=const, least=count
    )
    return Flat(parameters=(itself,), argument=f"*({target(kind)} (*){lengths}){name}", taken=(name,))


def _object(
    name: str, inner: Type, argument: str, uses: Uses, *, address: str, around: Sequence[str] = ()
) -> Flat | None:
    """Return an object at an address: itself, its integers as scalars, what its pointers lead to.

    Objects that lead to it are of the types ``around``, and none of them is of its own.
    """
    laid_out, spelling = object_of(inner), unqualified(inner)
    if laid_out is None or spelling in around:
        return None
    whole, pointers = laid_out
    itself = Parameter(
        name=name,
        spelling=f"{inner.spelling} *",
        element=whole,
        pointer=True,
        const=inner.is_const_qualified(),
        least=1,
    )
    scalars = [leaf for leaf in whole.leaves if not leaf.scalar.floating and "[" not in leaf.name]
    own, place = f"({address})", f"(({spelling} *){local(itself)})"
    members = _members(name, pointers, uses, own=f"{own}->", around=(*around, spelling))
    if members is None or len(scalars) > _MOST_MEMBERS:
        return None
    values = [member(name, leaf) for leaf in scalars]
    before = [
        f"{place}->{leaf.name} = {local(part)};" if leaf.name else f"*{place} = {local(part)};"
        for leaf, part in zip(scalars, values, strict=True)
    ]
    before += [f"{place}->{path} = {part.argument};" for path, part in members]
    # Where they lead is not compared, so it must not change.
    after = [
        f"if ((const void *){place}->{path} != {_address(part)}) __builtin_trap();" for path, part in members
    ]
    return Flat(
        parameters=(itself, *values, *(item for _, part in members for item in part.parameters)),
        argument=argument,
        taken=(
            address,
            *(f"{own}->{leaf.name}" if leaf.name else f"*{own}" for leaf in scalars),
            *(text for _, part in members for text in part.taken),
        ),
        before=(*before, *(text for _, part in members for text in part.before)),
        after=(*after, *(text for _, part in members for text in part.after)),
    )


def _by_value(name: str, kind: Type, uses: Uses) -> Flat | None:
    """Return a struct that holds pointers; one of numbers alone is flat already."""
    laid_out = object_of(kind)
    if laid_out is None or not laid_out[1]:
        return None
    whole, pointers = laid_out
    itself = Parameter(name=name, spelling=kind.spelling, element=whole, pointer=False)
    members = _members(name, pointers, uses, own=f"{name}.", around=(unqualified(kind),))
    if members is None:
        return None
    return Flat(
        parameters=(itself, *(item for _, part in members for item in part.parameters)),
        argument=name,
        taken=(name, *(text for _, part in members for text in part.taken)),
        before=(
            *(f"{name}.{path} = {part.argument};" for path, part in members),
            *(text for _, part in members for text in part.before),
        ),
        after=tuple(text for _, part in members for text in part.after),
    )


def _members(
    name: str, pointers: Sequence[tuple[str, Type]], uses: Uses, *, own: str, around: Sequence[str]
) -> list[tuple[str, Flat]] | None:
    """Return what the pointers of an object lead to: objects, or arrays; None where one is out of reach."""
    found: list[tuple[str, Flat]] = []
    for path, kind in pointers:
        array = _member(name, path, kind)
        argument = f"({_leading(kind)}){local(array)}"
        if array.element is None or (kind.kind is TypeKind.RECORD and _followed(path, uses.body)):
            part = _object(array.name, kind, argument, uses, address=f"{own}{path}", around=around)
        else:
            part = Flat(parameters=(array,), argument=argument, taken=(f"{own}{path}",))
        if part is None and uses.names(path):
            return None
        found.append((path, part or _NOWHERE))
    return found


def _address(part: Flat) -> str:
    return local(part.parameters[0]) if part.parameters else part.argument


def _rows(name: str, kind: Type) -> Flat | None:
    """Return pointers to rows as one array whose rows lie at equal distances."""
    held = element(kind)
    if held is None or held.scalar is None:
        return None
    data = Parameter(
        name=f"{name}.data",
        spelling=f"{kind.spelling} *",
        element=held,
        pointer=True,
        const=kind.is_const_qualified(),
    )
    stride = counted(f"{name}.stride")
    table, target = f"{name}__rows", unqualified(kind)
    row = f"({target} *){local(data)} + (long){local(stride)} * {name}__row"
    loop = f"for (int {name}__row = 0; {name}__row < {_ROWS}; {name}__row++)"
    return Flat(
        parameters=(data, stride),
        argument=f"({target} **){table}",
        before=(f"static {target} *{table}[{_ROWS}];", f"{loop} {table}[{name}__row] = {row};"),
        after=(f"{loop} if ({table}[{name}__row] != {row}) __builtin_trap();",),
        strides=((stride.name, data.name),),
    )


def _member(name: str, path: str, kind: Type) -> Parameter:
    """Return what a pointer leads to; of rows the numbers count and not the rows."""
    inner, _ = _row(kind)
    return Parameter(
        name=f"{name}.{path}",
        spelling=_leading(kind) if kind.kind is TypeKind.CONSTANTARRAY else f"{kind.spelling} *",
        element=element(inner),
        pointer=True,
        const=inner.is_const_qualified(),
    )


def _leading(kind: Type) -> str:
    """Return the type of a pointer to a type."""
    inner, lengths = _row(kind)
    return f"{target(inner)} (*){lengths}" if lengths else f"{target(inner)} *"


def _row(kind: Type) -> tuple[Type, str]:
    """Return what rows are of, and their lengths; a type that is none has no lengths."""
    lengths = ""
    while kind.kind is TypeKind.CONSTANTARRAY:
        lengths, kind = f"{lengths}[{kind.element_count}]", kind.element_type.get_canonical()
    return kind, lengths


def _single(name: str, body: bytes) -> bool:
    """Tell whether a body takes a pointer for that of one object: ``p->n``, ``*p``, or passes it on."""
    tokens = tokenize(body).text
    places = [index for index, token in enumerate(tokens) if token.text == name.encode()]
    used = [index for index in places if index and tokens[index - 1].text not in (b".", b"->")]
    return bool(used) and all(_of_one(tokens, index) for index in used)


def _followed(path: str, body: bytes) -> bool:
    """Tell whether a body takes a pointer in a struct for that of one object: ``s->grid->n`` alone."""
    tokens = tokenize(body).text
    name = path.rpartition(".")[2].encode()
    places = [index for index, token in enumerate(tokens) if token.text == name and index]
    used = [index for index in places if tokens[index - 1].text in (b".", b"->")]
    return bool(used) and all(index + 1 < len(tokens) and tokens[index + 1].text == b"->" for index in used)


def _of_one(tokens: Sequence[Token], index: int) -> bool:
    before = tokens[index - 1].text
    after = tokens[index + 1].text if index + 1 < len(tokens) else b""
    if after == b"->":
        return True
    if before == b"*" and after not in (b"[", b"(") and not _moved(tokens, index):
        operand = tokens[index - 2] if index > 1 else None
        return operand is None or not (
            (operand.kind is Kind.WORD and operand.text != b"return") or operand.text in (b")", b"]")
        )
    passed = before in (b"(", b",") and after in (b",", b")")
    compared = before in (b"!", b"==", b"!=") or after in (b"==", b"!=")
    return passed or compared


def _moved(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether ``++`` or ``--`` follows, however the lexer cuts it."""
    after = b"".join(token.text for token in tokens[index + 1 : index + 3])
    return after.startswith((b"++", b"--"))
