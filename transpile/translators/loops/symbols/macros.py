"""Macros of a source: which are values, and what they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from transpile.code.lexer import Kind, Macro, tokenize
from transpile.code.macros import reached
from transpile.code.pure_calls import PURE
from transpile.core import TranslationUnit

_WRITES = re.compile(rb"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=|[;{]")
_READS = re.compile(rb"\[|->|(?:^|[^\w)\]*])\*")
"""Memory, in a macro: a subscript, an arrow, or a star with nothing before it to multiply."""
_JUMPS = frozenset((b"break", b"continue", b"return", b"goto", b"throw"))


def constants(known: Mapping[str, list[Macro]]) -> Iterator[tuple[str, int]]:
    """Yield the macros that are whole numbers."""
    for name, macros in known.items():
        bodies = {b"".join(token.text for token in macro.body).strip(b"()") for macro in macros}
        plain = all(macro.parameters is None for macro in macros)
        if plain and len(bodies) == 1 and (body := bodies.pop()).isdigit():
            yield name, int(body)


@lru_cache(maxsize=512)
def macros_in(data: bytes) -> tuple[Macro, ...]:
    """Return the macros that a file defines, once a text."""
    return tuple(tokenize(data).macros) if b"#" in data else ()


def given_macros(units: Iterable[TranslationUnit]) -> tuple[Macro, ...]:
    """Return the macros that builds define by ``-D``, each definition once."""
    given = dict.fromkeys(
        (following if flag == "-D" else flag[2:]).partition("=")
        for unit in units
        for flag, following in pairwise((*unit.flags, ""))
        if flag.startswith("-D")
    )
    lines = (f"#define {name} {text if sign else 1}\n" for name, sign, text in given)
    return macros_in("".join(lines).encode("utf-8", "surrogateescape"))


def spelling(macro: Macro) -> tuple[object, ...]:
    """Return what two definitions have in common that are one."""
    return macro.parameters, *(token.text for token in macro.body)


def is_value(macro: Macro, values: frozenset[str], known: Mapping[str, list[Macro]]) -> bool:
    """Tell whether a body calls nothing but what is a value, and neither touches memory nor jumps."""
    body = macro.body
    text = b"".join(token.text for token in body)
    if _WRITES.search(text) or _READS.search(text) or any(token.text in _JUMPS for token in body):
        return False
    for index, token in enumerate(body):
        is_called = index + 1 < len(body) and body[index + 1].text == b"("
        if is_called and token.kind is Kind.WORD:
            name = token.text.decode("latin-1")
            if name not in values if name in known else name not in PURE:
                return False
    return bool(body)


def words_of(name: str, known: Mapping[str, list[Macro]]) -> Iterator[str]:
    """Yield the names in the expansions of a macro, however deep, that are no macros themselves."""
    yield from (word for word in reached(name, known) if word not in known)
