"""Probes that no worker is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.unit.contracts.fake import subject
from transpile.contracts.probing.probe import Failed, Observed, Probe
from transpile.contracts.probing.subject import Subject
from transpile.contracts.probing.trace import Tracer
from transpile.core import Launch
from transpile.toolchains.build import Built, Flavour
from transpile.toolchains.worker import USUAL_RESTARTS, ArrayTrace, Call, Completed, Crashed, Trace
from transpile.toolchains.workshop import Workshop


def _scaling() -> Subject:
    return subject("int n, float *y", "blockIdx.x * blockDim.x + threadIdx.x")


def test_a_checked_call_that_needs_too_much_memory_is_not_made() -> None:
    made = _scaling()
    library = Built(path=Path("none"), digest="", flavour=Flavour.TRACE)

    def never() -> Built:
        raise AssertionError("nothing is to be built")

    tracer = Tracer(workshop=Workshop(cache=Path("none")), library=library, checked=never)
    probe = Probe(scalars={"n": 1}, launch=Launch(), extents={"y": 1 << 40})
    (outcome,) = tracer.run([(made, probe)])
    assert isinstance(outcome, Failed) and "memory" in outcome.reason


def test_a_function_that_keeps_dying_takes_no_other_one_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    dying, sound = replace(_scaling(), entry=0), replace(_scaling(), entry=1)
    trace = Trace(arrays=(None, None), races=(), poisoned=0)

    def batch(
        _workshop: object, _library: object, calls: Sequence[Call], **_: object
    ) -> list[Completed | Crashed]:
        results: list[Completed | Crashed] = []
        for call in calls:
            if sum(isinstance(item, Crashed) for item in results) >= USUAL_RESTARTS.deaths:
                results.append(Crashed(reason="not called", called=False))
            elif call.entry == 0:
                results.append(Crashed(reason="abort"))
            else:
                results.append(
                    Completed(
                        arguments=(np.zeros(0, dtype=np.uint8),) * 2,
                        globals=(),
                        returned=b"",
                        inexact=False,
                        seconds=0.0,
                        trace=trace,
                    )
                )
        return results

    monkeypatch.setattr("transpile.contracts.probing.trace.run", batch)
    library = Built(path=Path("none"), digest="", flavour=Flavour.TRACE)
    workshop = Workshop(cache=Path("none"), jobs=1)
    tracer = Tracer(workshop=workshop, library=library, checked=lambda: library)
    probes = [Probe(scalars={"n": number}, launch=Launch()) for number in range(150)]
    outcomes = tracer.run([*((dying, probe) for probe in probes), *((sound, probe) for probe in probes[:2])])
    assert outcomes[0] == Failed(reason="abort")
    assert outcomes[149] == Failed(reason="too many calls died")
    assert all(isinstance(item, Observed) for item in outcomes[150:])


def test_what_is_asked_twice_is_called_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def batch(
        _workshop: object, _library: object, calls: Sequence[Call], **_: object
    ) -> list[Completed | Crashed]:
        made.extend(call.entry for call in calls)
        return [Crashed(reason=f"call {number}") for number in range(len(calls))]

    monkeypatch.setattr("transpile.contracts.probing.trace.run", batch)
    library = Built(path=Path("none"), digest="", flavour=Flavour.TRACE)
    tracer = Tracer(workshop=Workshop(cache=Path("none"), jobs=1), library=library, checked=lambda: library)
    first, second = (Probe(scalars={"n": number}, launch=Launch()) for number in (1, 2))
    outcomes = tracer.run([(_scaling(), probe) for probe in (first, second, first)])
    assert len(made) == 2
    assert [item.reason for item in outcomes if isinstance(item, Failed)] == ["call 0", "call 1", "call 0"]


def test_calls_that_list_much_are_made_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Traces are held in memory, and one of a wide stencil over many arrays has millions of bytes."""
    sizes: list[int] = []

    def batch(
        _workshop: object, _library: object, calls: Sequence[Call], **_: object
    ) -> list[Completed | Crashed]:
        sizes.append(len(calls))
        flags = np.zeros(1 << 24, dtype=np.uint8)
        seen = Trace(arrays=(None, ArrayTrace(low=0, high=len(flags), flags=flags)), races=(), poisoned=())
        return [
            Completed(
                arguments=(np.zeros(0, dtype=np.uint8), np.zeros(64, dtype=np.uint8)),
                globals=(),
                returned=b"",
                inexact=False,
                seconds=0.0,
                trace=seen,
            )
            for _ in calls
        ]

    monkeypatch.setattr("transpile.contracts.probing.trace.run", batch)
    library = Built(path=Path("none"), digest="", flavour=Flavour.TRACE)
    tracer = Tracer(workshop=Workshop(cache=Path("none"), jobs=1), library=library, checked=lambda: library)
    probes = [Probe(scalars={"n": number}, launch=Launch()) for number in range(100)]
    tracer.run([(_scaling(), probe) for probe in probes])
    assert sizes == [16, *[15] * 5, 9]
