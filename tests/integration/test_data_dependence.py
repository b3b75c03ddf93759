"""Contracts of functions whose elements and fractions decide how far arrays are reached."""

from __future__ import annotations

import shutil

import pytest

from transpile import parsers
from transpile.contracts import infer
from transpile.core import Contract, Origin
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

SOURCE = """
void nested(int n, int width, int depth, const int *a, const int *b, const int *c, const float *w, float *x) {
    for (int i = 0; i < n; i++) x[(a[i] * width + b[i]) * depth + c[i]] += w[i];
}
void padded(int n, int width, const int *at, const float *value, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < width; k++)
            if (at[k * n + i] >= 0) s += value[k * n + i] * x[at[k * n + i]];
        y[i] = s;
    }
}
void upper(int n, const int *code, const float *table, const float *low, float *y) {
    for (int i = 0; i < n; i++) y[i] = table[(code[i] >> 8) & 255] + low[code[i] & 255];
}
struct item { float weight; int cell; };
void members(int n, const struct item *items, float *x) {
    for (int i = 0; i < n; i++) x[items[i].cell] += items[i].weight;
}
void marked(int n, const int *at, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = at[i] == -1 ? 0 : x[at[i]];
}
void bins(int n, const float *value, int *count) {
    for (int i = 0; i < n; i++) count[(int)(value[i] * 16)]++;
}
void sampled(int n, float rate, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[(int)((i + 0.5f) * rate)];
}
void rounded(int n, float rate, float shift, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[(int)(rate * i + shift)] += x[i];
}
"""


@pytest.fixture(scope="module")
def contracts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Contract]:
    place = tmp_path_factory.mktemp("source")
    (place / "data.c").write_text(SOURCE)
    source = parsers.read(place)
    found: dict[str, Contract] = {}
    for unit in source.units:
        learnt = infer(workshop, source, [unit])[unit.id]
        assert isinstance(learnt, tuple), learnt
        found[unit.name] = learnt[0]
    return found


def test_an_extent_is_a_sum_of_several_greatest_elements(contracts: dict[str, Contract]) -> None:
    x = contracts["nested"].array("x")
    assert x is not None and x.origin is Origin.TRACE
    assert {f"max({name})" in x.extent for name in "abc"} == {True}
    assert all(contracts["nested"].arrays[at].free for at in range(3))


def test_padding_that_the_source_skips_may_be_there(contracts: dict[str, Contract]) -> None:
    at, x = contracts["padded"].array("at"), contracts["padded"].array("x")
    assert at is not None and at.values is not None and at.values.low == "-3"
    assert x is not None and x.extent == "max(at) + 1"
    marked = contracts["marked"].array("at")
    assert marked is not None and marked.values is not None and marked.values.low == "-1"
    a = contracts["nested"].array("a")
    assert a is not None and a.values is not None and a.values.low == "0"


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("upper", "table"),
        ("members", "x"),
        ("bins", "count"),
        ("sampled", "x"),
        ("rounded", "y"),
    ],
)
def test_what_larger_data_refutes_is_no_extent(contracts: dict[str, Contract], name: str, array: str) -> None:
    fact = contracts[name].array(array)
    assert fact is not None and fact.origin is Origin.BOUND


@pytest.mark.parametrize("name", ["sampled", "rounded"])
def test_such_extents_bound_no_size(contracts: dict[str, Contract], name: str) -> None:
    n = contracts[name].scalar("n")
    assert n is not None and (n.values.low, n.values.high) == ("0", str(2**31 - 1))
