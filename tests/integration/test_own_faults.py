"""A bug of ours on one unit, planted at each stage: its verdict is TP414, and the rest goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.integration.planting import BAD, GOOD, Planted, plant
from tests.sampling import sampled
from transpile import parsers, pipeline
from transpile.core import OPENMP, Inconclusive, Level, Port
from transpile.options import ModelOptions, PortOptions, Silent
from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

STAGES = {
    "parse a file": Planted("transpile.parsers.reading", "definitions", beside=True),
    "parse a unit": Planted("transpile.parsers.signatures:_Reading", "signatures"),
    "choose": Planted("transpile.translators", "is_idle", kept=True),
    "key": Planted("transpile.keys", "included", beside=True),
    "contract": Planted("transpile.contracts.inference", "subject_of"),
    "translate": Planted("transpile.translators", "propose"),
    "translate otherwise": Planted("transpile.translators", "variants", kept=True),
    "ask a model": Planted("transpile.stages.repair", "_begun", kept=True),
    "judge a batch": Planted("transpile.testers.verdict.session", "barred"),
    "judge": Planted("transpile.testers.verdict.session:JudgingSession", "decide"),
    "save": Planted("transpile.store:Store", "save"),
    "assemble": Planted("transpile.settle", "assemble"),
    "confirm": Planted("transpile.testers.verdict.rerun", "_confirmed"),
    "publish": Planted("transpile.lock", "make"),
}


def ported(root: Path, cache: Path, out: Path, script: Path | None = None) -> Port:
    """Return the port by rules; where there is a script, a model that says so is asked first."""
    options = PortOptions(cache=cache, out=out, target=OPENMP, prove=0, clocks=False)
    if script is not None:
        options = replace(options, models=ModelOptions(use=(f"scripted:{script}",), first=True))
    return pipeline.port(root, options, Silent())


@pytest.mark.parametrize("stage", sampled(STAGES, 7))
def test_a_bug_on_one_unit_is_that_units_verdict(
    stage: str, tmp_path: Path, fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted, root = STAGES[stage], tmp_path / "source"
    root.mkdir()
    (root / "a.c").write_bytes(GOOD if planted.beside else GOOD + BAD)
    if planted.beside:
        (root / "b.c").write_bytes(BAD)
    script = tmp_path / "script.jsonl" if stage == "ask a model" else None
    if script is not None:
        script.write_text('{"answers": []}\n')
    monkeypatch.setenv("TRANSPILE_CACHE", str(fresh_cache))
    with monkeypatch.context() as patch:
        # In this process, in which things are planted; for another see tests/unit/parsers/test_isolated.py.
        patch.setattr(parsers, "IsolatedReader", lambda **_: None)
        plant(planted, AttributeError("'NoneType' object has no attribute 'planted'"), patch)
        port = ported(root, fresh_cache, tmp_path / "out", script)
    found = {item.unit.name: item for item in port.evidence}
    assert port.exit_status == 1
    assert found["good"].kept(Level.TESTED)
    assert b"#pragma omp" in (tmp_path / "out" / "a.c").read_bytes()
    assert (tmp_path / "out" / "transpile.lock").is_file()
    assert any("planted" in log.read_text() for log in (fresh_cache / "logs").iterdir())
    if "bad" in found and not planted.kept:
        verdict = found["bad"].verdict
        assert isinstance(verdict, Inconclusive) and verdict.code == "TP414"
        assert "bug-" in verdict.reason
    # What we failed on is not believed the next time.
    again = ported(root, fresh_cache, tmp_path / "again")
    assert again.exit_status == 0
    assert b"3 * x[i]" in (tmp_path / "again" / ("b.c" if planted.beside else "a.c")).read_bytes()
