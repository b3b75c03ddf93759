from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.testers.making import MAP, plain, pointer, reads, value, writes
from transpile.core import Scalar, TranslationUnit
from transpile.testers.text.widths import may_be_wide, narrowed, widths

LONG = plain(Scalar.INT64)
WIDE, NARROW = frozenset({8}), frozenset({4})
KERNEL = b"""
__global__ void k(const float *x, float *y, int n, int pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *row = y + (size_t)i * pitch;
    row[0] = x[i * pitch] + x[(long)i * pitch] + x[3];
}
namespace transpile_candidate {
void k(const float *a, float *b, int n, int pitch) {
    for (int i = 0; i < n; i++) *(b + i * pitch) = a[i * pitch];
}
}
"""


def found(namespace: str = "") -> dict[str, frozenset[int]]:
    unit = TranslationUnit(path="a.cu")
    named = {0: "x", 1: "y"}
    return widths(Path("/src"), {"a.cu": KERNEL}, unit, "k", named, namespace=namespace)


def test_index_types_are_read_of_the_source_and_of_what_it_makes_of_its_pointers() -> None:
    assert found() == {"x": WIDE | NARROW, "y": WIDE}


def test_a_candidate_s_are_read_under_the_names_of_the_source() -> None:
    assert found("transpile_candidate") == {"x": NARROW, "y": NARROW}


@pytest.mark.parametrize(
    ("extent", "large"), [("n", False), ("n + 1", False), ("n * m", True), ("gridDim.x", True)]
)
def test_only_what_may_exceed_32_bits_has_to_be_wide(extent: str, large: bool) -> None:
    parameters = (pointer("x", const=True), pointer("y"), value("n"), value("m"))
    contract = replace(
        MAP,
        signature=replace(MAP.signature, parameters=parameters),
        arrays=(reads("x", "1"), writes("y", extent)),
    )
    verdict = narrowed(contract, {"y": WIDE}, {"y": NARROW})
    assert (verdict is not None and verdict.code == "TP415") is large
    assert narrowed(contract, {"y": WIDE}, {"y": WIDE}) is None
    assert narrowed(contract, {"y": NARROW}, {"y": NARROW}) is None
    assert narrowed(contract, {"y": NARROW | WIDE}, {"y": NARROW}) is None


def test_a_size_of_64_bits_is_enough() -> None:
    parameters = (pointer("x", const=True), pointer("y"), value("n", LONG))
    contract = replace(
        MAP, signature=replace(MAP.signature, parameters=parameters), arrays=(writes("y", "n"),)
    )
    assert narrowed(contract, {"y": WIDE}, {"y": NARROW}) is not None
    assert may_be_wide(b"y[i] = 0;", contract.signature)
    assert not may_be_wide(b"y[i] = 0;", MAP.signature)
    assert may_be_wide(b"y[(size_t)i] = 0;", MAP.signature)


PASSED = """
void k(const unsigned long *rows, float *y, int n, int pitch) {{
    for (int i = 0; i < n; i++) {{ {} }}
}}
"""


@pytest.mark.parametrize(
    ("body", "width"),
    [
        ("unsigned long first = rows[i]; y[first] = 0;", 8),
        ("unsigned first = rows[i]; for (unsigned long k = first; k < 9; k++) y[k] = 0;", 4),
        ("unsigned end = rows[i]; for (unsigned long k = 0; k < end; k++) y[k] = 0;", 4),
        ("unsigned long end = rows[i]; for (unsigned long k = 0; k < end; k++) y[k] = 0;", 8),
        ("for (unsigned long k = 0; k < n; k++) y[k] = 0;", 8),
        ("int first; first = rows[i]; y[(long)first] = 0;", 4),
        ("long j = (int)rows[i]; y[j] = 0;", 4),
        ("long j = (long)i * pitch; y[j] = 0;", 8),
        ("long j = i * pitch; y[j] = 0;", 4),
        ("y[(unsigned long)(i * pitch)] = 0;", 4),
        ("long j = i; j *= pitch; y[j] = 0;", 8),
        ("long j = i * 32 + 1; y[j] = 0;", 8),
        ("unsigned short other = rows[i]; y[(long)i] = other;", 8),
    ],
)
def test_a_subscript_is_no_wider_than_what_its_value_passed_through(body: str, width: int) -> None:
    unit = TranslationUnit(path="a.cu")
    text = PASSED.format(body).encode()
    assert widths(Path("/src"), {"a.cu": text}, unit, "k", {1: "y"}) == {"y": frozenset({width})}


COUNTED = b"""
namespace transpile_candidate {
void plain(float *y, int n, int m) { for (int i = 0; i < n; i++) y[i] = 0; }
void product(float *y, int n, int m) { int all = n * m; for (int i = 0; i < all; i++) y[i] = 0; }
void wide(float *y, int n, int m) { for (int i = 0; i < (long)n * m; i++) y[i] = 0; }
void moved(float *y, int n, int m) { for (int i = 0; i < n; i++) { y[i * m] = 0; } }
void twice(float *y, int n, int m) { for (int i = 0; i < n; i++) { i += m; y[i] = 0; } }
void changed(float *y, int n, int m) { n *= m; for (int i = 0; i < n; i++) y[i] = 0; }
void by_address(float *y, int n, int m) { grow(&n); for (int i = 0; i < n; i++) y[i] = 0; }
}
"""


@pytest.mark.parametrize(
    ("name", "narrow", "sizes"),
    [
        ("plain", [1, 2], frozenset()),
        ("plain", [2], NARROW),  # what callers pass in 64 bits, and the translation takes in 32
        ("product", [1, 2], NARROW),
        ("wide", [1, 2], NARROW),
        ("moved", [1, 2], NARROW),
        ("twice", [1, 2], NARROW),
        ("changed", [1, 2], NARROW),
        ("by_address", [1, 2], NARROW),
    ],
)
def test_what_counts_up_to_a_number_of_32_bits_needs_no_more(
    name: str, narrow: list[int], sizes: frozenset[int]
) -> None:
    unit = TranslationUnit(path="a.cpp")
    files = {"a.cpp": COUNTED.replace(b"grow(&n)", b"int *p = &n; *p *= m")}
    read = widths(
        Path("/src"), files, unit, name, {0: "y"}, namespace="transpile_candidate", plain=True, narrow=narrow
    )
    assert read.get("y", frozenset()) == sizes
