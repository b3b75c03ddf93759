"""Launch laws, relations and extents of everyday kernels, each beside what its text comes to."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.conftest import Once
from tests.sampling import sampled
from transpile import parsers
from transpile.contracts import infer
from transpile.core import Contract, Covers, Inconclusive, ShapeDependent, UnitKind, array_of
from transpile.expressions import evaluate
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

CASES = Path(__file__).parents[1] / "cases" / "laws"
EXPECTED: dict[str, dict[str, dict[str, Any]]] = tomllib.loads((CASES / "laws.toml").read_text())
KERNELS = [(file, kernel) for file in sampled(EXPECTED, 16) for kernel in EXPECTED[file]]


Learnt = dict[str, Contract | Inconclusive]


def _learnt(workshop: Workshop, file: str) -> Learnt:
    source = parsers.read(CASES / f"{file}.cu")
    kernels = [unit for unit in source.units if unit.kind is UnitKind.KERNEL]
    found = infer(workshop, source, kernels)
    learnt = {unit.name: found[unit.id] for unit in kernels}
    return {name: item if isinstance(item, Inconclusive) else item[0] for name, item in learnt.items()}


@pytest.fixture(scope="module")
def contracts(once: Once, workshop: Workshop) -> Callable[[str], Learnt]:
    """Return what gives the contracts of a file, learnt once in a run."""
    return cache(lambda file: once(f"laws of {file}", partial(_learnt, workshop, file)))


def test_every_kernel_is_told_of() -> None:
    texts = {path.stem: path.read_text() for path in CASES.glob("*.cu")}
    assert set(texts) == set(EXPECTED)
    assert all(text.count("__global__") == len(EXPECTED[file]) for file, text in texts.items())


@pytest.mark.parametrize(("file", "kernel"), KERNELS, ids=[kernel for _, kernel in KERNELS])
def test_contracts_say_what_the_text_comes_to(
    file: str, kernel: str, contracts: Callable[[str], Learnt]
) -> None:
    wanted = EXPECTED[file][kernel]
    contract = contracts(file)[kernel]
    assert isinstance(contract, Contract), contract
    assert _law(contract) == wanted["law"]
    shaped = contract.law.relations if isinstance(contract.law, ShapeDependent) else ()
    assert [*contract.relations, *shaped] == wanted.get("relations", [])
    for fact in contract.arrays if "extents" in wanted else ():
        assert _alike(fact.extent, wanted["extents"][fact.name], contract), fact
    ranges = {fact.name: [int(fact.values.low), int(fact.values.high)] for fact in contract.scalars}
    assert {name: ranges[name] for name in wanted.get("ranges", {})} == wanted.get("ranges", {})
    multiples = {fact.name: fact.multiple_of for fact in contract.scalars}
    assert {name: multiples[name] for name in wanted.get("multiples", {})} == wanted.get("multiples", {})


def _law(contract: Contract) -> str:
    match contract.law:
        case Covers(x=x, y=y, z=z, joint=joint):
            parts = [x, y, z][: 3 if z != "1" else 2 if y != "1" else 1]
            return f"covers {'together ' if joint else ''}{', '.join(parts)}"
        case None:
            return "none"
        case law:
            return law.kind


def _alike(extent: str, wanted: str, contract: Contract) -> bool:
    """Tell whether two extents have the same values, whatever they are written like."""
    generator = Random(1)
    launch = [f"{word}.{letter}" for word in ("gridDim", "blockDim") for letter in "xyz"]
    known = [*(array_of(fact.name) or fact.name for fact in contract.scalars), *launch]
    rows = [{name: generator.randint(1, 40) for name in known} for _ in range(30)]
    return all(evaluate(extent, row) == evaluate(wanted, row) for row in rows)
