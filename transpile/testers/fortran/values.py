"""Types of Fortran's values as numpy holds them."""

from __future__ import annotations

import numpy as np

from transpile.parsers.fortran.values import Value, size


def dtype(value: Value) -> np.dtype[np.generic]:
    """Return the type in which numpy holds the parts of a value: complex ones are two numbers."""
    if value.base == "derived":
        return _record(value)
    if value.base == "character":
        return np.dtype(np.uint8)
    letter = "f" if value.base in ("real", "complex") else "i"
    return np.dtype(f"{letter}{value.kind}")


def _record(value: Value) -> np.dtype[np.generic]:
    formats = [
        (dtype(item.value), (item.count * (size(item.value) // dtype(item.value).itemsize),))
        for item in value.parts
    ]
    return np.dtype(
        {
            "names": [item.name for item in value.parts],
            "formats": formats,
            "offsets": [item.offset for item in value.parts],
            "itemsize": value.kind,
        }
    )
