"""Directories that a build names: inside of the root relative to it, outside of it absolute.

Builds run on a copy of the source, from where a path such as ``../include`` leads nowhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from transpile.core import Diagnostic, Severity

# The emulator's headers stand for those of the toolkit, wherever that is.
_TOOLKIT = re.compile(r"/cuda(?:-[\d.]+)?(?:/|$)")
_VALUED = ("-I", "-isystem", "-iquote", "-idirafter", "-include")


def located(flags: Sequence[str], root: Path) -> tuple[str, ...]:
    """Return the flags with every path as the copy of a source needs it."""
    found: list[str] = []
    for flag in flags:
        if found and found[-1] in _VALUED:
            found.append(_located(flag, root))
        elif flag.startswith("-I") and flag != "-I":
            found.append("-I" + _located(flag[2:], root))
        else:
            found.append(flag)
    return tuple(found)


def missing(flags: Sequence[str], root: Path, described_by: str) -> list[Diagnostic]:
    """Return a diagnostic for each include directory outside of the root that does not exist."""
    named = [flag[2:] for flag in flags if flag.startswith("-I/")]
    return [
        Diagnostic(
            code="TP102",
            severity=Severity.WARNING,
            path=described_by,
            line=1,
            message=f"the include directory {os.path.relpath(path, root)} does not exist",
            hint="it lies outside of what is ported: check it out beside it, or give its place with -I",
        )
        for path in named
        if not Path(path).is_dir() and not of_toolkit(path)
    ]


def of_toolkit(path: str) -> bool:
    """Tell whether a directory looks like one of CUDA's toolkit."""
    return _TOOLKIT.search(path) is not None


def _located(path: str, root: Path) -> str:
    place = Path(os.path.normpath(root / path))
    if place.is_relative_to(root):
        return os.path.relpath(place, root)
    return str(place.resolve())
