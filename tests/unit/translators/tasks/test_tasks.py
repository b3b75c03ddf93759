"""Recursion as tasks: what is written, what is taken as shown, and what keeps calls sequential."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import OPENMP, ArrayFact, ByRules, Candidate, Contract, Rejected, Role
from transpile.translators import is_idle
from transpile.translators.tasks import propose
from transpile.translators.tasks.propose import SPECULATIVE

FIB = """\
long fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
"""
SORT = """\
static void merge(int *a, int *b, int lo, int mid, int hi)
{
    int i = lo, j = mid;
    for (int k = lo; k < hi; k++) b[k] = i < mid && (j >= hi || a[i] <= a[j]) ? a[i++] : a[j++];
    for (int k = lo; k < hi; k++) a[k] = b[k];
}
void f(int *a, int *b, int lo, int hi)
{
    if (hi - lo < 2) return;
    int mid = (lo + hi) / 2;
    CALLS
    merge(a, b, lo, mid, hi);
}
"""
HALVES = "f(a, b, lo, mid);\n    f(a, b, mid, hi);"


def proposed(place: Path, text: str, name: str = "f", file: str = "a.c") -> Candidate | Rejected:
    (place / file).write_text(text)
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == name]
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="hi") for name in "ab")
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return propose(source, unit, (contract,))


def text(place: Path, source: str, name: str = "f", file: str = "a.c") -> str:
    found = proposed(place, source, name, file)
    assert isinstance(found, Candidate), found
    return found.replacements[0].shown


def rules(place: Path, source: str, file: str = "a.c") -> tuple[str, ...]:
    found = proposed(place, source, file=file)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules), found
    return found.origin.rules


def why_not(place: Path, source: str, file: str = "a.c") -> str:
    found = proposed(place, source, file=file)
    assert isinstance(found, Rejected), found.replacements[0].shown
    return " ".join(item.message for item in found.diagnostics)


def test_all_calls_but_the_last_are_tasks(tmp_path: Path) -> None:
    assert text(tmp_path, FIB, "fib") == (
        """\
static long fib_sequential(int n)
{
    return n < 2 ? n : fib_sequential(n - 1) + fib_sequential(n - 2);
}

static long fib_tasks(int n, int levels)
{
    if (levels == 0)
        return fib_sequential(n);
    if (n < 2)
        return n;
    long fib_1, fib_2;
    #pragma omp task shared(fib_1)
    fib_1 = fib_tasks(n - 1, levels - 1);
    fib_2 = fib_tasks(n - 2, levels - 1);
    #pragma omp taskwait
    return fib_1 + fib_2;
}

long fib(int n)
{
    long result;
    int levels = 0;
    for (int tasks = 1; tasks < 16 * omp_get_max_threads(); tasks *= 2)
        levels++;
    #pragma omp parallel
    #pragma omp single
    result = fib_tasks(n, levels);
    return result;
}"""
    )


def test_names_are_those_of_nothing_else(tmp_path: Path) -> None:
    body = "return levels < 2 ? levels : fib(levels - 1) + fib(levels - 2);"
    found = text(tmp_path, f"static int fib_tasks;\nlong fib(int levels)\n{{\n    {body}\n}}\n", "fib")
    assert "fib_tasks2(int levels, int levels2)" in found


def test_variables_that_calls_set_are_shared(tmp_path: Path) -> None:
    body = "double left = f(n - 1); double right;\n    right = f(n - 2);\n    return left * right;"
    found = text(tmp_path, f"double f(int n)\n{{\n    if (n < 1) return n;\n    {body}\n}}\n")
    assert (
        "    double left;\n    #pragma omp task shared(left)\n    left = f_tasks(n - 1, levels - 1);" in found
    )
    assert "    right = f_tasks(n - 2, levels - 1);\n    #pragma omp taskwait\n    return left" in found


def test_counts_of_a_loop_are_added_by_all_threads(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; i++)\n        if (i != last) s += f(n - 1, i);"
    found = text(
        tmp_path, f"int f(int n, int last)\n{{\n    int s = n == 0;\n    {loop}\n    return s;\n}}\n"
    )
    assert (
        """
        if (i != last)
            #pragma omp task shared(s)
            {
                int f_1 = f_tasks(n - 1, i, levels - 1);
                #pragma omp atomic
                s += f_1;
            }
    #pragma omp taskwait
    return s;"""
        in found
    )


def test_halves_of_an_array_are_tried(tmp_path: Path) -> None:
    source = SORT.replace("CALLS", HALVES)
    assert SPECULATIVE in rules(tmp_path, source)
    found = text(tmp_path, source)
    assert "    #pragma omp task\n    f_tasks(a, b, lo, mid, levels - 1);\n    f_tasks(a, b, mid, hi" in found
    assert "#pragma omp parallel if (hi > 1000)\n" in found
    assert "/* Not proved: parallel calls are taken to touch different elements. */\nstatic" in found


def test_what_is_only_read_is_no_speculation(tmp_path: Path) -> None:
    body = "if (hi - lo < 2) return a[lo];\n    return f(a, lo, (lo + hi) / 2) + f(a, (lo + hi) / 2, hi);"
    assert SPECULATIVE not in rules(tmp_path, f"long f(const int *a, int lo, int hi)\n{{\n    {body}\n}}\n")


@pytest.mark.parametrize(
    "calls",
    [
        "if (lo < mid) f(a, b, lo, mid);\n    if (mid < hi) f(a, b, mid, hi);",
        "f(a, b, lo, mid);\n    lo = 0;\n    f(a, b, mid + 1, hi);",
        "f(a, b, 0, mid);\n    f(a + mid, b + mid, 0, hi - mid);",
        "f(b, a, lo, mid);\n    f(b, a, mid, hi);",
    ],
)
def test_forms_of_halves(calls: str, tmp_path: Path) -> None:
    assert "#pragma omp task\n" in text(tmp_path, SORT.replace("CALLS", calls))


MEETING = [
    ("f(a, b, lo, mid + 1);\n    f(a, b, mid, hi);", "elements of `a`"),
    ("f(a, b, lo, mid);\n    f(a, b, lo, mid);", "elements of `a`"),
    ("f(a, b, lo, mid);\n    f(b, a, lo, mid);", "elements of `a`"),
    ("f(a, b, lo, mid);\n    f(a, b, mid, hi - 1);", "elements of `a`"),
    ("f(a, b, lo, mid);\n    f(a + 1, b, lo, mid);", "elements of `a`"),
    ("f(a, b, lo, mid);\n    a[mid]++;\n    f(a, b, mid, hi);", "access memory"),
    ("f(a, b, lo, a[mid]);\n    f(a, b, a[mid], hi);", "read from memory"),
    ("f(a, b, lo, mid);\n    merge(a, b, lo, mid, hi);\n    f(a, b, mid, hi);", "access memory"),
    ("f(a, b, lo, mid);\n    if (lo) return;\n    f(a, b, mid, hi);", "may end before"),
    ("f(a, b, lo, mid--);\n    f(a, b, mid, hi);", "change variables"),
    ("for (int k = 0; k < 4; k++) f(a, b, lo, mid);", "elements of `a`"),
    ("b[0]++;\n    " + HALVES, "elements of `b`"),
]
"""Calls that may touch the same elements, in place of the halves of a sort."""
NEEDING = [
    ("known[n] = f(n - 1) + f(n - 2); return known[n];", "writes `known`, a variable at file scope"),
    (
        "static int last; last += n; return f(n - 1) + f(n - 2);",
        "keeps the static variable `last` between calls",
    ),
    ("return f(n - 1) + f(n - 2) + other(n);", "calls `other`"),
    ("return f(f(n - 1));", "needs the result of another call"),
    ("return f(n - 1) && f(n - 2);", "called only under a condition"),
    ("int x = f(n - 1); return x + f(n - x);", "`x` is needed before"),
    ("int x = f(n - 1); n = x; return f(n);", "`x` is needed before"),
    ("int s = 0; while (n--) { s += f(n); if (s > 9) break; } return s;", "`s` is used before"),
    ("int s = 0; if (f(n - 1)) s = f(n - 2); return s;", "decides which statements run"),
    ("int x = 0; x = f(n - 1); x = f(n - 2); return x;", "`x` is set by two calls"),
    ("int k = 2; int s = k * f(n - 1); k = 3; return s + f(n - 2) + k;", "`k` changes before"),
    ("return counted(n) + f(n - 1) + f(n - 2);", "writes `known`"),
    ("return NEXT + f(n - 1) + f(n - 2);", "uses the macro `NEXT`"),
    ("return depth + f(n - 1) + f(n - 2);", "uses `depth`, which is thread-local"),
]
"""Calls that need each other, or more than their arguments."""
AROUND = """\
static int known[100];
static _Thread_local int depth;
#define NEXT known[0]++
int other(int n);
static int counted(int n) { known[0] += n; return n; }
"""


@pytest.fixture(scope="module")
def reasons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return why functions stay as they are, by what they hold: all in one source, which is read once."""
    place = tmp_path_factory.mktemp("source")
    head, opening, rest = SORT.partition("void f(")
    texts = {calls: opening + rest.replace("CALLS", calls) for calls, _ in MEETING}
    texts |= {body: f"int f(int n)\n{{\n    if (n < 2) return n;\n    {body}\n}}\n" for body, _ in NEEDING}
    own = [re.sub(r"\bf\(", f"f_{number}(", item) for number, item in enumerate(texts.values())]
    (place / "a.c").write_text(AROUND + head + "".join(own))
    source = parsers.read(place)
    found = {item.name: propose(source, item, ()) for item in source.units}
    refused = [found[f"f_{number}"] for number in range(len(texts))]
    return {
        body: item.diagnostics[0].message if isinstance(item, Rejected) else ""
        for body, item in zip(texts, refused, strict=True)
    }


@pytest.mark.parametrize(("held", "reason"), [*MEETING, *NEEDING])
def test_calls_that_meet_or_need_each_other_stay(held: str, reason: str, reasons: dict[str, str]) -> None:
    assert reason in reasons[held]


def test_what_calls_itself_through_others_stays(tmp_path: Path) -> None:
    other = "int f(int n);\nstatic int through(int n) { return n ? f(n / 2) : 0; }\n"
    body = "return n < 2 ? n : through(n) + f(n - 1) + f(n - 2);"
    assert "through other functions" in why_not(tmp_path, f"{other}int f(int n) {{ {body} }}\n")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("template <class T> T f(T n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nint g() { return f(3); }",
         "`template`"),
        ("int f(int n) { if (n < 0) throw n; return n < 2 ? n : f(n - 1) + f(n - 2); }", "throws"),
        ("int f(int n, int m = 1) { return n < 2 ? n : f(n - 1) + f(n - 2); }", "has a default"),
        ("constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }", "`constexpr`"),
    ],
)  # fmt: skip
def test_what_only_some_functions_are(source: str, reason: str, tmp_path: Path) -> None:
    assert reason in why_not(tmp_path, source + "\n", "a.cpp")


def test_objects_are_reached_and_not_copied(tmp_path: Path) -> None:
    source = """\
#include <vector>
void f(std::vector<int> &v, int lo, int hi)
{
    if (hi - lo < 2) { for (int i = lo; i < hi; i++) v[i]++; return; }
    f(v, lo, (lo + hi) / 2);
    f(v, (lo + hi) / 2, hi);
}
"""
    assert "#pragma omp task shared(v)\n" in text(tmp_path, source, file="a.cpp")


def test_functions_without_loops_are_not_idle_where_they_may_make_tasks(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(FIB + "int g(int n) { return n ? g(n - 1) : 0; }\n")
    source = parsers.read(tmp_path)
    idle = {item.name: is_idle(source, item, OPENMP) for item in source.units}
    assert idle == {"fib": False, "g": True}
