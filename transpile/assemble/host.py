"""Rewriting of a port's host code: the passes, their order, and how far they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from transpile.assemble.host_code import events, memory, runtime, streams
from transpile.assemble.host_code.checks import unchecked
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.effects import Program
from transpile.assemble.host_code.first_use import declared_at_first_use
from transpile.assemble.host_code.in_place import in_place
from transpile.assemble.host_code.leftovers import without_leftovers
from transpile.assemble.host_code.qualifiers import without_qualifiers
from transpile.assemble.host_code.spacing import spaced
from transpile.code.joins import without_joins
from transpile.core import Candidate, Diagnostic, Severity, Source

_ORDER = runtime.CALLS | streams.CALLS | events.CALLS


class Style(StrEnum):
    """What becomes of the CUDA runtime's calls, the boldest first."""

    IN_PLACE = "in place"
    """Host arrays are used where they are; copies to and from the device vanish where that is safe."""
    BUFFERS = "buffers"
    """Device buffers become host buffers of their own, copies become copies."""
    EMULATED = "emulated"
    """The runtime's calls stay and go to the emulator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """Code files after the host passes; a header that was emptied is gone."""

    files: Mapping[str, bytes]
    diagnostics: tuple[Diagnostic, ...] = ()


def rewritten(
    code: Mapping[str, bytes], source: Source, kept: Mapping[str, Candidate], style: Style
) -> Rewritten:
    """Run the passes of a style over the code files of a port."""
    code = {path: without_joins(data) for path, data in code.items()}
    cuda = {path: data for path, data in code.items() if b"cuda" in data or b"__" in data or b"<<<" in data}
    if style is Style.EMULATED:
        return Rewritten(files=code)
    diagnostics: list[Diagnostic] = []
    before = {path: source.files[path] for path in cuda}
    known = Definitions.of(code.values())
    texts = {path: unchecked(data, memory.CALLS | _ORDER, known) for path, data in cuda.items()}
    stuck = memory.obstacle(texts, known)
    if stuck is not None:
        texts = {path: unchecked(data, _ORDER, known) for path, data in cuda.items()}
        diagnostics.append(_memory_stays(*stuck))
    if style is Style.IN_PLACE:
        program = Program.of(
            {**code, **texts}, frozenset(item.binding.name.encode() for item in kept.values())
        )
        texts = {path: in_place(data, path, program) for path, data in texts.items()}
    if stuck is None:
        texts = {path: memory.as_host_memory(data, path, known) for path, data in texts.items()}
    texts = streams.in_program_order(texts, known)
    texts = events.as_clock(texts, known)
    texts = {path: without_qualifiers(runtime.without_device(data, known)) for path, data in texts.items()}
    texts = {path: declared_at_first_use(data) for path, data in texts.items()}
    texts = without_leftovers(texts, before)
    texts = {path: spaced(data, before[path]) for path, data in texts.items()}
    return Rewritten(
        files={
            path: texts.get(path, data) for path, data in code.items() if path in texts or path not in cuda
        },
        diagnostics=tuple(diagnostics),
    )


def _memory_stays(path: str, line: int, name: str) -> Diagnostic:
    return Diagnostic(
        code="TP503",
        severity=Severity.NOTE,
        path=path,
        line=line,
        message=f"`{name}` cannot be rewritten here, so all device memory stays in the emulator",
    )
