"""Conditions around a place in a file."""

from __future__ import annotations

import pytest

from transpile.code.conditionals import open_conditionals

VALUE = b"#ifndef PI\n#define PI 3\n#endif\n"


@pytest.mark.parametrize(
    ("before", "opened"),
    [
        (b"int x;\n", 0),
        (b"#ifdef A\n", 1),
        (b"#ifdef A\n#else\n", 1),
        (b"#if A\n#ifndef B\n", 2),
        (b"#ifdef A\n#endif\n", 0),
        (b"#ifndef A_H\n#define A_H\n", 0),
        (b"#ifndef A_H\n#define A_H\n# if B\n", 1),
        (VALUE, 0),
        (VALUE + b"#ifdef A\n", 1),
        (b"#endif\n", 0),
    ],
)
def test_guards_of_headers_are_no_conditions(before: bytes, opened: int) -> None:
    assert open_conditionals(before) == opened
