from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cli import ports
from transpile.core import (
    Attempt,
    ByModel,
    Candidate,
    Contract,
    Covers,
    Evidence,
    Example,
    Inconclusive,
    Level,
    Passed,
    Replacement,
    Signature,
    Values,
    Verdict,
)
from transpile.datasets.origins import Origin
from transpile.datasets.pairs import rows


def with_attempts(*verdicts: Verdict) -> Evidence:
    """Return evidence of several candidates, each with another text."""
    plain = ports.evidence("k", ports.PASSED)
    assert plain.candidate is not None
    attempts = tuple(
        Attempt(candidate=changed(plain.candidate, number), verdict=verdict)
        for number, verdict in enumerate(verdicts)
    )
    contract = Contract(signature=Signature(name="k"), arrays=(), scalars=(), law=Covers(x="n"))
    return replace(plain, attempts=attempts, contracts=(contract,), closure=(plain.unit,))


def changed(candidate: Candidate, number: int) -> Candidate:
    text = f"void k{number}(int n) {{}}".encode() + b"\xff"
    return replace(candidate, replacements=(Replacement(unit=candidate.unit, text=text),))


def test_kept_and_refuted_candidates_are_rows() -> None:
    found = list(rows([with_attempts(ports.FALSIFIED, ports.UNDECIDED, ports.PASSED)], Level.TESTED))
    assert [row["agrees"] for row in found] == [False, True]
    refuted, kept = found
    assert refuted["counterexample"]["expected"] == "1"
    assert (refuted["level"], kept["level"]) == (None, "tested")
    assert kept["counterexample"] is None
    assert kept["target"] == "void k2(int n) {}\ufffd\n"
    assert kept["source"].count("__global__") == kept["callees"].count("__global__") == 1
    assert "[units" in kept["contracts"][0]["toml"]


EXAMPLE = Example(
    scalars=(("n", 3), ("x", 0.5)),
    inputs=(Values(name="a", type="float32", numbers=("0.1", "nan", "-2.0")),),
    outputs=(Values(name="b", type="float32", numbers=("1.0", None, "3.0")),),
)


def test_rows_stand_by_themselves() -> None:
    """Types, macros and calls with what came of them are there; places of this machine are not."""
    shown = replace(ports.PASSED.guarantee, examples=(EXAMPLE,))
    plain = with_attempts(ports.FALSIFIED, Passed(guarantee=shown))
    origin = ByModel(model="openai:big@https://llm.example.org/v1", prompt="p")
    asked = tuple(
        replace(item, candidate=replace(item.candidate, origin=origin) if item.candidate else None)
        for item in plain.attempts
    )
    found = replace(
        plain,
        attempts=asked,
        context=("#define CLAMP(x) (x)", "struct P { int a; };"),
        provenance=(("source", "/home/me/work"), ("flags", "-I/home/me"), ("g++", "12.2.0")),
    )
    where = Origin(
        repository="https://example.org/r.git", commit="c0ffee", licence="MIT", licence_file="LICENSE"
    )
    refuted, kept = rows([found], Level.TESTED, lambda _: where)
    assert kept["context"] == "#define CLAMP(x) (x)\nstruct P { int a; };"
    # The source's own calls are of use beside a wrong translation too.
    assert refuted["tests"] == kept["tests"]
    [test] = kept["tests"]
    assert test["scalars"] == [{"name": "n", "value": "3"}, {"name": "x", "value": "0.5"}]
    assert test["inputs"] == [{"name": "a", "type": "float32", "numbers": ["0.1", "nan", "-2.0"]}]
    assert test["outputs"][0]["numbers"] == ["1.0", None, "3.0"]
    assert (kept["repository"], kept["commit"], kept["licence"]) == (where.repository, "c0ffee", "MIT")
    assert kept["model"] == "openai:big"
    assert kept["tools"] == [{"name": "g++", "value": "12.2.0"}]
    assert "/home" not in json.dumps(kept)


def test_below_the_level_is_no_pair() -> None:
    assert list(rows([with_attempts(ports.PASSED)], Level.HARDENED)) == []
    assert list(rows([with_attempts(ports.BUILT)], Level.TESTED)) == []


def test_the_last_word_on_a_candidate_counts() -> None:
    passed = with_attempts(ports.PASSED)
    again = Attempt(candidate=passed.candidate, verdict=Inconclusive(reason="the program differs"))
    assert list(rows([replace(passed, attempts=(*passed.attempts, again))], Level.TESTED)) == []
    refuted = Attempt(candidate=passed.candidate, verdict=ports.FALSIFIED)
    (row,) = rows([replace(passed, attempts=(*passed.attempts, refuted))], Level.TESTED)
    assert row["agrees"] is False


def test_the_hugging_face_library_reads_it(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="extra hf is not installed")
    path = tmp_path / "pairs.jsonl"
    found = rows([with_attempts(ports.PASSED), with_attempts(ports.FALSIFIED, ports.PASSED)], Level.TESTED)
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    loaded = datasets.load_dataset(
        "json", data_files=str(path), cache_dir=str(tmp_path / "cache"), split="train"
    )
    assert loaded.num_rows == 3
    assert sum(loaded["agrees"]) == 2
    assert loaded[1]["counterexample"]["where"] == "out[17]"
