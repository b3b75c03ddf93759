"""The headers that C++ from Fortran includes."""

from __future__ import annotations

from pathlib import Path

HEADERS = Path(__file__).parent / "include"
"""The folder of `fortran.h`."""
