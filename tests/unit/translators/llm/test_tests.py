"""The tests that are in an answer, whatever else is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.testers.making import MAP
from transpile import parsers
from transpile.core import Source, WrittenTest
from transpile.translators.llm.gaps import Gaps
from transpile.translators.llm.tests import MOST, question, schema, written_in

TEST = {
    "why": "an edge",
    "scalars": {"n": 3, "a": 0.5},
    "arrays": {"x": [1, -2.5]},
    "grid": [2],
    "block": [4, 1, 1],
}
FOUND = WrittenTest(
    scalars=(("n", 3), ("a", 0.5)), arrays=(("x", (1, -2.5)),), grid=(2, 1, 1), block=(4, 1, 1)
)
WHOLE = json.dumps({"tests": [TEST]})


@pytest.mark.parametrize(
    "answer",
    [
        WHOLE,
        f"Here you are:\n```json\n{WHOLE}\n```\nHope { {'it': 'helps'} }!",
        json.dumps([TEST]),
        json.dumps(TEST) + json.dumps(TEST),
        WHOLE[:-2] + ', {"scalars": {"n": 4}, "arr',
        "{" + WHOLE,
        json.dumps({"tests": [TEST, "nonsense", 3, None, {"scalars": []}]}),
    ],
    ids=["bare", "fenced", "list", "loose", "cut off", "stray brace", "nonsense"],
)
def test_tests_are_found(answer: str) -> None:
    assert written_in(answer) == [FOUND]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        "{" * 100_000,
        '{"tests": [' + "[" * 100_000,
        '{"tests": []}',
        '{"scalars": {"n": NaN, "m": Infinity, "k": true, "l": "3"}}',
        '{"arrays": {"x": [1, "two"]}}',
        '{"scalars": {"n": ' + "9" * 5000 + "}}",
        '{"scalars": {"n": ' + "9" * 400 + "}}",
        '{"expected": {"y": [1]}}',
    ],
)
def test_what_is_no_test_is_left_out(answer: str) -> None:
    assert written_in(answer) == []


def test_what_a_test_expects_is_not_read() -> None:
    assert written_in(json.dumps({**TEST, "expected": {"y": [42]}, "result": 1})) == [FOUND]


def test_no_more_than_so_many_are_read() -> None:
    many = json.dumps({"tests": [{"scalars": {"n": number}} for number in range(100)]})
    assert len(written_in(many)) == MOST


@given(st.text(alphabet='{}[]":,.0123456789eE-+ntrufalsx\\ \n', max_size=200))
def test_no_answer_is_too_strange(answer: str) -> None:
    written_in(answer)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5), st.lists))
def test_no_value_is_too_strange(value: object) -> None:
    written_in(json.dumps({"tests": [{"scalars": {"n": value}, "arrays": {"x": value}, "grid": value}]}))
    written_in(json.dumps({"tests": value}))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("source")
    text = "__global__ void k(const float *x, float *y, int n)\n{\n    if (n > 3) y[0] = x[0]; // größer\n}\n"
    (root / "k.cu").write_text(text)
    return parsers.read(root)


def test_the_question_says_what_is_open(source: Source) -> None:
    [unit] = source.units
    gaps = Gaps(branches=("k.cu:3",), faults=("`>` becomes `>=`",), declined=("n = 7: nothing new",))
    system, user = question(source, unit, (MAP,), gaps, 4, 99)
    assert "at most 99 elements" in system.content
    assert "Write at most 4 tests of this kernel" in user.content
    for told in ("line 3: `if (n > 3) y[0] = x[0]; // größer`", "`>` becomes `>=`", "n = 7: nothing new"):
        assert told in user.content
    assert "passed every test" not in user.content
    form = next(line for line in system.content.splitlines() if line.startswith("{"))
    assert set(json.loads(form)["tests"][0]) == {"why", "scalars", "arrays", "grid", "block"}
    assert json.loads(form)["tests"][0]["arrays"].keys() == {"x"}
    wanted = json.loads(schema(unit, (MAP,), 4))
    assert wanted["properties"]["tests"]["maxItems"] == 4


def test_the_form_that_is_shown_is_a_test(source: Source) -> None:
    [unit] = source.units
    system, _ = question(source, unit, (MAP,), Gaps(), 1, 99)
    [test] = written_in(next(line for line in system.content.splitlines() if line.startswith("{")))
    assert dict(test.scalars).keys() == {"n"}
