"""CUDA on a CPU: the headers of the emulator that judges a kernel where no GPU is."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def include_directory() -> Path:
    """Return the directory to pass by ``-I``; ``simt/simt.h`` in it is force-included."""
    return _HERE / "include"


def samples_directory() -> Path:
    """Return the directory to pass by ``-idirafter``: helpers of CUDA's samples that a source may lack."""
    return _HERE / "samples"
