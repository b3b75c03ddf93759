"""Where a source comes from: the repository and commit that a clean checkout is of."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from transpile import foreign
from transpile.lock import SourcePlace
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.sandbox import execute

_CREDENTIALS = re.compile(r"(?<=://)[^/@]+@")


def of(root: Path, out: Path, *, exclude: tuple[str, ...] = (), unsafe: bool = False) -> SourcePlace:
    """Return where the source is, seen from the port, with its origin where it is a clean checkout of one."""
    place = SourcePlace(path=Path(os.path.relpath(root, out)).as_posix(), exclude=exclude)
    top = foreign.work_tree(root)
    if top is None or out.resolve().is_relative_to(top):
        # Source and port in one repository move together: the relative path is all there is to say.
        return place

    def git(*words: str) -> str | None:
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

    changed, commit, url = (
        git("status", "--porcelain", "--", "."),
        git("rev-parse", "HEAD"),
        git("config", "remote.origin.url"),
    )
    if changed != "" or not commit or not url:
        return place
    return replace(
        place,
        url=_CREDENTIALS.sub("", url),
        commit=commit,
        directory=root.resolve().relative_to(top).as_posix(),
    )
