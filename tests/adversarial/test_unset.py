"""Functions that read what they never set: whatever a translation makes of that, it is not to blame."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.integration.functions import learn, verdict
from transpile import parsers
from transpile.core import Inconclusive, Passed, Verdict
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

CASES = {
    "start": ("void f(double *a, int n) { int i%s; for (; i < n; i++) a[i] *= 2; }", " = 0"),
    "sum": ("double f(double *a, int n) { double s%s; while (n > 0) s += a[--n]; return s; }", " = 0"),
    "heap": (
        "void f(double *a, int n) { double *t = %s(n + 1, 8); for (int i = 0; i < n; i++) t[i] += a[i];"
        " for (int i = 0; i < n; i++) a[i] = t[i] + 1; free(t); }",
        "calloc",
    ),
}
"""Texts, and what sets in the translation what the source does not."""
HEAD = "#include <stdlib.h>\nstatic void *unset(size_t n, size_t m) { return malloc(n * m); }\n"


def judged(workshop: Workshop, place: Path, text: str, translation: str) -> Verdict:
    (place / "a.c").write_text(HEAD + text + "\n")
    source = parsers.read(place)
    found = learn(workshop, source)["f"]
    return found if isinstance(found, Inconclusive) else verdict(workshop, source, found[0], translation)


@pytest.mark.parametrize("name", CASES)
def test_a_source_that_reads_what_it_never_set_is_no_base_for_a_verdict(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    text, value = CASES[name]
    found = judged(workshop, tmp_path, text % ("unset" if name == "heap" else ""), text % value)
    assert isinstance(found, Inconclusive), found
    assert "or on uninitialised memory" in found.reason


@pytest.mark.parametrize("name", CASES)
def test_what_is_set_before_it_is_read_is(workshop: Workshop, tmp_path: Path, name: str) -> None:
    text, value = CASES[name]
    assert isinstance(judged(workshop, tmp_path, text % value, text % value), Passed)


def test_only_calls_that_read_it_do_not_count(workshop: Workshop, tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; i++) { if (a[i] > 0) t = a[i]; a[i] = t; }"
    text = "void f(double *a, int n) { double t%s; " + body + " }"
    assert isinstance(judged(workshop, tmp_path, text % "", text % " = 0"), Passed)


def test_what_c_leaves_to_other_files_is_there(workshop: Workshop, tmp_path: Path) -> None:
    helpers = (
        "inline double twice(double x) { return 2 * x; }\n"
        "static inline double half(double x) { return x / 2; }\n"
        "extern inline double same(double x) { return twice(half(x)); }\n"
    )
    text = "inline void f(double *a, int n) { for (int i = 0; i < n; i++) a[i] = twice(a[i]) + same(a[i]); }"
    own = text.replace("twice(a[i])", "2 * a[i]")
    assert isinstance(judged(workshop, tmp_path, helpers + text, own), Passed)
