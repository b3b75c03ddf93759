"""CUDA on a CPU: the headers of the emulator that judges a kernel where no GPU is."""

from __future__ import annotations

from pathlib import Path


def include_directory() -> Path:
    """Return the directory to pass by ``-I``; ``simt/simt.h`` in it is force-included."""
    return Path(__file__).resolve().parent / "include"
