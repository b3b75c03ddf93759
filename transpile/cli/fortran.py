"""``transpile port --to cpp`` of Fortran programs and libraries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from transpile.cli import render
from transpile.cli.edge import ExitStatus
from transpile.core import CPP, Diagnostic, Dialect, Passed
from transpile.errors import UsageError
from transpile.files import write_whole
from transpile.fortran import library, programs
from transpile.fortran.library import RoutineResult
from transpile.fortran.translation import Translated, translated
from transpile.toolchains.workshop import Workshop, cache_directory


def port(
    root: Path,
    names: Sequence[str],
    out: Path | None,
    target: Dialect,
    *,
    only: Sequence[str] = (),
    jobs: int = 1,
    plan: bool,
    unsafe: bool,
) -> ExitStatus:
    """Port a program or a library, write what was kept, and say what was shown; of a plan, only translate.

    Raises:
        UsageError: To another dialect than plain C++.
    """
    if target != CPP:
        raise UsageError("Fortran is ported to C++ alone", hint="Use --to cpp.")
    workshop = Workshop(cache=cache_directory(), unsafe=unsafe, jobs=jobs)
    found = translated(root, names, unsafe=unsafe)
    if isinstance(found, Diagnostic):
        _tell(found)
        if not plan:
            render.hint("Not kept: nothing was written. `transpile explain CODE` says more.")
        return ExitStatus.FINDINGS
    if plan:
        return _plan(found, names)
    return (
        _library(root, found, out, only, workshop=workshop)
        if found.library
        else _program(found, out, unsafe=unsafe)
    )


def _plan(found: Translated, names: Sequence[str]) -> ExitStatus:
    for _, why in found.refused:
        _tell(why)
    _tell_programs(found)
    if found.library:
        render.data_line(
            f"{len(found.interfaces)} routines have a translation, which would be judged by trials"
        )
        return ExitStatus.FINDINGS if found.refused or found.programs else ExitStatus.KEPT
    render.data_line(f"{len(names)} files have a translation, which would be built and compared")
    return ExitStatus.KEPT


def _program(found: Translated, out: Path | None, *, unsafe: bool) -> ExitStatus:
    result = programs.judged(found, unsafe=unsafe)
    for item in result.diagnostics:
        _tell(item)
    if not result.kept:
        render.hint("Not kept: nothing was written. `transpile explain CODE` says more.")
        return ExitStatus.FINDINGS
    write(result.files, out)
    render.data_line(f"kept: the program printed the same as its source in {result.runs} runs without input")
    render.hint("Only what was printed and the exit status were compared; the functions had no trials.")
    return ExitStatus.KEPT


def _library(
    root: Path, found: Translated, out: Path | None, only: Sequence[str], *, workshop: Workshop
) -> ExitStatus:
    result = library.port(root, found, workshop=workshop, only=only, tell=_tell_routine)
    if only and not result.results:
        raise UsageError(f"no routine is named {', '.join(only)}")
    _tell_programs(found)
    write(result.files, out)
    kinds = Counter("kept" if item.kept else item.verdict.kind for item in result.results)
    counts = ", ".join(
        f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda item: item[0] != "kept")
    )
    render.data_line(f"{len(result.results)} routines: {counts}")
    if kinds["kept"] and kinds["kept"] < len(result.results):
        render.hint("What is not kept stays Fortran. `transpile explain CODE` says more.")
    whole = not found.programs and all(item.kept for item in result.results)
    return ExitStatus.KEPT if whole else ExitStatus.FINDINGS


def _tell_programs(found: Translated) -> None:
    """Say which main programs stay Fortran: of one the reason, and of several how many they are."""
    if len(found.programs) == 1:
        _tell(found.programs[0].why)
    elif found.programs:
        render.data_line(f"{len(found.programs)} main programs stay Fortran; `make programs` links them")


def _tell_routine(result: RoutineResult) -> None:
    place = f"{result.file}:{result.line}"
    if isinstance(result.verdict, Passed):
        guarantee = result.verdict.guarantee
        assumed = f", assumes {'; '.join(guarantee.requires)}" if guarantee.requires else ""
        render.data_line(f"{place}: kept {result.name} ({guarantee.trials} trials, bit-identical{assumed})")
        return
    code, words = library.reason(result.verdict)
    render.data_line(f"{place}: {code} {result.name} {words}")


def write(files: dict[str, bytes], out: Path | None) -> None:
    """Write the files of a port, where a place is given."""
    for name, data in files.items() if out is not None else ():
        place = (out or Path()) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, data)


def _tell(found: Diagnostic) -> None:
    render.data_line(f"{found.path}:{found.line}: {found.code} {found.message}")
