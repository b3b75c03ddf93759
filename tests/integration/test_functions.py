"""Functions of plain C and C++ as units: contracts, and verdicts on OpenMP and CUDA text in their place."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Once
from tests.integration.functions import WRONG, check, learn, learn_first, verdict
from tests.sampling import sampled
from transpile import parsers
from transpile.core import CUDA, OPENMP, Contract, Dialect, Falsified, Role, Source
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

# No C++ compiler takes this file: restrict, rows of a length that is a parameter, a pointer out of malloc.
C_SOURCE = r"""
#include <stdlib.h>
static float scale = 2.0f;
static int hits;
static int square(int v) { return v * v; }
void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++) y[i] = a * x[i] + scale * y[i];
}
float total(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
void rows(int n, int m, double a[n][m], double out[n])
{
    double *sums = malloc(sizeof(double) * (n > 0 ? n : 1));
    for (int i = 0; i < n; i++) {
        sums[i] = 0;
        for (int j = 0; j < m; j++) sums[i] += a[i][j] * square(j);
    }
    for (int i = 0; i < n; i++) out[i] = sums[i];
    free(sums);
}
void count(const int *x, int n, int limit)
{
    for (int i = 0; i < n; i++) hits += x[i] > limit;
}
#define LENGTH 40
void smooth(int n, double a[LENGTH][LENGTH], double b[LENGTH][LENGTH])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void order(int *x, int n) { qsort(x, n, sizeof(int), ascending); }
float spread(const float *x, int n)
{
    float kept[24];
    for (int i = 0; i < n; i++) kept[i] = 2 * x[i];
    return n > 0 ? kept[0] + kept[n - 1] : 0;
}
int main(void) { return 0; }
"""

COPIED = """
__global__ void apply(int n, float a, const float *x, float *y, float s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + s * y[i];
}
void saxpy(int n, float a, const float *x, float *y)
{
    if (n <= 0) return;
    float *device_x, *device_y;
    cudaMalloc(&device_x, n * sizeof(float));
    cudaMalloc(&device_y, n * sizeof(float));
    cudaMemcpy(device_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(device_y, y, n * sizeof(float), cudaMemcpyHostToDevice);
    apply<<<(n + 255) / 256, 256>>>(n, a, device_x, device_y, scale);
    cudaMemcpy(y, device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device_x);
    cudaFree(device_y);
}
"""

FREED = "cudaFree(device_x);"

SUMMED = """
__global__ void add(const float *x, int n, float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ADD;
}
float total(const float *x, int n)
{
    float result = 0, *device_x, *sum;
    if (n <= 0) return 0;
    cudaMalloc(&device_x, n * sizeof(float));
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    cudaMemcpy(device_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 63) / 64, 64>>>(device_x, n, sum);
    cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device_x);
    cudaFree(sum);
    return result;
}
"""

PARALLEL_SUM = """
float total(const float *x, int n)
{
    float sum = 0;
    #pragma omp parallel for CLAUSE
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
"""

PARALLEL_ROWS = """
void rows(int n, int m, double *a, double *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += a[(size_t)i * m + j] * square(j);
        out[i] = sum;
    }
}
"""

COUNTED = """
void count(const int *x, int n, int limit)
{
    int found = FIRST;
    #pragma omp parallel for reduction(+ : found)
    for (int i = 0; i < n; i++) found += x[i] > limit;
    hits = found;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.c").write_text(C_SOURCE)
    return parsers.read(root)


@pytest.fixture(scope="module")
def contracts(once: Once, workshop: Workshop, source: Source) -> dict[str, Contract]:
    found = once("contracts of functions", partial(learn, workshop, source))
    return {name: known[0] for name, known in found.items() if isinstance(known, tuple)}


def test_functions_have_contracts_without_a_launch(contracts: dict[str, Contract]) -> None:
    assert contracts.keys() == {"square", "saxpy", "total", "rows", "count", "smooth", "order", "spread"}
    extents = {name: {fact.name: fact.extent for fact in item.arrays} for name, item in contracts.items()}
    assert extents["saxpy"] == {"x": "n", "y": "n"}
    assert extents["rows"] == {"a": "n * m", "out": "n"}
    assert contracts["saxpy"].array("y").role is Role.INOUT  # type: ignore[union-attr]
    assert extents["order"]["x"] == "n", "what the C library moves is seen"
    assert all(item.law is None for item in contracts.values())
    assert [item.name for item in contracts["count"].signature.globals] == ["hits"]


def summed(statement: str) -> str:
    return SUMMED.replace("ADD", statement)


def test_sizes_end_where_arrays_of_fixed_length_do(contracts: dict[str, Contract]) -> None:
    # Behind the end of a row lies the next one, so that no trace shows it.
    assert contracts["smooth"].scalar("n").values.high == "40"  # type: ignore[union-attr]
    assert contracts["spread"].scalar("n").values.high == "24"  # type: ignore[union-attr]
    assert contracts["total"].scalar("n").values.high == str(2**31 - 1)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "text", "dialect", "expected"),
    sampled(
        [
            ("saxpy", COPIED, CUDA, "kept"),
            ("saxpy", COPIED.replace("i < n", "i < n - 1"), CUDA, "wrong"),
            ("saxpy", COPIED.replace("cudaMemcpyDeviceToHost", "cudaMemcpyHostToDevice"), CUDA, "wrong"),
            (
                "saxpy",
                COPIED.replace(FREED, f"cudaMemset(device_x, 0, n * sizeof(float)); {FREED}"),
                CUDA,
                "kept",
            ),
            # The results are right all the same, and nobody looks at what cudaMemset returns.
            (
                "saxpy",
                COPIED.replace(FREED, f"cudaMemset(device_x, 0, n * sizeof(float) + 1); {FREED}"),
                CUDA,
                "crash",
            ),
            (
                "saxpy",
                COPIED.replace(FREED, f"cudaMemcpy(device_x, x, n * 4 + 4, cudaMemcpyHostToDevice); {FREED}"),
                CUDA,
                "crash",
            ),
            ("total", summed("atomicAdd(sum, x[i])"), CUDA, "kept"),
            ("total", summed("*sum += x[i]"), CUDA, "race or wrong"),
            ("total", PARALLEL_SUM.replace("CLAUSE", "reduction(+ : sum)"), OPENMP, "kept"),
            ("total", PARALLEL_SUM.replace("CLAUSE", ""), OPENMP, "race or wrong"),
            ("rows", PARALLEL_ROWS, OPENMP, "kept"),
            ("rows", PARALLEL_ROWS.replace("i * m", "i * n"), OPENMP, "wrong"),
            ("count", COUNTED.replace("FIRST", "hits"), OPENMP, "kept"),
            ("count", COUNTED.replace("FIRST", "0"), OPENMP, "wrong"),
        ],
        3,
    ),
)
def test_what_behaves_like_the_function_is_kept(
    workshop: Workshop,
    source: Source,
    contracts: dict[str, Contract],
    name: str,
    text: str,
    dialect: Dialect,
    expected: str,
) -> None:
    found = check(verdict(workshop, source, contracts[name], text, dialect))
    if expected == "wrong":
        assert found in WRONG
    elif expected == "race or wrong":
        # Threads that meet lose additions at times, which is seen before races are looked for.
        assert found in ("race", *WRONG)
    else:
        assert found == expected


def test_a_race_of_threads_on_a_device_is_told_with_its_line(
    workshop: Workshop, source: Source, contracts: dict[str, Contract]
) -> None:
    # Now and then a shuffled sum is too far from the source's, which is seen before races are looked for.
    tried = (verdict(workshop, source, contracts["total"], summed("*sum += x[i]"), CUDA) for _ in range(6))
    found = next(item for item in tried if check(item) == "race")
    assert isinstance(found, Falsified)
    assert "in `if (i < n) *sum += x[i];`" in found.counterexample.got


def test_text_of_another_dialect_is_refused(
    workshop: Workshop, source: Source, contracts: dict[str, Contract]
) -> None:
    assert "TP410" in check(verdict(workshop, source, contracts["saxpy"], COPIED, OPENMP))


OF_C = """
#include <stdlib.h>
typedef enum { LOW, HIGH } level;
typedef struct { int new; double class[2]; level of; } item;
static double twice(double x) { return 2 * x; }
int quadruple(int n)
{
    return doubled(doubled(n)); /* declared nowhere, as old C does */
}

int doubled(int n)
{
    return 2 * n;
}

void reversed(int n, item *all, double *x)
{
    double *old = malloc(n * sizeof *old);
    for (int i = 0; i < n; i++) old[i] = twice(x[i]);
    for (int i = 0; i < n; i++) {
        double pair[2] = {[1] = old[n - 1 - i]};
        all[i].of = all[i].new & 1;
        x[i] = pair[0] + pair[1] + all[i].class[all[i].of];
    }
    free(old);
}
"""


def test_c_that_is_no_cpp_is_judged(tmp_path: Path, workshop: Workshop) -> None:
    (tmp_path / "a.c").write_text(OF_C)
    source = parsers.read(tmp_path)
    contract = learn_first(workshop, source)["reversed"]
    assert isinstance(contract, Contract), contract
    text = OF_C[OF_C.index("void reversed") :].replace("    for (", "    #pragma omp parallel for\n    for (")
    assert text.count("#pragma") == 2
    assert check(verdict(workshop, source, contract, text)) == "kept"
    assert check(verdict(workshop, source, contract, text.replace("[1] =", "[0] = 1, [1] ="))) == "exact"
    assert check(verdict(workshop, source, contract, text.replace("n - 1 - i", "0"))) == "exact"
