"""Operators of classes count as those of numbers where they only compute, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import CUDA, OPENMP, Dialect
from transpile.translators import foreseen

CLASS = """
struct vec {{
    double x, y, d[3];
    vec() : x(0), y(0) {{}}
    vec(double a, double b) : x(a), y(b) {{}}
    {members}
}};
{free}
void f(int n, vec *p, const vec *v)
{{
    for (int i = 0; i < n; i++)
        {statement};
}}
"""
PLUS = "inline vec operator+(const vec &a, const vec &b) { return vec(a.x + b.x, a.y + b.y); }"
PLAIN = {
    "a function of two objects": ("", PLUS, "p[i] = v[i] + v[i]"),
    "of copies": ("", PLUS.replace("const vec &", "vec "), "p[i] = v[i] + v[i]"),
    "a method": ("vec operator*(double s) const { return vec(s * x, this->y * s); }", "", "p[i] = v[i] * 2"),
    "an assignment": (
        "vec &operator+=(const vec &o) { x += o.x; y += o.y; return *this; }",
        "",
        "p[i] += v[i]",
    ),
    "an assignment beside the class": (
        "",
        "inline vec &operator-=(vec &a, const vec &b) { a.x -= b.x; return a; }",
        "p[i] -= v[i]",
    ),
    "a loop over its own array": (
        "vec &operator+=(const vec &o) { for (int k = 0; k < 3; k++) d[k] += o.d[k]; return *this; }",
        "",
        "p[i] += v[i]",
    ),
    "a destructor without a body": ("~vec() {}", PLUS, "p[i] = v[i] + v[i]"),
    "a constructor with a body": ("vec(const vec &o) { x = o.x; y = o.y; }", PLUS, "p[i] = v[i] + v[i]"),
    "a comparison": ("bool operator<(const vec &o) const { return x < o.x; }", "", "p[i].x = v[i] < v[0]"),
    "a constructor in the text": ("", PLUS, "p[i] = v[i] + vec(1, i)"),
    "calls of others that compute": (
        "double norm() const { return x * x + y * y; }",
        PLUS + " inline vec operator-(const vec &a) { return vec(-a.norm(), 0) + a; }",
        "p[i] = -v[i]",
    ),
}
COUNT = "static int calls; "
HIDING = {
    "it counts": ("", COUNT + PLUS.replace("{ return", "{ calls++; return"), "p[i] = v[i] + v[i]"),
    "it reads what changes": ("", COUNT + PLUS.replace("a.x + b.x", "a.x + calls"), "p[i] = v[i] + v[i]"),
    "it calls what counts": (
        "",
        COUNT + "inline double one() { return ++calls; } " + PLUS.replace("a.x + b.x", "one()"),
        "p[i] = v[i] + v[i]",
    ),
    "it changes its right operand": ("", PLUS.replace("const vec &b", "vec &b"), "p[i] = v[i] + p[i]"),
    "it changes its left operand": (
        "vec operator*(double s) { x = s; return *this; }",
        "",
        "p[i] = p[0] * 2",
    ),
    "it follows a pointer": (
        "double *at; vec &operator=(const vec &o) { at[0] = o.x; return *this; }",
        "",
        "p[i] = v[i]",
    ),
    "it keeps the last one": (
        "static const vec *last; vec &operator=(const vec &o) { last = &o; x = o.x; return *this; }",
        "",
        "p[i] = v[i]",
    ),
    "it casts const away": (
        "",
        PLUS.replace("{ return", "{ const_cast<vec &>(a).x = 0; return"),
        "p[i] = v[i] + v[i]",
    ),
    "its member is mutable": (
        "mutable int used; vec operator*(double s) const { used++; return vec(s * x, y); }",
        "",
        "p[i] = v[0] * 2",
    ),
    "it leads to an object": ("double &operator[](int k) { return d[0 * k]; }", "", "p[0][i] = v[i].x"),
    "its copies count": (
        COUNT[7:-1].replace("int", "static int") + " vec(const vec &o) { x = ++calls; }",
        "",
        "p[i] = v[i]",
    ),
    "its body is elsewhere": ("", "vec operator+(const vec &a, const vec &b);", "p[i] = v[i] + v[i]"),
    "its destructor counts": ("~vec() { ended++; } static int ended;", "", "p[i] = v[i]"),
    "its destructor frees": ("double *at; ~vec() { delete at; }", "", "p[i] = vec(1, i)"),
    "it is virtual": (
        "virtual vec operator*(double s) const { return vec(s * x, y); }",
        "",
        "p[i] = v[i] * 2",
    ),
    "it keeps a variable": (
        "",
        PLUS.replace("{ return", "{ static int k = 0; k++; return"),
        "p[i] = v[i] + v[i]",
    ),
    "it is a template": (
        "",
        "template <class T> vec operator+(const vec &a, const T &b) { return vec(a.x + b.x, a.y); }",
        "p[i] = v[i] + v[i]",
    ),
    "it prints": (
        "",
        "#include <cstdio>\n" + PLUS.replace("{ return", '{ std::puts(""); return'),
        "p[i] = v[i] + v[i]",
    ),
}


def _refusal(root: Path, members: str, free: str, statement: str, target: Dialect = OPENMP) -> object:
    (root / "a.cpp").write_text(CLASS.format(members=members, free=free, statement=statement))
    source = parsers.read(root)
    [unit] = (unit for unit in source.units if unit.name == "f")
    return foreseen(source, unit, target)


@pytest.mark.parametrize("case", PLAIN)
def test_what_computes_is_like_numbers(tmp_path: Path, case: str) -> None:
    assert _refusal(tmp_path, *PLAIN[case]) is None


@pytest.mark.parametrize("case", HIDING)
def test_what_does_more_is_not(tmp_path: Path, case: str) -> None:
    assert _refusal(tmp_path, *HIDING[case]) is not None


def test_devices_have_no_functions_of_the_host(tmp_path: Path) -> None:
    members, free, statement = PLAIN["a function of two objects"]
    assert _refusal(tmp_path, members, free, statement, CUDA) is not None
    assert _refusal(tmp_path, "", "", "p[i].x = v[i].x", CUDA) is None
