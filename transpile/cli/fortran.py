"""``transpile port --to cpp`` of Fortran programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from transpile import fortran_programs
from transpile.cli import render
from transpile.cli.edge import ExitStatus
from transpile.core import CPP, Diagnostic, Dialect
from transpile.errors import UsageError
from transpile.files import write_whole


def port(
    root: Path, names: Sequence[str], out: Path | None, target: Dialect, *, plan: bool, unsafe: bool
) -> ExitStatus:
    """Port a whole program, write it where it was kept, and say what was shown; of a plan, only translate.

    Raises:
        UsageError: To another dialect than plain C++.
    """
    if target != CPP:
        raise UsageError("Fortran is ported to C++ alone", hint="Use --to cpp.")
    if plan:
        planned = fortran_programs.refusal(root, names, unsafe=unsafe)
        if planned is not None:
            _tell(planned)
            return ExitStatus.FINDINGS
        render.data_line(f"{len(names)} files have a translation, which would be built and compared")
        return ExitStatus.KEPT
    result = fortran_programs.port(root, names, unsafe=unsafe)
    for item in result.diagnostics:
        _tell(item)
    if not result.kept:
        render.hint("Not kept: nothing was written. `transpile explain CODE` says more.")
        return ExitStatus.FINDINGS
    for name, data in result.files.items() if out is not None else ():
        place = (out or Path()) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, data)
    render.data_line(f"kept: the program printed the same as its source in {result.runs} runs without input")
    render.hint("Only what was printed and the exit status were compared; the functions had no trials.")
    return ExitStatus.KEPT


def _tell(found: Diagnostic) -> None:
    render.data_line(f"{found.path}:{found.line}: {found.code} {found.message}")
