"""Legality beside a port: what is shown of the step that made it."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import (
    CUDA,
    OPENMP,
    OPENMP_TARGET,
    STDPAR,
    ArrayFact,
    ByRules,
    Candidate,
    Claim,
    Contract,
    Dialect,
    Proof,
    Range,
    Role,
    ScalarFact,
)


def proved(place: Path, head: str, body: str, target: Dialect = OPENMP) -> Proof | None:
    (place / "a.cpp").write_text(f"void f({head})\n{{\n{body}\n}}\n")
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    pointers = [item.name for item in signature.parameters if item.element and item.pointer]
    arrays = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n") for name in pointers)
    step = ScalarFact(name="step", values=Range(low="1", high="9"))
    contract = Contract(signature=signature, arrays=arrays, scalars=(step,), law=None)
    found = translators.propose(source, unit, (contract,), target)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules)
    return found.origin.proof


ADDS = "for (int i = 0; i < n; i++) y[i] += x[i];"


@pytest.mark.parametrize("target", [OPENMP, OPENMP_TARGET, STDPAR, CUDA])
def test_every_port_is_legal_where_arrays_are_as_long_as_said(tmp_path: Path, target: Dialect) -> None:
    proof = proved(tmp_path, "int n, double *y, const double *x", ADDS, target)
    assert proof is not None and proof.claims == (Claim.LEGAL,) and proof.of == "step"
    assert any("none is longer than the contract says" in text for text in proof.assumptions)
    assert not any("restrict" in text or "sums" in text for text in proof.assumptions)


def test_restrict_is_taken_at_its_word(tmp_path: Path) -> None:
    proof = proved(tmp_path, "int n, double *__restrict__ y, const double *__restrict__ x", ADDS)
    assert proof is not None and any("restrict" in text for text in proof.assumptions)
    assert not any("contract" in text for text in proof.assumptions)


@pytest.mark.parametrize("adds", ["s += x[i];", "{ s += x[i]; y[i] = s; }"])
@pytest.mark.parametrize(("kind", "assumed"), [("double", True), ("long", False)])
def test_sums_of_floating_numbers_depend_on_their_order(
    tmp_path: Path, kind: str, assumed: bool, adds: str
) -> None:
    body = f"{kind} s = 0; for (int i = 0; i < n; i++) {adds} *y = s;"
    proof = proved(tmp_path, f"int n, {kind} *y, const {kind} *x", body)
    assert proof is not None
    assert any("sums of floating numbers" in text for text in proof.assumptions) == assumed


@pytest.mark.parametrize(("kind", "assumed"), [("double", True), ("long", False)])
def test_of_equal_zeros_either_may_be_the_largest(tmp_path: Path, kind: str, assumed: bool) -> None:
    body = f"{kind} s = 0; for (int i = 0; i < n; i++) if (x[i] > s) s = x[i]; *y = s;"
    proof = proved(tmp_path, f"int n, {kind} *y, const {kind} *x", body)
    assert proof is not None
    assert any("-0.0" in text for text in proof.assumptions) == assumed


def test_facts_that_were_seen_are_named(tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; i++) y[i * step] = i;"
    proof = proved(tmp_path, "int n, int step, double *y", body)
    assert proof is not None and "step >= 1" in proof.assumptions


def test_of_what_stays_in_order_nothing_is_shown(tmp_path: Path) -> None:
    body = "for (int i = 1; i < n; i++) y[i] = y[i - 1] * y[i] + 1;"
    assert proved(tmp_path, "int n, double *y", body, CUDA) is None
