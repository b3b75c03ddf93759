from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cli import ports
from transpile import lock
from transpile.cli.report import FILE, report
from transpile.errors import UsageError
from transpile.store import Ports


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of a port that was made in another place."""
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path / "cache"))
    place = tmp_path / "out"
    place.mkdir()
    (place / lock.FILE).write_bytes(b"the lock")
    port = replace(ports.port(ports.PASSED, ports.FALSIFIED), source=tmp_path / "solver")
    Ports(tmp_path / "cache" / "ports").save(b"the lock", port)
    return place


def test_the_page_is_made_again_where_the_port_is_now(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(out)
    assert capsys.readouterr().out == f"{out / FILE}\n"
    page = (out / FILE).read_text(encoding="utf-8")
    assert "1 of 2 units kept" in page
    assert "../solver" in page


def test_a_changed_lock_is_of_another_port(out: Path) -> None:
    (out / lock.FILE).write_bytes(b"another lock")
    with pytest.raises(UsageError, match="how this port was made"):
        report(out)
    assert not (out / FILE).exists()


def test_where_there_is_no_port(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        report(tmp_path)


def test_where_the_page_cannot_be_written(out: Path) -> None:
    (out / FILE).mkdir()
    with pytest.raises(UsageError, match="directory"):
        report(out)
