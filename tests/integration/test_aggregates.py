"""Functions whose parameters are structs, references, vectors and rows: contracts, and verdicts."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Once
from tests.integration.functions import WRONG, check, learn_first, verdict
from tests.sampling import sampled
from transpile import parsers
from transpile.core import CUDA, OPENMP, Contract, Dialect, Source
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

SOURCE = """
#include <cmath>
#include <vector>
struct Grid { int nx, ny; double dx; };
struct Bodies { float *x; const float *v; int n; };
struct Point { float x, y; int id; };
struct Scene { int steps; Bodies *bodies; Point *eye; };
void axpy(std::vector<double> &y, const std::vector<double> &x, const double &a)
{
    for (size_t i = 0; i < x.size(); i++) y[i] += a * x[i];
}
void slope(const Grid *g, const double *in, double *out)
{
    for (int i = 1; i < g->nx * g->ny - 1; i++) out[i] = (in[i + 1] - in[i - 1]) / g->dx;
}
void move(Bodies *b, float dt) { for (int i = 0; i < b->n; i++) b->x[i] += dt * b->v[i]; }
void moved(Bodies b, float dt) { for (int i = 0; i < b.n; i++) b.x[i] += dt * b.v[i]; }
void drift(Scene *s)
{
    for (int i = s->eye->id; i < s->bodies->n; i++) s->bodies->x[i] += s->eye->y * s->bodies->v[i];
}
void count(const int *x, int n, int &found)
{
    found = 0;
    for (int i = 0; i < n; i++) found += x[i] > 2;
}
void twice(float **a, float *const *b, int n, int m)
{
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 2 * b[i][j];
}
Point mean(const Point *p, int n)
{
    Point r = {0, 0, 0};
    for (int i = 0; i < n; i++) { r.x += p[i].x; r.id += p[i].id; }
    return r;
}
void scale_(const int *n, const double *a, double *x) { for (int i = 0; i < *n; i++) x[i] *= *a; }
template <class T> T dot(const T *a, const T *b, int n)
{
    T s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
void flip(Bodies *b) { float *old = b->x; b->x = const_cast<float *>(b->v); b->v = old; }
void apply(float *x, int n, float (*f)(float)) { for (int i = 0; i < n; i++) x[i] = f(x[i]); }
int main() { double d[1] = {2}; return (int)dot(d, d, 1); }
"""
EXTENTS = {
    "axpy": {"y.data": "x.size", "x.data": "x.size"},
    "slope": {"g": "1", "in": "g.nx * g.ny", "out": "g.nx * g.ny - 1"},
    "move": {"b": "1", "b.x": "b.n", "b.v": "b.n"},
    "moved": {"b.x": "b.n", "b.v": "b.n"},
    "drift": {
        "s": "1",
        "s.bodies": "1",
        "s.bodies.x": "s.bodies.n",
        "s.bodies.v": "s.bodies.n",
        "s.eye": "1",
    },
    "count": {"x": "n", "found": "1"},
    "mean": {"p": "n"},
    "scale_": {"n": "1", "a": "1", "x": "n.value"},
    "dot": {"a": "n", "b": "n"},
}
SPREAD = """
__global__ void step(float *x, const float *v, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += dt * v[i];
}
void move(Bodies *b, float dt)
{
    const size_t bytes = sizeof(float) * b->n;
    if (b->n <= 0) return;
    float *x, *v;
    cudaMalloc(&x, bytes);
    cudaMalloc(&v, bytes);
    cudaMemcpy(x, b->x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(v, b->v, bytes, cudaMemcpyHostToDevice);
    step<<<(b->n + 127) / 128, 128>>>(x, v, b->n, dt);
    cudaMemcpy(b->x, x, bytes, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(v);
}
"""
DRIFT = """
void drift(Scene *s)
{
    #pragma omp parallel for
    for (int i = s->eye->id; i < s->bodies->n; i++) s->bodies->x[i] += s->eye->y * s->bodies->v[i];
LAST
}
"""
AXPY = """
void axpy(std::vector<double> &y, const std::vector<double> &x, const double &a)
{
    #pragma omp parallel for
    for (size_t i = FIRST; i < y.size(); i++) y[i] += a * x[i];
}
"""
CANDIDATES = [
    ("axpy", AXPY.replace("FIRST", "0"), OPENMP, True),
    ("axpy", AXPY.replace("FIRST", "1"), OPENMP, False),
    (
        "axpy",
        "void axpy(std::vector<double> &y, const std::vector<double> &x, const double &a)"
        " { for (size_t i = 0; i < x.size(); i++) y[i] += a * x[i]; y.clear(); }",
        OPENMP,
        False,
    ),
    ("move", SPREAD, CUDA, True),
    ("move", SPREAD.replace("b->n + 127", "b->n"), CUDA, False),
    (
        "move",
        "void move(Bodies *b, float dt)"
        " { for (int i = 0; i < b->n; i++) b->x[i] += dt * b->v[i]; b->n = 0; }",
        OPENMP,
        False,
    ),
    (
        "move",
        "void move(Bodies *b, float dt)"
        " { for (int i = 0; i < b->n; i++) b->x[i] += dt * b->v[i]; b->v = b->x; }",
        OPENMP,
        False,
    ),
    ("drift", DRIFT.replace("LAST", ""), OPENMP, True),
    ("drift", DRIFT.replace("LAST", "s->bodies->n = 0;"), OPENMP, False),
    ("drift", DRIFT.replace("LAST", "s->bodies = 0;"), OPENMP, False),
    (
        "count",
        "void count(const int *x, int n, int &found) { int c = 0;\n"
        "#pragma omp parallel for reduction(+ : c)\n"
        "for (int i = 0; i < n; i++) c += x[i] > 2; found = c; }",
        OPENMP,
        True,
    ),
    (
        "count",
        "void count(const int *x, int n, int &found) { for (int i = 0; i < n; i++) found += x[i] > 2; }",
        OPENMP,
        False,
    ),
    (
        "twice",
        "void twice(float **a, float *const *b, int n, int m) {\n"
        "#pragma omp parallel for\n"
        " for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 2 * b[i][j]; }",
        OPENMP,
        True,
    ),
    (
        "mean",
        "Point mean(const Point *p, int n) { Point r = {0, 1, 0};"
        " for (int i = 0; i < n; i++) { r.x += p[i].x; r.id += p[i].id; } return r; }",
        OPENMP,
        False,
    ),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.cpp").write_text(SOURCE)
    return parsers.read(root)


@pytest.fixture(scope="module")
def learnt(once: Once, workshop: Workshop, source: Source) -> dict[str, Contract | str]:
    return once("contracts of aggregates", partial(learn_first, workshop, source))


@pytest.mark.parametrize("name", EXTENTS)
def test_parts_have_extents(learnt: dict[str, Contract | str], name: str) -> None:
    contract = learnt[name]
    assert isinstance(contract, Contract), contract
    assert {fact.name: fact.extent for fact in contract.arrays} == EXTENTS[name]


def test_lengths_follow_from_what_is_touched(learnt: dict[str, Contract | str]) -> None:
    vectors, rows = learnt["axpy"], learnt["twice"]
    assert isinstance(vectors, Contract)
    assert isinstance(rows, Contract)
    assert vectors.scalar("y.size").values.high == "x.size"  # type: ignore[union-attr]
    assert rows.scalar("a.stride").values.low == "m"  # type: ignore[union-attr]


def test_what_is_out_of_reach_is_named(learnt: dict[str, Contract | str]) -> None:
    assert "`f`" in str(learnt["apply"])
    assert "illegal instruction" in str(learnt["flip"])


@pytest.mark.parametrize(("name", "text", "dialect", "right"), sampled(CANDIDATES, 4))
def test_candidates_see_whole_objects(
    workshop: Workshop,
    source: Source,
    learnt: dict[str, Contract | str],
    name: str,
    text: str,
    dialect: Dialect,
    right: bool,
) -> None:
    contract = learnt[name]
    assert isinstance(contract, Contract), contract
    found = check(verdict(workshop, source, contract, text, dialect))
    assert found == "kept" if right else found in WRONG, found
