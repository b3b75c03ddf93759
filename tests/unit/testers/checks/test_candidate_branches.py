"""Untaken branches of a candidate that count: what the source does anyway needs no trial."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import OPENMP, Binding, Candidate, Replacement, Source
from transpile.testers.checks.candidate_branches import Known, Reading
from transpile.testers.oracle.cover import Branch
from transpile.testers.prove.ways import Ways

SOURCE = b"void f(int n, const int *x, char *y)\n{\n    for (int i = 0; i < n; i++) y[i] = x[i];\n}\n"
COPY = "static void f_in_order(int n, const int *x, char *y)\n{ for (int i = 0; i < n; i++) y[i] = x[i]; }\n"
HEAD = "void f(int n, const int *x, char *y)\n"
LOOP = "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = x[i];\n"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("source")
    (root / "a.c").write_bytes(SOURCE)
    return parsers.read(root)


def reading_of(source: Source, text: str, space: str, *, trusted: bool = False) -> Reading:
    [unit] = source.units
    candidate = Candidate(
        unit=unit.id,
        dialect=OPENMP,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=Binding(name="f", arguments=("n", "x", "y")),
    )
    known = Known(parts=(unit,), never=frozenset(), pointers=frozenset("xy"), trusted=trusted)
    return Reading(text.encode(), space, candidate, known)


def left(source: Source, text: str, line: str, *, trusted: bool = False, ran: bool = True) -> list[str]:
    """Return the untaken lines, where a line of a candidate took one way of two."""
    lines = text.split("\n")
    at = lines.index(line) + 1
    rows = [Branch("a.c", at, count, "space__f", (1, 1, "")) for count in (5, 0)]
    reading = reading_of(source, text, "space", trusted=trusted)
    everything = frozenset(range(1, len(lines) + 1)) if ran else frozenset((at,))
    return [item.text for item in reading.untaken(rows, everything)]


def test_a_branch_counts(source: Source) -> None:
    line = "if (n > 40000) n--;"
    assert left(source, f"{HEAD}{{\n{line}{LOOP}}}\n", line) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "#pragma omp parallel for if (n > 100)",
        "if (error != cudaSuccess) throw 1;",
        "if (cudaMalloc((void **)&d, (size_t)n * sizeof(int)) != cudaSuccess) return;",
        "y[0] = x[0];",
    ],
)
def test_what_nothing_rests_on_does_not(source: Source, line: str) -> None:
    assert not left(source, f"{HEAD}{{\n{line}\nfor (int i = 0; i < n; i++) y[i] = x[i];\n}}\n", line)


@pytest.mark.parametrize(
    "line",
    [
        "if (n > 9 || error != cudaSuccess) throw 1;",
        "if (n - 9 != cudaSuccess) n--;",
        "if (f(n) != cudaSuccess) n--;",
        "if (cudaFree(n > 9 && n < 77) != cudaSuccess) n--;",
        "switch (n) { case 77: n--; }",
        "y[0] = n > 77 && x[0];",
    ],
)
def test_other_tests_beside_an_error_do(source: Source, line: str) -> None:
    assert left(source, f"{HEAD}{{\n{line}{LOOP}}}\n", line) == [line]


@pytest.mark.parametrize("number", ["", "_1", "_11"])
def test_functions_are_told_from_those_of_other_candidates(source: Source, number: str) -> None:
    space = f"transpile_candidate{number}"
    line = "if (n > 40000) n--;"
    text = f"{HEAD}{{\n{line}{LOOP}}}\n"
    reading = reading_of(source, text, space)
    for other in ("", "_1", "_11", "_2"):
        spelt = f"transpile_candidate{other}"
        names = [f"_ZN{len(spelt)}{spelt}1fEiPKiPc", f"_ZN{len(spelt)}{spelt}1fEiPKiPc._omp_fn.0"]
        for name in names:
            rows = [Branch("a.c", 3, count, name, (1, 1, "")) for count in (5, 0)]
            assert bool(reading.untaken(rows, frozenset(range(9)))) is (other == number)


@pytest.mark.parametrize(
    ("shown", "counts"),
    [
        ({}, True),
        ({3: Ways(1, 2)}, False),
        ({3: Ways(1, 4)}, True),  # not as many as the compiler counted
        ({3: Ways(2, 2)}, True),  # one of them was taken
        ({3: Ways(1, 2), 4: Ways(1, 2)}, True),  # one of another line was taken
        ({3: Ways(1, 4, 2)}, False),  # of a condition over both lines
        ({3: Ways(0, 4, 2)}, True),  # which of them is not known
        ({3: Ways(1, 2, 2)}, True),
    ],
)
def test_what_is_shown_to_be_taken_by_nothing_does_not_count(
    source: Source, shown: dict[int, Ways], counts: bool
) -> None:
    reading = reading_of(source, f"{HEAD}{{\nif (n > 40000) n--;\nif (n > 7) n--;{LOOP}}}\n", "space")
    taken = {3: (5, 0), 4: (5, 2)}
    rows = [
        Branch("a.c", line, count, "space__f", (1, 1, "")) for line, ways in taken.items() for count in ways
    ]
    assert bool(reading.untaken(rows, frozenset(range(9)), shown)) is counts


def test_a_copy_of_the_source_may_stay_untaken_where_the_rest_ran(source: Source) -> None:
    line = "if (n > 77) { f_in_order(n, x, y); return; }"
    assert not left(source, f"{COPY}{HEAD}{{\n{line}{LOOP}}}\n", line)
    assert left(source, f"{COPY}{HEAD}{{\n{line}{LOOP}}}\n", line, ran=False)


CALLEE = "__device__ static float g(float x)\n{\n    if (fabs(x) > 1e-17f) x /= 3;\n    return x;\n}\n"


@pytest.mark.parametrize(
    ("old", "new", "trusted", "counts"),
    [
        ("", "", True, False),
        ("fabs(", "std::fabs(", True, False),
        ("fabs(", "std::fabs(", False, True),
        ("fabs(", "std::sqrt(", True, True),
        ("1e-17f", "1e-7f", True, True),
    ],
)
def test_what_a_callee_of_the_source_does_not_do_here_is_as_it_was(
    tmp_path: Path, old: str, new: str, trusted: bool, counts: bool
) -> None:
    kernel = "__global__ void f(float *y)\n{\n    y[threadIdx.x] = g(y[threadIdx.x]);\n}\n"
    (tmp_path / "a.cu").write_text(CALLEE + kernel)
    units = {unit.name: unit for unit in parsers.read(tmp_path).units}
    callee = CALLEE.replace("__device__ ", "").replace(old or "fabs", new or "fabs")
    written = f"{callee}void f(float *y)\n{{\n    y[0] = g(y[0]);\n}}\n".encode()
    candidate = Candidate(
        unit=units["f"].id,
        dialect=OPENMP,
        replacements=(Replacement(unit=units["f"].id, text=written),),
        binding=Binding(name="f", arguments=("y",)),
    )
    known = Known(parts=(units["f"], units["g"]), never=frozenset(), pointers=frozenset("y"), trusted=trusted)
    rows = [Branch("a.c", 3, count, "space__g", (1, 1, "")) for count in (5, 0)]
    assert bool(Reading(written, "space", candidate, known).untaken(rows, frozenset(range(9)))) is counts


def test_what_is_no_copy_may_not(source: Source) -> None:
    line = "if (n > 77) { f_in_order(n, x, y); return; }"
    changed = COPY.replace("y[i] = x[i]", "y[i] = x[0]")
    assert left(source, f"{changed}{HEAD}{{\n{line}{LOOP}}}\n", line) == [line]


@pytest.mark.parametrize(
    ("test", "counts"),
    [
        ("(void *)(x + n) <= (void *)y || (void *)(y + n) <= (void *)x", False),
        ("n < 40000", True),
        ("x[0] < y[0]", True),
    ],
)
def test_the_text_of_the_source_may_stand_where_arrays_overlap(
    source: Source, test: str, counts: bool
) -> None:
    line = f"if ({test}) {{"
    text = f"{HEAD}{{\n{line}{LOOP}}} else {{\nfor (int i = 0; i < n; i++) y[i] = x[i];\n}}\n}}\n"
    assert bool(left(source, text, line)) == counts


@pytest.mark.parametrize(
    ("declared", "counts"),
    [
        ("const int apart = x != y;", False),
        ("int apart = x != y;", True),
        ("const int apart = x != y && n < 40000;", True),
        ("const int apart = n < 40000; { const int apart = x != y; }", True),
    ],
)
def test_what_is_asked_of_arrays_may_have_a_name(source: Source, declared: str, counts: bool) -> None:
    lines = declared.replace("} ", "}\n").replace("; {", ";\n{")
    line = "if (apart) {"
    text = f"{HEAD}{{\n{lines}\n{line}{LOOP}}} else {{\nfor (int i = 0; i < n; i++) y[i] = x[i];\n}}\n}}\n"
    assert bool(left(source, text, line)) == counts


@pytest.mark.parametrize(
    ("asked", "trusted", "counts"),
    [
        ("(n & 31) < lanes", True, False),
        ("(n & 31) < lane_count2", True, False),
        ("(n & 31) < lanes", False, True),
        ("(n & 31) < n", True, True),
        ("n <= 15 && n < lanes", True, True),
    ],
)
def test_values_of_lanes_that_are_not_there_are_nobodys(
    source: Source, asked: str, trusted: bool, counts: bool
) -> None:
    line = f"n = {asked} ? x[n] : x[0];"
    assert bool(left(source, f"{HEAD}{{\n{line}\n{LOOP}}}\n", line, trusted=trusted)) == counts


@pytest.mark.parametrize(
    ("zeros", "trusted", "counts"),
    [
        ("n == 0 ? 32 : __builtin_clz(n)", True, False),
        ("(n - 1) == 0 ? 64 : __builtin_clzll(n - 1)", True, False),
        ("n == 0 ? 32 : __builtin_clz(n)", False, True),
        ("n == 0 ? 31 : __builtin_clz(n)", True, True),
        ("n == 0 ? 64 : __builtin_clz(n)", True, True),
        ("n == 0 ? 32 : __builtin_clz(n - 1)", True, True),
    ],
)
def test_leading_zeros_of_rules_are_those_of_the_source(
    source: Source, zeros: str, trusted: bool, counts: bool
) -> None:
    line = f"n = {zeros};"
    assert bool(left(source, f"{HEAD}{{\n{line}\n{LOOP}}}\n", line, trusted=trusted)) == counts


@pytest.mark.parametrize(("trusted", "counts"), [(True, False), (False, True)])
def test_inspectors_of_rules_say_what_lies_below_an_array(
    source: Source, trusted: bool, counts: bool
) -> None:
    line = "if (n - 1 < 0) return -1LL;"
    assert bool(left(source, f"{HEAD}{{\n{line}{LOOP}}}\n", line, trusted=trusted)) == counts


CHOICE = """(int n, const int *x, char *y)
{
    switch (n) {
    case 3: y[0] = 1; break;
    default: y[0] = 2;
    }
}
"""


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("changed", [True, False])
def test_a_choice_that_rules_keep_whole_comes_out_as_in_the_source(
    tmp_path: Path, changed: bool, trusted: bool
) -> None:
    (tmp_path / "a.c").write_text(f"void f{CHOICE}")
    kept = CHOICE.replace("= 2", "= 4") if changed else CHOICE
    text = f"void f{kept.replace('y[0] = 1;', 'y[0]  =  1;')}".replace(
        "{\n    switch", "{ n += 0;\n    switch"
    )
    reading = reading_of(parsers.read(tmp_path), text, "space", trusted=trusted)
    rows = [Branch("a.c", 3, count, "space__f", (1, 1, "")) for count in (5, 0)]
    assert bool(reading.untaken(rows, frozenset(range(1, 8)))) == (changed or not trusted)


@pytest.mark.parametrize(
    ("changed", "trusted", "counts"),
    [(False, True, False), (False, False, True), (True, True, True)],
    ids=["a copy of rules", "a copy of somebody's", "no copy"],
)
def test_what_a_copy_of_the_source_does_not_do_here_counts_for_others_than_rules(
    tmp_path: Path, changed: bool, trusted: bool, counts: bool
) -> None:
    (tmp_path / "a.c").write_text(f"void f{CHOICE}")
    text = f"static void f_in_order{CHOICE.replace('= 2', '= 4') if changed else CHOICE}"
    reading = reading_of(parsers.read(tmp_path), text, "space", trusted=trusted)
    rows = [Branch("a.c", 3, count, "space__f_in_order", (1, 1, "")) for count in (5, 0)]
    found = reading.untaken(rows, frozenset(range(1, 8)))
    assert [(item.text, item.labels) for item in found] == ([("switch (n) {", ("3",))] if counts else [])


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        ("n < 9 && x", False),
        ("!(n < 9 && x)", False),
        ("n < 9", True),
        ("!(n < 9 && y)", True),
        ("n >= 9 && x", True),
        ("k >= 7", False),
        ("k < 7", False),
        ("k > 7", True),
        ("std::abs(k) > 3", False),
        ("std::abs(n) > 3", True),
    ],
)
def test_what_the_source_asks_may_be_asked_the_other_way_round(
    tmp_path: Path, asked: str, counts: bool
) -> None:
    tests = ["if (n < 9 && x) y[0] = 1;", "if (k < 7) y[1] = 1;", "if (abs(k) > 3) y[2] = 1;"]
    (tmp_path / "a.c").write_text(
        "void f(int n, int k, const int *x, char *y)\n{\n" + "\n".join(tests) + "\n}\n"
    )
    never = frozenset("".join(test.split()) for test in tests)
    assert guard_counts(parsers.read(tmp_path), asked, "k", never=never, trusted=False) == counts


def guard_counts(source: Source, asked: str, other: str, *, never: frozenset[str], trusted: bool) -> bool:
    """Tell whether a guard of a candidate counts that took one way of two.

    Args:
        source: A function of ``n``, another number, ``x`` and ``y``.
        asked: The condition.
        other: The number's name.
        never: Lines of the source that its trials do not take whole.
        trusted: The candidate is of rules.
    """
    [unit] = source.units
    text = f"void f(int n, int {other}, int *x, char *y)\n{{\nif ({asked}) return;\ny[0] = 1;\n}}\n"
    candidate = Candidate(
        unit=unit.id,
        dialect=OPENMP,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=Binding(name="f", arguments=("n", other, "x", "y")),
    )
    known = Known(parts=(unit,), never=never, pointers=frozenset(), trusted=trusted)
    rows = [Branch(unit.path, 3, count, "space__f", (1, 1, "")) for count in (5, 0)]
    reading = Reading(text.encode(), "space", candidate, known)
    return bool(reading.untaken(rows, frozenset(range(1, 6))))


@pytest.mark.parametrize(
    ("asked", "trusted", "counts"),
    [
        ("(seen = previous) == n", True, False),
        ("(seen = previous) == n", False, True),
        ("(seen = previous) != n", True, True),
        ("(seen = previous + 1) == n", True, True),
    ],
    ids=["of rules", "of somebody", "another test", "another value"],
)
def test_what_rules_ask_of_a_swap_as_the_source_does_may_come_out_one_way(
    tmp_path: Path, asked: str, trusted: bool, counts: bool
) -> None:
    test = "if ((seen = atomicCAS(x, n, f(n))) == n) y[0] = 1;"
    (tmp_path / "a.cu").write_text(f"void f(int n, int seen, int *x, char *y)\n{{\n{test}\n}}\n")
    source = parsers.read(tmp_path)
    assert guard_counts(source, asked, "seen", never=frozenset(), trusted=trusted) == counts


@pytest.mark.parametrize(
    ("clause", "line", "counts"),
    [
        ("reduction(max:last)", "if (i > last) last = i;", False),
        ("reduction(max : total, last)", "if (last <= i) { last = i; }", False),
        ("reduction(max : total, last)", "if (last < i) { last = i; }", False),
        ("reduction(min:last)", "if (i <= last) last = i;", False),
        ("reduction(min:last)", "if (i > last) last = i;", True),
        ("reduction(max:other)", "if (i > last) last = i;", True),
        ("reduction(+:last)", "if (i > last) last = i;", True),
        ("reduction(max:last)", "if (i > last) last = n;", True),
        ("reduction(max:last)", "if (i > last) last = i; else n = 0;", True),
    ],
)
def test_what_a_clause_does_anyway_may_stay_untaken(
    source: Source, clause: str, line: str, counts: bool
) -> None:
    text = f"{HEAD}{{\nint last = -1;\n#pragma omp parallel for {clause}\nfor (int i = 0; i < n; i++) {{\n"
    text += f"if (x[i] == 3)\n{line}\ny[i] = x[i];\n}}\n}}\n"
    assert bool(left(source, text, line)) is counts


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("if (s > n - 1) s = n - 1;", False),
        ("s = s < n - 1 ? s : n - 1;", False),
        ("if (s > n) s = n;", True),
        ("if (s < n - 1) s = n - 1;", True),
        ("if (s > n - 1) s = n - 2;", True),
    ],
)
def test_limits_that_the_source_has_as_calls_may_stay_unmet(tmp_path: Path, line: str, counts: bool) -> None:
    (tmp_path / "a.cpp").write_text(
        "#include <algorithm>\nvoid f(int n, const int *x, char *y)\n"
        "{\n    for (int i = 0; i < n; i++) y[i] = x[std::min((int)(i * 0.9f), n - 1)];\n}\n"
    )
    text = f"{HEAD}{{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {{\nint s = (int)(i * 0.9f);\n"
    text += f"{line}\ny[i] = x[s];\n}}\n}}\n"
    assert bool(left(parsers.read(tmp_path), text, line)) is counts
