"""Calls and results of a worker (see ``native/batch.h``), in files that its calls cannot replace."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from transpile.toolchains import anonymous
from transpile.toolchains.anonymous import AnonymousFile

_PROGRESS = struct.Struct("<QQQqq")


class Progress(NamedTuple):
    """The call that a worker is making, and the reason why it ended."""

    begun: int
    done: int
    reason: int
    argument: int
    offset: int


@dataclass(slots=True)
class Exchange:
    """The open files of a batch."""

    directory: Path
    """The directory on whose disk they are."""
    batch: AnonymousFile
    results: AnonymousFile
    told: AnonymousFile
    """The progress of the worker."""
    complaints: AnonymousFile
    """The standard error of its calls."""

    @property
    def descriptors(self) -> tuple[int, ...]:
        """Return the files in the order in which a worker is told of them."""
        files = (self.batch, self.results, self.told, self.complaints)
        return tuple(file.descriptor for file in files)

    def progress(self) -> Progress:
        """Return how far the worker is."""
        return Progress(*_PROGRESS.unpack(self.told.read(_PROGRESS.size)))

    def begin(self) -> None:
        """Make ready for a worker that goes on where another ended."""
        self.results.clear()
        self.told.zero()

    def give(self, batch: bytes) -> None:
        """Have workers make other calls from now on."""
        self.batch.close()
        self.batch = anonymous.constant(self.directory, batch)


@contextmanager
def exchange(directory: Path, batch: bytes) -> Iterator[Exchange]:
    """Open the files of a batch, in a directory that no call may write in; close them in the end."""
    with (
        anonymous.growing(directory) as results,
        anonymous.sized(_PROGRESS.size) as told,
        anonymous.growing(directory) as complaints,
    ):
        opened = Exchange(directory, anonymous.constant(directory, batch), results, told, complaints)
        try:
            yield opened
        finally:
            opened.batch.close()
