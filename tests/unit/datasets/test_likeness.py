"""Likeness: names aside, the same is the same, and what differs in what it does is not."""

from __future__ import annotations

import pytest

from transpile.datasets.likeness import fingerprint, groups, jaccard, shingles, tokens, windows

ADD = """__global__ void add(float *c, const float *a, const float *b, int n)
{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }"""
PLUS = """// by somebody else
__global__ void plus_(float *out, const float *x, const float *y, int count)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < count) out[t] = x[t] + y[t]; /* done */
}"""
OTHER = ADD.replace("threadIdx.x", "threadIdx.y")
SUM = "double sum(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }"


def test_names_comments_and_layout_make_no_difference() -> None:
    assert tokens(ADD) == tokens(PLUS)
    assert fingerprint(ADD) == fingerprint(PLUS)


def test_what_is_computed_does() -> None:
    assert fingerprint(ADD) != fingerprint(OTHER)
    assert fingerprint(ADD) != fingerprint(ADD.replace("a[i] + b[i]", "a[i] + a[i]"))
    assert fingerprint(ADD) != fingerprint(ADD.replace("float", "double"))


def test_a_part_is_found_under_other_names() -> None:
    found = set(windows(f"int before;\n{PLUS}\nint after;", 16))
    assert set(windows(ADD, 16)) <= found
    assert set(windows(SUM, 16)).isdisjoint(found)


def test_likeness_is_a_share() -> None:
    assert jaccard(shingles(tokens(ADD)), shingles(tokens(PLUS))) == 1.0
    assert jaccard(shingles(tokens(ADD)), shingles(tokens(SUM))) < 0.2


def test_groups_are_of_what_is_alike() -> None:
    pytest.importorskip("datasketch", reason="extra pairs is not installed")
    found = groups([ADD, SUM, PLUS, ADD + " int more;"], 0.8)
    assert found[0] == found[2] == found[3] != found[1]
