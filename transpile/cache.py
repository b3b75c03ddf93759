"""The size of the cache: what it holds, and what goes first where it grows too large.

Only what can be made again goes by itself: builds. Whoever uses the cache holds a lock that others share, so
that nothing goes while somebody needs it, and what killed runs left behind goes when nobody is there.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from transpile import config
from transpile.errors import UsageError
from transpile.files import UNFINISHED
from transpile.sizes import HINT, size_of
from transpile.toolchains.kept import DIGESTS
from transpile.toolchains.workshop import hold, lock_of

LIMIT = "TRANSPILE_CACHE_LIMIT"
"""Environment variable that says how large it may get."""
DEFAULT_LIMIT = 5 * 10**9
BUILDS = "builds"
_KINDS = ("libraries", "objects", "programs", "precompiled", "headers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Everything of one kind that the cache holds."""

    name: str
    files: int
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    path: Path
    size: int
    used: int
    whole: bool


def limit() -> int:
    """Return how many bytes the cache may hold, by the variable, else the user's own configuration.

    Raises:
        UsageError: The variable is no size.
        ConfigurationError: That file is not as it should be.
    """
    said = os.environ.get(LIMIT, "").strip()
    if not said:
        configured = config.own().cache.size
        return DEFAULT_LIMIT if configured is None else configured
    try:
        return size_of(said)
    except ValueError as error:
        raise UsageError(f"{LIMIT}: {error}", hint=HINT) from error


def kinds(root: Path) -> tuple[Kind, ...]:
    """Return what the cache holds, the largest kind first."""
    places = [path for path in root.iterdir() if path.is_dir()] if root.is_dir() else []
    found = (Kind(name=path.name, files=sum(1 for _ in _files(path)), size=_size(path)) for path in places)
    return tuple(sorted(found, key=lambda kind: (-kind.size, kind.name)))


def clear(root: Path, names: Sequence[str]) -> None:
    """Remove kinds of things from the cache.

    Raises:
        UsageError: Somebody works with it, or it holds nothing of that name.
    """
    known = {kind.name for kind in kinds(root)}
    for name in names:
        if name not in known:
            raise UsageError(f"the cache holds no {name}", hint=f"It holds {', '.join(sorted(known))}.")
    with lock_of(root / BUILDS) as lock:
        if not _alone(lock):
            raise UsageError("another transpile works with the cache", hint="Try again when it has ended.")
        for name in names:
            shutil.rmtree((root / name).resolve())


def use(root: Path) -> None:
    """Make room in the cache, and hold it for as long as this process lives.

    Where somebody holds it, room was made when the first of them came.
    """
    with lock_of(root / BUILDS) as lock:
        if _alone(lock):
            make_room(root, limit())
    hold(root / BUILDS)


def make_room(root: Path, most: int) -> None:
    """Remove what killed runs left behind, and builds until all of the cache has so many bytes."""
    for place in (root / BUILDS / "scratch", *_unfinished(root)):
        _remove(place)
    builds = sorted(_builds(root / BUILDS), key=lambda build: (build.whole, build.used))
    size = sum(kind.size for kind in kinds(root))
    for build in builds:
        if build.whole and size <= most:
            break
        shutil.rmtree(build.path, ignore_errors=True)
        size -= build.size


def _unfinished(root: Path) -> Iterator[Path]:
    """Yield what somebody was writing, and never will be done with."""
    yield from root.rglob(f"{UNFINISHED}*")
    if (root / BUILDS).is_symlink():  # Nothing looks behind links on its way down.
        yield from (root / BUILDS).resolve().rglob(f"{UNFINISHED}*")


def _remove(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


def _builds(root: Path) -> Iterator[_Build]:
    """Yield all that was built and can be built again."""
    for kind in _KINDS:
        for path in (root / kind).iterdir() if (root / kind).is_dir() else ():
            whole = (path / DIGESTS).is_file()
            yield _Build(path=path, size=_size(path), used=path.stat().st_mtime_ns, whole=whole)


def _alone(lock: TextIO) -> bool:
    """Tell whether nobody else holds the cache; if so, we alone do. Some file systems cannot tell."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _files(place: Path) -> Iterator[os.stat_result]:
    """Yield what is known of the files below a directory; what goes meanwhile is not there."""
    for directory, _, names in os.walk(place.resolve()):
        for name in names:
            with suppress(FileNotFoundError):
                yield os.lstat(os.path.join(directory, name))


def _size(place: Path) -> int:
    return sum(file.st_blocks * 512 for file in _files(place))
