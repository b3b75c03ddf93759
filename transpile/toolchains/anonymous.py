"""Anonymous files: what passes between us and code that is judged.

Whoever may write in a folder can put a link or a pipe in place of a file there. These files have no name
any more when the code starts: it inherits their descriptors.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

_SIZED = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


@dataclass(frozen=True, slots=True)
class AnonymousFile:
    """An open file without a name, closed at the end of its ``with``."""

    descriptor: int

    def __enter__(self) -> AnonymousFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.descriptor)

    def read(self, most: int) -> bytes:
        """Return the beginning, of so many bytes at most."""
        return self._read(0, min(most, self._size()))

    def end(self, most: int) -> bytes:
        """Return the end, of so many bytes at most."""
        size = self._size()
        return self._read(max(size - most, 0), min(most, size))

    def clear(self) -> None:
        """Hold nothing; what is written from now on stands at the beginning."""
        os.ftruncate(self.descriptor, 0)

    def zero(self) -> None:
        """Hold zeros, as many bytes as before."""
        os.pwrite(self.descriptor, bytes(self._size()), 0)

    def _size(self) -> int:
        return os.fstat(self.descriptor).st_size

    def _read(self, at: int, most: int) -> bytes:
        parts: list[bytes] = []
        while most > 0 and (part := os.pread(self.descriptor, most, at)):
            parts.append(part)
            at += len(part)
            most -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def constant(directory: Path, data: bytes) -> AnonymousFile:
    """Return a file of the data that is open for reading alone."""
    with tempfile.NamedTemporaryFile(dir=directory, prefix="given-") as file:
        file.write(data)
        file.flush()
        return AnonymousFile(os.open(file.name, os.O_RDONLY | os.O_CLOEXEC))


def growing(directory: Path) -> AnonymousFile:
    """Return an empty file that whoever has it appends to."""
    with tempfile.TemporaryFile(dir=directory) as file:
        descriptor = os.dup(file.fileno())
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
    return AnonymousFile(descriptor)


def sized(size: int) -> AnonymousFile:
    """Return a file of zeros, in memory, whose size nobody can change: not even who may write it."""
    descriptor = os.memfd_create("sized", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, size)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SIZED)
    return AnonymousFile(descriptor)
