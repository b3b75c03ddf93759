"""Where a source comes from: the repository and commit that a clean checkout is of."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from transpile import foreign
from transpile.lock import SourcePlace
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.sandbox import execute

_STATUS = ("status", "--porcelain", "--", ".")
_CREDENTIALS = re.compile(r"(?<=://)[^/@]+@")


def of(root: Path, out: Path, *, exclude: tuple[str, ...] = (), unsafe: bool = False) -> SourcePlace:
    """Return where the source is, seen from the port, with its origin where it is a clean checkout of one."""
    place = SourcePlace(path=Path(os.path.relpath(root, out)).as_posix(), exclude=exclude)
    top = foreign.work_tree(root)
    if top is None or out.resolve().is_relative_to(top):
        # Source and port in one repository move together: the relative path is all there is to say.
        return place

    changed, commit, url = (
        _git(root, top, words, unsafe=unsafe)
        for words in (_STATUS, ("rev-parse", "HEAD"), ("config", "remote.origin.url"))
    )
    if changed != "" or not commit or not url:
        return place
    return replace(
        place,
        url=_CREDENTIALS.sub("", url),
        commit=commit,
        directory=root.resolve().relative_to(top).as_posix(),
    )


def is_clean(root: Path, *, unsafe: bool = False) -> bool:
    """Tell whether git has all of a source as it is, so that every change of it can be undone."""
    place = root if root.is_dir() else root.parent
    top = foreign.work_tree(place)
    return top is not None and _git(place, top, _STATUS, unsafe=unsafe) == ""


def _git(root: Path, top: Path, words: Sequence[str], *, unsafe: bool) -> str | None:
    """Return what git says in a work tree; None where it fails."""
    # A repository's own settings can name programs to run: git is foreign code here, too.
    line = ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-C", str(root), *words]
    done = execute(
        line,
        profile=Profile.BUILD,
        mounts=Mounts(cwd=top, readable=[top]),
        quota=Quota(timeout=20, memory=1 << 30),
        unsafe=unsafe,
    )
    return done.stdout.decode(errors="replace").strip() if done.status == 0 else None
