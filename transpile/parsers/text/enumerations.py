"""Enumerations of a source: their enumerators, and what these are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tree_sitter import Node

from transpile.code.trees import ancestors, descendants, grammar_of, parse, text

_CAST = rb"\((?:\s*enum\b)?\s*(?:\w+\s*::\s*)*%b\s*\)\s*[\w({*&-]|_cast\s*<[^<>;]*\b%b\s*>|\b%b\s*\(\s*\w"
Enumerators = Mapping[str, int]
_WORDS = re.compile(r"\b(?:const|volatile|enum|class|struct)\b")


def enumerators(files: Mapping[str, bytes], spelling: str) -> Enumerators | None:
    """Return what values of an enumerated type are called; None for other types, and where one is not known.

    A number that something casts to the type may be none of its enumerators, so such types have none.
    """
    return _enumerators(tuple(sorted(files.items())), named(spelling))


@lru_cache(maxsize=256)
def _enumerators(files: tuple[tuple[str, bytes], ...], name: str) -> Enumerators | None:
    values = _enumerations(files).get(name)
    cast = _CAST % ((re.escape(name.encode("utf-8", "surrogateescape")),) * 3)
    return None if not values or any(re.search(cast, data) for _, data in files) else values


@lru_cache(maxsize=8)
def _enumerations(files: tuple[tuple[str, bytes], ...]) -> Mapping[str, Enumerators]:
    found: dict[str, list[Enumerators | None]] = {}
    for path, data in files:
        if b"enum" not in data:
            continue
        for node in descendants(parse(data, grammar_of(path)).root_node, "enum_specifier"):
            for name in _names(node):
                found.setdefault(name, []).append(_values(node))
    known = {name: _alike(items) for name, items in found.items()}
    return {name: values for name, values in known.items() if values}


def _alike(items: list[Enumerators | None]) -> Enumerators | None:
    """Return what all definitions of a name say; None where they differ: headers may be there twice."""
    return items[0] if all(item == items[0] for item in items) else None


def _names(node: Node) -> Iterator[str]:
    """Yield what a type that is defined here is called."""
    if node.child_by_field_name("body") is None:
        return
    name = node.child_by_field_name("name")
    if name is not None:
        yield text(name)
    around = next(ancestors(node), None)
    if around is not None and around.type == "type_definition":
        yield from (
            text(item)
            for item in around.children_by_field_name("declarator")
            if item.type == "type_identifier" and text(item) != text(name)
        )


def _values(node: Node) -> Enumerators | None:
    """Return the enumerators with their values; None where one is not a plain number."""
    body = node.child_by_field_name("body")
    values: dict[str, int] = {}
    following = 0
    for item in body.named_children if body is not None else ():
        if item.type == "comment":
            continue
        if item.type != "enumerator":
            return None  # Preprocessor lines choose what there is.
        given = text(item.child_by_field_name("value"))
        if given and not re.fullmatch(r"-?\d{1,9}|0[xX][0-9a-fA-F]{1,8}", given):
            return None
        following = int(given, 0) if given else following
        values[text(item.child_by_field_name("name"))] = following
        following += 1
    return values


def named(spelling: str) -> str:
    """Return the name of a type without qualifiers and namespaces."""
    return _WORDS.sub("", spelling).replace("&", "").strip().rpartition("::")[2]


def ends(values: Enumerators) -> tuple[int, int] | None:
    """Return the least and the greatest enumerator where none is left out between them; None else."""
    low, high = min(values.values()), max(values.values())
    return (low, high) if set(values.values()) == set(range(low, high + 1)) else None
