"""Words of runs as a shell takes them apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.core import CUDA, ProgramTarget, Source
from transpile.testers.programs.runs import Typed, asked, typed


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


@pytest.mark.parametrize(
    ("run", "arguments"),
    [
        ("./src/heat 64", ("64",)),
        ("src/heat 64", ("64",)),
        ("src/heat.txt 64", ("src/heat.txt", "64")),
        ("heat 64", ("heat", "64")),
    ],
)
def test_a_path_in_a_folder_is_called_as_by_a_shell(run: str, arguments: tuple[str, ...]) -> None:
    program = ProgramTarget(name="src/heat", translation_units=("src/heat.cu",))
    source = Source(
        root=Path(),
        files={},
        dialect=CUDA,
        translation_units=(),
        units=(),
        signatures={},
        launches=(),
        programs=(program,),
    )
    (found,) = asked(source, program, [tuple(run.split())])
    assert typed(found).arguments == arguments
