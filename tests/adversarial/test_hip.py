"""Ports to HIP with other names alone are refused where warps are taken to have 32 lanes; ours are kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from transpile import parsers, pipeline, translators
from transpile.contracts import infer
from transpile.core import HIP, Candidate, Evidence, Falsified, Passed
from transpile.options import PortOptions, Silent
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop
from transpile.translators.targets.hip import source as hip_source
from transpile.translators.targets.hip import tables, warps

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


@pytest.mark.thorough
def test_what_is_made_for_either_width_is_kept(tmp_path: Path, fresh_cache: Path) -> None:
    found = ported(tmp_path / "source", fresh_cache)
    assert {path for path, item in found.items() if isinstance(item.verdict, Passed)} == JUDGED


@pytest.mark.thorough
@pytest.mark.usefixtures("by_names_alone")
def test_other_names_alone_are_refused(tmp_path: Path, fresh_cache: Path) -> None:
    found = ported(tmp_path / "source", fresh_cache)
    assert {path for path, item in found.items() if isinstance(item.verdict, Falsified)} == JUDGED


TOTAL = """\
float total(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
"""
WIDTHS: dict[str, tuple[tuple[str, str], ...]] = {
    "32 of 64 lanes handed on": ((", 32)", ")"), ("% 32", "% warpSize")),
    "64 lanes, whatever the warp has": ((", 32)", ", 64)"), ("offset = 16", "offset = 32"), ("% 32", "% 64")),
    "as the rules write it": (),
}


def test_sums_of_loops_hand_on_what_every_lane_has(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "total.c").write_text(TOTAL)
    source = parsers.read(tmp_path)
    [own] = source.units
    known = infer(workshop, source, [own])[own.id]
    assert isinstance(known, tuple), known
    honest = translators.propose(source, own, known, HIP)
    assert isinstance(honest, Candidate)
    proposals = [
        Proposal(unit=own, contracts=known, candidate=changed(honest, edits)) for edits in WIDTHS.values()
    ]
    found = [item.verdict for item in judge(workshop, source, proposals)]
    assert [type(item) for item in found] == [Falsified, Falsified, Passed]


def changed(honest: Candidate, edits: Sequence[tuple[str, str]]) -> Candidate:
    [written] = honest.replacements
    text = written.text
    for old, new in edits:
        assert old.encode() in text
        text = text.replace(old.encode(), new.encode())
    return replace(honest, replacements=(replace(written, text=text),))
