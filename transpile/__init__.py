"""Ports numerical code, and keeps only what trials have shown to behave like its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.core import Contract, Evidence, Level, Port, Source, Unit, Verdict

if TYPE_CHECKING:
    from transpile.lock import check
    from transpile.options import Observer, PortOptions
    from transpile.pipeline import port
    from transpile.rewards import Judge, Reward, judge

__version__ = "0.1.0"

__all__ = [
    "Contract",
    "Evidence",
    "Judge",
    "Level",
    "Observer",
    "Port",
    "PortOptions",
    "Reward",
    "Source",
    "Unit",
    "Verdict",
    "check",
    "judge",
    "port",
]

_HOMES = {
    "check": "lock",
    "port": "pipeline",
    "Observer": "options",
    "PortOptions": "options",
    "Judge": "rewards",
    "Reward": "rewards",
    "judge": "rewards",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for: most of the package never needs the pipeline."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
