"""Files that foreign code, or whoever wrote a repository, may have put there.

Below a root that is not ours a name may be a link out of it, a pipe that nobody ever writes to, or a device
without an end. A file is opened step by step from the root, no step being a link, and only if it is a regular
file of a bearable size. Links that lead to places below the same root are as good as files.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

LARGEST = 64 << 20
"""Bytes of a file that is read as text."""
_STEP = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_KINDS = {
    stat.S_IFDIR: "is a directory",
    stat.S_IFIFO: "is a pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}


class Refused(OSError):
    """It is no regular file of a bearable size below the root; ``strerror`` says what it is."""


def read(root: Path, name: str, *, most: int = LARGEST) -> bytes:
    """Return what a file below the root holds.

    Raises:
        Refused: It leads out of the root, is no regular file, or is larger than ``most`` bytes.
        OSError: It is not there, or may not be read.
    """
    with opened(root, name, most=most) as file:
        return file.read(most)


def found(root: Path, name: str) -> bytes | None:
    """Return the bytes of a file below a root; None where it has no such file of its own."""
    try:
        return read(root, name)
    except (FileNotFoundError, NotADirectoryError, Refused):
        return None


@contextmanager
def opened(root: Path, name: str, *, most: int | None = None) -> Iterator[BinaryIO]:
    """Open a file below the root for reading; raises what ``read`` does."""
    with _parent(root, name) as (directory, last):
        _examine(os.stat(last, dir_fd=directory, follow_symlinks=False), most)
        descriptor = os.open(last, _FILE, dir_fd=directory)
    with os.fdopen(descriptor, "rb") as file:
        _examine(os.fstat(descriptor), most)
        yield file


def write(root: Path, name: str, data: bytes) -> None:
    """Put a new file below the root, in place of what has that name there; a link's target stays as it is.

    Raises:
        Refused: A folder has that name.
    """
    with _handle(Path(os.path.realpath(root)), PurePosixPath(name).parent) as directory:
        last = PurePosixPath(name).name
        try:
            os.unlink(last, dir_fd=directory)
        except FileNotFoundError:
            pass
        except IsADirectoryError as error:
            raise Refused(errno.EISDIR, "is a directory", name) from error
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(last, flags, 0o666, dir_fd=directory)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def move(root: Path, name: str, target: Path, *, most: int | None = None) -> None:
    """Move a regular file from below the root to a place of ours.

    Raises:
        Refused: It leads out of the root, is no regular file, or is larger than ``most`` bytes.
        OSError: It is not there.
    """
    with _parent(root, name) as (directory, last):
        _examine(os.stat(last, dir_fd=directory, follow_symlinks=False), most)
        os.rename(last, target, src_dir_fd=directory)


def work_tree(root: Path) -> Path | None:
    """Return the top of the work tree of git that holds a directory; None where none does."""
    real = root.resolve()
    return next((place for place in (real, *real.parents) if (place / ".git").exists()), None)


@contextmanager
def _parent(root: Path, name: str) -> Iterator[tuple[int, str]]:
    """Open the folder in which a file really lies, and say under which name."""
    top = os.path.realpath(root)
    place = os.path.realpath(os.path.join(top, name))
    if not PurePosixPath(place).is_relative_to(top) or place == top:
        raise Refused(errno.EXDEV, f"is a link that leads out of {root.name or root}", name)
    path = PurePosixPath(place).relative_to(top)
    with _handle(Path(top), path.parent) as directory:
        yield directory, path.name


@contextmanager
def _handle(top: Path, below: PurePosixPath) -> Iterator[int]:
    """Open a folder below another, step by step: none of the steps is a link."""
    directory = os.open(top, _STEP)
    try:
        for part in below.parts:
            inner = os.open(part, _STEP, dir_fd=directory)
            os.close(directory)
            directory = inner
        yield directory
    finally:
        os.close(directory)


def _examine(status: os.stat_result, most: int | None) -> None:
    if not stat.S_ISREG(status.st_mode):
        code = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL
        raise Refused(code, _KINDS.get(stat.S_IFMT(status.st_mode), "is no regular file"))
    if most is not None and status.st_size > most:
        raise Refused(errno.EFBIG, f"is larger than {most >> 20} MiB")
