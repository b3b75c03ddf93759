"""Loops of C in OpenMP and on a device, from the command line; and calls with arrays that overlap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, Candidate, Contract, Role

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]

WORK = """\
#include "work.h"
#include <math.h>

// The length of a vector.
double magnitude(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* Each point becomes a mean of its neighbours. */
void smooth(int n, int m, const double *in, double *out, const float *weights)
{
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < m - 1; j++) {
            // four points
            out[i * m + j] = weights[j] * (in[(i - 1) * m + j] + in[(i + 1) * m + j]
                + in[i * m + j - 1] + in[i * m + j + 1]);
        }
    }
}

// Each number is added to the one before: no two of them at once.
void sums(int n, double *restrict x)
{
    for (int i = 1; i < n; i++) x[i] += x[i - 1];
}
"""
HEADER = """\
double magnitude(const double *x, int n);
void smooth(int n, int m, const double *in, double *out, const float *weights);
void sums(int n, double *restrict x);
"""
MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include "work.h"
int main(void)
{
    int n = 40, m = 43;
    double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m);
    float *w = malloc(sizeof(float) * m);
    for (int i = 0; i < n * m; i++) a[i] = b[i] = i * 7919 % 101 / 10.0;
    for (int j = 0; j < m; j++) w[j] = 0.25f;
    smooth(n, m, a, b, w);
    sums(m, b);
    printf("%.6f\\n", magnitude(b, n * m));
    free(a);
    free(b);
    free(w);
    return 0;
}
"""
MAKEFILE = """\
CFLAGS = -O2 -std=c99 -Wall
work: main.o work.o
\t$(CC) $(CFLAGS) -o $@ main.o work.o -lm
%.o: %.c work.h
\t$(CC) $(CFLAGS) -c $< -o $@
run: work
\t./work
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    for name, text in (("work.c", WORK), ("work.h", HEADER), ("main.c", MAIN), ("Makefile", MAKEFILE)):
        (root / name).write_text(text)
    return root


def port(repository: Path, out: Path, target: str, cache: Path) -> str:
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from transpile.cli.main import main; main()"),
            *("port", str(repository), "--to", target, "--out", str(out)),
        ],
        capture_output=True,
        text=True,
        timeout=400,
        env={**os.environ, "TRANSPILE_CACHE": str(cache), "COLUMNS": "200"},
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr


def test_loops_get_a_line_above_them(repository: Path, tmp_path: Path, cache: Path) -> None:
    told = port(repository, tmp_path / "out", "openmp", cache)
    text = (tmp_path / "out" / "work.c").read_text()
    assert "2 of 3 units kept" in told and "TP220" in told and "iterations may meet in `x`" in told
    assert "    #pragma omp parallel for reduction(+ : sum)\n    for (int i = 0; i < n; i++)\n" in text
    assert "    #pragma omp parallel for collapse(2) if (apart)\n    for (int i = 1;" in text
    assert "            // four points\n" in text and text.count("#pragma") == 2
    done = subprocess.run(["make", "-C", str(tmp_path / "out"), "run"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_loops_become_kernels(repository: Path, tmp_path: Path, cache: Path) -> None:
    told = port(repository, tmp_path / "out", "cuda", cache)
    assert "3 of 3 units kept" in told
    text = (tmp_path / "out" / "work_cuda.cu").read_text()
    assert "__global__ void smooth_kernel(" in text and "\n        // four points\n" in text
    assert "static void smooth_sequential(" in text and "        smooth_sequential(n, m, in," in text
    assert "// One thread alone: iterations may meet in `x`." in text and "sums_kernel<<<1, 1>>>" in text
    assert "__shfl_down_sync(0xffffffffu, sum, offset)" in text


SHIFT = "void shift(int n, const int *from, int *to) { for (int i = 0; i < n; i++) to[i] = from[i] + 1; }\n"
OVERLAPPING = """
#include <stdio.h>
int main(void) {
    static int own[400], other[400];
    for (int i = 0; i < 400; i++) own[i] = other[i] = i * i % 97;
    shift(399, own, own + 1);
    for (int i = 0; i < 399; i++) other[i + 1] = other[i] + 1;
    for (int i = 0; i < 400; i++) if (own[i] != other[i]) return 1;
    return 0;
}
"""
MOVE = """#include <vector>
void shift(int n, std::vector<int> const &from, std::vector<int> &to)
{ for (int i = 0; i < n; i++) to[i + 1] = from[i] + 1; }
"""
ONE_VECTOR = """
int main() {
    std::vector<int> own(400), other(400);
    for (int i = 0; i < 400; i++) own[i] = other[i] = i * i % 97;
    shift(399, own, own);
    for (int i = 0; i < 399; i++) other[i + 1] = other[i] + 1;
    return own != other;
}
"""


@pytest.mark.parametrize(
    ("function", "program"), [(SHIFT, OVERLAPPING), (MOVE, ONE_VECTOR)], ids=["pointers", "one vector"]
)
@pytest.mark.parametrize("asked", [True, False], ids=["asked", "not asked"])
def test_arrays_that_overlap_are_gone_through_in_order(
    tmp_path: Path, asked: bool, function: str, program: str
) -> None:
    suffix, compiler = ("cpp", "g++") if "vector" in function else ("c", "gcc")
    (tmp_path / f"shift.{suffix}").write_text(function)
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "shift"]
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n") for name in ("from", "to"))
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    proposed = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(proposed, Candidate)
    text = function.replace(unit.text.decode(), proposed.replacements[0].shown)
    assert " if (" in text.partition("#pragma")[2].partition("\n")[0]
    if not asked:  # the answer matters: without the question the program is wrong
        text = text.replace("#pragma omp parallel for if", "#pragma omp parallel for //")
    (tmp_path / f"test.{suffix}").write_text(text + program)
    command = [compiler, "-O1", "-fopenmp", f"test.{suffix}", "-o", "test"]
    subprocess.run(command, cwd=tmp_path, check=True)
    ends = {
        subprocess.run([tmp_path / "test"], env={"OMP_NUM_THREADS": "4"}, timeout=20).returncode
        for _ in range(20)
    }
    assert ends == {0} if asked else 1 in ends
