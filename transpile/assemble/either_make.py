"""A Makefile of nvcc becomes one that also builds with hipcc: ``make GPU=amd``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from transpile.assemble import makefile

CHOICE = "GPU=amd"
_CONDITION = "ifeq ($(GPU),amd)\n"
_SAID = f"""\
# For AMD's devices: make {CHOICE}. To hipcc, -x hip says that a file of .cu is HIP; beside a toolkit of CUDA,
# HIP_PLATFORM says that it is not to call nvcc.
{_CONDITION}export HIP_PLATFORM = amd
endif

"""
_DRIVER = replace(makefile.HIPCC, suffixes={".cu": ".cu"})
_DIRECTIVE = re.compile(r"\s*(?:ifn?eq|ifn?def|else|endif|-?include|endef)\b")
_COMPILES = re.compile(r"(?<=\s)-c(?=\s)")


def ported(text: str) -> str:
    """Return a Makefile whose lines of nvcc stand there for hipcc too; one that has both stays."""
    if _CONDITION in text:
        return text
    pieces = list(_pieces(text))
    translated = [_translated(piece) for piece in pieces]
    whole = "".join(translated)
    pairs = [(old, _with_language(new, whole)) for old, new in zip(pieces, translated, strict=True)]
    made = []
    for changed, group in groupby(pairs, key=lambda pair: pair[0] != pair[1]):
        before, after = ("".join(lines) for lines in zip(*group, strict=True))
        made.append(f"{_CONDITION}{_ended(after)}else\n{_ended(before)}endif\n" if changed else before)
    return _SAID + "".join(made) if len(made) > 1 or made[0] != text else text


def _pieces(text: str) -> Iterator[str]:
    """Yield the lines of a Makefile, those that go on together, and definitions of several lines whole."""
    piece, inside = "", False
    for line in text.splitlines(keepends=True):
        piece += line
        inside = (inside or line.startswith("define ")) and not line.startswith("endef")
        if not inside and not line.rstrip("\r\n").endswith("\\"):
            yield piece
            piece = ""
    if piece:
        yield piece


def _translated(piece: str) -> str:
    if _DIRECTIVE.match(piece):
        return piece
    return "".join(makefile.ported_line(line, {}, _DRIVER) for line in piece.splitlines(keepends=True))


def _with_language(piece: str, text: str) -> str:
    """Return a command of hipcc that compiles with the language named, and anything else as it is."""
    if piece.startswith("\t") and makefile.compiles(piece, text, _DRIVER.command):
        return _COMPILES.sub("-x hip -c", piece)
    return piece


def _ended(lines: str) -> str:
    return lines if lines.endswith("\n") else f"{lines}\n"
