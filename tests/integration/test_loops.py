"""Loops of C in OpenMP and on a device, from the command line; and calls with arrays that overlap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, OPENMP_TARGET, STDPAR, ArrayFact, Candidate, Contract, Dialect, Role
from transpile.toolchains import compilers, native
from transpile.translators.targets.stdpar.ranges import INDEX_RANGE, index_range

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

// Each number becomes a mean with the one before: no two of them at once.
void means(int n, double *restrict x)
{
    for (int i = 1; i < n; i++) x[i] = (x[i] + x[i - 1]) / 2;
}
"""
HEADER = """\
double magnitude(const double *x, int n);
void smooth(int n, int m, const double *in, double *out, const float *weights);
void means(int n, double *restrict x);
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
    means(m, b);
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


def port(
    repository: Path, out: Path, target: str, cache: Path, *only: str, options: Sequence[str] = ()
) -> str:
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from transpile.cli.main import main; main()"),
            *("port", str(repository), "--to", target, "--out", str(out), "--no-clocks"),
            *(f"--only={name}" for name in only),
            *options,
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
    assert "4 of 5 units kept" in told and "TP220" in told and "loop-carried dependence on `x`" in told
    assert "    #pragma omp parallel for simd reduction(+ : sum)\n    for (int i = 0; i < n; i++)\n" in text
    assert "    #pragma omp parallel for collapse(2) if (apart)\n    for (int i = 1;" in text
    assert "            // four points\n" in text and text.count("#pragma") == 2
    done = subprocess.run(["make", "-C", str(tmp_path / "out"), "run"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_loops_become_kernels(repository: Path, tmp_path: Path, cache: Path) -> None:
    told = port(repository, tmp_path / "out", "cuda", cache, options=["--keep-sequential"])
    assert "3 of 3 units kept" in told and "one thread alone runs means_kernel" in told
    text = (tmp_path / "out" / "work_cuda.cu").read_text()
    assert "__global__ void smooth_kernel(" in text and "\n            // four points\n" in text
    assert "__shared__ double in_tile[8 + 2][32 + 2];" in text
    assert "static void smooth_sequential(" in text and "        smooth_sequential(n, m, in," in text
    assert (
        "// One thread alone: loop-carried dependence on `x`: " in text and "means_kernel<<<1, 1>>>" in text
    )
    assert "__shfl_down_sync(0xffffffffu, sum, offset)" in text


@pytest.mark.thorough
def test_one_thread_of_a_device_is_no_port(repository: Path, tmp_path: Path, cache: Path) -> None:
    told = port(repository, tmp_path / "out", "cuda", cache, "means")
    assert "0 of 1 units kept at level tested, 1 sequential on the device" in told and "TP432" in told
    assert "void means(int n, double *restrict x)\n{" in (tmp_path / "out" / "work.c").read_text()


@pytest.mark.thorough
def test_loops_become_kernels_of_hip(repository: Path, tmp_path: Path, cache: Path) -> None:
    told = port(repository, tmp_path / "out", "hip", cache, "magnitude")
    assert "1 of 1 units kept" in told and "✓ passed  ./work" in told
    text = (tmp_path / "out" / "work_hip.hip").read_text()
    assert text.startswith("#include <hip/hip_runtime.h>\n") and "cuda" not in text
    assert "__shfl_down(sum, offset, 32)" in text
    makefile = (tmp_path / "out" / "Makefile").read_text()
    assert "HIPCCFLAGS = -O2 -ffp-contract=off\n" in makefile and "%.o: %.hip\n\t$(HIPCC)" in makefile
    assert "work: main.o work.o work_hip.o" in makefile


@pytest.mark.thorough
@pytest.mark.skipif(compilers.find().get("libomptarget").path is None, reason="no offloading is installed")
def test_loops_run_on_a_device(repository: Path, tmp_path: Path, cache: Path) -> None:
    told = port(repository, tmp_path / "out", "openmp-target", cache)
    assert "2 of 3 units kept" in told
    text = (tmp_path / "out" / "work.c").read_text()
    assert "    #pragma omp target teams distribute parallel for reduction(+ : sum) \\\n" in text
    assert "        map(to: x[0:n]) map(tofrom: sum)\n    for (int i = 0;" in text
    assert "static void smooth_sequential(" in text and text.count("#pragma") == 2
    assert (tmp_path / "out" / "Makefile").read_text().startswith("# Target regions run on the host unless")
    done = subprocess.run(["make", "-C", str(tmp_path / "out"), "run"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
@pytest.mark.skipif(compilers.find().get("tbb").path is None, reason="needs TBB")
def test_loops_become_calls_of_algorithms(repository: Path, tmp_path: Path, cache: Path) -> None:
    told = port(repository, tmp_path / "out", "stdpar", cache)
    assert "2 of 3 units kept" in told and "TP220" in told
    text = (tmp_path / "out" / "work_parallel.cpp").read_text()
    assert 'extern "C" double magnitude(' in text and "sum = std::transform_reduce(\n" in text
    assert "std::for_each(std::execution::par_unseq, i_range.begin(), i_range.end(), [=](int i) {" in text
    assert "void means(int n, double *restrict x)\n{" in (tmp_path / "out" / "work.c").read_text()
    done = subprocess.run(["make", "-C", str(tmp_path / "out")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


RANGES = """
#include <index_range.h>
#include <climits>
#include <vector>
template <class Index, std::ptrdiff_t step, class Last>
bool same(Index first, Last last) {
    std::vector<Index> loop, range;
    if constexpr (step > 0)
        for (Index i = first; i < last; i += step) loop.push_back(i);
    else
        for (Index i = first; i > last; i += step) loop.push_back(i);
    const index_range<Index, step> given(first, last);
    for (auto at = given.begin(); at < given.end(); ++at) range.push_back(*at);
    return loop == range;
}
template <class Index, std::ptrdiff_t step, class Last>
bool all() {
    for (int first = -3; first < 9; first++)
        for (int last = -3; last < 9; last++) {
            // A loop over unsigned numbers that begins or ends below zero goes around.
            if (std::is_unsigned_v<Index> && first < 0) continue;
            if (std::is_unsigned_v<Last> && last < 0) continue;
            if (!same<Index, step>(static_cast<Index>(first), static_cast<Last>(last))) return false;
        }
    return true;
}
int main() {
    const bool types = all<int, 1, int>() && all<int, 3, std::size_t>() && all<unsigned, 1, unsigned>()
        && all<long, -1, int>() && all<short, -2, int>() && all<std::size_t, 2, unsigned>();
    const index_range<int> whole(INT_MIN, INT_MAX);
    const bool far = whole.end() - whole.begin() == 4294967295 && whole.begin()[4294967294] == INT_MAX - 1;
    return types && far ? 0 : 1;
}
"""


def test_a_range_of_indices_goes_as_a_loop_does(tmp_path: Path) -> None:
    (tmp_path / INDEX_RANGE).write_bytes(index_range())
    (tmp_path / "test.cpp").write_text(RANGES)
    command = ["g++", "-std=c++20", "-I.", "-fsanitize=undefined", "-fno-sanitize-recover", "test.cpp"]
    subprocess.run([*command, "-o", "test"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "test"], timeout=20).returncode == 0


LOOK = """
void look(int n, const float *x, const int *k, float begun, float *found, int *flags)
{
    float most = begun, least = begun, above = begun;
    int any = 0, all = 1, top = k[0];
    for (int i = 0; i < n; i++) if (x[i] > most) most = x[i];
    for (int i = 0; i < n; i++) least = x[i] < least ? x[i] : least;
    for (int i = 0; i < n; i++) above = fmaxf(above, x[i]);
    for (int i = 0; i < n; i++) { if (x[i] > 3) any = 1; }
    for (int i = 0; i < n; i++) all = x[i] > 0 && all;
    for (int i = 0; i < n; i++) if (k[i] > top) top = k[i];
    found[0] = most; found[1] = least; found[2] = above;
    flags[0] = any; flags[1] = all; flags[2] = top;
}
"""
LOOKING = """
int main() {
    for (int n : {0, 1, 2, 5, 300})
        for (float begun : {NAN, -INFINITY, INFINITY, 4.f})
            for (float odd : {NAN, -INFINITY, INFINITY, -4.f})
                for (int at = 0; at < n || at == 0; at++) {
                    float x[300], found[2][3];
                    int k[300] = {-3}, flags[2][3];
                    for (int i = 0; i < n; i++) x[i] = i == at ? odd : 1 + i % 7, k[i] = i * 31 % 57 - 60;
                    source::look(n, x, k, begun, found[0], flags[0]);
                    port::look(n, x, k, begun, found[1], flags[1]);
                    for (int i = 0; i < 3; i++) {
                        const float one = found[0][i], other = found[1][i];
                        if (one != other && !(std::isnan(one) && std::isnan(other))) return 1;
                        if (flags[0][i] != flags[1][i]) return 2;
                    }
                }
    return 0;
}
"""


def test_calls_gather_what_loops_do_whatever_is_no_number(tmp_path: Path) -> None:
    (tmp_path / "look.c").write_text(f"#include <math.h>\n{LOOK}")
    source = parsers.read(tmp_path)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    contract = Contract(signature=signature, arrays=(), scalars=(), law=None)
    proposed = translators.propose(source, unit, (contract,), STDPAR)
    assert isinstance(proposed, Candidate)
    text = proposed.replacements[0].shown
    assert text.count("std::transform_reduce(") == 6
    included = "".join(f"#include {header}\n" for header in proposed.headers)
    spaces = f"namespace source {{ {LOOK} }}\nnamespace port {{ {text} }}\n"
    (tmp_path / "test.cpp").write_text(f"{included}{spaces}{LOOKING}")
    (tmp_path / INDEX_RANGE).write_bytes(index_range())
    # By the algorithms that checkers know: they take results in another order than libstdc++'s.
    checked = f"-I{native.SOURCES / native.CHECKED}"
    command = ["g++", "-std=c++20", "-fopenmp", checked, "-I.", "test.cpp", "-o", "test"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "test"], timeout=60).returncode == 0


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
    ("function", "program", "target"),
    [(SHIFT, OVERLAPPING, OPENMP), (MOVE, ONE_VECTOR, OPENMP), (SHIFT, OVERLAPPING, OPENMP_TARGET)],
    ids=["pointers", "one vector", "target regions"],
)
@pytest.mark.parametrize("asked", [True, False], ids=["asked", "not asked"])
def test_arrays_that_overlap_are_gone_through_in_order(
    tmp_path: Path, asked: bool, function: str, program: str, target: Dialect
) -> None:
    suffix, compiler = ("cpp", "g++") if "vector" in function else ("c", "gcc")
    (tmp_path / f"shift.{suffix}").write_text(function)
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "shift"]
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n") for name in ("from", "to"))
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    proposed = translators.propose(source, unit, (contract,), target)
    assert isinstance(proposed, Candidate)
    text = function.replace(unit.text.decode(), proposed.replacements[0].shown)
    if not asked:  # the answer matters: without the question the program is wrong
        before = text
        text = text.replace("parallel for if", "parallel for //").replace("if (!(", "if (0 && !(")
        assert text != before
    (tmp_path / f"test.{suffix}").write_text(text + program)
    command = [compiler, "-O1", "-fopenmp", f"test.{suffix}", "-o", "test"]
    subprocess.run(command, cwd=tmp_path, check=True)
    ends = {
        subprocess.run([tmp_path / "test"], env={"OMP_NUM_THREADS": "4"}, timeout=20).returncode
        for _ in range(20)
    }
    assert ends == {0} if asked else 1 in ends


CHAIN = """void chain(int n, const float *x, float *y, float *z) {
    for (int i = 0; i < n; i++)
        y[i] = x[i] + 1;
    for (int i = 0; i < n; i++)
        z[i] = y[i] * 2;
}
"""
SHIFTED = """
#include <string.h>
int main(void) {
    float own[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, other[9], y[8], kept[8];
    memcpy(other, own, sizeof own);
    chain(8, own, y, own + 1);
    for (int i = 0; i < 8; i++) kept[i] = other[i] + 1;
    return memcmp(kept, y, sizeof y) != 0;
}
"""


@pytest.mark.parametrize("asked", [True, False], ids=["asked", "not asked"])
def test_loops_are_fused_only_where_arrays_lie_apart(tmp_path: Path, asked: bool) -> None:
    (tmp_path / "chain.c").write_text(CHAIN)
    source = parsers.read(tmp_path)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n") for name in "xyz")
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    [joined] = translators.variants(source, unit, (contract,), OPENMP)
    text = joined.replacements[0].shown
    assert "if (fuse) {" in text
    if not asked:  # the answer matters: without the question the program is wrong
        text = text.replace("if (fuse) {", "if (1) {")
    (tmp_path / "test.c").write_text(text + SHIFTED)
    subprocess.run(["gcc", "-O1", "test.c", "-o", "test"], cwd=tmp_path, check=True)
    assert (subprocess.run([tmp_path / "test"], timeout=20).returncode == 0) is asked
