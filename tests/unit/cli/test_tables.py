from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.unit.cli import ports
from transpile.cli import tables
from transpile.core import Inconclusive, ProgramVerdict


def test_everything_a_person_needs_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    program = ProgramVerdict(command="./main 16", verdict=Inconclusive(reason="it reads the clock"))
    tables.full(
        ports.port(
            ports.PASSED, ports.FALSIFIED, ports.REJECTED, ports.UNDECIDED, ports.BUILT, programs=(program,)
        )
    )
    said = capsys.readouterr().out
    for expected in (
        "✓ passed",
        "120",
        "99%",
        "src/a.cpp: k0",
        "TP400 src/a.cu:3",
        "out[17]: expected 1, got 2 (exact; n=17, x=0.5, grid=2, block=4x2, exact fill, seed 5)",
        "transpile replay 0123456789ab",
        "TP201 src/b.cu:9",
        "texture",
        "TP403 src/a.cu:3",
        "source is racy",
        "passed at level built, below the required level tested",
        "./main 16",
        "it reads the clock",
        "1 of 5 units kept at level tested",
        "/somewhere/out",
        "/somewhere/out/transpile-report.html",
        "/somewhere/evidence",
        "transpile explain TP400",
    ):
        assert expected in said
    assert "\x1b" not in said
    assert "src/a.cpp: k1" not in said


def test_a_clean_port_says_what_to_do_next(capsys: pytest.CaptureFixture[str]) -> None:
    tables.full(ports.port(ports.PASSED))
    said = capsys.readouterr().out
    assert "transpile check /somewhere/out" in said
    assert "Not kept" not in said


def test_proofs_are_counted_apart_from_trials(capsys: pytest.CaptureFixture[str]) -> None:
    tables.full(ports.port(ports.PASSED, ports.PROVED, ports.FALSIFIED))
    said = " ".join(capsys.readouterr().out.split())
    assert "loops parallel at all sizes (1), agreement with the source (1)" in said
    tables.full(ports.port(ports.PASSED))
    assert "Proved" not in capsys.readouterr().out


def test_what_was_tried_for_speed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    plain = ports.port(ports.PASSED)
    tables.full(replace(plain, evidence=(replace(plain.evidence[0], optimization=ports.OPTIMIZED),)))
    words = " ".join(capsys.readouterr().out.split())
    assert "k0 2.00 times as fast (1.50 … 2.50)" in words
    assert "fuse: refused: It does not compile." in words


def test_what_clocks_chose_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    plain = ports.port(ports.PASSED)
    tables.full(replace(plain, evidence=(replace(plain.evidence[0], selection=ports.SELECTED),)))
    words = " ".join(capsys.readouterr().out.split())
    assert "k0 loops, openmp: taken: 2.00 times as fast (1.50 … 2.50)" in words
    assert "loops, fused: not timed: it does not build" in words
    assert "the source itself: 2.00 times as fast" in words


def test_concise(capsys: pytest.CaptureFixture[str]) -> None:
    tables.concise(ports.port(ports.PASSED, ports.UNDECIDED))
    assert capsys.readouterr().out == (
        "src/a.cu:3:1: TP403 source is racy\n1 of 2 units kept at level tested\n"
    )


def test_what_one_thread_of_a_device_runs_is_counted_apart(capsys: pytest.CaptureFixture[str]) -> None:
    found = ports.port(ports.PASSED, Inconclusive(reason="one thread alone runs `k`", code="TP432"))
    assert found.exit_status == 1
    tables.full(found)
    said = capsys.readouterr().out
    assert "? sequential on the device" in said
    assert "1 of 2 units kept at level tested, 1 sequential on the device" in said
    assert "TP432 src/a.cu:3" in said


def test_what_several_units_have_in_common_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    other = Inconclusive(reason="no sizes", code="TP403")
    tables.full(ports.port(*[ports.UNDECIDED] * 9, other, ports.UNDECIDED))
    said = capsys.readouterr().out
    assert said.count("source is racy") == 1 and said.count("no sizes") == 1
    [places] = re.findall(r"TP403 src/a.cu:3 .*?source is racy", said, re.DOTALL)
    assert places.count("src/a.cu:3") == 6 and "and 4 more" in places


def test_what_a_pass_leaves_open_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    shown = replace(ports.PASSED.guarantee, requires=("x has n + 2 elements",), parallel=100, single=("k2",))
    partly = replace(ports.PASSED, guarantee=shown)
    found = ports.port(partly, ports.PASSED)
    assert tables.what_was_shown(found.evidence[0]) == (
        "assumes x has n + 2 elements; one thread alone runs k2"
    )
    assert tables.what_was_shown(found.evidence[1]) == ""
    tables.full(found)
    words = " ".join(capsys.readouterr().out.split())
    assert "120 (100 parallel)" in words
    assert "one thread does alone k0 x has n + 2 elements one thread alone runs k2" in words
