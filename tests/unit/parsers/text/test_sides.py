"""Uses of the host's functions and variables in code of the device."""

from __future__ import annotations

import pytest

from transpile.parsers.text.sides import names_of, qualifiers, uses_of_host

FILE = b"""
static float scale = 2;
static const int count = 4;
constexpr float half = 0.5f;
static const float table[4] = {1, 2, 3, 4};
float *buffer, other[3];
static int square(int v) { return v * v; }
constexpr int cube(int v) { return v * v * v; }
float declared(float);
__device__ float twice(float v) { return v + v; }
__host__ __device__ inline float both(float v) { return v; }
__device__ float ahead(float);
__constant__ float weights[4];
namespace inner { int hidden(int a) { return a; } }
template <class T> T largest(T a, T b) { return a > b ? a : b; }
struct Shape { int square; };
int main() { return square(3); }
"""


def test_names_are_the_hosts_or_the_devices() -> None:
    names = names_of(FILE)
    assert names.host == {
        *("scale", "table", "buffer", "other", "square", "declared", "hidden", "largest", "main"),
    }
    assert names.device == {"twice", "both", "ahead", "weights"}


@pytest.mark.parametrize(
    ("expression", "used"),
    [
        ("scale", {"scale"}),
        ("square(2)", {"square"}),
        ("table[count]", {"table"}),
        ("largest(1, 2)", {"largest"}),
        ("inner::hidden(1)", {"hidden"}),
        ("declared(1) + buffer[0]", {"declared", "buffer"}),
        ("twice(both(ahead(half))) + weights[count] + cube(2)", set()),
        ("std::square(2) + shape.square", set()),
        ("own + n", set()),
    ],
)
@pytest.mark.parametrize("head", ["__global__ void f", "template <class T> __device__ void f"])
def test_uses_in_code_of_the_device_are_found(expression: str, used: set[str], head: str) -> None:
    text = f"{head}(float *x, int n, Shape shape) {{ float own = 1;\n x[0] = {expression}; }}".encode()
    found = list(uses_of_host(text, names_of(FILE).host | {"own", "n"}))
    assert {use.name for use in found} == used
    assert all(use.function == "f" and use.line == 2 for use in found)


def test_the_host_may_use_what_is_its_own() -> None:
    assert not list(uses_of_host(b"void f(float *x) { x[0] = square(2); }", {"square"}))


QUALIFIED = b"""#define BOTH __host__ __device__
#define SHORT BOTH inline
#define HOST static
BOTH
void on_device(int *x) { *x = 1; }
SHORT float other(float v) { return v; }
HOST int alone(int v) { return v; }
__global__ void kernel(int *x) { on_device(x); *x += other(1) + alone(2); }
"""


def test_macros_may_say_that_something_is_the_devices() -> None:
    macros = qualifiers([QUALIFIED])
    assert macros == {"BOTH", "SHORT"}
    names = names_of(QUALIFIED, macros)
    assert {"on_device", "other", "kernel"} <= names.device and names.host == {"alone"}
    assert {use.name for use in uses_of_host(QUALIFIED, names.host, macros)} == {"alone"}
