"""Translations of one function beside each other, by the clock of this machine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.functions import learn, unit
from transpile import parsers
from transpile.core import (
    Attempt,
    Binding,
    Candidate,
    Evidence,
    Falsified,
    Guarantee,
    Level,
    Passed,
    Replacement,
    Trial,
)
from transpile.options import PortOptions
from transpile.stages import Work, selected
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

HEAD = "void scale(int n, const float *x, float *y)"
TEXT = f"{HEAD}\n{{\n    for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n}}\n"


def repeated(times: int, value: str = "2 * x[i]") -> str:
    """Return a function that does all of it some times, so that arrays of a few MiB take long enough."""
    again = f"for (volatile int k = 0; k < {times}; k++) y[i] = {value};"
    return f"{HEAD}\n{{\n    for (int i = 0; i < n; i++) {{ {again} }}\n}}\n"


FAST, SLOW, WRONG = repeated(8), repeated(64), repeated(8, "i < 40000 ? 2 * x[i] : 1")


def test_the_fastest_that_is_right_in_long_calls_is_kept(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "scale.c").write_text(TEXT)
    source = parsers.read(tmp_path)
    own, known = unit(source, "scale"), learn(workshop, source)["scale"]
    assert isinstance(known, tuple), known
    binding = Binding(name="scale", arguments=known[0].signature.names)
    passed = Passed(guarantee=Guarantee(level=Level.TESTED, trials=12, checks=("exact",)))
    wrong, fast, slow = (
        Attempt(
            candidate=Candidate(
                unit=own.id,
                replacements=(Replacement(unit=own.id, text=text.encode()),),
                binding=binding,
            ),
            verdict=passed,
        )
        for text in (WRONG, FAST, SLOW)
    )
    pool = (Trial(seed=1, fill="exact", scalars=(("n", 50000),)),)
    before = Evidence(unit=own, contracts=known, attempts=(wrong, fast, slow), pool=pool, id="0123456789ab")
    work = Work(workshop=workshop, source=source, options=PortOptions(cache=tmp_path / "cache"))
    [first], [again] = list(selected(work, [before])), list(selected(work, [before]))
    found = first.evidence
    assert [item.candidate for item in found.attempts[1:]] == [slow.candidate, fast.candidate]
    assert found.kept(Level.TESTED) and isinstance(found.attempts[0].verdict, Falsified)
    assert found.selection is not None
    assert [item.outcome for item in found.selection.rivals] == ["taken", "refused"]
    speedup = found.selection.rivals[0].speedup
    assert speedup is not None and speedup.low > 2 and speedup.blocks == 12
    # Nothing is timed again.
    assert again.known and again.evidence.selection == found.selection
