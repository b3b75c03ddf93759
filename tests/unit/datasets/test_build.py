"""A data set from evidence: what is left out, what it is split by, and whether trainers read it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.cli import ports
from tests.unit.datasets.test_likeness import ADD, PLUS, SUM
from transpile.core import (
    Attempt,
    Binding,
    Candidate,
    Contract,
    Covers,
    Evidence,
    Level,
    Replacement,
    Signature,
    Trial,
    Verdict,
    digest,
)
from transpile.datasets.pairs import Decided, decided

pytest.importorskip("datasketch", reason="extra pairs is not installed")
pytest.importorskip("detect_secrets", reason="extra pairs is not installed")
pytest.importorskip("pyarrow", reason="extra pairs is not installed")

from transpile.datasets import build, writing
from transpile.datasets.contamination import kept_back
from transpile.datasets.secret_scan import SecretScan
from transpile.datasets.splits import Shares

LOOP = "void {name}(float *c, int n) {{ for (int i = 0; i < n; ++i) c[i] = c[i] {sign} 1; }}"


def evidence(source: str, *given: tuple[str, Verdict]) -> Evidence:
    """Return evidence of a unit with candidates of these texts."""
    plain = ports.evidence("k", ports.PASSED)
    attempts = tuple(
        Attempt(
            candidate=Candidate(
                unit=plain.unit.id,
                replacements=(Replacement(unit=plain.unit.id, text=text.encode()),),
                binding=Binding(name=text.partition("(")[0].split()[-1], arguments=("c", "n")),
            ),
            verdict=verdict,
        )
        for text, verdict in given
    )
    contract = Contract(signature=Signature(name="k"), arrays=(), scalars=(), law=Covers(x="n"))
    return replace(
        plain,
        unit=replace(plain.unit, text=source.encode()),
        attempts=attempts,
        contracts=(contract,),
        context=(),
        id=digest(source)[:12],
    )


RIGHT, WRONG = LOOP.format(name="k", sign="+"), LOOP.format(name="k", sign="-")

ALL_TRAIN = Shares(validation=0.0, test=0.0)


def built(*found: Evidence, **cleaning: object) -> tuple[build.Tables, build.Report]:
    items: list[Decided] = list(decided(found, Level.TESTED))
    return build.build(items, build.Cleaning(near=0.8, **cleaning), ALL_TRAIN)  # type: ignore[arg-type]


def count(tables: build.Tables, name: str) -> int:
    return sum(map(len, tables.get(name, {}).values()))


def test_the_same_under_other_names_is_there_once() -> None:
    tables, report = built(
        evidence(ADD, (RIGHT, ports.PASSED)),
        evidence(PLUS, (RIGHT.replace("(float *c", "(float *out").replace("c[i]", "out[i]"), ports.PASSED)),
        evidence(SUM, (RIGHT, ports.PASSED)),
    )
    assert count(tables, "pairs") == 2
    assert sum(report.removed.values()) == 1


def test_what_is_kept_back_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "suite.jsonl").write_text(json.dumps({"source": PLUS}))
    held = kept_back([tmp_path / "suite.jsonl"])
    given = [evidence(ADD, (RIGHT, ports.PASSED)), evidence(SUM, (RIGHT, ports.PASSED))]
    tables, report = built(*given, kept_back=held)
    assert report.removed == {"in what was named to be kept out": 1}
    assert [row["source"].strip() for rows in tables["pairs"].values() for row in rows] == [SUM]
    assert count(built(*given)[0], "pairs") == 2


def test_secrets_and_places_are_left_out() -> None:
    key = ADD.replace("{", '{ const char *key = "AKIAIOSFODNN7EXAMPL2";', 1)
    place = SUM.replace("{", "{ // /home/somebody/work\n", 1)
    _, report = built(
        evidence(key, (RIGHT, ports.PASSED)),
        evidence(place, (RIGHT, ports.PASSED)),
        scan=SecretScan(["/home/somebody"]),
    )
    assert sorted(report.removed) == [
        "with a path of this machine",
        "with what looks like a secret (AWS Access Key)",
    ]


def test_what_an_earlier_version_decided_is_left_out() -> None:
    tables, report = built(replace(evidence(ADD, (RIGHT, ports.PASSED)), context=None))
    assert tables == {} and sum(report.removed.values()) == 1


def test_wrong_answers_become_preferences_labels_and_repairs() -> None:
    tables, _ = built(evidence(ADD, (WRONG, ports.FALSIFIED), (RIGHT, ports.PASSED)))
    assert {name: count(tables, name) for name in build.PURPOSES} == {
        "pairs": 2,
        "sft": 1,
        "preferences": 1,
        "labels": 2,
        "repairs": 1,
        "tests": 0,
    }
    [preference] = [row for rows in tables["preferences"].values() for row in rows]
    assert (
        "c[i] + 1" in preference["chosen"][0]["content"]
        and "c[i] - 1" in preference["rejected"][0]["content"]
    )
    [repaired] = [row for rows in tables["repairs"].values() for row in rows]
    assert [turn["role"] for turn in repaired["prompt"]] == ["system", "user", "assistant", "user"]
    assert "behaves unlike its source" in repaired["prompt"][-1]["content"]


def test_written_tests_are_rows() -> None:
    trial = Trial(seed=0, fill="exact", scalars=(("n", 2),), written=(("c", (1, 2.5)),))
    tables, _ = built(replace(evidence(ADD, (RIGHT, ports.PASSED)), pool=(trial,)))
    [row] = [row for rows in tables["tests"].values() for row in rows]
    assert json.loads(row["completion"][0]["content"]) == {
        "tests": [{"scalars": {"n": 2}, "arrays": {"c": [1, 2.5]}}]
    }


def test_libraries_read_it_as_it_is(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="extra hf is not installed")
    tables, report = built(
        evidence(ADD, (WRONG, ports.FALSIFIED), (RIGHT, ports.PASSED)), evidence(SUM, (RIGHT, ports.PASSED))
    )
    out = tmp_path / "set"
    writing.write(out, tables, report, near=0.8, against=())
    assert "Nothing was named to be kept out" in (out / writing.CARD).read_text()
    split = "train"
    for name in ("pairs", "sft", "preferences", "labels", "repairs"):
        loaded = datasets.load_dataset(str(out), name, split=split, cache_dir=str(tmp_path / "cache"))
        plain = datasets.load_dataset(
            "json",
            data_files=str(out / name / f"{split}.jsonl"),
            split="train",
            cache_dir=str(tmp_path / "cache"),
        )
        assert loaded.num_rows == plain.num_rows == len(tables[name][split])
        assert loaded.column_names == plain.column_names
    trl = pytest.importorskip("trl", reason="trl is not installed")
    for name in ("sft", "preferences", "labels", "repairs"):
        row = datasets.load_dataset(str(out), name, split=split, cache_dir=str(tmp_path / "cache"))[0]
        assert trl.is_conversational(row)
