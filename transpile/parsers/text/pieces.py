"""Declarations at file scope: what each names, and what it mentions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from transpile.code.lexer import CLOSE, OPEN, Kind, Macro, Token, angle_closing, closing, tokenize
from transpile.core import Span
from transpile.parsers.text.outline import file_scope
from transpile.parsers.text.units import definitions

_TYPES = frozenset((b"class", b"struct", b"union", b"enum"))
_KEYWORDS = _TYPES | frozenset(
    b"""
    alignas auto bool break case char const constexpr continue decltype default delete do double else
    explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr
    operator private protected public register return short signed sizeof static switch template this throw
    true typedef typename unsigned using virtual void volatile while
    __attribute__ __align__ __launch_bounds__ __declspec __global__ __device__ __host__ __constant__
    __shared__ __restrict__ __forceinline__ __inline__ __noinline__ asm __asm__ __asm
    """.split()
)
"""Words that declare nothing."""
_DECLARED_BEFORE = frozenset((b";", b"=", b"[", b"(", b")", b",", b"{", b":", b"<"))
"""Marks behind a name that a declaration declares."""
_ATTRIBUTES = frozenset((b"__attribute__", b"__align__", b"asm", b"__asm__", b"__asm"))
"""Words that may stand behind such a name, too."""
_DECLARING = frozenset((b"{", b"}", b";", b"_Pragma", b"__pragma"))
"""Tokens of macros that do more than name or qualify the text behind them."""
_HEADS = _TYPES | {b"=", b";", b"constexpr", b"operator", b"namespace"}
"""Words in front of braces that are no function's, or of a function that kernels may call."""
_PLAIN = frozenset(b"void bool char short int long unsigned signed float double const static inline".split())
"""Words that say of a function's result, or of its linkage, all that they say."""
_PRAGMAS = frozenset((b"_Pragma", b"__pragma"))
_POINTING = frozenset((b"*", b"&", b"const", b"volatile", b"__restrict__"))
_WORD = re.compile(rb"[A-Za-z_]")
_STOPS = frozenset((b"{", b"}", b";"))
_INCLUDE = re.compile(
    rb"^[ \t]*\#[ \t]*(include)\b|//(?:[^\\\n]|\\[\s\S])*|/\*[\s\S]*?(?:\*/|\Z)"
    rb"|R\"(?P<delimiter>[^\s()\\\"]{0,16})\([\s\S]*?\)(?P=delimiter)\""
    rb"|\"(?:[^\"\\\n]|\\[\s\S])*\"",
    re.MULTILINE,
)
"""Lines that include files, and all that such a line may only seem to stand in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Macros:
    """Macros whose calls at file scope declare something."""

    called: frozenset[bytes] = frozenset()
    """Those with parameters: what they are called with may be declared."""
    declaring: frozenset[bytes] = frozenset()
    """Those whose texts end declarations, or open and close namespaces, or are pragmas."""
    functions: frozenset[bytes] = frozenset()
    """Those whose texts define a function, and nothing else that has braces."""

    @staticmethod
    def of(known: Iterable[Macro]) -> Macros:
        """Return what definitions of macros make of these."""
        words: dict[bytes, set[bytes]] = {}
        called: set[bytes] = set()
        functions: dict[bytes, bool] = {}
        for macro in known:
            functions[macro.name] = functions.get(macro.name, True) and _is_function(macro.body)
            words.setdefault(macro.name, set()).update(token.text for token in macro.body)
            if macro.parameters is not None:
                called.add(macro.name)
        declaring: set[bytes] = set()
        while found := {
            name
            for name, body in words.items()
            if name not in declaring and not (_DECLARING.isdisjoint(body) and declaring.isdisjoint(body))
        }:
            declaring |= found
        return Macros(
            called=frozenset(called),
            declaring=frozenset(declaring) | _PRAGMAS,
            functions=frozenset(name for name, defines in functions.items() if defines),
        )


def _is_function(body: Sequence[Token]) -> bool:
    """Tell whether the text of a macro is one function, of which no other macro says whose it is."""
    opened = next((at for at, token in enumerate(body) if token.text == b"{"), 0)
    texts = [token.text for token in body[:opened]]
    if texts[-1:] != [b")"] or closing(body, opened) != len(body) - 1 or not _HEADS.isdisjoint(texts):
        return False
    before = texts[: texts.index(b"(")]
    return all(
        word in _PLAIN or not _WORD.match(word) or {b"::", b"##"} & {*before[max(at - 1, 0) : at + 2]}
        for at, word in enumerate(before[:-1])
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A declaration at file scope, or in a namespace."""

    span: Span
    names: frozenset[bytes]
    """All that it may declare; rather too much than too little."""
    words: frozenset[bytes]
    """All that it mentions."""
    body: int
    """Offset of its first brace, or its end."""
    nameless: bool
    """It serves others without being named: a macro's call, ``using``."""
    function_of: bytes = b""
    """The macro whose call it is, where that defines a function."""


def pieces(path: str, data: bytes, macros: Macros | None = None) -> tuple[Piece, ...]:
    """Return the declarations of a file in the order of the text; directives and namespaces are none.

    Args:
        path: Where the text is from.
        data: The text.
        macros: Those whose calls may declare anything.
    """
    tokens = tokenize(data).text
    known = macros or Macros()
    parts = _parts(
        tokens,
        file_scope(tokens),
        {item.span.start: item.span.end for item in definitions(path, data)},
        _behind_includes(tokens, data),
        known,
    )
    return tuple(_piece(part, known) for part in parts)


def _behind_includes(tokens: Sequence[Token], data: bytes) -> frozenset[int]:
    """Return the indices of tokens behind an include that follows what a macro's call may have ended."""
    starts = [token.start for token in tokens]
    found = {bisect_left(starts, line.start()) for line in _INCLUDE.finditer(data) if line[1]}
    return frozenset(at for at in found if at and tokens[at - 1].text == b")")


def _parts(
    tokens: Sequence[Token],
    scope: bytearray,
    functions: Mapping[int, int],
    ended: Collection[int],
    macros: Macros,
) -> Iterator[Sequence[Token]]:
    """Yield the tokens of each declaration."""
    first = at = 0
    while at < len(tokens):
        token = tokens[at]
        if first < at and at in ended:
            yield from _some(tokens[first:at])
            first = at
        if first == at and (behind := _behind_declaring_call(tokens, at, macros)):
            at = behind
            yield tokens[first:at]
            first = at
        elif token.start in functions:
            # What stands before without an end, such as a macro's call, may belong to it.
            while at < len(tokens) and tokens[at].end <= functions[token.start]:
                at += 1
            yield tokens[first:at]
            first = at
        elif token.kind is Kind.DIRECTIVE and first == at:
            first = at = at + 1
        elif token.text in (b"{", b"}") and scope[at]:
            first = at = at + 1  # of a namespace
        elif token.text == b"{":
            at = (closing(tokens, at) or len(tokens) - 1) + 1
            if not _goes_on(tokens[first:at]):
                yield tokens[first:at]
                first = at
        elif token.text in (b"(", b"["):
            at = (closing(tokens, at) or at) + 1
        elif token.text == b";":
            at += 1
            yield tokens[first:at]
            first = at
        else:
            at += 1
    yield from _some(tokens[first:])


def _behind_declaring_call(tokens: Sequence[Token], at: int, macros: Macros) -> int:
    """Return the index behind the call of a macro that declares something itself; 0 where none is there."""
    name, opened = tokens[at].text, at + 1
    argued = tokens[opened : opened + 1] and tokens[opened].text == b"("
    if name in macros.called or name in _PRAGMAS:
        last = closing(tokens, opened) if argued else None
        if last is None:
            return 0
        given = {token.text for token in tokens[opened:last]}
        declares = name in macros.declaring or not given.isdisjoint((b"{", b";"))
    else:
        last, declares = at, name in macros.declaring
    behind = tokens[last + 1].text if last + 1 < len(tokens) else b""
    if not declares or behind == b"{":
        return 0
    return last + 1 + (behind == b";")


def _some(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    if any(token.kind is not Kind.DIRECTIVE for token in tokens):
        yield tokens


def _goes_on(tokens: Sequence[Token]) -> bool:
    """Tell whether a declaration goes on behind its braces: a type or an initial value, not a function."""
    head = _head(tokens)
    words = {token.text for token in head}
    return bool(words & (_TYPES | {b"typedef", b"="})) or not any(token.text == b"(" for token in head)


def _head(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return what stands before the first brace, without a template's parameters."""
    opened = next((at for at, token in enumerate(tokens) if token.text == b"{"), len(tokens))
    first = 0
    while first + 1 < opened and (tokens[first].text, tokens[first + 1].text) == (b"template", b"<"):
        first = (angle_closing(tokens, first + 1) or first + 1) + 1
    return tokens[first:opened]


def _piece(tokens: Sequence[Token], macros: Macros) -> Piece:
    words = frozenset(token.text for token in tokens if token.kind is Kind.WORD) - _KEYWORDS
    first = next(token.text for token in tokens if token.kind is not Kind.DIRECTIVE)
    alias = first == b"using" and not any(token.text == b"=" for token in tokens)
    return Piece(
        span=Span(start=tokens[0].start, end=tokens[-1].end),
        names=frozenset(_names(tokens, words, macros)) - _KEYWORDS,
        words=words,
        body=next((token.start for token in tokens if token.text == b"{"), tokens[-1].end),
        function_of=first if first in macros.functions and first in macros.called else b"",
        nameless=alias or first in macros.called or first in macros.declaring or _allocates(tokens),
    )


def _allocates(tokens: Sequence[Token]) -> bool:
    """Tell whether a declaration is of an operator that expressions call without a name: ``new``."""
    spelt = [token.text for token in _head(tokens)]
    return any(pair in ((b"operator", b"new"), (b"operator", b"delete")) for pair in pairwise(spelt))


def _names(tokens: Sequence[Token], words: frozenset[bytes], macros: Macros) -> Iterator[bytes]:
    head = _head(tokens)
    spelt = [token.text for token in head]
    if _names_all(tokens, spelt):
        yield from words
        return
    if _TYPES.intersection(spelt) and len(head) < len(tokens):
        closed = max(at for at, token in enumerate(tokens) if token.text == b"}")
        yield from (token.text for token in (*head, *tokens[closed:]) if token.kind is Kind.WORD)
        yield from _nested(tokens[len(head) : closed])
        return
    declared = tokens[tokens.index(head[0]) :]
    texts = [token.text for token in declared]
    around: list[bytes] = []
    """In front of each parenthesis that is open; other brackets themselves."""
    value = False
    for at, token in enumerate(declared):
        follower = texts[at + 1 : at + 2]
        named = token.kind is Kind.WORD and (
            _DECLARED_BEFORE.issuperset(follower) or _ATTRIBUTES.issuperset(follower)
        )
        if named and not value and (not around or _declares_within(texts, at, around, macros)):
            yield token.text
        if token.text in OPEN:
            around.append(texts[at - 1] if at and token.text == b"(" else token.text)
        elif token.text in CLOSE and around:
            around.pop()
        if not around and token.text in (b"=", b","):
            value = token.text == b"="


def _names_all(tokens: Sequence[Token], spelt: Sequence[bytes]) -> bool:
    """Tell whether a declaration may be found by each of its words.

    Operators are found by their operands' types; enumerators stand between the braces, and so do the members
    of a union without a name. An alias is declared behind them.
    """
    if b"operator" in spelt or b"enum" in spelt or spelt[-1:] == [b"union"]:
        return b"typedef" not in spelt or b"enum" in spelt
    return b"typedef" in spelt and not any(token.text == b"{" for token in tokens)


def _nested(tokens: Sequence[Token]) -> Iterator[bytes]:
    """Yield what types within a type declare beside it, as they do in C."""
    for at, token in enumerate(tokens):
        if token.text in _TYPES:
            opened = next((index for index in range(at, len(tokens)) if tokens[index].text in _STOPS), at)
            last = opened if token.text != b"enum" else closing(tokens, opened) or opened
            yield from (item.text for item in tokens[at:last] if item.kind is Kind.WORD)


def _declares_within(texts: Sequence[bytes], at: int, around: Sequence[bytes], macros: Macros) -> bool:
    """Tell whether a name in brackets is declared: ``float (*f)(int)``, ``float (max)(float)``."""
    if b"{" in around or b"[" in around:
        return False
    if around[-1] in macros.called:
        return True
    if not all(text in (b"(", b"*", b"&") for text in around[1:]):
        return False
    opened = at - 1
    while texts[opened] in _POINTING:
        opened -= 1
    if texts[opened] != b"(":
        return False
    return opened < at - 1 or texts[at + 1 : at + 3] == [b")", b"("]
