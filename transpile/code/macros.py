"""Uses of macros as what they stand for: arguments in their places, and text that can be written instead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from transpile.code.lexer import Kind, Macro, Token, apart, quoted, spelled, tokenize

_MOST = 20_000
"""Tokens that a use may stand for."""
_BLANK = re.compile(rb"(?:\s|\\(?=\r?\n))*")
_BRACKETS = frozenset((b"(", b")", b"[", b"]", b",", b";"))
"""Marks that are no part of a longer one."""
_JOINED = re.compile(rb"[ \t]*\\\r?\n")
_REST = b"__VA_ARGS__"
_UNDEFINED = re.compile(rb"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)


class TooLong(Exception):
    """A use stands for more than anybody writes, or for no tokens."""


class Placed(NamedTuple):
    """A token where it was written."""

    path: str
    token: Token
    gap: bytes
    """The white space before it."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A macro and the file that defines it."""

    path: str
    macro: Macro
    body: tuple[Placed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """A use of a macro as what it stands for."""

    text: bytes
    tokens: tuple[Token, ...]
    """Their places are in the text."""
    origins: tuple[Placed, ...]
    """The same tokens where they were written."""


def defined(files: Mapping[str, bytes]) -> dict[bytes, Defined]:
    """Return the macros of files that mean one thing in all of them, by name.

    Left out is what has several definitions, or ends to be defined.
    """
    found: dict[bytes, list[Defined]] = {}
    gone: set[bytes] = set()
    for path, data in files.items():
        gone.update(_UNDEFINED.findall(data))
        for macro in tokenize(data).macros:
            body = tuple(_placed(path, macro.body, data))
            found.setdefault(macro.name, []).append(Defined(path, macro, body))
    return {
        name: several[0]
        for name, several in found.items()
        if name not in gone and len({_meaning(item.macro) for item in several}) == 1
    }


def _placed(path: str, tokens: Sequence[Token], data: bytes) -> Iterator[Placed]:
    """Yield tokens that follow each other in a file, with the white space between them."""
    end = tokens[0].start if tokens else 0
    for token in tokens:
        gap = data[end : token.start]
        yield Placed(path, token, _JOINED.sub(b"\n", gap) if _BLANK.fullmatch(gap) else b"")
        end = token.end


def _meaning(macro: Macro) -> tuple[tuple[bytes, ...] | None, bool, tuple[bytes, ...]]:
    return macro.parameters, macro.variadic, tuple(token.text for token in macro.body)


def reached(name: str, known: Mapping[str, Sequence[Macro]]) -> Iterator[str]:
    """Yield the names in the expansions of a macro, however deep, and its own: macros by all definitions."""
    seen, left = set[str](), [name]
    while left:
        current = left.pop()
        if current in seen:
            continue
        seen.add(current)
        yield current
        for macro in known.get(current, ()):
            left += [
                token.text.decode("latin-1")
                for token in macro.body
                if token.kind is Kind.WORD and token.text not in (macro.parameters or ())
            ]


def use_end(tokens: Sequence[Token], index: int, macro: Macro) -> int | None:
    """Return the index of the last token of the use of a macro that begins at an index; None for no use."""
    if macro.parameters is None:
        return index
    given = _arguments([Placed("", token, b"") for token in tokens[index + 1 :]], macro)
    return None if given is None else index + 1 + given[1]


def expanded(
    path: str, tokens: Sequence[Token], macros: Mapping[bytes, Defined], data: bytes
) -> Expansion | None:
    """Return tokens of a file with every use of a macro replaced; None where that does not end."""
    try:
        placed = _expanded([*_placed(path, tokens, data)], macros, frozenset())
    except TooLong:
        return None
    text = b""
    written: list[Token] = []
    for index, item in enumerate(placed):
        if index:
            joins = item.token.text in _BRACKETS or not apart(placed[index - 1].token, item.token)
            text += item.gap or (b"" if joins else b" ")
        written.append(Token(item.token.kind, item.token.text, len(text), len(text) + len(item.token.text)))
        text += item.token.text
    return Expansion(text=text, tokens=tuple(written), origins=tuple(placed))


def _expanded(
    items: Sequence[Placed], macros: Mapping[bytes, Defined], hidden: frozenset[bytes]
) -> list[Placed]:
    """Return tokens with every use of a macro replaced that is not being replaced already (``hidden``)."""
    result: list[Placed] = []
    at = 0
    while at < len(items):
        token = items[at].token
        item = macros.get(token.text) if token.kind is Kind.WORD and token.text not in hidden else None
        given = None if item is None else _arguments(items[at + 1 :], item.macro)
        if item is None or given is None:
            result.append(items[at])
            at += 1
            continue
        arguments, last = given
        body = list(_substituted(item, arguments, macros, hidden))
        result += _behind(items[at].gap, _expanded(body, macros, hidden | {item.macro.name}))
        at += last + 2
        if len(result) > _MOST:
            raise TooLong
    return result


def _behind(gap: bytes, items: list[Placed]) -> list[Placed]:
    """Return tokens that stand in the place of one with such white space before it."""
    return [items[0]._replace(gap=gap), *items[1:]] if items else []


def _arguments(items: Sequence[Placed], macro: Macro) -> tuple[dict[bytes, Sequence[Placed]], int] | None:
    """Return the arguments of a use and the index of the bracket that closes them; None for no use.

    Brackets other than parentheses keep no comma from parting arguments, unlike in a call.
    """
    if macro.parameters is None:
        return {}, -1
    if not items or items[0].token.text != b"(":
        return None
    parts: list[list[Placed]] = [[]]
    depth = 0
    for index, item in enumerate(items):
        depth += {b"(": 1, b")": -1}.get(item.token.text, 0)
        if item.token.kind is Kind.DIRECTIVE:
            return None
        if depth == 0:
            named = _named(macro, parts)
            return None if named is None else (named, index)
        if item.token.text == b"," and depth == 1 and not (macro.variadic and len(parts) == _count(macro)):
            parts.append([])
        elif index:
            parts[-1].append(item)
    return None


def _names(macro: Macro) -> tuple[bytes, ...]:
    """Return the names of the arguments, the one of all others included."""
    own = macro.parameters or ()
    return (*own, _REST) if macro.variadic and _rest(macro) == _REST else own


def _rest(macro: Macro) -> bytes | None:
    """Return the name for all other arguments; ``rest...`` gives one of its own."""
    if not macro.variadic:
        return None
    return macro.named_rest or _REST


def _count(macro: Macro) -> int:
    return len(_names(macro))


def _named(macro: Macro, parts: list[list[Placed]]) -> dict[bytes, Sequence[Placed]] | None:
    names = _names(macro)
    if not names and parts == [[]]:
        return {}
    if macro.variadic and len(parts) == len(names) - 1:
        parts = [*parts, []]
    return dict(zip(names, parts, strict=True)) if len(parts) == len(names) else None


def _substituted(
    item: Defined,
    arguments: Mapping[bytes, Sequence[Placed]],
    macros: Mapping[bytes, Defined],
    hidden: frozenset[bytes],
) -> Iterator[Placed]:
    """Yield the body of a macro with arguments in their places, quoted or pasted together."""
    body = item.macro.body
    rest = _rest(item.macro)
    found: list[Placed] = []
    pasted = lacking = False
    for index, placed in enumerate(item.body):
        token = placed.token
        before = body[index - 1].text if index else b""
        behind = body[index + 1].text if index + 1 < len(body) else b""
        if token.text == b"##":
            pasted = not lacking and before != b","
            continue
        if token.text == b"#" and behind in arguments:
            continue
        if token.text == b"," and behind == b"##" and rest is not None and not arguments[rest]:
            continue
        if token.text not in arguments:
            parts = [placed]
        elif before == b"#":
            said = spelled([part.token for part in arguments[token.text]])
            literal = quoted(said.encode("utf-8", "surrogateescape"))
            parts = [placed._replace(token=token._replace(kind=Kind.STRING, text=literal))]
        elif (before == b"##" and pasted) or (behind == b"##" and rest != token.text):
            parts = _behind(placed.gap, list(arguments[token.text]))
        else:
            parts = _behind(placed.gap, _expanded(arguments[token.text], macros, hidden))
        if pasted and parts:
            parts = [_joined(found.pop(), parts[0]), *parts[1:]]
        # What is pasted to no token at all stays as it is.
        lacking = not parts and behind == b"##" and not pasted
        found += parts
        pasted = False
    yield from found


def _joined(left: Placed, right: Placed) -> Placed:
    """Return two tokens as the one that they are together; TooLong where they are none."""
    text = left.token.text + right.token.text
    made = tokenize(text).text
    if len(made) != 1:
        raise TooLong
    return left._replace(token=left.token._replace(kind=made[0].kind, text=text))
