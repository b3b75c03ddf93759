"""The end of a call and its output, as ``native/fortran_call.h`` tells them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

RETURNED, STOPPED, RUNTIME_ERROR, UNSEEN = range(4)
_HEAD = struct.Struct("<qqqQQ")
_TEXT = 1000
BYTES = _HEAD.size + _TEXT
"""Of an outcome."""
_ENDINGS = ("it returns", "it stops", "it breaks a rule of Fortran", "it is not called: one side lacks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All that is known of a call beside its data."""

    ending: int
    status: int
    printed: int
    """Bytes on standard output and standard error."""
    digest: int
    """Of all of them."""
    heard: int
    """Digest of what was passed to procedures that are arguments."""
    text: str
    """Their beginning."""

    @classmethod
    def read(cls, data: bytes) -> Outcome:
        """Return the outcome that bytes hold."""
        ending, status, printed, digest, heard = _HEAD.unpack_from(data)
        text = bytes(data[_HEAD.size : _HEAD.size + min(printed, _TEXT)]).decode("latin-1")
        return cls(ending=ending, status=status, printed=printed, digest=digest, heard=heard, text=text)

    def __str__(self) -> str:
        said = f", printing {self.text.strip()[:80]!r}" if self.printed else ""
        status = f" with status {self.status}" if self.ending == STOPPED else ""
        return f"{_ENDINGS[self.ending] if self.ending < len(_ENDINGS) else 'it ends'}{status}{said}"
