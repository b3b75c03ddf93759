"""Ways that no trial took: how many are assumed to go as in the trials, by where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.unit.testers.making import MAP
from transpile.core import Binding, ByRules, Candidate, Replacement, Span, Unit, UnitKind
from transpile.testers.oracle.cover import Coverage
from transpile.testers.proposal import Proposal
from transpile.testers.verdict.unobserved import unobserved


def unit(name: str, kind: UnitKind, line: int, text: bytes) -> Unit:
    span = Span(start=0, end=len(text))
    return Unit(id=name, kind=kind, path="a.cu", name=name, span=span, line=line, text=text)


CLAMP = unit("clamp", UnitKind.DEVICE, 1, b"__device__ int clamp(int i) {\n if (i < 0) i = 0;\n return i;\n}")
OTHER = unit("other", UnitKind.DEVICE, 11, b"__device__ int other(int i) {\n return i;\n}")
KERNEL = unit("k", UnitKind.KERNEL, 21, b"__global__ void k(int *x) {\n if (*x) x[0] = clamp(x[1]);\n}")
PARTS = (KERNEL, CLAMP, OTHER)


def proposal(text: bytes, *others: tuple[str, bytes], rules: bool = True) -> Proposal:
    pieces = tuple(Replacement(unit=key, text=body) for key, body in (("k", text), *others))
    candidate = Candidate(
        unit="k", replacements=pieces, binding=Binding(name="k", arguments=()), parallel=True
    )
    if rules:
        candidate = replace(candidate, origin=ByRules(rules=("map",)))
    return Proposal(unit=KERNEL, contracts=(MAP,), candidate=candidate)


CALLS = b"void k(int *x) {\n if (*x) x[0] = clamp(x[1]);\n}"


def assumed(
    proposed: Proposal,
    never: Mapping[str, tuple[int, int]],
    *,
    taken: int = 96,
    unexecuted: frozenset[str] = frozenset(),
) -> int:
    coverage = Coverage(taken=taken, total=100, never=never, unexecuted=unexecuted)
    return len(unobserved(proposed, MAP, PARTS, coverage))


def test_more_is_assumed_of_functions_that_stay_as_they_are() -> None:
    many = {"a.cu:2": (4, 8)}
    assert assumed(proposal(CALLS), many) == 1
    assert assumed(proposal(CALLS, ("clamp", CLAMP.text.replace(b"__device__ ", b""))), many) == 1
    shorter = CLAMP.text.replace(b" return i;\n", b"")
    assert assumed(proposal(CALLS, ("clamp", shorter)), many) == 1, "as without a branch of `#if`"
    assert assumed(proposal(CALLS), {"a.cu:22": (4, 8)}) == 1, "the line stands in the candidate"
    assert assumed(proposal(CALLS.replace(b"*x)", b"x[0])")), {"a.cu:22": (4, 8)}) == 0
    assert assumed(proposal(CALLS), {"a.cu:22": (4, 8)}, unexecuted=frozenset({"a.cu:23"})) == 0
    assert assumed(proposal(CALLS), {"a.cu:2": (9, 9)}) == 0
    assert assumed(proposal(CALLS), many, taken=80) == 0
    assert assumed(proposal(CALLS), {"a.cu:2": (2, 8)}, taken=80) == 1


@pytest.mark.parametrize(
    "proposed",
    [
        proposal(CALLS, ("clamp", b"int clamp(int i) { return i < 0 ? 0 : i; }")),
        proposal(b"void k(int *x) { if (*x) { int i = x[1]; if (i < 0) i = 0; x[0] = i; } }"),
        proposal(CALLS, rules=False),
    ],
    ids=["rewritten", "inlined", "of a model"],
)
def test_little_is_assumed_of_what_is_written_anew(proposed: Proposal) -> None:
    assert assumed(proposed, {"a.cu:2": (4, 8)}) == 0


def test_statements_that_never_ran_are_few_and_stand_as_they_are() -> None:
    def left(*places: str) -> int:
        return assumed(proposal(CALLS), {"a.cu:2": (2, 8)}, unexecuted=frozenset(places))

    assert left("a.cu:2") == 2
    assert left("a.cu:2", "a.cu:3") == 3
    assert left("a.cu:1", "a.cu:2", "a.cu:3") == 0
    assert left("a.cu:22") == 2, "the line stands in the candidate"
    assert assumed(proposal(CALLS), {"a.cu:22": (2, 8)}, unexecuted=frozenset({"a.cu:22"})) == 0
    inlined = proposal(b"void k(int *x) {\n if (*x) x[0] = 1;\n}")
    assert assumed(inlined, {"a.cu:22": (1, 8)}, unexecuted=frozenset({"a.cu:22"})) == 0
