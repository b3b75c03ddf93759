"""Macros of a source that stand for values: they write nothing, and do not depend on who asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from transpile.core import Source
from transpile.parsers.lexer import Kind, Macro, tokenize
from transpile.translators.rules.effects import PURE

_WRITES = frozenset(b"= += -= *= /= %= &= |= ^= <<= >>= ++ -- ; {".split())


@dataclass(frozen=True, slots=True)
class Macros:
    """What the macros of a source expand to, as far as that matters."""

    values: frozenset[str] = frozenset()
    """Those that are values, of their arguments where they have any."""
    defined: frozenset[str] = frozenset()
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """All names that may be in an expansion."""

    def calls(self, name: str) -> bool:
        """Tell whether a call is of a function or a macro that is a value of its arguments."""
        name = name.removeprefix("std::")
        return name in self.values if name in self.defined else name in PURE

    def fixed(self, name: str, written: Collection[str]) -> bool:
        """Tell whether a name of no variable keeps its value where these variables are written."""
        if name not in self.defined:
            return name.isupper() or name in PURE
        return name in self.values and not any(word in written for word in self.words[name])


def macros(source: Source) -> Macros:
    """Return what is known of the macros of a source; of several definitions all count."""
    known: dict[str, list[Macro]] = {}
    for data in source.files.values():
        for macro in _macros(data):
            known.setdefault(macro.name.decode("latin-1"), []).append(macro)
    values = frozenset(known)
    while True:
        kept = frozenset(
            name for name in values if all(_is_value(item, values, known) for item in known[name])
        )
        if kept == values:
            return Macros(values, frozenset(known), {name: frozenset(_words(name, known)) for name in known})
        values = kept


@lru_cache(maxsize=512)
def _macros(data: bytes) -> tuple[Macro, ...]:
    return tuple(tokenize(data).macros) if b"#" in data else ()


def _is_value(macro: Macro, values: frozenset[str], known: Mapping[str, list[Macro]]) -> bool:
    """Tell whether a body calls nothing but what is a value, and writes nothing."""
    body = macro.body
    for index, token in enumerate(body):
        if token.text in _WRITES:
            return False
        called = index + 1 < len(body) and body[index + 1].text == b"("
        if called and token.kind is Kind.WORD:
            name = token.text.decode("latin-1")
            if name not in values if name in known else name not in PURE:
                return False
    return bool(body)


def _words(name: str, known: Mapping[str, list[Macro]]) -> Iterator[str]:
    """Yield the names in the expansions of a macro, however deep."""
    seen, left = set[str](), [name]
    while left:
        current = left.pop()
        if current in seen:
            continue
        seen.add(current)
        if current not in known:
            yield current
        for macro in known.get(current, ()):
            left += [token.text.decode("latin-1") for token in macro.body if token.kind is Kind.WORD]
