"""Changes that somebody made to a translation in a port."""

from __future__ import annotations

import pytest

from transpile.core import OPENMP, Binding, ByRules, Candidate, Inconclusive, Replacement
from transpile.edits import Edits

HELPER = b"static int twice(int x)\n{\n    return 2 * x;\n}"
SCALE = b"void scale(int *a, int n)\n{\n    for (int i = 0; i < n; i++) a[i] = twice(a[i]);\n}"
OTHER = b"void other(int *a)\n{\n    a[0] = 1;\n}"
FILE = b"#include <cstdio>\n\n" + b"\n\n".join((HELPER, SCALE, OTHER)) + b"\n"
CANDIDATE = Candidate(
    unit="a.cu::scale",
    dialect=OPENMP,
    replacements=(
        Replacement(unit="a.cu::scale", text=SCALE + b"\n"),
        Replacement(unit="a.cu::twice", text=HELPER + b"\n"),
    ),
    binding=Binding(name="scale", arguments=("a", "n")),
    headers=("<omp.h>",),
    origin=ByRules(rules=("kernel",)),
)


def applied(new: bytes) -> Candidate | Inconclusive:
    return Edits.between({"a.cpp": FILE}, {"a.cpp": new}).applied(CANDIDATE)


@pytest.mark.parametrize(
    "new", [FILE, FILE + b"// seen\n", FILE.replace(b"a[0] = 1", b"a[0] = 2"), b"#define N 1\n" + FILE]
)
def test_what_changed_elsewhere_leaves_it_as_it_is(new: bytes) -> None:
    assert applied(new) is CANDIDATE


def test_a_file_that_is_gone_changes_no_text() -> None:
    assert Edits.between({"a.cpp": FILE}, {}).applied(CANDIDATE) is CANDIDATE


@pytest.mark.parametrize(("old", "new", "number"), [(b"i < n", b"i < n - 1", 0), (b"2 * x", b"x << 1", 1)])
def test_a_function_that_changed_is_a_new_text_of_nobody(old: bytes, new: bytes, number: int) -> None:
    found = applied(FILE.replace(old, new))
    assert isinstance(found, Candidate)
    texts = [item.text for item in found.replacements]
    assert new in texts[number] and len(texts) == 2
    assert found.origin == ByRules() and not found.by_rules


def test_new_functions_and_headers_come_along() -> None:
    text = FILE.replace(b"twice(a[i])", b"more(a[i])").replace(
        b"#include <cstdio>", b"#include <cstdio>\n#include <cmath>"
    )
    found = applied(text.replace(b"void scale(", b"static int more(int x) { return abs(x); }\n\nvoid scale("))
    assert isinstance(found, Candidate)
    assert found.replacements[0].text.startswith(b"static int more(int x)")
    assert found.headers == ("<omp.h>", "<cmath>")


@pytest.mark.parametrize("new", [FILE.replace(SCALE, b""), FILE + b"void scale(long *a, int n) { }\n"])
def test_a_function_that_is_gone_or_there_twice_is_not_judged(new: bytes) -> None:
    found = applied(new)
    assert isinstance(found, Inconclusive) and "`scale`" in found.reason
