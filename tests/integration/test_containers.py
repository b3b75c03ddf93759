"""Functions that take strings, spans, arrays of fixed length and vectors of rows: contracts, and verdicts."""

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

MAKEFILE = "work: work.cpp\n\tg++ -std=c++20 -O2 work.cpp -o work\n"
SOURCE = """
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>
typedef std::vector<std::vector<double>> Matrix;
void add(std::span<double> y, std::span<const double> x)
{
    for (size_t i = 0; i < y.size(); i++) y[i] += x[i];
}
void shrink(std::span<float, 3> y, float a) { for (float &v : y) v *= a; }
void twist(double (&v)[4], double a) { for (double &x : v) x *= a; }
void scale(std::array<float, 4> &v, float a) { for (float &x : v) x *= a; }
int words(std::string_view s)
{
    int count = 0;
    for (size_t i = 0; i < s.size(); i++) count += s[i] == ' ';
    return count;
}
void upper(std::string &s)
{
    for (size_t i = 0; i < s.size(); i++) if (s[i] >= 'a' && s[i] <= 'z') s[i] -= 32;
}
int letters(const std::string &s)
{
    int count = 0;
    for (const char *p = s.c_str(); *p; p++) count += *p >= 'a';
    return count;
}
void multiply(const Matrix &a, const Matrix &b, Matrix &c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
void transpose(const Matrix &a, Matrix &t)
{
    for (size_t i = 0; i < a.size(); i++) for (size_t j = 0; j < a[0].size(); j++) t[j][i] = a[i][j];
}
double trace(Matrix a) { double s = 0; for (size_t i = 0; i < a.size(); i++) s += a[i][i]; return s; }
void sums(const Matrix &a, std::vector<double> &out)
{
    for (size_t i = 0; i < a.size(); i++) { out[i] = 0; for (double v : a[i]) out[i] += v; }
}
void relax(Matrix &u, const Matrix &f, int nx, int ny)
{
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++) u[i][j] = f[i - 1][j] + f[i + 1][j] + f[i][j - 1] + f[i][j + 1];
}
void flip(std::vector<bool> &mask, int n) { for (int i = 0; i < n; i++) mask[i] = !mask[i]; }
struct Item { int weight; std::string label; };
void lighten(std::vector<Item> &v)
{
    for (Item &item : v) if (item.label.size() > 2) { item.weight--; item.label = "x"; }
}
size_t total(const std::vector<std::string> &s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.size(); i++) n += s[i].size();
    return n;
}
void cube(const std::vector<Matrix> &c, double *x) { x[0] = c[0][0][0]; }
void grow(std::vector<double> &v) { v.push_back(1); }
"""
EXTENTS = {
    "add": {"y.data": "y.size", "x.data": "y.size"},
    "shrink": {"y.data": "3"},
    "twist": {"v": "4"},
    "scale": {"v": "1"},
    "words": {"s.data": "s.size"},
    "upper": {"s.data": "s.size + 1"},
    "letters": {"s.data": "s.size + 1"},
    "flip": {"mask.data": "mask.size"},
    "lighten": {"v.data": "v.size"},
    "total": {"s.data": "s.size"},
}
SHAPES = {
    "multiply": {"a.rows": "n", "a.columns": "n", "a.ragged": "0"},
    "transpose": {"a.ragged": "0", "t.rows": "a.columns", "t.columns": "a.rows"},
    "sums": {"a.ragged": "a.columns", "out.size": "a.rows"},
    "relax": {"f.rows": "nx", "f.columns": "ny", "u.ragged": "0"},
}
UPPER = """
__global__ void lift(char *s, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && s[i] >= 'a' && s[i] <= 'z') s[i] -= 32;
}
void upper(std::string &s)
{
    if (s.empty()) return;
    char *c;
    cudaMalloc(&c, s.size());
    cudaMemcpy(c, s.data(), s.size(), cudaMemcpyHostToDevice);
    lift<<<(s.size() + 63) / 64, 64>>>(c, s.size());
    cudaMemcpy(&s[0], c, s.size(), cudaMemcpyDeviceToHost);
    cudaFree(c);
}
"""
SUMS = """
void sums(const Matrix &a, std::vector<double> &out)
{
    #pragma omp parallel for
    for (size_t i = 0; i < a.size(); i++) {
        out[i] = 0;
        for (size_t j = 0; j < a[ROW].size(); j++) out[i] += a[i][j];
    }
}
"""
MULTIPLY = """
void multiply(const Matrix &a, const Matrix &b, Matrix &c, int n)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i][k] * b[k][j];
            c[PLACE] = sum;
        }
}
"""
LETTERS = """
int letters(const std::string &s)
{
    int count = 0;
    #pragma omp parallel for reduction(+ : count)
    for (size_t i = 0; i < s.size() - SHORT; i++) count += s[i] >= 'a';
    return count;
}
"""
FLIP = "void flip(std::vector<bool> &mask, int n) { for (int i = n; i-- > 0;) mask[i] = mask[i] ^ true; }"
LIGHTEN = """
void lighten(std::vector<Item> &v)
{
    #pragma omp parallel for
    for (size_t i = 0; i < v.size(); i++)
        if (v[i].label.length() >= LEAST) {
            v[i].weight--;
            v[i].label = LABEL;
        }
}
"""
CANDIDATES = [
    ("upper", UPPER, CUDA, True),
    ("upper", UPPER.replace("lift<<<(s.size() + 63) / 64, 64>>>(c", "lift<<<1, 64>>>(c"), CUDA, False),
    ("upper", UPPER.replace("64>>>(c", "64>>>(&s[0]"), CUDA, False),
    ("upper", UPPER.replace("'z'", "'y'"), CUDA, False),
    ("letters", LETTERS.replace("SHORT", "(s.empty() ? 0 : 1)"), OPENMP, False),
    ("sums", SUMS.replace("ROW", "i"), OPENMP, True),
    ("sums", SUMS.replace("ROW", "0"), OPENMP, False),
    ("multiply", MULTIPLY.replace("PLACE", "i][j"), OPENMP, True),
    ("multiply", MULTIPLY.replace("PLACE", "j][i"), OPENMP, False),
    ("flip", FLIP, OPENMP, True),
    ("flip", FLIP.replace("i = n", "i = n + 1"), OPENMP, False),
    ("lighten", LIGHTEN.replace("LEAST", "3").replace("LABEL", '"x"'), OPENMP, True),
    ("lighten", LIGHTEN.replace("LEAST", "3").replace("LABEL", '"y"'), OPENMP, False),
    ("add", "void add(std::span<double> y, std::span<const double> x) { y[0] += x[0]; }", OPENMP, False),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.cpp").write_text(SOURCE)
    (root / "Makefile").write_text(MAKEFILE)
    return parsers.read(root)


@pytest.fixture(scope="module")
def learnt(once: Once, workshop: Workshop, source: Source) -> dict[str, Contract | str]:
    return once("contracts of containers", partial(learn_first, workshop, source))


@pytest.mark.parametrize("name", EXTENTS)
def test_elements_have_extents(learnt: dict[str, Contract | str], name: str) -> None:
    contract = learnt[name]
    assert isinstance(contract, Contract), contract
    assert {fact.name: fact.extent for fact in contract.arrays} == EXTENTS[name]


@pytest.mark.parametrize("name", SHAPES)
def test_rows_have_numbers_and_lengths(learnt: dict[str, Contract | str], name: str) -> None:
    contract = learnt[name]
    assert isinstance(contract, Contract), contract
    highest = {fact.name: fact.values.high for fact in contract.scalars}
    assert {part: highest[part] for part in SHAPES[name]} == SHAPES[name]


def test_a_string_ends_with_a_zero(learnt: dict[str, Contract | str]) -> None:
    contract = learnt["letters"]
    assert isinstance(contract, Contract), contract
    assert [fact.last for fact in contract.arrays] == ["0"]


def test_lengths_stand_in_relation(learnt: dict[str, Contract | str]) -> None:
    relations = {"trace": ("a.columns >= a.rows",), "flip": ("mask.size >= n",)}
    for name, expected in relations.items():
        contract = learnt[name]
        assert isinstance(contract, Contract), contract
        assert contract.relations == expected


def test_what_is_out_of_reach_is_named(learnt: dict[str, Contract | str]) -> None:
    assert "takes `c` (`const std::vector<Matrix> &`) by reference" in str(learnt["cube"])
    assert "resizes a vector" in str(learnt["grow"])


@pytest.mark.parametrize(("name", "text", "dialect", "right"), sampled(CANDIDATES, 16))
def test_candidates_see_whole_containers(
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
    assert found == "kept" if right else found in (*WRONG, "address"), found
