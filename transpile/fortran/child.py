"""A Fortran program or library translated in a process of its own: its text is parsed nowhere else."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from transpile import foreign
from transpile.parsers.fortran import tree
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.resolve import files_in_order
from transpile.parsers.fortran.units import parse
from transpile.translators.fortran import library
from transpile.translators.fortran.program import translate

_MAIN = re.compile(r"^\s*program\s+\w", re.IGNORECASE | re.MULTILINE)
_ROUTINE = re.compile(r"^[^!*\n]*\b(?:subroutine|function)\s+\w", re.IGNORECASE | re.MULTILINE)


def main(words: Sequence[str]) -> int:
    """Translate a program or a library, and print as JSON what there is of it, or why there is nothing.

    Args:
        words: The folder that included files lie in, and a file with what is wanted as JSON: texts by name,
            and for a library which routines are called in C++ (`wanted`) and what is left out (`leave`).
    """
    top = Path(words[0])
    asked: dict[str, Any] = json.loads(Path(words[1]).read_text())
    texts: dict[str, str] = asked["texts"]
    try:
        read, unread = _parsed(texts, top)
        if any(unit.kind == "program" for file in read for unit in file.units):
            if unread:
                raise unread[0]
            answer = _program(read)
        else:
            answer = _library(read, unread, asked)
    except Refused as why:
        answer = {"file": why.file or next(iter(texts)), "line": why.line or 1, "detail": why.detail}
    json.dump(answer, sys.stdout)
    return 0


def _parsed(texts: dict[str, str], top: Path) -> tuple[list[tree.File], list[Refused]]:
    """Parse files; those of a library that cannot be read are left out.

    Raises:
        Refused: A file cannot be read and may hold a main program, or none can be read.
    """
    read: list[tree.File] = []
    unread: list[Refused] = []
    for name, text in texts.items():
        try:
            read.append(parse(text, name, include=_includes(top)))
        except Refused as why:
            if _MAIN.search(text) or not _ROUTINE.search(text):
                raise
            unread.append(Refused(why.detail, why.line, name))
    if not read:
        raise unread[0]
    return read, unread


def _program(read: Sequence[tree.File]) -> dict[str, object]:
    files = files_in_order(read)
    return {"order": [file.name for file in files], "text": translate(files)}


def _library(
    read: Sequence[tree.File], unread: Sequence[Refused], asked: dict[str, Any]
) -> dict[str, object]:
    files = files_in_order(read)
    found = library.translate(files, wanted=asked.get("wanted", ()), leave=asked.get("leave", ()))
    refused = [
        {"name": name, "file": why.file, "line": why.line, "detail": why.detail}
        for name, why in (*((item.file, item) for item in unread), *found.refused)
    ]
    interfaces = [asdict(item) for item in found.interfaces]
    order = [*(item.file for item in unread), *(file.name for file in files)]
    return {
        "order": order,
        "text": found.text,
        "origins": found.origins,
        "interfaces": interfaces,
        "refused": refused,
    }


def _includes(top: Path) -> Callable[[str], str | None]:
    """Return what opens included files below a folder."""

    def read(name: str) -> str | None:
        try:
            return foreign.read(top, name).decode("latin-1")
        except OSError:
            return None

    return read
