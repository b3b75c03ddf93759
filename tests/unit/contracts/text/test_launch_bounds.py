"""Launch bounds in the text of a kernel."""

from __future__ import annotations

import pytest

from transpile.code.trees import parse
from transpile.contracts.text.constants import constants_of
from transpile.contracts.text.launch_bounds import Counted, Told, template_arguments, told_by
from transpile.contracts.text.symbols import Symbols
from transpile.core import Signature

_INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
_NAMES = ("n", "m", "t", "k", "p.n", "p.width")


def told(body: str, parameters: str = "float *a, int n, int m, int t, Shape p", above: str = "") -> Told:
    data = f"{above}\n__global__ void f({parameters}) {{ {body} }}".encode()
    root = parse(data).root_node
    return told_by(root, Symbols(root, constants_of((("f.cu", data),)).get), _NAMES)


def threads(body: str, **given: str) -> list[str]:
    return list(told(body, **given).bounds("x", Counted.THREADS))


@pytest.mark.parametrize(
    ("guard", "most"),
    [
        ("if (i < n) a[i] = 0;", ["n"]),
        ("if (i >= n * m) return;", ["n * m"]),
        ("if (!(n > i)) return;", ["n"]),
        ("if (i > n) return;", ["n + 1"]),
        ("if (i == n - 1) a[i] = 0;", ["n"]),
        ("if (i > 0 && i < n - 1) a[i] = 0;", ["n - 1", "1"]),
        ("if (i < p.width) a[i] = 0;", ["p.width"]),
        ("if (i < (int)n) a[i] = 0;", ["n"]),
        ("const int total = n * m; if (i < total) a[i] = 0;", ["n * m"]),
        ("if (i + 1 < n) a[i] = 0;", ["n - 1"]),
        ("if (i < n) a[i] = 0; i = i / 2; if (i < m) a[i] = 0;", ["n"]),
        ("if (i < LENGTH) a[i] = 0;", ["100"]),
        ("if (a[i] < n) a[i] = 0;", []),
        ("if (2 * i < n) a[i] = 0;", []),
        ("if (i < a[0]) a[i] = 0;", []),
    ],
)
def test_guards_say_how_many_threads_pass(guard: str, most: list[str]) -> None:
    assert threads(f"{_INDEX} {guard}", above="#define LENGTH 100") == most


def test_sizes_of_types_and_of_template_parameters_are_numbers() -> None:
    text = (
        b"template <typename T, int K> __global__ void f(T *a, int n, int m) "
        b"{ int i = blockIdx.x * blockDim.x + threadIdx.x; int share = 16 / sizeof(T);"
        b" if (i < n / share) a[i] = 0; if (i < m * sizeof(float) / K) a[i] = 1;"
        b" if (i < n * sizeof(m)) return; }"
    )
    root = parse(text).root_node
    for kind, share in (("float", 4), ("__half", 8), ("__nv_bfloat16", 8), ("double2", 1)):
        signature = Signature(name="f", parameters=(), template_arguments=f"<{kind}, 2>")
        symbols = Symbols(root, constants_of((("f.cu", text),)).get, template_arguments(root, signature))
        found = told_by(root, symbols, _NAMES).bounds("x", Counted.THREADS)
        assert found == (f"n / {share}", "m * 4 / 2"), kind


def test_an_index_is_followed_through_the_names_that_it_is_made_of() -> None:
    names = "int b = blockIdx.x, step = blockDim.x; size_t i = threadIdx.x + (size_t)b * step;"
    assert threads(f"{names} if (i < n) a[i] = 0;") == ["n"]


def test_blocks_and_threads_of_one_block_are_told_from_threads_of_all() -> None:
    found = told("if (blockIdx.x < n && threadIdx.x < m) a[0] = 0;")
    assert found.bounds("x", Counted.BLOCKS) == ("n",)
    assert found.bounds("x", Counted.LANES) == ("m",)
    assert not found.bounds("x", Counted.THREADS)


def test_blocks_of_several_axes_are_counted_through() -> None:
    index = "int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;"
    assert told(f"{index} if (i < n) a[i] = 0;").bounds("xy", Counted.THREADS) == ("n",)


@pytest.mark.parametrize(
    ("index", "demands"),
    [
        ("if (threadIdx.x + blockIdx.x * blockDim.x >= n - 1 - t) return;", ("n >= 1 + t",)),
        ("unsigned i = blockIdx.x; if (i < n - t) a[i] = 0;", ("n >= t",)),
        ("unsigned i = blockIdx.x; if (i < n - t && i < n - t - 2) a[i] = 0;", ("n >= t + 2",)),
        ("int i = blockIdx.x; if (i < n - t) a[i] = 0;", ()),
        ("unsigned i = blockIdx.x; if (i < n + t) a[i] = 0;", ()),
    ],
)
def test_unsigned_differences_must_not_wrap_round(index: str, demands: tuple[str, ...]) -> None:
    assert told(index).demands == demands


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("int i = blockIdx.x * 256 + threadIdx.x; a[i] = 0;", (("x", 256),)),
        ("a[(blockIdx.x << 6) + threadIdx.x] = 0;", (("x", 64),)),
        (
            "int i = blockIdx.x * TILE + threadIdx.x, j = TILE * blockIdx.y + threadIdx.y;",
            (("x", 16), ("y", 16)),
        ),
        (_INDEX, ()),
        ("a[blockIdx.x * n + threadIdx.x] = 0;", ()),
    ],
)
def test_constants_in_the_place_of_block_sizes(body: str, fixed: tuple[tuple[str, int], ...]) -> None:
    assert told(body, above="const int TILE = 16;").fixed == fixed


def test_arrays_of_the_text_are_blocks_to_try() -> None:
    body = "__shared__ float s[4][8]; const int dx[3] = {0, 1, 2}; float *p;"
    assert told(body).blocks == ((8, 4, 1), (3, 1, 1))
    assert told(body).arrays and not told("a[0] = 0;").arrays


def test_sizes_that_are_divided_come_out_even() -> None:
    assert told("int c = n / (t * t); a[c % m] = 0;").divisions == ("n % (t * t) == 0",)


def test_threads_of_all_blocks_are_counted_or_not() -> None:
    assert told(_INDEX).joined == "x"
    assert told("a[blockIdx.x * n + threadIdx.x] = 0;").joined == ""
    assert told("f(threadIdx);").joined == "xyz"
