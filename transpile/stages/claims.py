"""Units that a process decides: another one on the same cache leaves them alone for as long as it lives."""

from __future__ import annotations

import errno
import fcntl
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import BinaryIO

_HELD = (errno.EAGAIN, errno.EACCES)
_DIGITS = 15
"""Hexadecimal digits of a key that say which byte is locked."""
_guard = Lock()
_own: set[tuple[Path, str]] = set()
"""Within one process a lock of the system excludes nobody."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims under the keys of evidence: each is a lock on one byte of a file, and ends with its process."""

    file: Path

    def take(self, key: str) -> bool:
        """Claim what has this key; false where somebody else does. Some file systems cannot tell."""
        with _guard:
            if (self.file, key) in _own:
                return False
            try:
                fcntl.lockf(_opened(self.file), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
            except OSError as error:
                if error.errno in _HELD:
                    return False
            _own.add((self.file, key))
            return True

    def release(self, key: str) -> None:
        """Give up a claim; one that is not ours is left alone."""
        with _guard:
            if (self.file, key) in _own:
                _own.discard((self.file, key))
                fcntl.lockf(_opened(self.file), fcntl.LOCK_UN, 1, _place(key))


def _place(key: str) -> int:
    return int(key[:_DIGITS], 16)


@cache
def _opened(file: Path) -> BinaryIO:
    """Open the file for as long as this process lives: to close it once would end all claims on it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    return file.open("ab")
