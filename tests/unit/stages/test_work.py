from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cli import ports
from tests.unit.testers.making import MAP
from transpile import parsers
from transpile.core import Attempt, Evidence, Inconclusive, Unit, Verdict
from transpile.options import PortOptions
from transpile.stages import work as module
from transpile.stages.work import Work
from transpile.toolchains.workshop import Workshop

KEY = "0123456789abcdef"


TEXT = "__global__ void k(int *x) { x[0] = 1; }\n"


def work(cache: Path, *, text: str = TEXT, afresh: bool = False) -> Work:
    (cache / "a.cu").write_text(text)
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


def test_contracts_are_kept_until_what_they_rest_on_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def infer(_: object, source: object, units: Sequence[Unit], **more: object) -> dict[str, object]:
        asked.extend(unit.name for unit in units)
        return {unit.id: (MAP,) for unit in units}

    monkeypatch.setattr(module, "infer", infer)

    def learnt(*, text: str = TEXT, afresh: bool = False, seed: int = 0) -> int:
        """Return how many units something is learnt of."""
        asked.clear()
        there = work(tmp_path, text=text, afresh=afresh)
        there = replace(there, options=replace(there.options, seed=seed))
        [unit] = there.source.units
        assert there.learnt([unit]) == {unit.id: (MAP,)}
        return len(asked)

    assert learnt() == 1
    assert learnt() == 0
    assert learnt(seed=1) == 1
    assert learnt(text=TEXT.replace("1", "2")) == 1
    assert learnt(afresh=True) == 1
    for path in (tmp_path / "contracts").iterdir():
        text = path.read_bytes()
        assert b'"extent": "n"' in text
        path.write_bytes(text.replace(b'"extent": "n"', b'"extent": "1"'))
    assert learnt() == 1, "what was edited is not believed"


def test_that_nothing_could_be_learnt_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    why = Inconclusive(reason="transpile itself failed", code="TP414")
    monkeypatch.setattr(module, "infer", lambda *_, **__: {unit.id: why for unit in there.source.units})
    there = work(tmp_path)
    assert list(there.learnt(there.source.units).values()) == [why]
    assert not (tmp_path / "contracts").exists()
