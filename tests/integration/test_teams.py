"""What the threads of a team find and merge, compared with the source's loops in a compiled program."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, Candidate, Contract, Role

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]

SEARCHES = """
    float best = x[0], least = INFINITY;
    int first = 0, last = -1, alone = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > best) { best = x[i]; first = i; }
    y[0] = best; y[1] = first;
    best = x[0]; first = 0;
    for (int i = 1; i < n; i++)
        if (x[i] < best) { best = x[i]; first = i; }
    for (int i = 0; i < n; i++)
        if (x[i] <= least) { least = x[i]; last = i; }
    for (int i = n - 1; i > 0; i--)
        if (x[i] < x[alone]) alone = i;
    y[5] = best; y[6] = first; y[2] = least; y[3] = last; y[4] = alone;
"""
COUNTS = """
    int count[8] = {0};
    for (int i = 0; i < n; i++)
        if (x[i] == x[i]) count[(int)x[i] + 3]++;
    for (int b = 0; b < 8; b++) y[b] = count[b];
"""
SUMS = """
    float s = 3, t = 0;
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
CALLS = """
#include <omp.h>
#include <stdio.h>
int main(void)
{
    unsigned drawn = 1;
    for (int threads = 1; threads < 6; threads++) {
        omp_set_num_threads(threads);
        for (int n = 1; n < 200; n++) {
            float x[200], y[200] = {0}, expected[200] = {0};
            for (int i = 0; i < n; i++) {
                drawn = drawn * 1103515245 + 12345;
                x[i] = (drawn >> 16) % 9 ? (int)((drawn >> 20) % 7) - 3 : NAN;
            }
            f(n, x, y);
            source(n, x, expected);
            for (int i = 0; i < 200; i++)
                if (y[i] != expected[i] && (y[i] == y[i] || expected[i] == expected[i]))
                    return printf("%d of %d: %f, not %f\\n", i, n, y[i], expected[i]);
        }
    }
}
"""


@pytest.mark.parametrize(
    ("body", "marks"),
    [
        pytest.param(SEARCHES, ["#pragma omp for nowait"] * 4, id="places of extreme numbers"),
        pytest.param(SUMS, ["#pragma omp ordered"] * 2, id="running sums"),
        pytest.param(COUNTS, ["reduction(+ : count[:8])"], id="histogram"),
    ],
)
def test_a_team_gives_what_the_source_does(body: str, marks: list[str], tmp_path: Path) -> None:
    written = f"void f(int n, const float *restrict x, float *restrict y)\n{{{body}}}\n"
    (tmp_path / "source.c").write_text("#include <math.h>\n" + written)
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n") for name in "xy")
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    proposed = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(proposed, Candidate)
    text = proposed.replacements[0].shown
    assert text.count(marks[0]) == len(marks)
    included = "".join(f"#include {header}\n" for header in ("<math.h>", *proposed.headers))
    program = f"{included}{text}\n{written.replace('void f(', 'void source(')}{CALLS}"
    (tmp_path / "test.c").write_text(program)
    subprocess.run(["gcc", "-O1", "-fopenmp", "test.c", "-o", "test"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "test"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
