"""Host functions that are no base for a verdict: each has a named reason, and none makes anything hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from transpile import parsers
from transpile.contracts import infer
from transpile.core import Inconclusive, UnitKind
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

HEAD = """
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
"""
CASES = {
    "random": ("void f(float *x, int n) { for (int i = 0; i < n; i++) x[i] = rand(); }", "TP420", "rand"),
    "clock": ("double f(double x) { return x + (double)clock(); }", "TP420", "clock"),
    "helper": (
        'static int read_it(const char *p) { FILE *h = fopen(p, "r"); int c = fgetc(h); return c; }'
        ' int f(int x) { return x + read_it("/etc/passwd"); }',
        "TP421",
        "read_it",
    ),
    "threads": (
        "static void *work(void *p) { *(int *)p += 1; return 0; }"
        " void f(int *x) { pthread_t t; pthread_create(&t, 0, work, x); pthread_join(t, 0); }",
        "TP422",
        "pthread_create",
    ),
    "signals": (
        "static jmp_buf out; static void leave(int s) { longjmp(out, s); }"
        " int f(int x) { signal(SIGFPE, leave); if (setjmp(out)) return -1; return 10 / x; }",
        "TP422",
        "signal",
    ),
    "state": ("int f(int x) { static int calls; return x + ++calls; }", "TP423", "static"),
    "exits": ("void f(float *x, int n) { if (n < 100000) exit(3); x[0] = n; }", "TP424", "exit 3"),
    "aborts": ("void f(float *x, int n) { if (n < 100000) abort(); x[0] = n; }", "TP424", "abort"),
    "endless": ("void f(float *x, int n) { for (volatile int i = 0;; i++) x[0] = n; }", "TP425", "timeout"),
    "frame": (
        "float f(const float *x, int n) { float big[1 << 24]; big[n] = x[0]; return big[n]; }",
        "TP426",
        "stack",
    ),
    "deep": ("int f(int n) { volatile int m = n; return 1 + f(m + 1); }", "TP426", "stack"),
    "pointer": ("int *f(int *x, int n) { return x + n; }", "TP404", "int *"),
    "nothing": ("void f(float *x, int n) { (void)x; (void)n; }", "TP401", "writes nothing"),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_functions_have_a_named_reason(workshop: Workshop, tmp_path: Path, name: str) -> None:
    text, code, word = CASES[name]
    (tmp_path / "bad.c").write_text(HEAD + text + "\n")
    source = parsers.read(tmp_path)
    unit = next(item for item in source.units if item.name == "f")
    assert unit.kind is UnitKind.FUNCTION
    found = infer(workshop, source, [unit])[unit.id]
    assert isinstance(found, Inconclusive), found
    assert (found.code, word in found.reason) == (code, True), found


def test_what_itself_prints_is_glue(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(HEAD + 'void show(int x) { printf("%d\\n", x); }\n')
    [unit] = parsers.read(tmp_path).units
    assert unit.kind is UnitKind.GLUE
