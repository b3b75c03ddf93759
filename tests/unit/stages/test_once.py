from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cli import ports
from tests.unit.stages.test_work import work
from transpile.core import Evidence, Unit
from transpile.stages import once as module
from transpile.stages.claims import Claims
from transpile.stages.once import once
from transpile.stages.work import Work

UNITS = tuple(ports.evidence(name, ports.PASSED).unit for name in "ab")
KEYS = {unit.id: f"{number}123456789abcdef" for number, unit in enumerate(UNITS)}


class Judge:
    """Decides units, and notes which."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.asked: list[str] = []

    def __call__(self, units: Sequence[Unit]) -> Iterator[Evidence]:
        for unit in units:
            self.asked.append(unit.name)
            yield ports.evidence(unit.name, ports.PASSED)


def test_a_verdict_is_on_disk_before_the_next_is_sought(tmp_path: Path) -> None:
    there = work(tmp_path)
    judge = Judge(there)
    found = once(there, [UNITS], KEYS, judge)
    assert next(found).evidence.unit.name == "a"
    assert [item.unit.name for item in there.store] == ["a"]
    assert judge.asked == ["a"]
    assert [item.evidence.unit.name for item in found] == ["b"]


@pytest.mark.parametrize("killed", [False, True])
def test_what_another_port_decides_is_taken_from_it_unless_it_dies(
    killed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = work(tmp_path)
    judge, other = Judge(there), Claims(there.store.root / ".claims")
    key = KEYS[UNITS[0].id]
    assert other.take(key)

    def waited(_: float) -> None:
        assert judge.asked == ["b"]
        if not killed:
            there.store.save(key, replace(ports.evidence("a", ports.PASSED), seconds=77))
        other.release(key)

    monkeypatch.setattr(module.time, "sleep", waited)
    found = {item.evidence.unit.name: item for item in once(there, [UNITS], KEYS, judge)}
    assert found["a"].known is not killed
    assert (found["a"].evidence.seconds == 77) is not killed
    assert judge.asked == (["b", "a"] if killed else ["b"])
    assert all(other.take(item) for item in KEYS.values()), "a claim is left"


def test_claims_end_where_judging_fails(tmp_path: Path) -> None:
    there = work(tmp_path)

    def broken(units: Sequence[Unit]) -> Iterator[Evidence]:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        list(once(there, [UNITS], KEYS, broken))
    assert Claims(there.store.root / ".claims").take(KEYS[UNITS[0].id])
