"""Results that threads of a team or of a device merge, compared with the source's loops in a program."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, OPENMP, ArrayFact, Candidate, Contract, Dialect, Role
from transpile.parsers.lowering.emulation import lower_text
from transpile.simt import include_directory
from transpile.translators.targets.cuda.kernels import MERGING_BLOCKS, MOST_AT_ONCE

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]

SEARCHES = """
    const float begun = x[0];
    float most = begun, best = begun, least = INFINITY, sum = 0;
    int largest = 0, first = 0, last = -1, alone = 0;
    for (int i = 1; i < n; i++) {
        if (x[i] > most) { most = x[i]; largest = i; }
        if (x[i] < best) { best = x[i]; first = i; }
        sum += x[i] == x[i];
    }
    for (int i = 0; i < n; i++)
        if (x[i] <= least) { least = x[i]; last = i; }
    for (int i = n - 1; i > 0; i--)
        if (x[i] < x[alone]) alone = i;
    y[0] = most; y[1] = largest; y[2] = least; y[3] = last;
    y[4] = alone; y[5] = best; y[6] = first; y[7] = sum;
"""
COUNTS = """
    int count[8] = {0};
    for (int i = 0; i < n; i++)
        if (x[i] == x[i]) count[(int)x[i] + 3]++;
    for (int b = 0; b < 8; b++) y[b] = count[b];
"""
SUMS = """
    float s = 3;
    double t = 0;
    for (int i = 0; i < n; i++) {
        const float v = x[i] == x[i] ? x[i] : 5;
        y[i] = s;
        s += v;
    }
    for (int i = n - 1; i >= 0; i--) {
        t += y[i];
        y[i] = t;
    }
    y[n] = s - t;
"""
PAIRS = """
    int c = 0;
    float v;
    for (int i = 0; i < n; i++) {
        v = x[i] * 2;
        if (v > 2 && i % 2) {
            y[c] = v;
            y[c + 1] = i;
            c += 2;
        }
    }
    y[0] = c;
"""
LISTS = """
    static float others[LENGTH];
    int c = 3, e = 0;
    long last = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 2) {
            y[c] = x[i];
            y[c + 1] = i;
            c += 2;
        } else if (x[i] < 0) {
            others[e++] = i;
        }
    for (int i = e - 1; i >= 0; i--) {
        if ((int)others[i] % 3) continue;
        y[c + last++] = others[i];
    }
    y[0] = c; y[1] = e; y[2] = last;
"""
MAIN = """
#include <stdio.h>
static unsigned drawn = 1;
static int differs(int n)
{
    static float x[LENGTH], y[LENGTH], expected[LENGTH];
    for (int i = 0; i < LENGTH; i++) y[i] = expected[i] = 0;
    for (int i = 0; i < n; i++) {
        drawn = drawn * 1103515245 + 12345;
        x[i] = (drawn >> 16) % 9 ? (int)((drawn >> 20) % 7) - 3 : NAN;
    }
    f(n, x, y);
    source(n, x, expected);
    for (int i = 0; i < LENGTH; i++)
        if (y[i] != expected[i] && (y[i] == y[i] || expected[i] == expected[i]))
            return printf("%d of %d: %f, not %f\\n", i, n, y[i], expected[i]);
    return 0;
}
"""
TEAMS = """
#define LENGTH 200
#include <omp.h>
int main(void)
{
    for (int threads = 1; threads < 6; threads++) {
        omp_set_num_threads(threads);
        for (int n = 1; n < LENGTH; n++)
            if (differs(n)) return 1;
    }
}
"""
BLOCKS = 40
GRIDS = """
#define LENGTH 21500
int main(void)
{
    for (int n = 1; n < LENGTH; n += n < 34 || n == 256 ? 1 : n < 256 ? 37 : 2349)
        if (differs(n)) return 1;
}
"""


@pytest.mark.parametrize(
    ("body", "marks"),
    [
        pytest.param(SEARCHES, ["nowait"] * 3, id="places of extreme numbers"),
        pytest.param(SUMS, ["#pragma omp ordered"] * 2, id="running sums"),
        pytest.param(LISTS, ["#pragma omp ordered"] * 2, id="compactions"),
        pytest.param(COUNTS, ["reduction(+ : count[:8])"], id="histogram"),
    ],
)
def test_a_team_gives_what_the_source_does(body: str, marks: list[str], tmp_path: Path) -> None:
    text = translated(body, OPENMP, tmp_path)
    assert text.count(marks[0]) == len(marks)
    (tmp_path / "test.c").write_text(program(text, body, TEAMS))
    subprocess.run(["gcc", "-O1", "-fopenmp", "test.c", "-o", "test"], cwd=tmp_path, check=True)
    runs(tmp_path / "test")


@pytest.mark.parametrize(
    "body",
    [SEARCHES, SUMS, PAIRS],
    ids=["places of extreme numbers", "running sums", "compactions"],
)
def test_a_grid_gives_what_the_source_does(body: str, tmp_path: Path) -> None:
    text = translated(body, CUDA, tmp_path)
    assert "One thread alone" not in text
    # Fewer blocks at most stand for more iterations than a test has time for.
    for most in (MOST_AT_ONCE, MERGING_BLOCKS):
        text = text.replace(f" {most}", f" {most // MERGING_BLOCKS * BLOCKS}")
    text = text.replace(f"<<<1, {BLOCKS}>>>", f"<<<1, {MERGING_BLOCKS}>>>")
    lowered = lower_text(program(text, body, GRIDS).replace("restrict", "__restrict__").encode(), frozenset())
    (tmp_path / "test.cpp").write_bytes(lowered.data)
    command = ["g++", "-O1", "-std=c++17", "-I", str(include_directory()), "-include", "simt/simt.h"]
    subprocess.run([*command, "test.cpp", "-o", "test"], cwd=tmp_path, check=True)
    runs(tmp_path / "test")


def written(body: str) -> str:
    return f"void f(int n, const float *restrict x, float *restrict y)\n{{{body}}}\n"


def translated(body: str, target: Dialect, place: Path) -> str:
    (place / "source.c").write_text("#include <math.h>\n" + written(body))
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n") for name in "xy")
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    proposed = translators.propose(source, unit, (contract,), target)
    assert isinstance(proposed, Candidate), proposed
    included = "".join(f"#include {header}\n" for header in ("<math.h>", *proposed.headers))
    return included + proposed.replacements[0].shown


def program(text: str, body: str, main: str) -> str:
    defined, _, rest = main.strip().partition("\n")
    return f"{defined}\n{text}\n{written(body).replace('void f(', 'void source(')}{MAIN}{rest}\n"


def runs(made: Path) -> None:
    done = subprocess.run([made], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
