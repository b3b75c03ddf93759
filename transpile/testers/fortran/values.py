"""Types of Fortran's values as numpy and gfortran hold them."""

from __future__ import annotations

import numpy as np

from transpile.parsers.fortran.values import Value


def size(value: Value) -> int:
    """Return the bytes of a value; of characters, of as many as the routine says, at least one."""
    if value.base == "character":
        return max(value.length, 1)
    return value.kind * (2 if value.base == "complex" else 1)


def dtype(value: Value) -> np.dtype[np.generic]:
    """Return the type in which numpy holds the parts of a value: complex ones are two numbers."""
    if value.base == "character":
        return np.dtype(np.uint8)
    letter = "f" if value.base in ("real", "complex") else "i"
    return np.dtype(f"{letter}{value.kind}")
