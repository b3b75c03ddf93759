"""The how-to pages are true: their edits are made in a copy of the package, and what they add works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adversarial import needs

pytestmark = [pytest.mark.integration, *needs.JUDGING]

ROOT = Path(__file__).parents[2]
_STEP = re.compile(
    r"(?:New file `(?P<new>[^`\n]+)`|(?:In `(?P<path>transpile/[^`\n]+)`[^`\n]*|[^`\n]*)"
    r"below `(?P<anchor>[^`\n]+)`):\n\n```(?:python|c)\n(?P<text>.*?)```\n",
    re.DOTALL,
)
RUN = "from transpile.cli.main import main; main()"
SAXPY = "void saxpy(int n, float a, const float *restrict x, float *restrict y) {{\n    {}\n}}\n"
TOGGLED = """\
#include <stdbool.h>

void stripes(int n, const float *restrict x, float *restrict y) {{
    bool odd = true;
    for (int i = 0; i < n; i++) {{
        y[i] = odd ? x[i] : 2 * x[i];
        odd = {};
    }}
}}
"""
LOOP = "for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];"
WRONG = "for (int i = 1; i < n; i++) y[i] = a * x[i] + y[i - 1];"


def followed(page: str, place: Path) -> Path:
    """Return a copy of the package with the edits of a page."""
    shutil.copytree(ROOT / "transpile", place / "transpile", ignore=shutil.ignore_patterns("__pycache__"))
    path, steps = "", 0
    for step in _STEP.finditer((ROOT / "docs" / page).read_text()):
        steps += 1
        if step["new"]:
            (place / step["new"]).parent.mkdir(parents=True, exist_ok=True)
            (place / step["new"]).write_text(step["text"])
            continue
        path = step["path"] or path
        text = (place / path).read_text()
        assert text.count(f"{step['anchor']}\n") == 1, f"{path} has no line `{step['anchor']}`"
        (place / path).write_text(text.replace(f"{step['anchor']}\n", f"{step['anchor']}\n{step['text']}"))
    assert steps, page
    return place


def ported(
    place: Path, cache: Path, name: str, source: str, target: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    """Return the run of a port by the copy, and the ported text."""
    (place / name).mkdir()
    (place / name / "code.c").write_text(source)
    command = [sys.executable, "-c", RUN, "port", name, "--to", target, "--out", f"{name}-port"]
    environment = {**os.environ, "PYTHONPATH": str(place), "TRANSPILE_CACHE": str(cache)}
    run = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    made = place / f"{name}-port" / "code.c"
    return run, made.read_text() if made.exists() else ""


@pytest.mark.thorough
def test_a_target_is_added_as_the_page_says(fresh_cache: Path, tmp_path: Path) -> None:
    place = followed("adding-a-target.md", tmp_path)
    run, text = ported(place, fresh_cache, "right", SAXPY.format(LOOP), "openmp-loop")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "#pragma omp parallel loop" in text
    run, text = ported(place, fresh_cache, "carried", SAXPY.format(WRONG), "openmp-loop")
    assert run.returncode == 1 and "loop-carried dependence" in run.stdout, run.stdout + run.stderr


@pytest.mark.thorough
def test_an_idiom_is_added_as_the_page_says(fresh_cache: Path, tmp_path: Path) -> None:
    place = followed("adding-an-idiom.md", tmp_path)
    run, text = ported(place, fresh_cache, "right", TOGGLED.format("!odd"), "openmp")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "#pragma omp parallel for" in text and "odd_first" in text
    run, _ = ported(place, fresh_cache, "others", TOGGLED.format("!odd"), "stdpar")
    assert run.returncode == 1 and "loop-carried dependence on the scalar `odd`" in run.stdout, run.stdout
    run, _ = ported(place, fresh_cache, "data", TOGGLED.format("x[i] > 0"), "openmp")
    assert run.returncode == 1 and "loop-carried dependence on the scalar `odd`" in run.stdout, run.stdout
