"""Parts that all providers share that load a model from disk."""

from __future__ import annotations

from pathlib import Path

from transpile.core import digest
from transpile.translators.models.protocol import Request


def fingerprint(place: Path) -> str:
    """Return a digest that changes where the files of a model do, such as in a round of training."""
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    stats = [(file.name, file.stat()) for file in files if file.is_file()]
    return digest(*(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats))[:12]


def named(kind: str, path: str) -> tuple[str, Path | None]:
    """Return the name of a model, and where it lies; None for what is no path of this machine."""
    place = Path(path).expanduser()
    return (f"{kind}:{path}#{fingerprint(place)}", place) if place.exists() else (f"{kind}:{path}", None)


def turns(request: Request) -> list[dict[str, str]]:
    """Return a dialogue as chat templates take it."""
    return [{"role": turn.role, "content": turn.content} for turn in request.messages]


def too_long(tokens: int, room: int) -> str:
    """Return why a dialogue of so many tokens gets no answer."""
    return f"the dialogue has {tokens} tokens, and the model takes {room} with its answer"


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]
