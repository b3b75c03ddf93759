"""Sizes as people write them, such as 5 GB."""

from __future__ import annotations

import re

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
HINT = "Write it like 5 GB or 500 MB."


def size_of(text: str) -> int:
    """Return how many bytes a text says; ValueError where it says none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)b?", text.strip(), re.IGNORECASE)
    if found is None:
        raise ValueError(f"'{text}' is no size")
    return int(float(found[1]) * _UNITS[found[2].lower()])
