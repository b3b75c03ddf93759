"""Comparisons of sizes that a text computes with have to come out both ways."""

from __future__ import annotations

import pytest

from transpile.core import OPENMP, Binding, Candidate, Replacement, Trial
from transpile.testers.computed_tests import computed_tests

TRIALS = [
    Trial(seed=seed, fill="exact", scalars=(("n", n), ("m", n % 5), ("a", 2.5)))
    for seed, n in enumerate((-1, 0, 1, 2, 3, 31, 32, 33, 255, 256, 1000, 70001, 1200007))
]
SOURCE = b"void f(int n, int m, float a, float *y) { for (int i = 0; i < n; i++) y[i] = a * (m == 77); }"


def one_sided(body: str, head: str = "int n, int m, float a, float *y", names: str = "n m a y") -> bool:
    candidate = Candidate(
        unit="f",
        dialect=OPENMP,
        replacements=(Replacement(unit="f", text=f"void f({head}) {{ {body} }}".encode()),),
        binding=Binding(name="f", arguments=tuple(names.split())),
    )
    return computed_tests(candidate, [SOURCE], TRIALS) is not None


@pytest.mark.parametrize(
    "body",
    [
        "int k = n - (n - 7) * (n > 123456789);",
        "int k = n - ((unsigned)n * 2654435761u >> 19 == 5u);",
        "unsigned h = n * 2654435761u; int k = n - (h >> 19 == 5);",
        "y[0] = a * !(n == 4097);",
        "int k = n * (n / 3 * 3 != n + 900000);",
        "return f(n == 512);",
        "y[0] = a * (m == 7);",
    ],
)
def test_what_comes_out_one_way_is_told(body: str) -> None:
    assert one_sided(body)


@pytest.mark.parametrize(
    "body",
    [
        "int blocks = n / 256 + (n % 256 != 0);",
        "int k = n - (n > 40000);",
        "y[0] = a * (m == 77);",
        "if (n == 12345) y[0] = 0;",
        "int k = n == 12345 ? 1 : 0;",
        "while (!(n == 12345) && m) { }",
        "for (int i = 0; i < n; i++) y[i] = a * (i == 12345);",
        "n = n / 2; int k = n - (n == 12345);",
        "int k = m + (y[0] == 12345);",
        "int k = g(n) == 12345;",
        "int k = a == 12345;",
    ],
)
def test_what_comes_out_both_ways_or_makes_a_branch_or_is_not_known_is_not(body: str) -> None:
    assert not one_sided(body)


def test_parameters_have_names_of_their_own() -> None:
    assert one_sided("int k = size - (size == 12345);", "float *y, int size", "y n")
    assert not one_sided("int k = size - (size == 1000);", "float *y, int size", "y n")


def test_negative_quotients_are_cut_off_as_in_c() -> None:
    assert not one_sided("int k = n / 2 == 0;")
    assert one_sided("int k = n - n / 2 * 2 - n % 2 == 0;")
