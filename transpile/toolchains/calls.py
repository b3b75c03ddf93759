"""Calls of a library and what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Literal

import numpy as np
import numpy.typing as npt

from transpile.core import Launch

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


class Altered(IntFlag):
    """Changes that a call made beside its data; the numbers are those of ``native/surroundings.h``."""

    ARITHMETIC = 1
    """The rounding of numbers, and whether small ones become zero."""
    OPENMP = 2
    """Settings of OpenMP: how many threads later regions have."""
    SIGNALS = 4
    """Handlers, what is held back, alarms."""
    DESCRIPTORS = 8
    """The open files, standard streams among them."""
    PRINTED = 16
    """Something went to standard output."""
    PROCESS = 32
    """The locale, the directory, limits, the mask of new files."""


UNALTERED = Altered(0)


class Placement(IntEnum):
    """Where the buffers of a call lie; the numbers are those of ``native/placement.h``."""

    GUARD_HIGH = 0
    """The end of each buffer touches a page that faults."""
    GUARD_LOW = 1
    """The beginning does."""
    ARENA = 2
    """In the middle of 4 GiB each, for tracing: nothing faults."""
    HEAP = 3
    """From malloc, for sanitizers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of an entry: data for pointers as arrays of bytes, other values as bytes."""

    entry: int
    arguments: tuple[Bytes | bytes, ...]
    before: tuple[int, ...]
    """Bytes of each buffer, or of the one that it shares, that lie below its pointer."""
    launch: Launch
    seed: int = 0
    globals: tuple[tuple[str, bytes], ...] = ()
    returns: int = 0
    """Bytes of the returned value."""
    aliases: tuple[tuple[int, int], ...] = ()
    """Pairs of pointer arguments of which the first, without data, leads into the buffer of the second."""
    null: frozenset[int] = frozenset()
    """Numbers of the pointer arguments, without data, that lead nowhere."""
    alignment: int = 1
    """Of the pointers into guarded buffers; where it is 1, data touch the guard to the byte."""
    fixed: frozenset[int] = frozenset()
    """Numbers of the arguments whose guarded buffers cannot be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayTrace:
    """Which bytes of a buffer were touched, and how; masks are over [low, high) from the pointer."""

    low: int
    high: int
    flags: Bytes
    """Bits of every byte, as the masks below take them apart."""
    reach: tuple[tuple[int, int], ...] = ()
    """For each access in the code where it stands in the library, and the end of what it touched."""

    @property
    def read(self) -> Mask:
        """Return which bytes were read."""
        return self._with(1)

    @property
    def written(self) -> Mask:
        """Return which bytes were written."""
        return self._with(2)

    @property
    def atomic(self) -> Mask:
        """Return which bytes were touched by atomic operations."""
        return self._with(4)

    @property
    def read_first(self) -> Mask:
        """Return which bytes were read before the kernel had written them."""
        return self._with(8)

    def _with(self, bit: int) -> Mask:
        return (self.flags & bit).astype(np.bool_)


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """Two accesses to one byte by different threads, one a write, with nothing that orders them."""

    argument: int | None
    """None for shared memory and globals."""
    offset: int
    kind: Literal["write-write", "read-write"]
    first: tuple[int, int]
    """Block and thread."""
    second: tuple[int, int]
    same_value: bool
    """Nothing that was written changed what others could read there."""
    sites: tuple[int, int] = (-1, -1)
    """Where both accesses stand in the library; -1 where that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """All that a traced call did."""

    arrays: tuple[ArrayTrace | None, ...]
    """By argument; None for values and for buffers that were not touched."""
    races: tuple[Race, ...]
    poisoned: tuple[int, ...]
    """Offsets in shared memory that were read though no thread of the block had written them."""
    parted: tuple[int, int] | None = None
    """Lines of two barriers at which threads of one block waited for each other: maybe of two in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A kernel of the emulator, or a region of OpenMP, that a call ran."""

    kernel: bool
    name: str
    """Of a kernel; of a region where it stands in the library."""
    threads: int
    """At most in any of its runs; 2 for a region that no clause keeps to one thread."""
    runs: int = 1
    """In this call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A call that returned."""

    arguments: tuple[Bytes, ...]
    """The buffers afterwards; empty for values."""
    globals: tuple[tuple[str, bytes], ...]
    returned: bytes
    inexact: bool
    """A floating operation of the calling thread had to round."""
    seconds: float
    """Of processors."""
    elapsed: float = 0.0
    """Seconds by the clock on the wall."""
    work: int = 0
    """Accesses and branches, as a TRACE build counts them: the same on every machine, however busy."""
    sites: tuple[Site, ...] = ()
    """Kernels and parallel regions that ran."""
    held: int = 0
    """Bytes of the heap that the call took and did not give back; only an ADDRESS build knows them."""
    altered: Altered = UNALTERED
    """Changes beside its data."""
    alignment: int = 1
    """Of the pointers into guarded buffers: 1 where the call bore any."""
    trace: Trace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Crashed:
    """A call that did not return."""

    reason: str
    argument: int | None = None
    """The buffer near which the access was that ended it."""
    offset: int | None = None
    """Of that access, in bytes from the buffer's pointer."""
    detail: str = ""
    """The end of what was written to standard error."""
    called: bool = True
    """False where so many calls before it died or did not end that it was given up."""
