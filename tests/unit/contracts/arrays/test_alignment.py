"""Numbers of bytes that keep elements aligned: found by what the sanitizers bear."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.contracts.fake import subject
from transpile.contracts.arrays.alignment import aligned
from transpile.contracts.arrays.ranges import Facts
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Failed, Filling, Observed
from transpile.core import ArrayFact, Invariant, Range, Role, ScalarFact

ROWS = "(pitch * (h - 1) + 4 * w + 3) / 4"


def multiples(extent: str) -> dict[str, str]:
    """Return what is found where the sanitizers object to a pitch that is no multiple of four."""
    function = replace(subject("int pitch, int w, int h, float *x", ""), launched=False)
    known = Pilot(scalars={"pitch": 20, "w": 5, "h": 3}, filling=Filling())
    arrays = (ArrayFact(name="x", role=Role.OUT, extent=extent),)
    facts = Facts(
        law=Law(law=Invariant()),
        arrays=arrays,
        sizes=frozenset(),
        relations=(),
    )
    scalars = tuple(ScalarFact(name=name, values=Range(low="0", high="99")) for name in function.integers)
    asking = aligned(function, known, facts, scalars)
    try:
        probes = next(asking)
        asking.send(
            [
                Failed(reason="address") if probe.scalars["pitch"] % 4 else Observed(touched={}, outputs="")
                for probe in probes
            ]
        )
    except StopIteration as end:
        return {fact.name: fact.multiple_of for fact in end.value}
    raise AssertionError("it asks twice")


def test_a_pitch_is_a_multiple_of_the_element() -> None:
    assert multiples(ROWS) == {"pitch": "4", "w": "1", "h": "1"}


def test_where_no_bytes_are_counted_nothing_is_asked() -> None:
    assert multiples("pitch * h") == {"pitch": "1", "w": "1", "h": "1"}
