"""Programs that attack, and the sandbox as machines of other kinds would have it."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from transpile.toolchains import sandbox

LAYERS = ("as found", "without bubblewrap", "without landlock")


def built(name: str, place: Path) -> Path:
    """Return the program made of a source beside this file."""
    source = Path(__file__).with_name(name)
    program = place / source.stem
    line = ["g++", "-std=c++17", "-w", "-pthread", str(source), "-o", str(program), "-lrt"]
    subprocess.run(line, check=True)
    return program


def let_it_find(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sandbox find fewer layers than there are."""
    missing = {"without bubblewrap": "bubblewrap", "without landlock": "landlock"}.get(which)
    if missing is None:
        return
    found = sandbox.layers()
    usable = {layer.name for layer in found if layer.usable}
    if missing not in usable:
        pytest.skip(f"{missing} is not usable here anyway")
    if not usable & ({"landlock", "bubblewrap"} - {missing}):
        pytest.skip(f"nothing but {missing} holds files here")
    fewer = tuple(replace(layer, usable=layer.usable and layer.name != missing) for layer in found)
    monkeypatch.setattr(sandbox, "layers", lambda: fewer)
