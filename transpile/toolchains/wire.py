"""The bytes that a worker reads and writes, as ``native/batch.h`` and ``native/trace.cpp`` lay them out."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from transpile.toolchains.calls import ArrayTrace, Bytes, Call, Crashed, Race, Site, Trace

_NULL = (1 << 64) - 1
"""``null_buffer`` of ``native/batch.h``."""


class Reader:
    """Takes padded pieces from the results; what was taken is a view of them, and no copy."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data = memoryview(data)
        self.position = position

    def take(self, size: int) -> memoryview:
        """Return the next bytes; what follows begins at a multiple of eight."""
        assert size >= 0  # or whoever forges sizes has us read one place for ever
        piece = self._data[self.position : self.position + size]
        self.position += size + -size % 8
        return piece

    def number(self) -> int:
        """Return the next signed number."""
        return int.from_bytes(self.take(8), "little", signed=True)

    def numbers(self, count: int) -> tuple[int, ...]:
        """Return as many numbers."""
        return struct.unpack(f"<{count}q", self.take(8 * count))

    def pairs(self, count: int) -> tuple[tuple[int, int], ...]:
        """Return as many pairs of numbers."""
        return tuple(struct.iter_unpack("<qq", self.take(16 * count)))


def read_trace(reader: Reader, arguments: int) -> Trace | Crashed:
    """Decode a trace; Crashed where accesses to one buffer lie too far apart to be listed."""
    wild, offset = reader.numbers(2)
    assert reader.number() == arguments
    arrays = tuple(_array(reader) for _ in range(arguments))
    races = tuple(_race(reader.numbers(10)) for _ in range(reader.number()))
    poisoned = reader.numbers(reader.number())
    line, other = reader.numbers(2)
    if wild >= 0:
        return Crashed(reason="wild access", argument=wild, offset=offset)
    return Trace(arrays=arrays, races=races, poisoned=poisoned, parted=(line, other) if line else None)


def read_sites(reader: Reader) -> tuple[Site, ...]:
    """Decode the kernels and parallel regions that a call ran."""
    return tuple(_site(reader) for _ in range(reader.number()))


def _site(reader: Reader) -> Site:
    kernel, threads, runs, size = reader.numbers(4)
    name = bytes(reader.take(size)).decode("utf-8", "replace")
    return Site(kernel=bool(kernel), name=name, threads=threads, runs=runs)


def _array(reader: Reader) -> ArrayTrace | None:
    low, high = reader.numbers(2)
    if high <= low:
        return None
    flags = np.frombuffer(reader.take(high - low), dtype=np.uint8)
    return ArrayTrace(low=low, high=high, flags=flags, reach=reader.pairs(reader.number()))


def _race(numbers: tuple[int, ...]) -> Race:
    argument, offset, reads, *visits, same_value = numbers
    return Race(
        argument=argument if argument >= 0 else None,
        offset=offset,
        kind="read-write" if reads else "write-write",
        first=(visits[0], visits[1]),
        second=(visits[3], visits[4]),
        same_value=bool(same_value),
        sites=(visits[2], visits[5]),
    )


def encode(calls: Sequence[Call]) -> bytes:
    """Return the file of a batch as ``native/batch.h`` lays it out; equal buffers are stored once."""
    heads = [_head_size(call) for call in calls]
    position = 8 * (1 + len(calls))
    offsets = []
    for size in heads:
        offsets.append(position)
        position += size
    parts: list[bytes] = [struct.pack(f"<{1 + len(calls)}Q", len(calls), *offsets)]
    blobs = _Blobs(position)
    for call in calls:
        parts.append(_head(call, blobs))
    return b"".join([*parts, *blobs.parts])


def _head_size(call: Call) -> int:
    return 8 * (13 + 5 * len(call.arguments) + 3 * len(call.globals))


def _head(call: Call, blobs: _Blobs) -> bytes:
    numbers = [call.entry, *call.launch.grid, *call.launch.block, call.launch.shared, call.seed, call.returns]
    numbers += [call.alignment, len(call.arguments), len(call.globals)]
    aliases = dict(call.aliases)
    for index, (item, before) in enumerate(zip(call.arguments, call.before, strict=True)):
        kind = aliases[index] + 2 if index in aliases else int(isinstance(item, np.ndarray))
        kind = _NULL if index in call.null else kind
        numbers += [kind, len(item), before, blobs.add(item), int(index in call.fixed)]
    for name, data in call.globals:
        numbers += [blobs.add(name.encode("utf-8", "surrogateescape") + b"\0"), len(data), blobs.add(data)]
    return struct.pack(f"<{len(numbers)}Q", *numbers)


class _Blobs:
    """The data behind the heads."""

    def __init__(self, position: int) -> None:
        self.parts: list[bytes] = []
        self._position = position
        self._known: dict[int, tuple[object, int]] = {}

    def add(self, data: Bytes | bytes) -> int:
        """Return the offset of the data, which are kept once for the same object."""
        known = self._known.get(id(data))
        if known is not None:
            return known[1]
        raw = bytes(data) if isinstance(data, bytes) else data.tobytes()
        padded = raw + bytes(-len(raw) % 8)
        offset = self._position
        self.parts.append(padded)
        self._position += len(padded)
        # The object is held, or its id could come back as another's.
        self._known[id(data)] = (data, offset)
        return offset
