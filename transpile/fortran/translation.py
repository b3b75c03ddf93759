"""Fortran translated by a process of its own in the sandbox: parsers of foreign text run nowhere else."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transpile import foreign
from transpile.core import Diagnostic, Severity
from transpile.errors import InternalError
from transpile.parsers.fortran.interfaces import Interface, read
from transpile.toolchains import own_python
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished
from transpile.toolchains.sandbox import execute

NOT_TRANSLATED = "TP600"
_CHILD = "transpile.fortran.child"
"""Imported by a process of its own alone: what does not port Fortran does not wait for it."""
_SECONDS, _MEMORY = 300.0, 4 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Translated:
    """A program or a library in C++, and the texts of its files in the order in which they are compiled."""

    sources: dict[str, str]
    text: str
    library: bool
    origins: tuple[int, ...] = ()
    """Of each line of a library's text the line of Fortran that it comes from; 0 where there is none."""
    interfaces: tuple[Interface, ...] = ()
    """Of the routines of a library that were translated."""
    refused: tuple[tuple[str, Diagnostic], ...] = ()
    """Program units of a library that were not, and why."""
    programs: tuple[Main, ...] = ()
    """Main programs beside a library, which stay Fortran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Main:
    """A file with a main program that stays Fortran."""

    name: str
    text: str
    why: Diagnostic


def translated(
    root: Path,
    names: Sequence[str],
    *,
    wanted: Collection[str] = (),
    leave: Collection[str] = (),
    unsafe: bool = False,
) -> Translated | Diagnostic:
    """Translate Fortran files; where no main program is among them, routine by routine.

    Args:
        root: The folder, or the only file.
        names: Files below it.
        wanted: Of a library, which routines Fortran calls in C++; all where it is empty.
        leave: Of a library, program units that are left out with what uses them.
        unsafe: Run without the sandbox.
    """
    top = root if root.is_dir() else root.parent
    texts = {name: foreign.read(top, name).decode("latin-1") for name in names}
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name).resolve()
        given = scratch / "given.json"
        given.write_text(json.dumps({"texts": texts, "wanted": [*wanted], "leave": [*leave]}))
        done = execute(
            [*own_python.command(_CHILD), str(top.resolve()), str(given)],
            profile=Profile.BUILD,
            mounts=Mounts(cwd=scratch, readable=[*own_python.readable(), top.resolve()], writable=[scratch]),
            quota=Quota(timeout=_SECONDS, memory=_MEMORY),
            environment=own_python.environment(scratch),
            unsafe=unsafe,
        )
    return _answer(done, texts)


def _answer(done: Finished, texts: dict[str, str]) -> Translated | Diagnostic:
    """Return what the process answered, taking nothing of it for granted."""
    first = next(iter(texts))
    if done.timed_out or done.out_of_memory:
        return told(first, 0, NOT_TRANSLATED, "no translation: it takes too much time or memory")
    try:
        answer = json.loads(done.stdout)
        if done.status == 0 and "text" in answer:
            return _read(answer, texts)
        return _refusal(answer, first)
    except (ValueError, KeyError, TypeError) as error:
        failure = InternalError("the translator of Fortran answered something else than a program")
        failure.add_note(done.stderr.decode(errors="replace"))
        raise failure from error


def _read(answer: dict[str, Any], texts: dict[str, str]) -> Translated:
    interfaces = tuple(read(item) for item in answer.get("interfaces", ()))
    refused = tuple(
        (str(item["name"]), _refusal(item, next(iter(texts)))) for item in answer.get("refused", ())
    )
    programs = tuple(
        Main(name=str(item["name"]), text=texts[item["name"]], why=_refusal(item, str(item["name"])))
        for item in answer.get("programs", ())
    )
    return Translated(
        sources={str(name): texts[name] for name in answer["order"]},
        text=str(answer["text"]),
        library="interfaces" in answer,
        origins=tuple(int(item) for item in answer.get("origins", ())),
        interfaces=interfaces,
        refused=refused,
        programs=programs,
    )


def _refusal(item: dict[str, Any], first: str) -> Diagnostic:
    detail = f"no translation: {item['detail']}"
    return told(str(item["file"]) or first, int(item["line"]), NOT_TRANSLATED, detail)


def told(file: str, line: int, code: str, message: str) -> Diagnostic:
    """Return what is said of a place in a file."""
    return Diagnostic(code=code, severity=Severity.ERROR, path=file, line=line or 1, message=message)
