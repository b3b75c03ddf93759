"""Macros in loops: names that stand for others, and what is done to them out of sight."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from transpile.code.lexer import Macro, tokenize
from transpile.code.macros import reached
from transpile.parsers.extraction.loops import BOUND

_SETTING = re.compile(rb"(?<![=!<>])=(?!=)|\+\+|--")


@dataclass(frozen=True, slots=True, kw_only=True)
class Macros:
    """Facts about the macros of a source."""

    words: Mapping[str, frozenset[str]]
    """Words in the expansion of each, and its own name."""
    assigning: frozenset[str]
    """Those that may set what they name."""
    whole: frozenset[str]
    """Names that stand somewhere neither before a subscript nor in one."""
    bound: frozenset[str]
    """Words that mean something else in another function."""


def macros_of(texts: Collection[bytes]) -> Macros:
    """Return what macros may name and do, whichever of several definitions holds."""
    found: dict[str, list[Macro]] = {}
    for data in texts:
        for macro in tokenize(data).macros:
            found.setdefault(macro.name.decode("latin-1"), []).append(macro)
    words = {name: frozenset(reached(name, found)) for name in found}
    setting = {
        name
        for name, some in found.items()
        for macro in some
        for token in macro.body
        if _SETTING.search(token.text)
    }
    assigning = frozenset(name for name, some in words.items() if some & setting)
    bound = BOUND | {name for name, some in words.items() if some & BOUND}
    return Macros(words=words, assigning=assigning, whole=frozenset(_whole(found.values())), bound=bound)


def _whole(macros: Iterable[Sequence[Macro]]) -> Iterator[str]:
    """Yield the names in macros that are neither followed by a subscript nor part of one."""
    for macro in chain.from_iterable(macros):
        depth, following = 0, [token.text for token in macro.body[1:]]
        for token, behind in zip_longest(macro.body, following):
            depth += (token.text == b"[") - (token.text == b"]")
            if depth == 0 and behind != b"[":
                yield token.text.decode("latin-1")
