"""Functions that are given functions: what the source's calls pass is what trials pass, form by form."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.functions import WRONG, check, learn, unit
from tests.sampling import sampled
from transpile import parsers
from transpile.contracts.inference import Learnt
from transpile.core import (
    CUDA,
    OPENMP,
    Binding,
    Candidate,
    Contract,
    Dialect,
    Inconclusive,
    Replacement,
    Source,
)
from transpile.testers import Proposal, judge
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

SOURCE = """
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>
static double gain = 2;
static double square(double x) { return x * x; }
static double gained(double x) { return gain * x; }
static double noise(double x) { return x * rand(); }
struct Scale { float a; int k; float operator()(float x) const { return a * x + k; } };
struct Plus { template <class T> T operator()(T a, T b) const { return a + b; } };
double integrate(double (*f)(double), double a, double b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += f(a + (b - a) * i / n);
    return s * (b - a) / n;
}
double unit_integral(double (*f)(double), int n) { return integrate(f, 0, 1, n); }
void map(std::vector<double> &v, const std::function<double(double)> &f) { for (double &x : v) x = f(x); }
void spoil(double *x, int n, double (*f)(double)) { for (int i = 0; i < n; i++) x[i] = f(x[i]); }
template <class F> void apply(float *x, int n, F f) { for (int i = 0; i < n; i++) x[i] = f(x[i]); }
template <class Op> float fold(const float *x, int n, Op op)
{
    float s = 0;
    for (int i = 0; i < n; i++) s = op(s, x[i]);
    return s;
}
void lonely(float *x, int n, float (*f)(float)) { for (int i = 0; i < n; i++) x[i] = f(x[i]); }
int main()
{
    double r = integrate(square, 0, 1, 8) + integrate(std::sin, 0, 1, 9) + unit_integral(&gained, 3);
    float x[4] = {1, 2, 3, 4}, w = 2;
    int k = 3;
    std::vector<double> v(3);
    map(v, square);
    map(v, [w](double t) { return w * t; });
    double noisy[1] = {1};
    spoil(noisy, 1, noise);
    apply(x, 4, Scale{2.0f, 1});
    apply(x, 4, [=](float t) { return w * t + k; });
    auto later = [&](float t) { return t / w; };
    apply(x, 4, later);
    return (int)(r + fold(x, 4, Plus()) + fold(x, 4, [](float a, float b) { return a > b ? a : b; }));
}
"""
FORMS = {
    "integrate": ["f = square", "f = sin", "f = gained"],
    "unit_integral": ["f = gained"],
    "map": ["f = square", "f = [w](double t) { return w * t; }"],
    "apply": ["Scale", "f = [=](float t) { return w * t + k; }", "f = [&](float t) { return t / w; }"],
    "fold": ["Plus", "op = [](float a, float b) { return a > b ? a : b; }"],
}
INTEGRATE = """
double integrate(double (*f)(double), double a, double b, int n)
{
    double s = 0;
    #pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += CALL(a + (b - a) * i / n);
    return s * (b - a) / n;
}
"""
APPLY = """
template <class F> void apply(float *x, int n, F f)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = f(x[i]) + WRONG;
}
"""
FOLD = """
template <class Op> float fold(const float *x, int n, Op op)
{
    float s = 0;
    #pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
"""
ON_DEVICE = """
__global__ void squares(double *s, double a, double b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { double x = a + (b - a) * i / n; atomicAdd(s, x * x); }
}
double integrate(double (*f)(double), double a, double b, int n)
{
    double r = 0, *s;
    if (n > 0) {
        cudaMalloc(&s, sizeof r);
        cudaMemcpy(s, &r, sizeof r, cudaMemcpyHostToDevice);
        squares<<<(n + 63) / 64, 64>>>(s, a, b, n);
        cudaMemcpy(&r, s, sizeof r, cudaMemcpyDeviceToHost);
        cudaFree(s);
    }
    return r * (b - a) / n;
}
"""
CANDIDATES = [
    ("integrate", INTEGRATE.replace("CALL", "f"), OPENMP, True),
    ("integrate", INTEGRATE.replace("CALL", "square"), OPENMP, False),
    ("integrate", INTEGRATE.replace("CALL", "2 * "), OPENMP, False),
    ("integrate", ON_DEVICE, CUDA, False),
    ("apply", APPLY.replace("WRONG", "0"), OPENMP, True),
    ("apply", APPLY.replace("WRONG", "(i == n - 1)"), OPENMP, False),
    ("fold", FOLD, OPENMP, False),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.cpp").write_text(SOURCE)
    return parsers.read(root)


@pytest.fixture(scope="module")
def learnt(workshop: Workshop, source: Source) -> dict[str, Learnt]:
    return learn(workshop, source)


@pytest.mark.parametrize("name", FORMS)
def test_each_function_that_is_passed_is_a_form(learnt: dict[str, Learnt], name: str) -> None:
    contracts = learnt[name]
    assert isinstance(contracts, tuple), contracts
    assert sorted(item.signature.form or "" for item in contracts) == sorted(FORMS[name])


def test_what_is_passed_may_touch_variables(learnt: dict[str, Learnt]) -> None:
    contracts = learnt["integrate"]
    assert isinstance(contracts, tuple), contracts
    assert all([item.name for item in form.signature.globals] == ["gain"] for form in contracts)


def test_what_a_lambda_captures_is_a_parameter(learnt: dict[str, Learnt]) -> None:
    contracts = learnt["apply"]
    assert isinstance(contracts, tuple), contracts
    scalars = [tuple(fact.name for fact in form.scalars) for form in contracts]
    assert sorted(scalars) == [("n", "f.a", "f.k"), ("n", "f.w"), ("n", "f.w", "f.k")]


def test_no_function_is_invented(learnt: dict[str, Learnt]) -> None:
    lonely, spoil = learnt["lonely"], learnt["spoil"]
    assert isinstance(lonely, Inconclusive)
    assert "no call in the source shows which function `lonely` is given for `f`" in lonely.reason
    assert isinstance(spoil, Inconclusive)
    assert "`rand` (in `noise`, line" in spoil.reason


@pytest.mark.parametrize(("name", "text", "dialect", "right"), sampled(CANDIDATES, 3))
def test_candidates_serve_every_form(
    workshop: Workshop,
    source: Source,
    learnt: dict[str, Learnt],
    name: str,
    text: str,
    dialect: Dialect,
    right: bool,
) -> None:
    contracts = learnt[name]
    assert isinstance(contracts, tuple), contracts
    found = check(_verdict(workshop, source, contracts, text, dialect))
    assert found == "kept" if right else found in WRONG, found


def _verdict(
    workshop: Workshop, source: Source, contracts: tuple[Contract, ...], text: str, dialect: Dialect
):
    own = unit(source, contracts[0].signature.name)
    candidate = Candidate(
        unit=own.id,
        dialect=dialect,
        replacements=(Replacement(unit=own.id, text=text.encode()),),
        binding=Binding(name=own.name, arguments=contracts[0].signature.names),
    )
    [judged] = judge(workshop, source, [Proposal(unit=own, contracts=contracts, candidate=candidate)])
    return judged.verdict
