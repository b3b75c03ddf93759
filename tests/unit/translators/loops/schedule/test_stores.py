"""Sums that a variable holds until they are stored."""

from __future__ import annotations

import pytest

from tests.unit.translators.loops.forms.interpreter import ran
from transpile.code.syntax import Function, find
from transpile.code.variables import resolve
from transpile.translators.loops.schedule.stores import stored

HEAD = "void f(int n, double *a, double *b, double *c, float *d)\n{\n    int i, j, k;\n"
PRODUCT = """for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
        double s = 2;
        for (k = 0; k < n; k++)
            s += a[i * n + k] * b[k * n + j];
        c[i * n + j] = s;
    }
"""


def text(body: str) -> str | None:
    function = Function(f"{HEAD}{body}}}\n")
    return stored(function, resolve(function), next(find(function.body, "for_statement")))


@pytest.mark.parametrize("begun", ["double s = 2;", "s = 2;"])
def test_an_element_holds_its_sum_from_the_beginning(begun: str) -> None:
    declared = "" if begun.startswith("double") else "double s;\n"
    body = declared + PRODUCT.replace("double s = 2;", begun)
    found = text(body)
    assert found is not None and "c[i * n + j] = 2;" in found and "c[i * n + j] += a[i * n + k]" in found
    assert found.count("c[") == 2
    assert ran(f"{HEAD}{body}}}\n", n=3) == ran(found, n=3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a[i * n + k]", "c[i * n + k]"),
        ("a[i * n + k]", "s"),
        ("= s;", "= s + 1;"),
        ("= s;", "= s; b[j] = s;"),
        ("c[i * n + j]", "c[k]"),
        ("c[i * n + j]", "d[i * n + j]"),
        ("double s = 2", "float s = 2"),
        ("double s = 2", "double s = c[0]"),
        ("s +=", "s = 2 * s +"),
    ],
)
def test_other_sums_stay(old: str, new: str) -> None:
    assert text(PRODUCT.replace(old, new)) is None
