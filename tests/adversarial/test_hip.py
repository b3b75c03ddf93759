"""Ports to HIP with other names alone are refused where warps are taken to have 32 lanes; ours are kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from transpile import pipeline
from transpile.core import HIP, Evidence, Falsified, Passed
from transpile.options import PortOptions, Silent
from transpile.translators.hip import source as hip_source
from transpile.translators.hip import tables, warps

CASES = Path(__file__).parent.parent / "cases" / "hip"
JUDGED = {"blocks.cu", "ranks.cu", "sums.cu", "counts.cu"}

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]


def ported(root: Path, cache: Path) -> dict[str, Evidence]:
    """Port the cases as one repository and return the evidence of each, by file."""
    root.mkdir()
    for name in (*JUDGED, "expect.h"):
        shutil.copy(CASES / name, root)
    result = pipeline.port(root, PortOptions(cache=cache, target=HIP, jobs=2, prove=0), Silent())
    return {item.unit.path: item for item in result.evidence}


@pytest.fixture
def by_names_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(warps, "changes", lambda data: iter(()))
    monkeypatch.setattr(tables, "lacking", frozenset)
    hip_source._edits.cache_clear()
    yield
    hip_source._edits.cache_clear()


def test_what_is_made_for_either_width_is_kept(tmp_path: Path, fresh_cache: Path) -> None:
    found = ported(tmp_path / "source", fresh_cache)
    assert {path for path, item in found.items() if isinstance(item.verdict, Passed)} == JUDGED


@pytest.mark.usefixtures("by_names_alone")
def test_other_names_alone_are_refused(tmp_path: Path, fresh_cache: Path) -> None:
    found = ported(tmp_path / "source", fresh_cache)
    assert {path for path, item in found.items() if isinstance(item.verdict, Falsified)} == JUDGED
