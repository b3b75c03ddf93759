"""Calls of other translation units that are only told numbers: which ones are signals, and which are not."""

from __future__ import annotations

import shutil

import pytest

from transpile.core import SIGNALS, Signature
from transpile.parsers import read
from transpile.toolchains.function_entry import function_entries, source_calls

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")

NAMES = (
    *("tick", "mark", "given", "valued", "scaled", "writes", "deep", "back", "leaves", "hooked", "pointed"),
    *("missing", "hidden", "inner", "twice"),
)
TEXT = """
void tick(int);
void mark(int, unsigned long);
void given(int *);
int valued(int);
void scaled(double);
void writes(int);
void deep(int);
void back(int);
void leaves(int) __attribute__((noreturn));
void hooked(int);
void pointed(int);
void missing(int);
void hidden(int);
static void inner(int) {}
void twice(int);
int shared;
static int own;
void home(int k) { shared = k; own = k; }
"""
OTHER = """
static int last;
extern int shared;
void home(int);
static void (*hook)(int), (*table[2])(int);
static void note(int k) { last = k; }
static void spread(int k) { shared = k; }
void listen(void (*f)(int)) { hook = f; }
void tick(int k) { note(k); }
void mark(int k, unsigned long n) { last = k + (int)n; }
void given(int *k) { last = *k; }
int valued(int k) { return last + k; }
void scaled(double x) { last = x > 0; }
void writes(int k) { shared = k; }
void deep(int k) { spread(k); }
void back(int k) { home(k); }
void leaves(int k) { for (;;) last = k; }
void hooked(int k) { hook(k); }
void pointed(int k) { (*table[0])(k); }
static void hidden(int k) { last = k; }
void inner(int k) { last = k; }
void twice(int k) { last = k; }
"""
GIVEN = {"given": "&own", "mark": "1, 2ul"}
CALLS = "".join(
    f"void calls_{name}(float *a) {{ int own = 0; {name}({GIVEN.get(name, '1')});"
    " for (int i = 0; i < 4; i++) a[i] = 0; }\n"
    for name in NAMES
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Signature]:
    place = tmp_path_factory.mktemp("source")
    (place / "a.cpp").write_text(TEXT + CALLS)
    (place / "b.cpp").write_text(OTHER)
    (place / "c.cpp").write_text("static int last;\nvoid twice(int k) { last = -k; }\n")
    return {item.name: item for items in read(place).signatures.values() for item in items}


@pytest.mark.parametrize("name", NAMES)
def test_signals_are_told_numbers_and_reach_nothing_of_the_translation_unit(
    found: dict[str, Signature], name: str
) -> None:
    signature = found[f"calls_{name}"]
    expected = {"tick": ("int",), "mark": ("int", "unsigned long")}
    assert {item.name: item.types for item in signature.signals} == (
        {name: expected[name]} if name in expected else {}
    )
    assert (SIGNALS in signature.globals) is (name in expected)


def test_a_library_notes_what_signals_are_told(found: dict[str, Signature]) -> None:
    calls = source_calls([found["calls_tick"], found["calls_mark"], found["calls_tick"]])
    text = function_entries(calls).decode()
    assert text.count("void tick(int told_0) {") == text.count("static unsigned long long") == 1
    assert "+ (unsigned long long)told_1;" in text
    assert "told_0" not in function_entries(source_calls([found["home"]])).decode()
