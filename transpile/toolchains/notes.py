"""Notes that gcc keeps of a library's branches, for gcov.

gcov leaves out functions that the compiler made, and the bodies of parallel regions are such functions.
"""

from __future__ import annotations

import struct

_MAGIC, _FUNCTION = 0x67636E6F, 0x01000000
_WORD, _PAIR = struct.Struct("<I"), struct.Struct("<II")
_HEADER = 4 * _WORD.size
"""Magic number, version, stamp and checksum."""
_IN_BYTES = "B2"
"""First digits of the version from which on lengths count bytes: gcc 12."""


def with_made_functions(notes: bytes) -> bytes:
    """Return notes in which functions that the compiler made are functions like others.

    The layout is that of ``gcov-io.h`` since gcc 12; notes of another compiler come back as they are.
    """
    if len(notes) < _HEADER or _word(notes, 0) != _MAGIC:
        return notes
    version = notes[4:8][::-1].decode("latin-1")
    if version[:2] < _IN_BYTES:
        return notes
    found = bytearray(notes)
    at = _HEADER
    at += _WORD.size + _word(notes, at) + _WORD.size  # the folder, and one flag
    while at + _PAIR.size <= len(notes):
        tag, length = _PAIR.unpack_from(notes, at)
        at += _PAIR.size
        if tag == _FUNCTION:
            name = at + 3 * _WORD.size
            _WORD.pack_into(found, name + _WORD.size + _word(notes, name), 0)
        at += length
    return bytes(found)


def _word(data: bytes, at: int) -> int:
    return int(_WORD.unpack_from(data, at)[0])
