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
        answer = _answer(*_parsed(texts, top), texts, asked)
    except Refused as why:
        answer = {"file": why.file or next(iter(texts)), "line": why.line or 1, "detail": why.detail}
    json.dump(answer, sys.stdout)
    return 0


def _answer(
    read: Sequence[tree.File], unread: Sequence[Refused], texts: dict[str, str], asked: dict[str, Any]
) -> dict[str, object]:
    """Translate a program, or a library with the programs that use it.

    Where there are several main programs, or the only one has no translation, these stay Fortran; the rest is
    a library.

    Raises:
        Refused: Neither has a translation.
    """
    mains = _mains(read, unread, texts)
    rest = [file for file in read if file.name not in mains]
    if len(mains) == 1:
        try:
            if unread:
                raise unread[0]
            return _program(read)
        except Refused as why:
            mains = dict.fromkeys(mains, why)
    if mains and not any(_ROUTINE.search(texts[file.name]) for file in rest):
        raise next(iter(mains.values()))
    others = [item for item in unread if item.file not in mains]
    programs = [{"name": name, **_told(why, name)} for name, why in mains.items()]
    return _library(rest, others, asked) | {"programs": programs}


def _mains(read: Sequence[tree.File], unread: Sequence[Refused], texts: dict[str, str]) -> dict[str, Refused]:
    """Return the files with a main program, and why these stay Fortran where there are several."""
    lines = {file.name: unit.line for file in read for unit in file.units if unit.kind == "program"} | {
        item.file: item.line for item in unread if _MAIN.search(texts[item.file])
    }
    detail = f"of the {len(lines)} main programs here, each stays Fortran"
    return {name: Refused(detail, line, name) for name, line in lines.items()}


def _told(why: Refused, name: str) -> dict[str, object]:
    return {"file": why.file or name, "line": why.line, "detail": why.detail}


def _parsed(texts: dict[str, str], top: Path) -> tuple[list[tree.File], list[Refused]]:
    """Parse files; those that cannot be read are left out.

    Raises:
        Refused: A file cannot be read and says nothing of what it holds, or none can be read.
    """
    read: list[tree.File] = []
    unread: list[Refused] = []
    for name, text in texts.items():
        try:
            read.append(parse(text, name, include=_includes(top)))
        except Refused as why:
            if not _MAIN.search(text) and not _ROUTINE.search(text):
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
        {"name": name, **_told(why, "")}
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
