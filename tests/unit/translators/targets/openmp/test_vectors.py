"""Sums that are gathered in vectors where the loop's own text stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, Contract, Role


def faster(place: Path, body: str) -> str | None:
    head = "void f(int n, int m, const double *a, const double *x, double *y, const int *k)"
    (place / "a.c").write_text(f"{head}\n{{\n{body}\n}}\n")
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    lengths = {"a": "n * m", "x": "m", "y": "n", "k": "m"}
    facts = tuple(ArrayFact(name=name, role=Role.IN, extent=extent) for name, extent in lengths.items())
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    found = next(translators.variants(source, unit, (contract,), OPENMP), None)
    return found.replacements[0].shown if found is not None else None


PRODUCT = """for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
        sum += a[i * m + j] * x[j];
    y[i] = sum;
}"""


def test_a_product_with_a_vector_adds_up_rows_in_vectors(tmp_path: Path) -> None:
    text = faster(tmp_path, PRODUCT)
    assert text is not None and "    #pragma omp simd reduction(+ : sum)\n    for (int j = 0;" in text
    assert text.count("#pragma omp parallel for if") == 1


def test_threads_and_vectors_gather_one_sum(tmp_path: Path) -> None:
    body = "double sum = 0; for (int j = 0; j < m; j++) sum += x[j] * x[j]; *y = sum;"
    assert "#pragma omp parallel for simd reduction(+ : sum)" in (faster(tmp_path, body) or "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a[i * m + j]", "a[j * n + i]"),
        ("x[j]", "x[k[j]]"),
        ("double sum", "long sum"),
        ("sum += a[i * m + j] * x[j];", "{ sum += a[i * m + j]; y[i] = sum; }"),
        ("sum += a[i * m + j] * x[j];", "if (x[j] > sum) sum = x[j];"),
    ],
    ids=["columns", "gathered", "whole numbers", "read again", "an extreme"],
)
def test_other_loops_stay(old: str, new: str, tmp_path: Path) -> None:
    text = faster(tmp_path, PRODUCT.replace(old, new))
    assert text is None or "simd" not in text
