from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.unit.cli import ports
from transpile import parsers
from transpile.core import Attempt, Evidence, Inconclusive, Verdict
from transpile.options import PortOptions
from transpile.stages.work import Work
from transpile.toolchains.workshop import Workshop

KEY = "0123456789abcdef"


def work(cache: Path, *, afresh: bool = False) -> Work:
    (cache / "a.cu").write_text("__global__ void k(int *x) { x[0] = 1; }\n")
    options = PortOptions(cache=cache, afresh=afresh)
    return Work(workshop=Workshop(cache=cache), source=parsers.read(cache / "a.cu"), options=options)


def recalled(cache: Path, *verdicts: Verdict, afresh: bool = False) -> bool:
    """Tell whether what an earlier run came to is believed."""
    plain = ports.evidence("k", ports.PASSED)
    attempts = tuple(Attempt(candidate=plain.candidate, verdict=verdict) for verdict in verdicts)
    item: Evidence = replace(plain, attempts=attempts)
    work(cache).store.save(KEY, item)
    known, left = work(cache, afresh=afresh).recalled([item.unit], {item.unit.id: KEY})
    assert len(known) + len(left) == 1
    return bool(known)


def test_what_was_decided_is_believed(tmp_path: Path) -> None:
    assert recalled(tmp_path, ports.PASSED)
    assert recalled(tmp_path, Inconclusive(reason="no branch was taken"))


def test_without_the_cache_all_is_judged_afresh(tmp_path: Path) -> None:
    assert not recalled(tmp_path, ports.PASSED, afresh=True)


def test_what_we_failed_on_is_tried_again(tmp_path: Path) -> None:
    fault = Inconclusive(reason="transpile itself failed", code="TP414")
    assert not recalled(tmp_path, fault)
    assert not recalled(tmp_path, fault, ports.PASSED)
