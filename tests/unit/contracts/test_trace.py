"""Probes that no worker is asked for."""

from __future__ import annotations

from pathlib import Path

from tests.unit.contracts.fake import subject
from transpile.contracts.probe import Failed, Probe
from transpile.contracts.trace import Tracer
from transpile.core import Launch
from transpile.toolchains.build import Built, Flavour
from transpile.toolchains.workshop import Workshop


def test_a_checked_call_that_needs_too_much_memory_is_not_made() -> None:
    made = subject("int n, float *y", "blockIdx.x * blockDim.x + threadIdx.x")
    library = Built(path=Path("none"), digest="", flavour=Flavour.TRACE)

    def never() -> Built:
        raise AssertionError("nothing is to be built")

    tracer = Tracer(workshop=Workshop(cache=Path("none")), library=library, checked=never)
    probe = Probe(scalars={"n": 1}, launch=Launch(), extents={"y": 1 << 40})
    (outcome,) = tracer.run([(made, probe)])
    assert isinstance(outcome, Failed) and "memory" in outcome.reason
