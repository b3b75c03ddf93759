"""Words of runs as a shell takes them apart."""

from __future__ import annotations

import pytest

from transpile.testers.programs.runs import Typed, typed


@pytest.mark.parametrize(
    ("words", "arguments", "stdin"),
    [
        ("./main 64 -a 2", ("64", "-a", "2"), ""),
        ("./main -a < in/a.txt 3", ("-a", "3"), "in/a.txt"),
        ("./main <in.txt >out.txt 2> errors 4", ("4",), "in.txt"),
        ("./main 1 >> log 2>&1", ("1",), ""),
        ("./main 1 &> log", ("1",), ""),
        ("./main 1 | tee log", ("1",), ""),
        ("./main <", (), ""),
        ("64", ("64",), ""),
    ],
)
def test_redirections_are_no_arguments(words: str, arguments: tuple[str, ...], stdin: str) -> None:
    assert typed(words.split()) == Typed(arguments, stdin)
