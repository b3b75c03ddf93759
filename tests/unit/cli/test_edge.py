from __future__ import annotations

from pathlib import Path

import pytest
import typer

from transpile.cli.edge import guarded
from transpile.errors import InternalError, ToolMissing, UsageError


def status_of(error: BaseException | None) -> int:
    def command() -> None:
        if error is not None:
            raise error

    try:
        guarded(command)()
    except typer.Exit as left:
        return left.exit_code
    return 0


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path))
    return tmp_path


def test_exit_statuses() -> None:
    assert status_of(None) == 0
    assert status_of(typer.Exit(1)) == 1
    assert status_of(UsageError("x")) == 2
    assert status_of(ToolMissing("x")) == 2
    assert status_of(InternalError("x")) == 3
    assert status_of(ZeroDivisionError("x")) == 3
    assert status_of(KeyboardInterrupt()) == 130


def test_expected_errors_come_with_their_hint(capsys: pytest.CaptureFixture[str]) -> None:
    status_of(UsageError("it is [red]", hint="do that"))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "error: it is [red]\n  do that\n"


def test_our_own_bug_leaves_a_log_to_paste(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status_of(ZeroDivisionError("by nothing"))
    log = next((cache / "logs").iterdir())
    assert str(log) in capsys.readouterr().err
    text = log.read_text()
    assert "ZeroDivisionError: by nothing" in text
    assert "Python 3" in text
    assert "Traceback" in text


def test_a_log_that_cannot_be_written_is_shown(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE", "/dev/null/nowhere")
    assert status_of(ZeroDivisionError("by nothing")) == 3
    assert "Traceback" in capsys.readouterr().err
