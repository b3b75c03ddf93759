"""Where builds are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.toolchains.workshop import Workshop


def test_a_cache_is_the_same_place_from_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert Workshop(cache=Path("made")).cache == tmp_path / "made"
