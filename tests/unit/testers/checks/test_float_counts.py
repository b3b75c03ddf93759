"""Whole numbers that are counted in floats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.testers.making import contract, pointer, reads
from transpile.core import OPENMP, Binding, Candidate, Replacement, Scalar, Signature
from transpile.testers.checks.float_counts import counted_in_floats


def signature(scalar: Scalar) -> Signature:
    found = pointer("x")
    assert found.element is not None
    leaves = tuple(replace(leaf, scalar=scalar) for leaf in found.element.leaves)
    parameter = replace(found, element=replace(found.element, leaves=leaves))
    return contract((parameter,), arrays=(reads("x"),)).signature


def candidate(text: str) -> Candidate:
    return Candidate(
        unit="a.c::f",
        dialect=OPENMP,
        replacements=(Replacement(unit="a.c::f", text=text.encode()),),
        binding=Binding(name="f", arguments=("x",)),
    )


@pytest.mark.parametrize("text", ["float end = n;", "i < (int)(float)n", "__half2 pair;", "half count = 0;"])
def test_floats_where_the_source_has_none_are_told(text: str) -> None:
    found = counted_in_floats(candidate(text), b"int f(int n)", signature(Scalar.INT32))
    assert found is not None and found.code == "TP415"


@pytest.mark.parametrize("text", ["int half = n / 2; half /= 2;", "// a float\nint n;", "double x = n;"])
def test_names_and_comments_are_none(text: str) -> None:
    assert counted_in_floats(candidate(text), b"int f(int n)", signature(Scalar.INT32)) is None


def test_a_source_of_floats_may_have_them() -> None:
    assert counted_in_floats(candidate("float x;"), b"void f(real *x)", signature(Scalar.FLOAT32)) is None
    assert counted_in_floats(candidate("float x;"), b"float y;", signature(Scalar.INT32)) is None
