"""Names in an object that the loader binds at once (ELF of 64 bits, little-endian)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_MAGIC = b"\x7fELF\x02\x01"
_WITH_ADDENDS = 4
_LOADED = 2
"""SHF_ALLOC of the section that relocations are for: not of what debuggers read."""
_CALLS = {62: frozenset((4,)), 183: frozenset((282, 283))}
"""Kinds of relocations that calls are bound by later, of x86-64 and of AArch64."""


@dataclass(frozen=True, slots=True)
class _Section:
    kind: int
    flags: int
    place: int
    size: int
    link: int
    info: int


def bound_at_once(data: bytes) -> tuple[str, ...]:
    """Return the undefined names that something else than a call of an object refers to.

    Headers of libraries name such: `MPI_COMM_WORLD` is an address, and classes have tables of functions.
    Names of compilers' own libraries, with two underscores, are left out.
    """
    try:
        return tuple(dict.fromkeys(name.decode("ascii") for name in _names(data)))
    except (struct.error, IndexError, ValueError, OverflowError):
        return ()


def _names(data: bytes) -> Iterator[bytes]:
    if not data.startswith(_MAGIC):
        return
    header = _HEADER.unpack_from(data)
    calls = _CALLS.get(header[2])
    if calls is None:
        return
    start, size, count = header[6], header[11], header[12]
    sections = [_section(data, start + index * size) for index in range(count)]
    for section in sections:
        if section.kind != _WITH_ADDENDS or not sections[section.info].flags & _LOADED:
            continue
        symbols = sections[section.link]
        strings = sections[symbols.link].place
        for place in range(section.place, section.place + section.size, _RELOCATION.size):
            _, info, _ = _RELOCATION.unpack_from(data, place)
            name, _, _, where, _, _ = _SYMBOL.unpack_from(data, symbols.place + (info >> 32) * _SYMBOL.size)
            if where or not name or info & 0xFFFFFFFF in calls:
                continue
            text = data[strings + name : data.index(b"\0", strings + name)]
            if not text.startswith((b"__", b"_GLOBAL_OFFSET_TABLE_")):
                yield text


def _section(data: bytes, place: int) -> _Section:
    _, kind, flags, _, at, size, link, info, _, _ = _SECTION.unpack_from(data, place)
    return _Section(kind, flags, at, size, link, info)
