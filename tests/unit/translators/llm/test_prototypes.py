"""Heads compared as types."""

from __future__ import annotations

import pytest

from transpile.translators.llm.prototypes import aligned, head_of

SAME = [
    ("void f(unsigned n)", "void f(unsigned int count)"),
    ("void f(size_t n)", "void f(std::size_t n)"),
    ("void f(size_t n)", "void f(unsigned long n)"),
    ("void f(uint32_t *a)", "void f(std::uint32_t *a)"),
    ("long long f(long long n)", "long long int f(long long int n)"),
    ("void f(struct P *p)", "void f(P *p)"),
    ("void f(const float *a)", "void f(float const *a)"),
    ("void f(const float *a)", "void f(float *a)"),
    ("void f()", "void f(void)"),
    ("float f(int n)", "static inline float f(const int n)"),
    ("template <typename T> void f(T *a)", "template <typename T> void f(T *a)"),
    ("void f(float *__restrict__ a)", "void f(float a[])"),
]
DIFFERENT = [
    ("void f(unsigned n)", "void f(int n)"),
    ("void f(int n)", "int f(int n)"),
    ("float f(int n)", "double f(int n)"),
    ("void f(signed char n)", "void f(char n)"),
    ("void f(long double n)", "void f(double n)"),
    ("void f(float *a)", "void f(float **a)"),
    ("void f(float &a)", "void f(float a)"),
    ("void f(int n)", "void g(int n)"),
    ("void f(int n)", "void f(int n, int m)"),
]


@pytest.mark.parametrize(("wanted", "got"), SAME)
def test_heads_of_the_same_types_fit(wanted: str, got: str) -> None:
    assert head_of(got).fits(head_of(wanted))


@pytest.mark.parametrize(("wanted", "got"), DIFFERENT)
def test_heads_of_other_types_do_not(wanted: str, got: str) -> None:
    assert not head_of(got).fits(head_of(wanted))


def test_a_promise_that_is_left_out_is_put_back() -> None:
    """Without it, C++ would see a second function, which nobody calls."""
    text = "void f(float *values, unsigned int count) { use(values, count); }"
    wanted = "void f(const float *a, unsigned n)"
    assert aligned(text, wanted) == "void f(const float *values, unsigned int count) { use(values, count); }"
