"""Sources and flags that a library is compiled from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from transpile.core import TranslationUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """One translation unit, with what a compiler needs for it."""

    files: Mapping[str, bytes]
    """The whole tree, by path relative to its root."""
    unit: TranslationUnit
    """The file to compile and its flags."""
    entries: bytes = b""
    """Appended to that file."""
    emulated: bool = True
    """Compile CUDA with the emulator's headers."""
    defines: tuple[str, ...] = ()
    """Macros on top of the unit's own, without ``-D``."""

    @property
    def texts(self) -> dict[str, bytes]:
        """Return the files with the entries at the end of theirs."""
        return {**self.files, self.unit.path: self.files[self.unit.path] + self.entries}
