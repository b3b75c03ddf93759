"""Refusals of Fortran: what is not read or not translated, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Refused(Exception):
    """A construct of Fortran that is not translated."""

    detail: str
    """Names the construct."""
    line: int = 0
    """Line of the source, from 1; 0 where no place is known."""
    file: str = ""

    def __str__(self) -> str:
        place = f"{self.file or 'source'}:{self.line}: " if self.line else ""
        return f"{place}{self.detail}"
