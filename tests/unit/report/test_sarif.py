from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from tests.unit.cli import ports
from transpile.cli import explain
from transpile.core import ProgramVerdict, Severity
from transpile.report.findings import Finding, of_port
from transpile.report.sarif import log

BASE = Path("/somewhere/source")


def run_of(*found: Finding, base: Path = BASE) -> dict[str, Any]:
    written = json.loads(json.dumps(log(found, base, 1, explain.explanations())))
    assert written["version"] == "2.1.0"
    (run,) = written["runs"]
    assert isinstance(run, dict)
    return run


def place_of(run: dict[str, Any], number: int = 0) -> str:
    """Return the file that a reader finds for a result."""
    artifact = run["results"][number]["locations"][0]["physicalLocation"]["artifactLocation"]
    base = run["originalUriBaseIds"][artifact["uriBaseId"]]["uri"] if "uriBaseId" in artifact else ""
    return unquote(urlsplit(urljoin(base, artifact["uri"])).path, errors="surrogateescape")


def test_the_findings_of_a_port() -> None:
    program = ProgramVerdict(command="./main", verdict=ports.FALSIFIED)
    port = ports.port(ports.PASSED, ports.FALSIFIED, ports.REJECTED, programs=(program,), built=False)
    run = run_of(*of_port(port))
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    assert [(item["ruleId"], item["level"]) for item in run["results"]] == [
        ("TP400", "error"), ("TP201", "error"), ("TP510", "error"), ("TP512", "error"),
    ]  # fmt: skip
    rules = run["tool"]["driver"]["rules"]
    assert [rules[item["ruleIndex"]]["id"] for item in run["results"]] == ["TP400", "TP201", "TP510", "TP512"]
    assert [place_of(run, number) for number in range(4)] == [
        "/somewhere/source/src/a.cu", "/somewhere/source/src/b.cu", "/somewhere/source", "/somewhere/out",
    ]  # fmt: skip
    falsified, rejected = run["results"][:2]
    assert falsified["message"]["text"].startswith("out[17]: expected 1, got 2")
    assert "transpile replay 0123456789ab" in falsified["message"]["text"]
    assert falsified["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "src/a.cu::k1(int)"
    assert rejected["locations"][0]["physicalLocation"]["region"] == {"startLine": 9, "startColumn": 4}


def test_a_rule_explains_itself_and_says_what_to_do() -> None:
    run = run_of(Finding(code="TP409", path="a.cu", line=1, reason="too low"))
    (rule,) = run["tool"]["driver"]["rules"]
    assert "Why it matters" in rule["help"]["markdown"]
    assert explain.advice("TP409") in run["results"][0]["message"]["text"]


def test_levels_are_those_of_the_format() -> None:
    found = [Finding(code="TP502", path="a", line=1, reason="", severity=item) for item in Severity]
    assert {item["level"] for item in run_of(*found)["results"]} == {"error", "warning", "note"}


def test_paths_with_blanks_bytes_and_detours() -> None:
    found = [
        Finding(code="TP400", path=path, line=0, reason="a\udce4")
        for path in ("a b#.cu", "\udce4.cu", "../x.cu")
    ]
    run = run_of(*found)
    assert [place_of(run, number) for number in range(3)] == [
        "/somewhere/source/a b#.cu", "/somewhere/source/\udce4.cu", "/somewhere/x.cu",
    ]  # fmt: skip
    assert run["results"][0]["message"]["text"].startswith("a\\xe4")
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_without_findings() -> None:
    run = run_of()
    assert run["results"] == run["tool"]["driver"]["rules"] == []
