"""Directories that a build names: inside of the root relative to it, outside of it absolute.

Builds run on a copy of the source, from where a path such as ``../include`` leads nowhere. Outside of the
repository, nothing is opened for it but what the system's packages install and what the user opens.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile import foreign
from transpile.core import Diagnostic, Severity
from transpile.parsers.files.discovery import is_code
from transpile.toolchains.recipes import argument

# The emulator's headers stand for those of the toolkit, wherever that is.
_TOOLKIT = re.compile(r"/cuda(?:-[\d.]+)?(?:/|$)")
_PACKAGES = re.compile(r"/usr(?:/|$)|/opt/(?:.*/)?(?:include|lib|lib64)(?:/|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Flags with every path as the copy of a source needs it, and the paths that are not opened."""

    flags: tuple[str, ...]
    closed: tuple[Path, ...]


def may_open(place: Path, root: Path, opened: Sequence[Path]) -> bool:
    """Tell whether a repository may have a path read, wherever its symbolic links lead."""
    real = os.path.realpath(place)
    if any(Path(real).is_relative_to(os.path.realpath(known)) for known in (checkout(root), *opened)):
        return True
    return _PACKAGES.match(real) is not None


def checkout(root: Path) -> Path:
    """Return the whole repository that a root is a part of; the root itself where it is of none.

    A home directory that is a repository is not meant.
    """
    top = foreign.work_tree(root)
    return root if top is None or Path(os.path.realpath(Path.home())).is_relative_to(top) else top


def located(flags: Sequence[str], root: Path, opened: Sequence[Path]) -> Located:
    """Return the flags of a repository with paths as the copy of a source needs them."""
    found: list[str] = []
    closed: list[Path] = []
    words = iter(flags)
    for flag in words:
        forced = flag == "-include"
        if not forced and not flag.startswith("-I"):
            found.append(flag)
            continue
        place = Path(os.path.normpath(root / (next(words, "") if forced else flag[2:])))
        if not forced and _is_replaced(place, root):
            continue
        if not may_open(place, root, opened):
            closed.append(place)
        elif forced:
            found += ["-include", argument(placed(place, root))]
        else:
            found.append("-I" + argument(placed(place, root)))
    return Located(flags=tuple(found), closed=tuple(closed))


def diagnostics(
    flags: Sequence[str], closed: Sequence[Path], root: Path, described_by: str
) -> list[Diagnostic]:
    """Return a diagnostic for each path outside of the root that does not exist or is not opened."""
    named = [Path(flag[2:]) for flag in flags if flag.startswith("-I/")]
    found = []
    for path in dict.fromkeys((*named, *closed)):
        shown = os.path.relpath(path, root)
        if not path.exists():
            if not of_toolkit(str(path)):
                found.append(_missing(shown, described_by))
        elif path in closed:
            found.append(not_opened(shown, path, described_by))
    return found


def _missing(shown: str, described_by: str) -> Diagnostic:
    return Diagnostic(
        code="TP102",
        severity=Severity.WARNING,
        path=described_by,
        line=1,
        message=f"the {'header' if is_code(shown) else 'include directory'} `{shown}` does not exist",
        hint="the build expects it beside the repository: check it out there, or give its directory with -I",
    )


def not_opened(shown: str, path: Path, described_by: str) -> Diagnostic:
    """Return that a path is not opened, since it lies outside of the root."""
    return Diagnostic(
        code="TP131",
        severity=Severity.WARNING,
        path=described_by,
        line=1,
        message=f"`{shown}` is not read: it lies outside the repository",
        hint=f"`--allow-read {path if path.is_dir() else path.parent}` lets the build read it",
    )


def of_toolkit(path: str) -> bool:
    """Tell whether a directory looks like one of CUDA's toolkit."""
    return _TOOLKIT.search(path) is not None


def _is_replaced(place: Path, root: Path) -> bool:
    """Tell whether a directory holds headers of an installed toolkit, which the emulator's replace."""
    if place.is_relative_to(root) or not of_toolkit(str(place)):
        return False
    return (place / "cuda_runtime.h").exists() or "samples" in place.parts


def placed(place: Path, root: Path) -> str:
    """Return a path as the copy names it."""
    return os.path.relpath(place, root) if place.is_relative_to(root) else os.path.realpath(place)
