"""A Fortran program translated in a process of its own: its text is parsed nowhere else."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from transpile import foreign
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.resolve import files_in_order
from transpile.parsers.fortran.units import parse
from transpile.translators.fortran.program import translate


def main(words: Sequence[str]) -> int:
    """Translate a program, and print as JSON the order of its files and the C++, or why there is none.

    Args:
        words: The folder that included files lie in, and a file with texts by name as JSON.
    """
    top = Path(words[0])
    texts: dict[str, str] = json.loads(Path(words[1]).read_text())
    try:
        files = files_in_order([parse(text, name, include=_includes(top)) for name, text in texts.items()])
        answer: dict[str, object] = {"order": [file.name for file in files], "text": translate(files)}
    except Refused as why:
        answer = {"file": why.file or next(iter(texts)), "line": why.line or 1, "detail": why.detail}
    json.dump(answer, sys.stdout)
    return 0


def _includes(top: Path) -> Callable[[str], str | None]:
    """Return what opens included files below a folder."""

    def read(name: str) -> str | None:
        try:
            return foreign.read(top, name).decode("latin-1")
        except OSError:
            return None

    return read
