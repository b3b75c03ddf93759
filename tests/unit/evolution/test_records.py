from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli import ports
from tests.unit.evolution.making import REFUSED, played, sample, written
from transpile.evolution.records import Chronicle
from transpile.files import write_whole
from transpile.testers.verdict.matrix import Cell

RECORD = played(
    2,
    sample("a", ports.PASSED),
    sample("b", ports.FALSIFIED),
    sample("c", REFUSED),
    tests=written("admitted", "admitted", "useless"),
    standing=(sample("a", ports.PASSED),),
    cells=((Cell.DIFFERS, Cell.AGREES), (Cell.UNBUILT, Cell.UNDECIDED)),
)


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    chronicle = Chronicle(tmp_path)
    assert chronicle.find(2, "0") is None
    chronicle.save(RECORD)
    assert chronicle.find(2, "0") == RECORD
    assert chronicle.find(1, "0") is None


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_half_a_record_is_none(tmp_path: Path, part: float) -> None:
    chronicle = Chronicle(tmp_path)
    chronicle.save(RECORD)
    path = tmp_path / "round-2" / "units" / "0.json"
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    assert chronicle.find(2, "0") is None


def test_a_kill_while_writing_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "file", b"before")

    def killed(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", b"after")
    assert (tmp_path / "file").read_bytes() == b"before"


def test_trials_that_tell_a_candidate_from_its_source() -> None:
    first, _ = RECORD.matrix.trials
    assert RECORD.matrix.telling == (first,)
