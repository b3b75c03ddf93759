"""Requirements that were found may be narrower than what callers keep to: what a pass is worth there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.adversarial import needs
from transpile import pipeline
from transpile.contracts.user import UnitSettings
from transpile.core import Evidence, Falsified, Level, Passed
from transpile.options import ModelOptions, PortOptions, Silent

pytestmark = needs.RACES

KERNEL = """// Rows may overlap where `to` is short, so that all that is seen to be safe is a single row.
__global__ void add_rows(int count, int width, int step, int from, const float *in, int to, float *out)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    int column = id % width, row = id / width;
    out[column * step + to * (row * step)] += in[column * step + from * (row * step)];
}
int main() { return 0; }
"""
WRONG = """void add_rows(int count, int width, int step, int from, const float *in, int to, float *out)
{
    for (int id = 0; id < count; ++id) {
        int column = id % width, row = id / width;
        out[column * step - to * (row * step)] += in[column * step + from * (row * step)];
    }
}
"""


def judged(tmp_path: Path, fresh_cache: Path, code: str, **stated: object) -> Evidence:
    """Return what became of a translation by a model, under what the user states of the unit."""
    root = tmp_path / "source"
    root.mkdir()
    (root / "rows.cu").write_text(KERNEL)
    script = tmp_path / "script.jsonl"
    script.write_text(json.dumps({"answers": [f"```cpp\n{code}```"]}) + "\n")
    models = ModelOptions(use=(f"scripted:{script}",), first=True, samples=1, repairs=0)
    units = {"add_rows": UnitSettings(**stated)} if stated else {}  # type: ignore[arg-type]
    options = PortOptions(
        cache=fresh_cache, out=tmp_path / "port", models=models, units=units, jobs=2, prove=0
    )
    [evidence] = pipeline.port(root, options, Silent()).evidence
    return evidence


@pytest.mark.thorough
def test_what_trials_of_one_row_do_not_notice_falls_beyond_them(tmp_path: Path, fresh_cache: Path) -> None:
    evidence = judged(tmp_path, fresh_cache, WRONG)
    assert any("width >= count" in contract.relations for contract in evidence.contracts)
    by_model, by_rules = (item.verdict for item in evidence.attempts)
    assert isinstance(by_model, Falsified)
    scalars = dict(by_model.counterexample.trial.scalars)
    assert scalars["width"] < scalars["count"]
    assert isinstance(by_rules, Passed)


@pytest.mark.thorough
def test_where_the_user_says_what_callers_do_it_falls(tmp_path: Path, fresh_cache: Path) -> None:
    evidence = judged(
        tmp_path,
        fresh_cache,
        WRONG,
        relations=("to >= width", "from >= width"),
        ranges={"width": (1, 40), "step": (1, 3), "to": (1, 64), "from": (1, 64)},
        extents={
            "in": "step * (count + from * (count / max(width, 1) + 1))",
            "out": "step * (count + to * (count / max(width, 1) + 1))",
        },
        before={"out": "step * to * (count / max(width, 1) + 1)"},
    )
    assert any(isinstance(item.verdict, Falsified) for item in evidence.attempts)
    assert evidence.kept(Level.TESTED)
