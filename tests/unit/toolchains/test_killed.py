"""Programs that the system kills for want of memory, told from those that kill themselves."""

from __future__ import annotations

from typing import Any

import pytest

from transpile.toolchains import sandbox
from transpile.toolchains.process import Finished


def finished(**changed: Any) -> Finished:
    usual = {"status": 137, "signal": 9, "timed_out": False, "out_of_memory": False, "seconds": 1.0}
    return Finished(**{**usual, "stdout": b"", "stderr": b"", **changed})


@pytest.mark.parametrize(
    ("ended", "kills", "expected"),
    [
        (finished(), 4, True),
        (finished(), 3, False),
        (finished(signal=None), 4, True),
        (finished(timed_out=True), 4, False),
        (finished(out_of_memory=True), 4, False),
        (finished(status=139, signal=11), 4, False),
    ],
)
def test_who_killed_a_program(
    ended: Finished, kills: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox.machine, "memory_kills", lambda: kills)
    assert sandbox._killed_for_memory(ended, 3) is expected
