"""Effects of functions besides computing, by the names that they call."""

from __future__ import annotations

import pytest

from transpile.parsers.text.effects import effect_of


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        ("x = rand();", "TP420", "rand"),
        ("auto t = std::chrono::steady_clock::now();", "TP420", "steady_clock"),
        ('fprintf(stderr, "no");', "TP421", "fprintf"),
        ("std::cout << x;", "TP421", "cout"),
        ("signal(SIGFPE, leave);", "TP422", "signal"),
        ("std::thread worker(f);", "TP422", "thread"),
    ],
)
def test_calls_that_no_trial_repeats_are_named(text: str, code: str, word: str) -> None:
    found = effect_of(f"void f() {{ {text} }}".encode())
    assert found is not None
    assert (found.code, found.word) == (code, word)


@pytest.mark.parametrize(
    "text",
    [
        "double time = 0; time += step;",
        "signal[i] = 0;",
        "solver.open();",
        "/* rand() */ x = 1; // printf()",
        'const char *name = "rand()";',
        "int thread = omp_get_thread_num();",
    ],
)
def test_names_that_only_look_like_it_are_not(text: str) -> None:
    assert effect_of(f"void f() {{ {text} }}".encode()) is None


def test_functions_of_the_source_are_its_own() -> None:
    assert effect_of(b"int f(int x) { return rand(x); }", [b"rand"]) is None
