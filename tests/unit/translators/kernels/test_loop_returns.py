"""Threads that return from inside loops."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.loop_returns import loop_returns
from transpile.translators.kernels.surroundings import Surroundings


def written(*lines: str) -> list[str]:
    text = "\n".join(["void k(float *y, int n)", "{", *(f"    {line}" for line in lines), "}"])
    found = loop_returns(Draft(text=text, law=None, surroundings=Surroundings())).text
    return [line[4:] for line in found.splitlines()[2:-1]]


def test_a_return_is_left_to_what_stands_behind_the_loop() -> None:
    assert written(
        "#pragma unroll", "for (int i = 0; i < n; ++i) { if (y[i] > 2) return; y[i] = 1; }", "y[n] = 3;"
    ) == [
        "bool done = false;",
        "#pragma unroll",
        "for (int i = 0; i < n; ++i) {",
        "    if (y[i] > 2) {",
        "        done = true;",
        "        break;",
        "    }",
        "    y[i] = 1;",
        "}",
        "if (done) return;",
        "y[n] = 3;",
    ]


def test_every_loop_around_is_left() -> None:
    inner = ["    while (y[i] < 2) {", "        y[i] += 1;", "        if (y[i] == 1) return;", "    }"]
    assert written(
        "for (int i = 0; i < n; ++i) {", *inner, "    if (y[i] > 8) return;", "}", "y[n] = 3;"
    ) == [
        "bool done = false;",
        "for (int i = 0; i < n; ++i) {",
        *inner[:2],
        "        if (y[i] == 1) {",
        "            done = true;",
        "            break;",
        "        }",
        "    }",
        "    if (done) break;",
        "    if (y[i] > 8) {",
        "        done = true;",
        "        break;",
        "    }",
        "}",
        "if (done) return;",
        "y[n] = 3;",
    ]


def test_a_last_loop_needs_no_more_than_a_break() -> None:
    assert written("for (int i = 0; i < n; ++i) {", "    if (y[i] > 2) return;", "}  // all") == [
        "for (int i = 0; i < n; ++i) {",
        "    if (y[i] > 2) break;",
        "}  // all",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["for (int i = 0; i < n; ++i) {", "    if (y[i] > 2) return;", "    __syncthreads();", "}"],
        ["for (int i = 0; i < n; ++i) {", "    switch (i) { case 2: return; }", "}", "y[n] = 3;"],
        ["if (n) for (int i = 0; i < n; ++i) if (y[i] > 2) return;", "y[n] = 3;"],
        ["auto f = [&] { for (;;) return; };", "f();"],
        ["if (n) return;", "y[n] = 3;"],
    ],
)
def test_what_a_break_would_not_leave_stays(lines: list[str]) -> None:
    assert written(*lines) == lines
