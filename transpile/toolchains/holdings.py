"""The files of a command on disk: those in its folders, and open ones that lie nowhere any more."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

DEEPEST = 64
"""Folders within folders. What lies deeper is neither counted nor removed by ordinary means."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HANDLE = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_BLOCK = 512
_REFILLED = 100


@dataclass(slots=True)
class Holdings:
    """A count that ends where it has seen enough."""

    enough: int
    """Files after which nobody counts on."""
    files: int = 0
    disk: int = 0
    """Bytes that are taken, which those of sparse files are not."""
    too_deep: bool = False
    _nameless: set[tuple[int, int]] = field(default_factory=set)

    def add_folder(self, place: Path) -> None:
        """Count what lies in a folder and below it."""
        with suppress(OSError):
            self._add_below(os.open(place, _FOLDER), 0)

    def add_open(self, process: int) -> None:
        """Count the files without a name that a process has open."""
        with suppress(OSError):
            for name in os.listdir(f"/proc/{process}/fd"):
                if self.files > self.enough:
                    return
                with suppress(OSError):
                    found = os.stat(f"/proc/{process}/fd/{name}")
                    number = (found.st_dev, found.st_ino)
                    if stat.S_ISREG(found.st_mode) and not found.st_nlink and number not in self._nameless:
                        self._nameless.add(number)
                        self._add(found)

    def _add(self, found: os.stat_result) -> None:
        self.files += 1
        self.disk += found.st_blocks * _BLOCK

    def _add_below(self, folder: int, depth: int) -> None:
        """Count what lies in an open folder, and close it: no step is a link, whatever is moved meanwhile."""
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if self.files > self.enough or self.too_deep:
                        return
                    with suppress(OSError):
                        self._add(entry.stat(follow_symlinks=False))
                        if entry.is_dir(follow_symlinks=False):
                            self._descend(folder, entry.name, depth + 1)
        finally:
            os.close(folder)

    def _descend(self, folder: int, name: str, depth: int) -> None:
        if depth > DEEPEST:
            self.too_deep = True
            return
        try:
            below = os.open(name, _FOLDER, dir_fd=folder)
        except PermissionError:
            below = _made_readable(folder, name)
        self._add_below(below, depth)


def count(places: Iterable[Path], processes: Iterable[int], enough: int) -> Holdings:
    """Return what lies in these folders, and what these processes have open."""
    found = Holdings(enough)
    for place in places:
        found.add_folder(place)
    for process in processes:
        found.add_open(process)
    return found


def remove_all(place: Path) -> None:
    """Remove what lies below a folder, however deep: what removes whole trees by ordinary means cannot.

    What has just been killed may still write: a folder that is not empty by then is emptied again, up to
    a hundred times in all.
    """
    top = os.open(place, _FOLDER)
    try:
        number = refilled = 0
        waiting = [""]
        while waiting:
            name = waiting.pop()
            for folder, below in _emptied(top, name or "."):
                os.close(_made_readable(folder, below))
                number += 1
                waiting.append(f".emptied-{number}")
                os.rename(below, waiting[-1], src_dir_fd=folder, dst_dir_fd=top)
            try:
                if name:
                    os.rmdir(name, dir_fd=top)
            except OSError as error:
                refilled += 1
                if error.errno != errno.ENOTEMPTY or refilled > _REFILLED:
                    raise
                waiting.append(name)
    finally:
        os.close(top)


def _emptied(top: int, name: str) -> Iterator[tuple[int, str]]:
    """Remove the files of a folder; yield it, open, with the name of each folder in it."""
    folder = _made_readable(top, name)
    try:
        with os.scandir(folder) as entries:
            for entry in list(entries):
                if entry.is_dir(follow_symlinks=False):
                    yield folder, entry.name
                else:
                    os.unlink(entry.name, dir_fd=folder)
    finally:
        os.close(folder)


def _made_readable(folder: int, name: str) -> int:
    """Open a folder whose owner, which is we, may have taken his rights from himself."""
    handle = os.open(name, _HANDLE, dir_fd=folder)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
        return os.open(f"/proc/self/fd/{handle}", _FOLDER & ~os.O_NOFOLLOW)
    finally:
        os.close(handle)
