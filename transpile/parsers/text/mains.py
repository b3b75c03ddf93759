"""Programs that run without arguments, as their main functions tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from transpile.code.lexer import Kind, Token, closing, split, tokenize
from transpile.core import ProgramTarget

_LAUNCHES = (b"<<<", b"LaunchKernel")


def with_plain_runs(
    programs: Sequence[ProgramTarget], files: Mapping[str, bytes]
) -> tuple[ProgramTarget, ...]:
    """Give the programs of which no run is known a run without arguments, where that may be one.

    It may where ``main`` looks at no arguments, or where kernels are launched: by its launches the run itself
    tells whether it did its work. Others may print how they are called, and nothing else.
    """
    return tuple(
        replace(program, runs=((f"./{program.name}",),), unasked=True)
        if not program.runs and _runs_alone(program, files)
        else program
        for program in programs
    )


def with_stated_runs(
    programs: Sequence[ProgramTarget], runs: Sequence[tuple[str, ...]]
) -> tuple[ProgramTarget, ...]:
    """Return the programs, of which those are asked for that a user's runs have without arguments."""
    return tuple(
        replace(program, unasked=program.unasked and not set(program.runs) & set(runs))
        for program in programs
    )


def _runs_alone(program: ProgramTarget, files: Mapping[str, bytes]) -> bool:
    texts = [files.get(path, b"") for path in program.translation_units]
    found = [main for text in texts for main in _mains(text)]
    launches = any(word in text for text in texts for word in _LAUNCHES)
    return len(found) == 1 and (launches or _ignores_arguments(*found[0]))


def _mains(data: bytes) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """Yield the parameters and the bodies of the main functions of a file."""
    tokens = tokenize(data).text
    for index, token in enumerate(tokens[:-1]):
        if token.text != b"main" or tokens[index + 1].text != b"(":
            continue
        close = closing(tokens, index + 1)
        if close is None or close + 1 >= len(tokens) or tokens[close + 1].text != b"{":
            continue
        end = closing(tokens, close + 1)
        yield tokens[index + 2 : close], tokens[close + 1 : end]


def _ignores_arguments(parameters: Sequence[Token], body: Sequence[Token]) -> bool:
    words = ([token.text for token in part if token.kind is Kind.WORD] for part in split(parameters))
    names = {part[-1] for part in words if part} - {b"void"}
    return names.isdisjoint(token.text for token in body)
