"""Rounds of a Translator and a Tester over a corpus, with real compilers and scripted models."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from transpile.core import Level, Passed
from transpile.datasets.pairs import rows
from transpile.store import Store
from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="clang-19 is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

KERNELS = {
    "pick": """__global__ void pick(int *c, const int *a, const int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] > b[i] ? a[i] - b[i] : a[i] + b[i];
}
""",
    "scale": """__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = a[i] * 2 + 1;
}
""",
}
HEADS = {
    "pick": "void pick(int *c, const int *a, const int *b, int n)",
    "scale": "void scale(float *a, int n)",
}
BODIES = {
    "pick": "{ for (int i = 0; i < n; ++i) c[i] = a[i] %s b[i] ? a[i] - b[i] : a[i] + b[i]; }",
    "scale": "{ for (int i = 0; i < n; ++i) a[i] = a[i] * 2 + %s; }",
}


def code(name: str, part: str) -> str:
    return f"```cpp\n{HEADS[name]}\n{BODIES[name] % part}\n```\n"


def script(path: Path, **answers: list[str]) -> str:
    """Write answers by what the last message mentions; return the model that gives them."""
    lines = [{"pattern": pattern, "answers": said} for pattern, said in answers.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"scripted:{path}"


def wordless(path: Path) -> str:
    """Return a Tester that writes no tests."""
    return script(path, **{".": ["None."] * 20})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name, text in KERNELS.items():
        (tmp_path / "corpus" / name).mkdir(parents=True)
        (tmp_path / "corpus" / name / f"{name}.cu").write_text(text)
    return tmp_path / "corpus"


def command(corpus: Path, translator: str, tester: str, *more: str) -> list[str]:
    words = ["evolve", str(corpus), "--to", "openmp", "--out", str(corpus.with_name("out"))]
    words += ["--translator-model", translator, "--tester-model", tester, *more]
    return [sys.executable, "-c", "from transpile.cli.main import main; main()", *words]


def evolve(words: list[str], cache: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"TRANSPILE_CACHE": str(cache)}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def table(out: Path, number: int, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / f"round-{number}" / name).read_text().splitlines()]


def figures(out: Path, number: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / f"round-{number}" / "metrics.json").read_text())
    return found


def units(out: Path, number: int) -> dict[str, dict[str, Any]]:
    found = json.loads((out / f"round-{number}" / "matrix.json").read_text())["units"]
    return {unit["entry"]: unit for unit in found}


@pytest.mark.thorough
def test_wrong_answers_first_and_right_ones_when_told(corpus: Path, cache: Path) -> None:
    out = corpus.with_name("out")
    translator = script(
        out.with_suffix(".jsonl"),
        pick=[code("pick", ">="), code("pick", ">"), code("pick", ">"), code("pick", "<")],
        scale=[code("scale", "2"), "I cannot do that.", code("scale", "1"), code("scale", "1.0f")],
    )
    tester = wordless(out.with_suffix(".tests"))
    words = command(corpus, translator, tester, "--rounds", "2", "--samples", "2", "--output-format", "jsonl")
    ran = evolve(words, cache)
    assert ran.returncode == 0, ran.stderr
    first, second = map(json.loads, ran.stdout.splitlines())
    assert (first["pass_at_1"], first["pass_at_k"], first["kept"]) == (0.25, 0.5, 1)
    assert (second["pass_at_1"], second["pass_at_k"], second["kept"]) == (0.75, 1.0, 2)
    assert figures(out, 2) == second
    # A wrong candidate differs somewhere, the kept one nowhere.
    pick = units(out, 1)["pick"]
    assert [row["verdict"] for row in pick["rows"]] == ["falsified", "passed"]
    assert "differs" in pick["cells"][0] and set(pick["cells"][1]) == {"agrees"}
    # What is kept is a row of the next round's matrix, too.
    assert units(out, 2)["pick"]["rows"][0] == {"name": "round 1, answer 2", "verdict": "passed"}
    lessons = [row for number in (1, 2) for row in table(out, number, "translator-sft.jsonl")]
    taught = [row["messages"][-1]["content"] for row in lessons]
    assert sorted(taught) == sorted([code("pick", ">"), code("scale", "1"), code("scale", "1.0f")])
    pairs = [row for number in (1, 2) for row in table(out, number, "translator-preferences.jsonl")]
    assert {row["chosen"][0]["content"] for row in pairs} == {code("pick", ">"), code("scale", "1")}
    refuted = [code("pick", ">="), code("pick", "<"), code("scale", "2"), "I cannot do that."]
    assert sorted(row["rejected"][0]["content"] for row in pairs) == sorted(refuted)
    # The question is the first one: nobody is to learn the wrong answers that were shown in between.
    assert {len(row["prompt"]) for row in pairs} == {2} and {len(row["messages"]) for row in lessons} == {3}
    # Other commands know what came of it.
    store = Store(cache / "evidence")
    kept = store.get(units(out, 2)["scale"]["evidence"])
    assert isinstance(kept.verdict, Passed)
    assert {row["agrees"] for row in rows([kept], Level.TESTED)} == {True, False}


HIDDEN = """__global__ void hidden(unsigned *out, const unsigned *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i] == 304084036u ? 7u : in[i];
}
"""
COPY = """__global__ void copy(unsigned *out, const unsigned *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
"""
LOOP = """```cpp
void %s(unsigned *out, const unsigned *in, int n)
{
    for (int i = 0; i < n; ++i) out[i] = %s;
}
```
"""
SEEING = {"scalars": {"n": 3}, "arrays": {"in": [1234567890, 0, 1]}, "grid": [1, 1, 1], "block": [32, 1, 1]}


def by_tester(*tests: object) -> str:
    return json.dumps({"tests": tests})


def one(corpus: Path, name: str, text: str) -> None:
    """Make a corpus of one file."""
    shutil.rmtree(corpus)
    corpus.mkdir()
    (corpus / f"{name}.cu").write_text(text)


@pytest.mark.thorough
def test_a_test_tells_the_right_translation_from_the_wrong_one(corpus: Path, cache: Path) -> None:
    out = corpus.with_name("out")
    one(corpus, "hidden", HIDDEN)
    wrong = LOOP % ("hidden", "in[i]")
    right = LOOP % ("hidden", "in[i] * in[i] == 304084036u ? 7u : in[i]")
    # What the test claims is what the wrong translation does: nobody listens.
    lie = {**SEEING, "expected": {"out": [1234567890, 0, 1]}, "note": "the first translation is right"}
    useless, invalid = {"scalars": {"n": 2}, "arrays": {"in": [5]}}, {"scalars": {"n": -1}}
    translator = script(out.with_suffix(".jsonl"), hidden=[wrong, right])
    tester = script(out.with_suffix(".tests"), hidden=[by_tester(lie, useless, invalid)])
    words = command(corpus, translator, tester, "--rounds", "1", "--samples", "2")
    ran = evolve(words, cache)
    assert ran.returncode == 0, ran.stderr
    found = figures(out, 1)
    assert (found["kept"], found["written"], found["admitted"]) == (1, 3, 1)
    assert found["validity"] == pytest.approx(2 / 3) and found["discriminating"] == 1.0
    assert found["mutation_score"] == 1.0
    [unit] = units(out, 1).values()
    assert [column["written"] for column in unit["columns"]].index(True) == len(unit["columns"]) - 1
    assert [row["verdict"] for row in unit["rows"]] == ["falsified", "passed"]
    # Generated trials see nothing; the written one does.
    assert [cells.count("differs") for cells in unit["cells"]] == [1, 0]
    assert unit["cells"][0][-1] == "differs"
    [taught] = table(out, 1, "tester-sft.jsonl")
    assert json.loads(taught["messages"][-1]["content"]) == {"tests": [SEEING]}
    pairs = table(out, 1, "tester-preferences.jsonl")
    assert {row["chosen"][0]["content"] for row in pairs} == {taught["messages"][-1]["content"]}
    worse = [json.loads(row["rejected"][0]["content"])["tests"][0]["scalars"]["n"] for row in pairs]
    assert worse == [-1, 2]


@pytest.mark.thorough
def test_a_later_test_ends_what_was_kept(corpus: Path, cache: Path) -> None:
    """What knows a number that no generated trial holds is kept, until a test has it."""
    out = corpus.with_name("out")
    one(corpus, "copy", COPY)
    cheat, right = (
        LOOP
        % (
            "copy",
            "in[i] - 1234567883u * ((OFF - 1u & ~OFF) >> 31)".replace("OFF", "(in[i] * in[i] ^ 304084036u)"),
        ),
        LOOP % ("copy", "in[i]"),
    )
    translator = script(out.with_suffix(".jsonl"), copy=[cheat, "I cannot.", right])
    tester = script(out.with_suffix(".tests"), copy=["None.", by_tester(SEEING), "None."])
    words = command(corpus, translator, tester, "--samples", "1", "--rounds")
    assert evolve([*words, "1"], cache).returncode == 0
    assert figures(out, 1)["kept"] == 1
    assert [row["messages"][-1]["content"] for row in table(out, 1, "translator-sft.jsonl")] == [cheat]
    translator = script(out.with_suffix(".jsonl"), copy=["I cannot.", right])
    script(out.with_suffix(".tests"), copy=[by_tester(SEEING), "None."])
    ran = evolve([*words, "3"], cache)
    assert ran.returncode == 0, ran.stderr
    second, third = figures(out, 2), figures(out, 3)
    assert (second["fallen"], second["kept"]) == (1, 0)
    [unit] = units(out, 2).values()
    assert unit["rows"] == [{"name": "round 1, answer 1", "verdict": "falsified"}]
    # Nobody is to learn it any more, from whichever round.
    assert table(out, 1, "translator-sft.jsonl") == []
    assert (third["fallen"], third["kept"], third["pass_at_1"]) == (0, 1, 1.0)
    [pair] = [
        row for row in table(out, 3, "translator-preferences.jsonl") if row["rejected"][0]["content"] == cheat
    ]
    assert pair["chosen"][0]["content"] == right


@pytest.mark.thorough
def test_a_later_test_decides_what_was_open(corpus: Path, cache: Path) -> None:
    """No trial takes the branch: a candidate is neither kept nor refuted until a test does."""
    out = corpus.with_name("out")
    one(corpus, "hidden", HIDDEN)
    wrong = LOOP % ("hidden", "in[i]")
    right = LOOP % ("hidden", "in[i] * in[i] == 304084036u ? 7u : in[i]")
    translator = script(out.with_suffix(".jsonl"), hidden=[wrong, right, "None.", "None."])
    tester = script(out.with_suffix(".tests"), hidden=["None.", by_tester(SEEING)])
    ran = evolve(command(corpus, translator, tester, "--rounds", "2", "--samples", "2"), cache)
    assert ran.returncode == 0, ran.stderr
    assert (figures(out, 1)["kept"], figures(out, 2)["kept"]) == (0, 1)
    verdicts = [
        [row["verdict"] for unit in units(out, number).values() for row in unit["rows"]] for number in (1, 2)
    ]
    assert verdicts == [["inconclusive", "inconclusive"], ["falsified", "passed"]]
    pairs = table(out, 2, "translator-preferences.jsonl")
    assert {row["chosen"][0]["content"] for row in pairs} == {right}
    assert {row["rejected"][0]["content"] for row in pairs} == {wrong, "None."}


@pytest.mark.thorough
def test_nobody_answers(corpus: Path, cache: Path) -> None:
    out = corpus.with_name("out")
    silent = script(out.with_suffix(".jsonl"), nothing=[])
    ran = evolve(command(corpus, silent, silent, "--rounds", "2", "--samples", "1"), cache)
    assert ran.returncode == 1, ran.stderr
    assert "the script has no answer left" in ran.stderr and "not every question" in ran.stderr
    assert not (out / "round-1").exists()


@pytest.mark.thorough
def test_the_budget_is_for_both_models_and_is_never_exceeded(corpus: Path, cache: Path) -> None:
    out = corpus.with_name("out")
    right = script(out.with_suffix(".jsonl"), pick=[code("pick", ">")], scale=[code("scale", "1")])
    words = command(
        corpus,
        right,
        wordless(out.with_suffix(".tests")),
        "--rounds",
        "1",
        "--samples",
        "1",
        "--max-tokens",
        "500",
    )
    ran = evolve(words, cache)
    assert ran.returncode == 1 and "the budget is used up: 0 tokens of 500 are spent" in ran.stderr
    # It is no part of what an evolution is: more of it, and the same command goes on.
    assert evolve([*words[:-1], "100000"], cache).returncode == 0
    assert figures(out, 1)["kept"] == 2


@pytest.mark.thorough
def test_another_evolution_is_left_alone(corpus: Path, cache: Path) -> None:
    out = corpus.with_name("out")
    silent = script(out.with_suffix(".jsonl"), nothing=[])
    evolve(command(corpus, silent, silent, "--samples", "1"), cache)
    ran = evolve(command(corpus, silent, silent, "--samples", "2"), cache)
    assert ran.returncode == 2
    assert "samples differ" in ran.stderr


@pytest.mark.thorough
def test_training_between_rounds(corpus: Path, cache: Path) -> None:
    out = corpus.with_name("out")
    shutil.rmtree(corpus / "pick")
    first = script(out.with_suffix(".jsonl"), scale=[code("scale", "2")])
    second = script(out.with_suffix(".better"), unlike=[code("scale", "1")])
    tester = wordless(out.with_suffix(".tests"))
    trainer = out.with_suffix(".py")
    trainer.write_text("import sys; sys.exit(3)")
    words = command(corpus, first, tester, "--rounds", "2", "--samples", "1")
    words += ["--train", f"{sys.executable} {trainer}"]
    ran = evolve(words, cache)
    assert ran.returncode == 2 and "ended with status 3 after round 1" in ran.stderr
    assert figures(out, 1)["kept"] == 0
    models = json.dumps({"translator": [second], "tester": [tester]})
    trainer.write_text(
        "import os, pathlib\n"
        "assert os.environ['TRANSPILE_ROUND'] == '1'\n"
        f"pathlib.Path(os.environ['TRANSPILE_ROUND_DIR'], 'models.json').write_text({models!r})\n"
    )
    ran = evolve(words, cache)
    assert ran.returncode == 0, ran.stderr
    assert figures(out, 2)["kept"] == 1
    trainer.write_text("import sys; sys.exit(3)")  # What has run is not run again.
    assert evolve(words, cache).returncode == 0


@pytest.mark.thorough
def test_a_killed_run_goes_on_where_it_was(corpus: Path, cache: Path) -> None:
    out = corpus.with_name("out")
    told = ["unlike its source"]
    translator = out.with_suffix(".jsonl")
    lines = [
        {"pattern": "`pick`[^`]*prototype|__global__ void pick", "answers": [code("pick", ">=")]},
        {"pattern": "__global__ void scale", "answers": [code("scale", "2")]},
        {"pattern": f"{told[0]}[^$]*pick", "answers": [code("pick", ">")]},
        {"pattern": f"{told[0]}[^$]*scale", "answers": [code("scale", "1")]},
    ]
    translator.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = command(corpus, f"scripted:{translator}", wordless(out.with_suffix(".tests")), "--rounds", "2")
    words += ["--samples", "1", "--jobs", "1"]
    environment = os.environ | {"TRANSPILE_CACHE": str(cache)}
    seen: list[dict[Path, int]] = []
    for _ in range(8):
        process = subprocess.Popen(
            words, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        before = decided(out)
        until = time.monotonic() + 120
        while process.poll() is None and len(decided(out)) == len(before) and time.monotonic() < until:
            time.sleep(0.02)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        seen.append(decided(out))
        if process.returncode == 0:
            break
    assert process.returncode == 0
    assert len(seen) > 3
    # What was on disk when it was killed is there at the end, untouched.
    assert all(
        last[path] == stamp for earlier in seen for last in seen[-1:] for path, stamp in earlier.items()
    )
    assert figures(out, 1)["kept"] == 0 and figures(out, 2)["kept"] == 2


def decided(out: Path) -> dict[Path, int]:
    """Return when the record of each unit and round was written."""
    return {path: path.stat().st_mtime_ns for path in out.glob("round-*/units/[!.]*.json")}
