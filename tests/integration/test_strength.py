"""Strength of trials, measured on the source alone, by the command as a user types it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from transpile.cli.main import app

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]

SOURCE = """
__global__ void scale(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + 1.0f;
}

__global__ void unreached(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i];
    if (n > 300000000) {
        y[i] = x[i] * 2 - 1;
        if (x[i] > 4) y[i] = y[i] - 3;
    }
}
"""


@pytest.fixture
def source(fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRANSPILE_CACHE", str(fresh_cache))
    path = tmp_path / "source" / "scale.cu"
    path.parent.mkdir()
    path.write_text(SOURCE)
    return path


def strength(*words: str) -> tuple[int, list[dict[str, Any]]]:
    done = CliRunner().invoke(app, ["check", "--strength", *words, "--output-format", "json"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done.exit_code, json.loads(done.stdout)["strength"]


@pytest.mark.thorough
def test_faults_that_nobody_notices_and_branches_that_nobody_takes_are_named(source: Path) -> None:
    status, [scale, unreached] = strength(str(source), "--budget", "0")
    assert status == 1
    assert scale["enough"] and scale["score"] >= 0.95 and scale["branches"]["never"] == []
    assert 0 < scale["essential"] <= scale["trials"] and scale["killed"] > 5
    assert not unreached["enough"] and unreached["score"] < 0.95
    assert unreached["branches"]["never"] == ["scale.cu:11", "scale.cu:13"]
    survivors = unreached["survivors"]
    assert {"scale.cu"} == {item["path"] for item in survivors}
    assert any(item["line"] == 12 and item["before"] != item["after"] for item in survivors)


@pytest.mark.thorough
def test_a_pattern_chooses_units(source: Path) -> None:
    done = CliRunner().invoke(app, ["check", str(source), "--strength", "scale", "--budget", "0"])
    assert done.exit_code == 0, done.output
    assert "1 of 1 units have trials that notice 95% of the faults" in done.stdout


def test_what_is_nowhere_is_a_mistake_of_usage(source: Path) -> None:
    done = CliRunner().invoke(app, ["check", str(source), "--strength", "no_such_unit"])
    assert done.exit_code == 2, done.output


def test_sizes_in_fewer_digits_are_noticed_without_a_trial_that_is_large_enough(source: Path) -> None:
    source.write_text(
        """
        __global__ void scale(const float *x, float *y, size_t n) {
            size_t const i{blockIdx.x * blockDim.x + threadIdx.x};
            if (i < n) y[i] = 3.0f * x[i];
        }
        __global__ void mark(unsigned long long *y, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            unsigned long long one = 1;
            if (i < n) y[i] = one + i;
        }
        """
    )
    _, [scale, mark] = strength(str(source), "--budget", "0")
    assert scale["score"] == 1
    # That is no size, and to see its digits is what trials are for.
    assert [item["operator"] for item in mark["survivors"]] == ["narrower type"]
