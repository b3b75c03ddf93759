"""Companions of a translation unit: functions that keep no state, and variables."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile.core import Source
from transpile.parsers import read

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")

DECLARED = """
double plain(double), tabled(int), nested(double), outer(double), given(double (*f)(double), double x);
double counted(double), seeded(double), pointed(double), printed(double), drawn(double), led(double);
double twice(double), missing(double), back(double), deep(double), written(double), external(double);
double mistyped(int);
int own(int x) { return x; }
double home(double x) {
    double s = plain(x) + tabled(1) + nested(x) + outer(x) + given(plain, x) + counted(x) + seeded(x);
    s += twice(x) + pointed(x) + printed(x) + drawn(x) + led(x) + missing(x) + back(x) + deep(x);
    return s + written(x) + external(x) + mistyped(1);
}
"""
DEFINED = """
#include <stdio.h>
#include <stdlib.h>
static const double table[2] = {0.5, 1.5};
static double buffer[2];
static double *const led_to = buffer;
static double seed;
extern double elsewhere;
static double (*chosen)(double);
double third(double);
int own(int);
static double inner(double x) { return x * 2; }
double plain(double x) { static const int k = 3; return x + k; }
double tabled(int i) { return table[i]; }
double nested(double x) { return inner(x) + plain(x); }
double outer(double x) { return third(x) + 1; }
double given(double (*f)(double), double x) { return f(x); }
double counted(double x) { static int calls; return x + calls++; }
double seeded(double x) { seed += x; return seed; }
double pointed(double x) { return chosen(x); }
double printed(double x) { printf("%g", x); return x; }
double drawn(double x) { return x + rand(); }
double led(double x) { return led_to[0] += x; }
double twice(double x) { return x; }
double back(double x) { return own(x); }
double deep(double x) { return seeded(x); }
double written(double x) { extern double elsewhere; return elsewhere = x; }
double external(double x) { return elsewhere; }
double mistyped(double x) { return x; }
"""
THIRD = "double elsewhere; double third(double x) { return x; } double twice(double x) { return 2 * x; }"


def symbols(source: Source, path: str = "a.c") -> dict[str, tuple[str, ...]]:
    return {item.unit.path: item.symbols for item in source.companions(path)}


def written(place: Path, **texts: str) -> Source:
    for name, text in texts.items():
        path = place / name.replace("_", ".")
        path.write_text(text)
    return read(place)


def test_what_keeps_no_state_is_linked(tmp_path: Path) -> None:
    source = written(tmp_path, a_c=DECLARED, b_c=DEFINED, c_c=THIRD)
    assert symbols(source) == {"b.c": ("given", "nested", "outer", "plain", "tabled"), "c.c": ("third",)}
    [first, _] = source.companions("a.c")
    assert "b.c::inner(double)" in first.units and "b.c::seeded(double)" not in first.units


def test_names_of_the_linker_tell_overloads_and_namespaces(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        a_cpp="""
            namespace units { double length(double); extern double scale; }
            double half(double);
            double home(double x) { return units::length(x) + half(x) + units::scale; }
        """,
        b_cpp="""
            namespace units { double length(double x) { return x; } double scale = 2; }
            double half(double x) { return x / 2; }
            int half(int x) { return x / 2; }
        """,
    )
    assert symbols(source, "a.cpp") == {"b.cpp": ("_Z4halfd", "_ZN5units5scaleE", "_ZN5units6lengthEd")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("double rate; int count = 2; static double own;", ("count", "rate")),
        ('#include <stdio.h>\ndouble rate;\nint main(void) { puts(""); }', ("rate",)),
        ("static double rate;", ()),
        ("extern double rate;", ()),
        ("double unasked;", ()),
    ],
)
def test_variables_come_from_where_they_are_defined(
    tmp_path: Path, text: str, expected: tuple[str, ...]
) -> None:
    own = "extern double rate, unasked; extern int count; double f(double x) { return x * rate + count; }"
    found = symbols(written(tmp_path, a_c=own, b_c=text))
    assert found == ({"b.c": expected} if expected else {})


def test_programs_tell_which_of_several_is_meant(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "all: one two\none: a.c b.c\n\tgcc -o one a.c b.c\ntwo: main.c c.c\n\tgcc -o two main.c c.c\n"
    )
    own = "double f(double); extern int n; double g(double x) { return f(x) + n; }"
    main = "\nint main(void) { return (int)g(1); }"
    source = written(
        tmp_path,
        a_c=own + main,
        b_c="int n; double f(double x) { return x; }",
        main_c=own + main,
        c_c="int n; double f(double x) { return 2 * x; }",
    )
    assert symbols(source) == {"b.c": ("f", "n")}
    assert symbols(source, "main.c") == {"c.c": ("f", "n")}


KERNEL = """
__device__ float weight(const float *, int), halved(float), where(float), met(float), seeded(float);
__device__ float fixed(float), atomic(float *), told(float), lacking(float), both(float);
float host(float);
__global__ void k(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = weight(x, i) + where(x[i]) + met(x[i]) + seeded(x[i]) + fixed(x[i]) + atomic(x);
    if (i < n) x[i] += told(x[i]) + lacking(x[i]) + both(x[i]);
}
void run(float *x, int n) { k<<<n / 64, 64>>>(x, n); host(1); }
"""
OF_DEVICE = """
#include <cstdio>
__device__ float seed;
__constant__ float table[4];
static __device__ float own(float x) { return sqrtf(x); }
__device__ float halved(float);
__device__ float weight(const float *x, int i) { return halved(x[i]) + own(x[i]) + std::fabs(x[i]); }
__device__ float where(float x) { return x * threadIdx.x; }
__device__ float met(float x) { __syncthreads(); return x; }
__device__ float seeded(float x) { return seed += x; }
__device__ float fixed(float x) { return x * table[1]; }
__device__ float atomic(float *x) { return atomicAdd(x, 1.0f); }
__device__ float told(float x) { printf("%g", x); return x; }
__host__ __device__ float both(float x) { return x + 1; }
float host(float x) { return x; }
__global__ void other(float *x) { x[0] = weight(x, 0); }
"""


def test_kernels_are_linked_with_functions_of_the_device_that_only_compute(tmp_path: Path) -> None:
    halved = "__device__ float halved(float x) { return x / 2; }\n__global__ void h(float *x) { x[0] = 1; }"
    source = written(tmp_path, a_cu=KERNEL, b_cu=OF_DEVICE, c_cu=halved)
    assert symbols(source, "a.cu") == {
        "b.cu": ("_Z4bothf", "_Z6weightPKfi"),
        "c.cu": ("_Z6halvedf",),
    }
    [first, _] = source.companions("a.cu")
    assert {name.partition("(")[0] for name in first.units} == {"b.cu::own", "b.cu::weight", "b.cu::both"}


POINT = """
struct Point {
    float x, y;
    __device__ Point(float, float);
    __device__ Point operator+(const Point &) const;
    __device__ bool operator==(const Point &) const;
    __device__ ~Point();
};
"""
OF_POINTS = """
#include "point.h"
__device__ Point::Point(float x, float y) : x(x), y(y) {}
__device__ Point Point::operator+(const Point &other) const { return Point(x + other.x, y + other.y); }
__device__ bool Point::operator==(const Point &other) const { return x == other.x && y == other.y; }
__device__ Point::~Point() {}
"""
USING_POINTS = """
#include "point.h"
__global__ void moved(Point *p, Point by) {
    Point sum = p[threadIdx.x] + by;
    if (!(sum == by)) p[threadIdx.x] = sum;
}
"""


def test_kernels_are_linked_with_all_that_objects_of_classes_run(tmp_path: Path) -> None:
    (tmp_path / "point.h").write_text(POINT)
    source = written(tmp_path, a_cu=USING_POINTS, b_cu=OF_POINTS)
    assert symbols(source, "a.cu") == {"b.cu": ("_ZN5PointD1Ev", "_ZNK5PointeqERKS_", "_ZNK5PointplERKS_")}


def test_classes_whose_objects_keep_state_at_their_end_are_not_linked(tmp_path: Path) -> None:
    (tmp_path / "point.h").write_text(POINT)
    ending = "__device__ int ended;\n" + OF_POINTS.replace("~Point() {}", "~Point() { ended++; }")
    found = symbols(written(tmp_path, a_cu=USING_POINTS, b_cu=ending), "a.cu")
    assert "_ZN5PointD1Ev" not in found["b.cu"]
    assert "_ZNK5PointplERKS_" not in found["b.cu"]


def test_host_code_is_not_linked_with_the_device(tmp_path: Path) -> None:
    plain = "float both(float); float host(float); float f(float x) { return both(x) + host(x); }"
    assert symbols(written(tmp_path, a_cpp=plain, b_cu=OF_DEVICE), "a.cpp") == {}
