from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.cli import ports
from transpile.cli import check, port
from transpile.cli.arguments import OutputFormat
from transpile.cli.doctor import doctor
from transpile.cli.plan import show as show_plan
from transpile.cli.units import units
from transpile.errors import UsageError
from transpile.options import PortOptions


def test_a_port_as_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    port.show(ports.port(ports.PASSED, ports.FALSIFIED), OutputFormat.SARIF)
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert [item["ruleId"] for item in run["results"]] == ["TP400"]
    assert run["invocations"][0]["exitCode"] == 1


def test_a_stale_port_as_sarif(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    change = check.Change(side="port", path="src/a.cpp", unit="src/a.cu::k()", reason="its text changed")
    result = check.Result(place=tmp_path / "out" / "transpile.lock", changes=(change,))
    check._show([result], OutputFormat.SARIF)
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    (found,) = run["results"]
    assert found["ruleId"] == "TP513"
    assert found["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "out/src/a.cpp",
        "uriBaseId": "ROOT",
    }
    assert run["originalUriBaseIds"]["ROOT"]["uri"] == f"{tmp_path.as_uri()}/"


def test_commands_without_findings_refuse_sarif(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"__global__ void k() {}\n")
    with pytest.raises(UsageError, match="no findings"):
        doctor(OutputFormat.SARIF)
    with pytest.raises(UsageError, match="no findings"):
        units(tmp_path, output_format=OutputFormat.SARIF)
    with pytest.raises(UsageError, match="no findings"):
        show_plan(tmp_path, PortOptions(cache=tmp_path), OutputFormat.SARIF)


def test_annotations_count_from_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "ports").mkdir()
    monkeypatch.chdir(tmp_path / "ports")
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    changed = check.Change(side="source", path="a.cu", unit="a.cu::k()", reason="its text changed")
    result = check.Result(
        place=tmp_path / "ports" / "out" / "transpile.lock", changes=(changed,), source=tmp_path / "app"
    )
    check._show([result], OutputFormat.GITHUB)
    assert "file=app/a.cu," in capsys.readouterr().out
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path.parent))
    check._show([result], OutputFormat.GITHUB)
    assert f"file={tmp_path.name}/app/a.cu," in capsys.readouterr().out
