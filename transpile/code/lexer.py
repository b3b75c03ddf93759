"""Tokens of C, C++ and CUDA text, bytes in and byte spans out. Broken text yields tokens all the same.

tree-sitter cannot see into macro bodies and gives up around what it does not know; whatever has to work there
(lowering, the search for kernels in broken regions) works on these tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import chain
from typing import NamedTuple


class Kind(Enum):
    """What a token is. Comments and white space are none."""

    WORD = auto()
    NUMBER = auto()
    STRING = auto()
    MARK = auto()
    """Punctuation: ``::``, ``->``, ``##`` or a single byte, so that ``>>>`` is three of them."""
    DIRECTIVE = auto()
    """A conditional preprocessor line (``#if`` … ``#endif``) as a whole, between tokens of the text."""


class Token(NamedTuple):
    """A piece of text with its place in the file."""

    kind: Kind
    text: bytes
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Macro:
    """A ``#define``: its name, its parameters (None where it is not function-like) and its body."""

    name: bytes
    parameters: tuple[bytes, ...] | None
    body: tuple[Token, ...]
    end: int
    """Where the last line of the definition ends, before its newline."""
    variadic: bool = False
    """It takes any number of arguments behind the others."""
    named_rest: bytes | None = None
    """The parameter that has these: ``rest...``, and not ``...`` alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """A file as tokens: the text without directives, and the macros that it defines."""

    text: tuple[Token, ...]
    macros: tuple[Macro, ...]

    @property
    def streams(self) -> tuple[tuple[Token, ...], ...]:
        """Return the text, then the body of each macro."""
        return self.text, *(macro.body for macro in self.macros)


_CONDITIONALS = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef", b"else", b"endif"))

_TOKEN = re.compile(
    rb"""
      (?P<skip>  (?: [ \t\r\f\v]+ | \\\r?\n | //(?:[^\\\n]|\\[\s\S])* | /\*[\s\S]*?(?:\*/|\Z) )+ )
    | (?P<newline> \n )
    | (?P<raw>   (?:u8|[uUL])?R"(?P<delimiter>[^\s()\\"]{0,16})\( [\s\S]*? \)(?P=delimiter)" )
    | (?P<string> (?:u8|[uUL])? (?: "(?:[^"\\\n]|\\[\s\S])*(?:"|(?=\n)|\Z) | '(?:[^'\\\n]|\\[\s\S])+' ) )
    | (?P<word>  [A-Za-z_$\x80-\xff][\w$\x80-\xff]* )
    | (?P<number> \.?[0-9](?:[eEpP][+-]|'?[\w.])* )
    | (?P<mark>  :: | -> | \#\# | [\s\S] )
    """,
    re.VERBOSE,
)
_KINDS = {
    "word": Kind.WORD,
    "number": Kind.NUMBER,
    "raw": Kind.STRING,
    "string": Kind.STRING,
    "mark": Kind.MARK,
}


def depth(tokens: Sequence[Token]) -> int:
    """Return how many brackets are open at once where most are; what closes none is passed over."""
    open_now = most = 0
    for token in tokens:
        if token.text in OPEN:
            open_now += 1
            most = max(most, open_now)
        elif token.text in OPEN.values():
            open_now = max(open_now - 1, 0)
    return most


@lru_cache(maxsize=256)
def tokenize(data: bytes) -> Tokens:
    """Cut a file into the tokens of its text and of its macro bodies."""
    text: list[Token] = []
    macros: list[Macro] = []
    directive: list[Token] | None = None
    fresh = True  # nothing but white space since the line began
    for match in _TOKEN.finditer(data):
        group = match.lastgroup
        if group == "skip":
            continue
        if group == "newline":
            if directive is not None:
                _close(directive, data, match.start(), text, macros)
                directive = None
            fresh = True
            continue
        token = Token(_KINDS[str(group)], match.group(), match.start(), match.end())
        if directive is not None:
            directive.append(token)
        elif fresh and token.text == b"#":
            directive = [token]
        else:
            text.append(token)
        fresh = False
    if directive is not None:
        _close(directive, data, len(data), text, macros)
    return Tokens(text=tuple(text), macros=tuple(macros))


def every_word(data: bytes) -> Iterator[Token]:
    """Yield the words of a text, of the macros that it defines and of its conditional lines, in no order."""
    for token in chain.from_iterable(tokenize(data).streams):
        if token.kind is Kind.WORD:
            yield token
        elif token.kind is Kind.DIRECTIVE:
            start = token.text.index(b"#") + 1
            for inner in tokenize(token.text[start:]).text:
                if inner.kind is Kind.WORD:
                    shift = token.start + start
                    yield inner._replace(start=inner.start + shift, end=inner.end + shift)


def _close(line: list[Token], data: bytes, end: int, text: list[Token], macros: list[Macro]) -> None:
    """File a finished directive where it belongs."""
    if len(line) < 2:
        return
    word = line[1].text
    if word == b"define" and len(line) > 2:
        macros.append(_macro(line, end))
    elif word in _CONDITIONALS:
        start = line[0].start
        text.append(Token(Kind.DIRECTIVE, data[start:end], start, end))


def _macro(line: list[Token], end: int) -> Macro:
    name, rest = line[2], line[3:]
    if not rest or rest[0].text != b"(" or rest[0].start != name.end:
        return Macro(name=name.text, parameters=None, body=tuple(rest), end=end)
    close = next((index for index, token in enumerate(rest) if token.text == b")"), len(rest) - 1)
    listed = rest[1:close]
    dots = next((index for index, token in enumerate(listed) if token.text == b"."), None)
    before = listed[dots - 1] if dots else None
    return Macro(
        name=name.text,
        parameters=tuple(token.text for token in listed if token.kind is Kind.WORD),
        body=tuple(rest[close + 1 :]),
        end=end,
        variadic=dots is not None,
        named_rest=before.text if before is not None and before.kind is Kind.WORD else None,
    )


OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}
CLOSE = {close: opening for opening, close in OPEN.items()}


def closing(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the bracket that closes the one at the index; None where it stays open.

    Every branch of an ``#if`` starts at the depth at which the ``#if`` stands, so that a brace which both of
    its branches open counts once.
    """
    depth = 0
    branches: list[int] = []
    for at in range(index, len(tokens)):
        kind, text, _, _ = tokens[at]
        if kind is Kind.DIRECTIVE:
            depth = _branch(text, depth, branches)
        elif text in OPEN:
            depth += 1
        elif text in CLOSE:
            depth -= 1
            if depth == 0:
                return at
            if depth < 0:
                return None
    return None


def _branch(directive: bytes, depth: int, branches: list[int]) -> int:
    """Return the depth after a conditional directive; the list holds the depths of the open ones."""
    word = directive.lstrip(b"# \t")
    if word.startswith(b"if"):
        branches.append(depth)
    elif word.startswith(b"el") and branches:
        return branches[-1]
    elif word.startswith(b"endif") and branches:
        branches.pop()
    return depth


def opening(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the bracket that the one at the index closes; None where there is none."""
    depth = 0
    for at in range(index, -1, -1):
        text = tokens[at].text
        if text in CLOSE:
            depth += 1
        elif text in OPEN:
            depth -= 1
            if depth == 0:
                return at
            if depth < 0:
                return None
    return None


def angle_closing(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the ``>`` that closes the ``<`` of a template argument list at the index."""
    depth = 0
    at = index
    while at < len(tokens):
        text = tokens[at].text
        if at > index and _is_shift(tokens, at):
            at += 1
        elif text == b"<":
            depth += 1
        elif text == b">":
            depth -= 1
            if depth == 0:
                return at
        elif text in OPEN:
            close = closing(tokens, at)
            if close is None:
                return None
            at = close
        elif text in CLOSE or text == b";":
            return None
        at += 1
    return None


def angle_opening(tokens: Sequence[Token], index: int) -> int | None:
    """Return the index of the ``<`` that the ``>`` at the index closes."""
    depth = 0
    at = index
    while at >= 0:
        text = tokens[at].text
        if at > 0 and _is_shift(tokens, at - 1):
            at -= 1
        elif text == b">":
            depth += 1
        elif text == b"<":
            depth -= 1
            if depth == 0:
                return at
        elif text in CLOSE:
            start = opening(tokens, at)
            if start is None:
                return None
            at = start
        elif text in OPEN or text == b";":
            return None
        at -= 1
    return None


def _is_shift(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether the mark at the index and the next one are ``<<``, and no part of a launch's ``<<<``."""
    pair = tokens[index : index + 2]
    if [token.text for token in pair] != [b"<", b"<"] or pair[0].end != pair[1].start:
        return False
    before, after = tokens[index - 1] if index else None, tokens[index + 2 : index + 3]
    return (before is None or before.text != b"<") and not (after and after[0].text == b"<")


def split(tokens: Sequence[Token], separator: bytes = b",") -> list[Sequence[Token]]:
    """Cut at the separators outside all brackets; closed template argument lists count as brackets."""
    parts: list[Sequence[Token]] = []
    begin = at = 0
    while at < len(tokens):
        text = tokens[at].text
        if text in OPEN:
            at = closing(tokens, at) or len(tokens)
        elif text == b"<" and at and tokens[at - 1].kind is Kind.WORD:
            at = _template_list(tokens, at)
        elif text == separator:
            parts.append(tokens[begin:at])
            begin = at + 1
        at += 1
    if begin < len(tokens) or parts:
        parts.append(tokens[begin:])
    return parts


def _template_list(tokens: Sequence[Token], index: int) -> int:
    """Return where the template argument list at the index closes, or the index if it is a comparison."""
    close = angle_closing(tokens, index)
    if close is None:
        return index
    inside = {token.text for token in tokens[index + 1 : close]}
    return index if inside & {b"&", b"|", b"?"} else close


def quoted(text: bytes) -> bytes:
    """Return a string literal of a text on one line."""
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def spelled(tokens: Sequence[Token]) -> str:
    """Join tokens, directives left out, with a space only where two words would run together."""
    pieces: list[str] = []
    last: Token | None = None
    for token in tokens:
        if token.kind is Kind.DIRECTIVE:
            continue
        if last is not None and apart(last, token):
            pieces.append(" ")
        pieces.append(token.text.decode("utf-8", "surrogateescape"))
        last = token
    return "".join(pieces)


def apart(left: Token, right: Token) -> bool:
    """Tell whether two tokens would read as something else without a space between them."""
    wordy = (Kind.WORD, Kind.NUMBER, Kind.STRING)
    if left.kind in wordy and right.kind in wordy:
        return True
    return left.end != right.start and left.kind is right.kind is Kind.MARK and left.text in b"+-&|<>:/"
