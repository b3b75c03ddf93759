"""What providers that load a model from disk share."""

from __future__ import annotations

from pathlib import Path

from transpile.core import digest


def fingerprint(place: Path) -> str:
    """Return a digest that changes where the files of a model do, such as in a round of training."""
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    stats = [(file.name, file.stat()) for file in files if file.is_file()]
    return digest(*(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats))[:12]


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]
