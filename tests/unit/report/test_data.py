from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tests.unit.cli import ports
from transpile.core import Level, ProgramVerdict, Rejected
from transpile.report.data import port_data, summary_data, unit_data
from transpile.report.findings import of_port
from transpile.report.github import lines

UNIT_FIELDS = {
    "id", "kind", "path", "name", "kept", "verdict", "level", "evidence", "trials", "coverage",
    "mutation_score", "tolerance", "reason", "translator", "target_path", "target_name", "speedup", "seconds",
}  # fmt: skip
PORT_FIELDS = {
    "schema", "command", "source", "target", "out", "require", "exit_status", "units", "programs", "build",
    "diagnostics",
}  # fmt: skip


def test_schema_1_is_kept() -> None:
    found = json.loads(json.dumps(port_data(ports.port(ports.PASSED, ports.FALSIFIED))))
    assert found.keys() >= PORT_FIELDS
    assert all(unit.keys() >= UNIT_FIELDS for unit in found["units"])
    assert (found["schema"], found["command"], found["target"], found["require"]) == (
        1,
        "port",
        "openmp",
        "tested",
    )
    own = {"outcome": "not shown", "reason": None, "output": None, "parallel": [], "serial": [], "absent": []}
    assert found["build"] == {"command": "make", "ok": True, "by": None, "own": own}
    assert found["exit_status"] == 1
    assert found["diagnostics"][0].keys() >= {"code", "severity", "path", "line", "column", "message", "hint"}


def test_a_kept_unit() -> None:
    found = unit_data(ports.evidence("k", ports.PASSED), Level.TESTED, place="a.cpp")
    assert found["kept"] is True
    assert (found["verdict"], found["level"], found["trials"], found["coverage"]) == (
        "passed",
        "tested",
        120,
        0.99,
    )
    assert (found["target_path"], found["target_name"], found["translator"]) == ("a.cpp", "k", "rules")
    assert found["reason"] is None
    assert found["evidence"] == "0123456789ab"


def test_units_that_are_not_kept_have_no_target_but_a_reason() -> None:
    for verdict in (ports.FALSIFIED, ports.REJECTED, ports.UNDECIDED, ports.BUILT):
        found = unit_data(ports.evidence("k", verdict), Level.TESTED, place="a.cpp")
        assert found["kept"] is False
        assert found["target_path"] is None
        assert found["reason"]
    assert unit_data(ports.evidence("k", ports.FALSIFIED), Level.TESTED)["trials"] == 3


def test_a_proof_has_a_field_of_its_own() -> None:
    assert unit_data(ports.evidence("k", ports.PASSED), Level.TESTED)["proof"] is None
    assert unit_data(ports.evidence("k", ports.PROVED), Level.TESTED)["proof"] == {
        "claims": ["parallel", "agrees"],
        "of": "text",
        "assumptions": ["arrays do not overlap"],
        "unproved": {},
        "method": "z3",
        "seconds": 0.5,
    }


def test_what_was_tried_for_speed_has_a_field_of_its_own() -> None:
    plain = ports.evidence("k", ports.PASSED)
    assert unit_data(plain, Level.TESTED)["optimization"] is None
    found = unit_data(replace(plain, optimization=ports.OPTIMIZED), Level.TESTED)
    assert found["speedup"] == 2.0
    assert found["optimization"]["applied"] == ["tile"]
    assert found["optimization"]["speedup"]["low"] == 1.5
    assert [step["outcome"] for step in found["optimization"]["steps"]] == ["applied", "refused"]
    json.dumps(found)


def test_summary_has_no_units() -> None:
    assert summary_data(ports.port(ports.PASSED)).keys() >= PORT_FIELDS - {"units"}
    assert "units" not in summary_data(ports.port(ports.PASSED))


def test_programs_and_builds_are_findings() -> None:
    programs = (
        ProgramVerdict(command="./main", verdict=ports.FALSIFIED),
        ProgramVerdict(command="./other", verdict=ports.PASSED),
        ProgramVerdict(command="./third", verdict=Rejected(stage="program", diagnostics=())),
    )
    port = ports.port(ports.PASSED, programs=programs, built=False)
    assert [item.code for item in of_port(port)] == ["TP510", "TP510", "TP512"]
    found = port_data(port)
    assert [item["verdict"] for item in found["programs"]] == ["falsified", "passed", "rejected"]
    assert found["programs"][1]["reason"] is None
    assert port.exit_status == 1


def test_what_a_unit_says_is_not_said_again() -> None:
    port = ports.port(ports.REJECTED, ports.REJECTED)
    (known,) = ports.REJECTED.diagnostics
    other = replace(known, line=10)
    found = of_port(replace(port, diagnostics=(known, other)))
    assert [(item.unit, item.line) for item in found] == [
        ("src/a.cu::k0(int)", 9), ("src/a.cu::k1(int)", 9), ("", 10),
    ]  # fmt: skip


def test_github_finds_files_wherever_in_a_checkout_the_source_is(tmp_path: Path) -> None:
    found = of_port(ports.port(ports.UNDECIDED))
    source, said = tmp_path / "code" / "app", "line=3,col=1,title=TP403::source is racy"
    assert lines(found, source, tmp_path) == [f"::error file=code/app/src/a.cu,{said}"]
    assert lines(found, source, source) == [f"::error file=src/a.cu,{said}"]
    assert lines(found, source, tmp_path / "other") == [f"::error file={source}/src/a.cu,{said}"]
    (whole,) = lines([replace(item, path=str(tmp_path)) for item in found], source, tmp_path)
    assert whole == "::error title=TP403::source is racy", "a folder has no lines"


def test_github_commands_are_escaped(tmp_path: Path) -> None:
    program = ProgramVerdict(command="./main\n100%, a:b", verdict=ports.FALSIFIED)
    (line,) = lines(of_port(ports.port(ports.PASSED, programs=(program,))), tmp_path, tmp_path)
    assert "./main%0A100%25, a:b" in line
    assert "\n" not in line
