"""``__shared__`` declarations, turned into what the emulator understands.

``__shared__ float a[N], b;`` names storage of the running block. C++ has no such thing, so every declared
name becomes a reference to storage that ``simt::shared`` finds by the type of a lambda, unique for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transpile.code.lexer import Kind, Token, angle_closing, closing, opening, spelled, split

_DROPPED = frozenset((b"__shared__", b"extern", b"static", b"inline", b"__device__", b"register"))
_ATTRIBUTES = frozenset((b"__align__", b"__attribute__", b"alignas", b"__declspec"))
_PREFIXES = frozenset((b"const", b"volatile", b"typename", b"struct", b"class", b"enum", b"union"))
_BUILTIN = frozenset(
    (b"unsigned", b"signed", b"long", b"short", b"int", b"char", b"float", b"double", b"bool", b"__int64")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedName:
    """One declared name: its type without the outermost extent that ``extern`` arrays leave open."""

    name: str
    type: str
    dimensions: tuple[str, ...]
    open: bool
    """The first extent is empty: ``name[]``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeclaration:
    """A declaration statement that was understood."""

    external: bool
    names: tuple[SharedName, ...]


def statement(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    """Return the tokens of the declaration around the index, up to its semicolon; None for a parameter."""
    first = index
    while first > 0:
        before = tokens[first - 1]
        if before.kind is Kind.DIRECTIVE or before.text in (b";", b"{", b"}", b":"):
            break
        if before.text in (b"(", b",", b"<"):
            return None
        if before.text == b")":
            # the parenthesis of an attribute belongs to the declaration, that of an `if` does not
            first = _attribute_start(tokens, first - 1)
            if first < 0:
                return None
            continue
        first -= 1
    last = index
    while last < len(tokens) and tokens[last].text != b";":
        if tokens[last].kind is Kind.DIRECTIVE:
            return None
        if tokens[last].text in (b"(", b"[", b"{"):
            last = closing(tokens, last) or len(tokens)
        last += 1
    return first, min(last, len(tokens))


def _attribute_start(tokens: Sequence[Token], index: int) -> int:
    at = opening(tokens, index)
    return at - 1 if at and tokens[at - 1].text in _ATTRIBUTES else -1


def understand(tokens: Sequence[Token]) -> SharedDeclaration | None:
    """Read a declaration; None where its form is beyond us (macros, anonymous structs, initialisers)."""
    if any(token.kind is Kind.DIRECTIVE for token in tokens):
        return None
    external = any(token.text == b"extern" for token in tokens)
    tokens = _without_attributes(tokens)
    end = _type_end(tokens)
    if end is None:
        return None
    names = [_declarator(part, spelled(tokens[:end])) for part in split(tokens[end:])]
    understood = tuple(name for name in names if name is not None)
    if not understood or len(understood) != len(names):
        return None
    if any(name.open for name in understood) and not external:
        return None
    return SharedDeclaration(external=external, names=understood)


def _without_attributes(tokens: Sequence[Token]) -> list[Token]:
    """Drop storage classes and attributes; the emulator aligns every shared object for the widest access."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in _ATTRIBUTES and at + 1 < len(tokens) and tokens[at + 1].text == b"(":
            at = closing(tokens, at + 1) or len(tokens)
        elif token.text not in _DROPPED:
            kept.append(token)
        at += 1
    return kept


def _type_end(tokens: Sequence[Token]) -> int | None:
    """Return where the declared type ends and the declarators begin."""
    at = 0
    typed = False
    while at < len(tokens):
        token = tokens[at]
        if token.text in _PREFIXES:
            at += 1
        elif token.text in _BUILTIN:
            typed, at = True, at + 1
        elif typed:
            break
        elif token.kind is Kind.WORD or token.text == b"::":
            after = _qualified_name_end(tokens, at)
            if after is None:
                return None
            typed, at = True, after
        else:
            return None
    return at if typed else None


def _qualified_name_end(tokens: Sequence[Token], at: int) -> int | None:
    if tokens[at].text == b"::":
        at += 1
    while at < len(tokens) and tokens[at].kind is Kind.WORD:
        at += 1
        if at < len(tokens) and tokens[at].text == b"<":
            close = angle_closing(tokens, at)
            if close is None:
                return None
            at = close + 1
        if at + 1 < len(tokens) and tokens[at].text == b"::":
            at += 2 if tokens[at + 1].text == b"template" else 1
            continue
        return at
    return None


def _declarator(tokens: Sequence[Token], type_text: str) -> SharedName | None:
    at = 0
    while at < len(tokens) and tokens[at].text in (b"*", b"const", b"volatile", b"__restrict__"):
        at += 1
    prefix, begin = spelled(tokens[:at]), at
    if at >= len(tokens) or tokens[at].kind is not Kind.WORD:
        return None
    at += 1
    while at + 1 < len(tokens) and tokens[at].text == b"##":
        at += 2
    name = spelled(tokens[begin:at])
    dimensions: list[str] = []
    while at < len(tokens):
        close = closing(tokens, at) if tokens[at].text == b"[" else None
        if close is None:
            return None
        dimensions.append(_extent(tokens[at + 1 : close]))
        at = close + 1
    return SharedName(
        name=name,
        type=f"{type_text} {prefix}".strip(),
        dimensions=tuple(dimensions),
        open=bool(dimensions) and not dimensions[0],
    )


def _extent(tokens: Sequence[Token]) -> str:
    """Spell an extent so that a ``>`` inside it cannot close a template argument list."""
    text = spelled(tokens)
    return f"({text})" if ">" in text else text


def declared(declaration: SharedDeclaration, *, file_scope: bool) -> str | None:
    """Return C++ that declares the names for the emulator; None where it cannot (not at file scope)."""
    pieces: list[str] = []
    for name in declaration.names:
        if declaration.external:
            inner = "".join(f"[{extent}]" for extent in name.dimensions[1:])
            if file_scope:
                pieces.append(f"static simt::DynamicShared<{name.type}{inner}> {name.name}")
            else:
                star = "auto *" if name.dimensions else "auto &"
                dereference = "" if name.dimensions else "*"
                pieces.append(f"{star}{name.name} = {dereference}simt::dynamic_shared<{name.type}{inner}>()")
        elif file_scope:
            return None
        else:
            whole = "".join(f"[{extent}]" for extent in name.dimensions)
            pieces.append(f"auto &{name.name} = simt::shared<{name.type}{whole}>([]{{}})")
    return "; ".join(pieces)
