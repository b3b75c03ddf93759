"""Template arguments of kernels as a text spells them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from transpile.code.lexer import angle_closing, spelled, split, tokenize
from transpile.core import LaunchSite, Unit
from transpile.parsers.text.kernel_mentions import values

_PLAIN = re.compile(
    r"(?:(?:unsigned|signed|long|short|int|char|float|double|bool)\b\s*)+$|-?\d+$|true$|false$"
)
"""Means the same everywhere."""


def at_launches(
    unit: Unit, count: int, launches: Iterable[LaunchSite], functions: Collection[str]
) -> list[str]:
    """Return the template arguments in the text of launches, where they mean the same everywhere.

    Args:
        unit: The kernel.
        count: How many arguments it takes.
        launches: Of the source.
        functions: Names that are arguments as well.
    """
    found: dict[str, None] = {}
    for site in launches:
        match = re.search(r"<(.*)>\s*\)?$", site.kernel, re.DOTALL)
        if site.unit == unit.id and match:
            parts = [part.strip() for part in match[1].split(",")]
            if len(parts) == count and _are_plain(parts, functions):
                found[", ".join(parts)] = None
    return list(found)


def of_values(kernels: Collection[bytes], files: Mapping[str, bytes]) -> Mapping[bytes, list[str]]:
    """Return the template arguments of kernels that are values, those that mean the same everywhere.

    Args:
        kernels: Their names, without namespaces.
        files: The code, launches as they are written.
    """
    found: dict[bytes, dict[str, None]] = {}
    for data in files.values():
        if not any(name in data for name in kernels):
            continue
        tokens = tokenize(data).text
        starts = {token.start for token in values(tokens, kernels)}
        for index, token in enumerate(tokens[:-1]):
            opens = token.start in starts and tokens[index + 1].text == b"<"
            close = angle_closing(tokens, index + 1) if opens else None
            parts = [spelled(part) for part in split(tokens[index + 2 : close])] if close else []
            if parts and _are_plain(parts, ()):
                found.setdefault(token.text, {})[", ".join(parts)] = None
    return {name: list(texts) for name, texts in found.items()}


def _are_plain(parts: Sequence[str], functions: Collection[str]) -> bool:
    return all(_PLAIN.match(part) or part.lstrip("& ") in functions for part in parts)
