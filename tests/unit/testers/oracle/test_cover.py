from dataclasses import replace

import pytest

from transpile.core import Span, Unit, UnitKind
from transpile.testers.oracle.cover import (
    Branch,
    Coverage,
    _rows,
    compared_with_null,
    counted,
    impossible,
    unexecuted,
)
from transpile.testers.prove.ways import Ways

TEXT = b"""__global__ void k(float *y, int n) {
    assert(n > 0);
    if (y == nullptr) return;
    if (n > 3) y[0] = 1;
}"""
UNIT = Unit(
    id="a.cu::k",
    kind=UnitKind.KERNEL,
    path="src/a.cu",
    name="k",
    span=Span(start=0, end=9),
    line=10,
    text=TEXT,
)


def at(line: int, *counts: int, path: str = "src/a.cu") -> list[Branch]:
    return [Branch(path, line, count) for count in counts]


def test_branches_within_the_unit_count() -> None:
    found = counted([*at(13, 5, 0), *at(9, 0), *at(15, 0), *at(13, 0, path="src/b.cu")], [UNIT])
    never, branches = {"src/a.cu:13": (1, 2)}, {"src/a.cu:13": 2}
    assert found == Coverage(taken=1, total=2, never=never, branches=branches)
    assert found.share == 0.5


def test_failed_assertions_and_null_pointers_are_unreachable() -> None:
    found = counted([*at(11, 7, 0), *at(12, 0, 7), *at(13, 1, 1)], [UNIT])
    assert (found.taken, found.total, found.unreachable) == (4, 4, 2)


@pytest.mark.parametrize(
    ("line", "count"),
    [
        (b"assert(n > 0);", 1),
        (b"assert(n > 0 && m > 0);", 2),
        (b"if (x == NULL || y == NULL) return;", 2),
        (b"if (x) x[0] = 1; if (y) y[0] = 1;", 2),
        (b"if (!x || (y)) return;", 2),
        (b"float v = x ? x[0] : 0;", 1),
        (b"return f(x ? x[0] : 0);", 1),
        (b"float v = x == y ? 1 : 2;", 0),
        (b"if (n) x[0] = f(x);", 0),
        (b"if (x[0] > 1 && *x) y[0] = 2;", 0),
    ],
)
def test_branches_that_nothing_takes(line: bytes, count: int) -> None:
    assert impossible(line, frozenset({"x", "y"})) == count


def test_a_null_pointer_excuses_no_other_branch_of_its_line() -> None:
    found = counted(at(12, 0, 7, 0, 3), [UNIT])
    assert (found.taken, found.total, found.unreachable) == (2, 3, 1)
    assert found.missing == ("src/a.cu:12",)


def test_a_unit_without_branches_is_covered() -> None:
    assert counted([], [UNIT]).share == 1.0


@pytest.mark.parametrize(
    ("untaken", "of", "total", "missing"),
    [(1, 4, 6, ("b",)), (1, 5, 7, ("a", "b")), (2, 4, 7, ("a", "b")), (0, 4, 7, ("a", "b"))],
    ids=["excused", "conditions that are no branches", "more than were missed", "none"],
)
def test_branches_shown_to_be_untaken_count_only_where_they_are_those_missed(
    untaken: int, of: int, total: int, missing: tuple[str, ...]
) -> None:
    before = Coverage(taken=4, total=7, never={"a": (1, 4), "b": (2, 3)})
    found = before.without({"a": Ways(untaken, of), "c": Ways(1, 2)})
    assert (found.taken, found.total, found.missing) == (4, total, missing)
    assert found.unreachable == 7 - total


def test_exceptions_and_instantiations_that_never_ran_do_not_count() -> None:
    def line(function: str, *branches: tuple[int, bool]) -> dict[str, object]:
        made = [{"count": count, "throw": throw, "fallthrough": True} for count, throw in branches]
        return {"line_number": 13, "function_name": function, "branches": made}

    report = {
        "files": [
            {
                "file": "src/./a.cu",
                "functions": [
                    {"name": "ran", "execution_count": 3, "start_line": 1, "start_column": 1},
                    {"name": "other", "execution_count": 0, "start_line": 5, "start_column": 1},
                ],
                "lines": [
                    line("ran", (1, False), (2, False), (3, False), (0, True), (4, False)),
                    line("other", (0, False)),
                ],
            }
        ]
    }
    found = [Branch(row.path, row.line, row.count) for row in _rows(report)]
    assert found == at(13, 1, 2, 4)


def test_lines_with_statements_that_never_ran_are_named() -> None:
    def line(number: int, count: int, function: str = "ran", *, part: bool = False) -> dict[str, object]:
        return {
            "line_number": number,
            "function_name": function,
            "count": count,
            "unexecuted_block": part or not count,
            "branches": [],
        }

    functions = [{"name": "ran", "execution_count": 3}, {"name": "other", "execution_count": 0}]
    lines = [
        line(11, 3, part=True),
        line(12, 3, part=True),
        line(13, 3, part=True),
        line(13, 0, "other"),
        line(14, 3),
        line(99, 0),
    ]
    report = {"files": [{"file": "src/./a.cu", "functions": functions, "lines": lines}]}
    assert unexecuted(report, [UNIT], frozenset({"y"})) == {"src/a.cu:13"}, "assertions, null pointers"
    assert not unexecuted({"files": [{**report["files"][0], "functions": functions[1:]}]}, [UNIT])


def test_a_line_that_nothing_reaches_is_none_that_trials_leave_out() -> None:
    before = Coverage(
        taken=4, total=7, never={"a": (1, 4), "b": (2, 3)}, unexecuted=frozenset({"a", "b", "c"})
    )
    assert before.without({"a": Ways(1, 4)}).unexecuted == {"b", "c"}


@pytest.mark.parametrize(
    ("ways", "missing"),
    [
        (Ways(3, 8, 2), ("k.cu:9",)),
        (Ways(3, 7, 2), ("k.cu:7", "k.cu:8", "k.cu:9")),
        (Ways(2, 8, 2), ("k.cu:7", "k.cu:8", "k.cu:9")),
        (Ways(4, 8, 2), ("k.cu:7", "k.cu:8", "k.cu:9")),
        (Ways(3, 10, 3), ("k.cu:7", "k.cu:8", "k.cu:9")),
    ],
    ids=["all of them", "other branches", "fewer than were missed", "more", "other lines"],
)
def test_a_condition_of_several_lines_counts_as_one(ways: Ways, missing: tuple[str, ...]) -> None:
    never = {"k.cu:7": (1, 2), "k.cu:8": (2, 6), "k.cu:9": (1, 4)}
    before = Coverage(taken=4, total=8, never=never, branches={"k.cu:7": 2, "k.cu:8": 6, "k.cu:9": 4})
    found = before.without({"k.cu:7": ways})
    assert found.missing == missing
    assert found.unreachable == (3 if len(missing) == 1 else 0)


def test_lines_of_which_all_branches_were_taken_count() -> None:
    before = Coverage(taken=7, total=8, never={"k.cu:7": (1, 2)}, branches={"k.cu:7": 2, "k.cu:8": 6})
    assert before.without({"k.cu:7": Ways(1, 8, 2)}).missing == ()
    assert before.without({"k.cu:7": Ways(1, 2, 2)}).missing == ("k.cu:7",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"if (y == nullptr) return;", ("y",)),
        (b"if (NULL != z) return;", ("z",)),
        (b"z[i] = y ? y[i] : 0;", ("y",)),
        (b"if (y[0] == 0 && *z) return;", ()),
        (b"float f(const float *w) { return w ? *w : 0; }", ("y", "z")),
        (b"void f(const float *y) { y[0] = n == 0; }", ()),
    ],
)
def test_pointers_that_are_compared_with_null(text: bytes, names: tuple[str, ...]) -> None:
    assert compared_with_null([replace(UNIT, text=text)], ["y", "z"]) == names
