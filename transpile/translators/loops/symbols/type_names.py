"""Names that a source gives to types of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from transpile.code.lexer import Kind, Macro
from transpile.core import Source

_TYPEDEF = re.compile(rb"\btypedef\s+([\w\s:]+?)\b(\w+)\s*;|\busing\s+(\w+)\s*=([\w\s:]+);")
_WORD = re.compile(r"\b(?!std\b)\w+")
_OWN_TYPE = re.compile(rb"\b(?:struct|class|union|enum)\s+(\w+)")
NUMBERS = frozenset(
    ("char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "size_t", "ptrdiff_t")
) | {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
"""Words of the types of numbers."""
_SAME = {"int32_t": "int"}


def named_types(
    source_: Source, macros: Mapping[str, list[Macro]], numbers: frozenset[str]
) -> frozenset[str]:
    """Return the names of types of some numbers in a source, macros among them, that name nothing else."""
    declared = _declared_types(source_, macros)
    known = numbers - macros.keys()
    while True:
        more = {name for name, found in declared.items() if found and set().union(*found) <= known} - known
        if not more:
            return known - {unit.name for unit in source_.units}
        known |= more


def meanings(source_: Source, macros: Mapping[str, list[Macro]]) -> dict[str, str]:
    """Return what the names of types of numbers stand for that have one meaning, given once or more."""
    own = {name.decode("latin-1") for data in source_.files.values() for name in _OWN_TYPE.findall(data)}
    declared = {
        name: sorted(found) for name, found in _declared_types(source_, macros).items() if name not in own
    }
    known: dict[str, tuple[str, ...]] = {}
    while True:
        read = {name: [_known(words, known) for words in found] for name, found in declared.items()}
        more = {
            name: found[0] for name, found in read.items() if all(found) and len(set(map(_plain, found))) == 1
        }
        if more == known:
            return {name: " ".join(found) for name, found in known.items() if name not in NUMBERS}
        known = more


def _known(words: tuple[str, ...], known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the words of a type of numbers that words stand for; none where they are no such type."""
    if NUMBERS.issuperset(words):
        return words
    return known.get(words[0], ()) if len(words) == 1 else ()


def _plain(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_SAME.get(word, word) for word in words)


def senses(source_: Source, macros: Mapping[str, list[Macro]]) -> dict[str, frozenset[str]]:
    """Return all that each name of types of numbers stands for, as builds may choose."""
    own = {name.decode("latin-1") for data in source_.files.values() for name in _OWN_TYPE.findall(data)}
    own |= {unit.name for unit in source_.units}
    declared = _declared_types(source_, macros)
    found = {name: _meant((name,), declared, frozenset()) for name in declared.keys() - own}
    return {name: frozenset(types) for name, types in found.items() if types}


def _meant(
    words: tuple[str, ...], declared: Mapping[str, set[tuple[str, ...]]], seen: frozenset[str]
) -> set[str]:
    """Return the types that words may be; none where one of them is no type of numbers."""
    if not words or seen.intersection(words):
        return set()
    if len(words) > 1 or words[0] not in declared:
        plain = NUMBERS.issuperset(words) and declared.keys().isdisjoint(words)
        return {" ".join(words)} if plain else set()
    parts = [_meant(found, declared, seen | {words[0]}) for found in declared[words[0]]]
    return set().union(*parts) if all(parts) else set()


def _declared_types(source_: Source, macros: Mapping[str, list[Macro]]) -> dict[str, set[tuple[str, ...]]]:
    """Return what names are defined as in a source, in words; none where a macro is more than words."""
    declared: dict[str, set[tuple[str, ...]]] = {}
    for data in source_.files.values():
        for found in _TYPEDEF.finditer(data):
            name, body = found[2] or found[3], found[1] or found[4]
            words = tuple(_WORD.findall(body.decode("latin-1")))
            declared.setdefault(name.decode("latin-1"), set()).add(words)
    for name, bodies in macros.items():
        tokens = [token for macro in bodies for token in macro.body]
        plain = all(macro.body for macro in bodies) and all(token.kind is Kind.WORD for token in tokens)
        words_of = {tuple(token.text.decode("latin-1") for token in macro.body) for macro in bodies}
        declared[name] = words_of if plain else set()
    return declared
