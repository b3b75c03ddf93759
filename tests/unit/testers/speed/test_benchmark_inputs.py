"""Calls that take long enough to be timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.testers.making import INT, MAP, contract, pointer, reads, size, value, writes
from transpile import parsers
from transpile.core import CUDA, Binding, Candidate, Contract, Replacement, Trial
from transpile.testers.oracle.validity import Flaw, Invalid, Reference
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import Outcome
from transpile.testers.speed import benchmark_inputs
from transpile.testers.speed.benchmark_inputs import LONG, Course, NotTimed, course
from transpile.testers.trials.materialise import Prepared, materialise
from transpile.testers.verdict.performance import Track
from transpile.toolchains.worker import Crashed
from transpile.toolchains.workshop import Workshop

PRODUCT = contract(
    (pointer("x", const=True), pointer("y"), value("m", INT), value("n", INT)),
    (reads("x", "m * n"), writes("y", "m")),
    (size("m", high="2147483647"), size("n", high="2147483647")),
)
CALLS = 5
Took = Callable[[dict[str, int | float]], float | None]


def laid(
    monkeypatch: pytest.MonkeyPatch, known: Contract, took: Took, *pool: Trial, valid: int = 99
) -> Course | NotTimed:
    """Return the course where a call takes so long, and so many of the source's calls count."""

    def timed(workshop: Any, entry: Any, calls: Sequence[Prepared], poison: int) -> list[Outcome | Crashed]:
        seconds = [took(dict(item.trial.scalars)) for item in calls]
        # The first call of a process starts its threads.
        late = [10.0 if number == 0 else 0.0 for number in range(len(calls))]
        return [
            Crashed(reason="timeout")
            if item is None
            else Outcome(results=(), inexact=False, seconds=2 * item, elapsed=item + more)
            for item, more in zip(seconds, late, strict=True)
        ]

    number = count()

    def examine(trials: Sequence[Trial]) -> list[Reference | Invalid]:
        return [
            Reference(prepared=materialise(known, trial), results=((), ()), exact=True, written=())
            if next(number) < valid
            else Invalid(trial=trial, flaw=Flaw.SLOW, detail="timeout")
            for trial in trials
        ]

    monkeypatch.setattr(benchmark_inputs, "timed", timed)
    baseline = SimpleNamespace(contract=known, literals=(), examiner=SimpleNamespace(examine=examine))
    found = course(None, baseline, None, pool, CALLS)  # type: ignore[arg-type]
    return found if isinstance(found, NotTimed) else found[0]


def trial(**scalars: int) -> Trial:
    return Trial(seed=1, fill="exact", scalars=tuple(scalars.items()))


def test_sizes_grow_until_a_call_takes_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = (trial(n=17), trial(n=1000), trial(n=3))
    found = laid(monkeypatch, MAP, lambda known: 1e-7 * known["n"], *pool)
    assert isinstance(found, Course)
    assert found.sizes == "n = 16015"
    assert found.elapsed == pytest.approx(1.6015e-3) and found.seconds == pytest.approx(3.203e-3)
    assert len({item.seed for item in found.trials}) == len(found.trials) == CALLS
    assert {item.scalars for item in found.trials} == {(("n", 16015),)}
    # Sizes between are compared as well.
    assert [dict(item.scalars)["n"] for item in found.smaller] == [1000, 2001, 4003, 8007]


def test_what_takes_long_already_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    found = laid(monkeypatch, MAP, lambda known: LONG, trial(n=64))
    assert isinstance(found, Course) and found.sizes == "n = 64"


def test_what_takes_too_long_shrinks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    found = laid(monkeypatch, MAP, lambda known: 1e-3 * known["n"], trial(n=1000))
    assert isinstance(found, Course) and found.sizes == "n = 31"
    assert isinstance(laid(monkeypatch, MAP, lambda known: 1.0, trial(n=1000)), Course)


def test_sizes_end_where_the_contract_does(monkeypatch: pytest.MonkeyPatch) -> None:
    found = laid(monkeypatch, MAP, lambda known: 1e-9 * known["n"], trial(n=1000))
    assert isinstance(found, NotTimed) and "the longest took 0.1 ms" in found.reason


def test_where_all_sizes_together_are_too_much_one_grows_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = laid(monkeypatch, PRODUCT, lambda known: 2e-6 * known["m"], trial(m=150, n=1000))
    assert isinstance(found, Course) and found.sizes == "m = 603, n = 2001"


def test_calls_that_fail_are_not_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(laid(monkeypatch, MAP, lambda known: None, trial(n=8)), NotTimed)


def test_only_calls_that_the_source_bears_count(monkeypatch: pytest.MonkeyPatch) -> None:
    found = laid(monkeypatch, MAP, lambda known: LONG, trial(n=64), valid=3)
    assert isinstance(found, Course) and len(found.trials) == 3
    for few in (2, 0):
        found = laid(monkeypatch, MAP, lambda known: LONG, trial(n=64), valid=few)
        assert isinstance(found, NotTimed) and "takes too long (timeout)" in found.reason


def test_the_times_of_an_emulator_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(int *x) { x[0] = 1; }\nint main() { return 0; }\n")
    source = parsers.read(tmp_path)
    unit = next(item for item in source.units if item.name == "k")
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=unit.text),),
        binding=Binding(name="k", arguments=("x",), kernel=True),
        dialect=CUDA,
    )
    proposal = Proposal(unit=unit, contracts=(MAP,), candidate=candidate)
    track = Track(Workshop(cache=tmp_path), source, proposal)
    found = track.courses(proposal, ())
    track.close()
    assert isinstance(found, NotTimed) and "emulator" in found.reason
