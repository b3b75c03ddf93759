"""Origins of rows: repository, commit and licence as they are found, and never a path of this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from transpile import foreign

_TAG = re.compile(rb"SPDX-License-Identifier:[ \t]*\(?([\w.+-]+(?:[ \t]+(?:OR|AND|WITH)[ \t]+[\w.+-]+)*)")
_NAMES = ("LICENSE", "LICENCE", "COPYING", "LICENSE.txt", "LICENCE.txt", "LICENSE.md", "COPYING.txt")
_HEAD = 4096
"""Bytes of a file in which it says what it is."""
_PHRASES = (
    ("Apache-2.0", rb"Apache License\s+Version 2\.0"),
    ("MPL-2.0", rb"Mozilla Public License,? (?:v(?:ersion|\.)? ?)2\.0"),
    ("AGPL-3.0", rb"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-3.0", rb"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-2.1", rb"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1"),
    ("GPL-3.0", rb"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-2.0", rb"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("BSL-1.0", rb"Boost Software License - Version 1\.0"),
    ("BSD-3-Clause", rb"Redistribution and use in source and binary forms(?s:.*)Neither the name"),
    ("BSD-2-Clause", rb"Redistribution and use in source and binary forms"),
    ("MIT", rb"Permission is hereby granted, free of charge, to any person"),
    ("ISC", rb"Permission to use, copy, modify, and(?:/or)? distribute this software for any"),
    ("Unlicense", rb"This is free and unencumbered software released into the public domain"),
)
"""SPDX names of licences, each with words that only it has of those after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Origin of the source of a row; empty where nothing tells."""

    repository: str = ""
    commit: str = ""
    licence: str = ""
    """SPDX, as the file or its repository says; ``unknown`` for a text that we do not know."""
    licence_file: str = ""


NOWHERE = Origin()


def licence_of(root: Path, path: str) -> tuple[str, str]:
    """Return the licence of a file below a root, and the file that says so: its own words come first."""
    own = _read(root, path)
    if own and (tag := _TAG.search(own)):
        return tag[1].decode("ascii", "replace"), path
    for name in _above(path):
        text = _read(root, name)
        if text:
            return named(text), name
    return "", ""


def named(text: bytes) -> str:
    """Return the SPDX name of the licence that a text is."""
    tag = _TAG.search(text)
    if tag:
        return tag[1].decode("ascii", "replace")
    words = b" ".join(text.split())
    return next((name for name, phrase in _PHRASES if re.search(phrase, words)), "unknown")


def _above(path: str) -> Iterator[str]:
    """Yield where a licence may lie: beside a file, and in each directory above it."""
    parts = path.split("/")[:-1]
    for depth in range(len(parts), -1, -1):
        yield from ("/".join((*parts[:depth], name)) for name in _NAMES)


def _read(root: Path, name: str) -> bytes:
    try:
        return foreign.read(root, name)[: 4 * _HEAD]
    except (OSError, ValueError):
        return b""
