"""Conditions on the compiler of devices, ``#if __CUDA_ARCH__ >= 700``: the branch that is judged is ported.

A compiler of the host defines none of these names: a port with the condition would be another text. What is
judged is compiled for the emulator, which has the version of a runtime and no architecture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from transpile.code.edits import Edit, edited
from transpile.code.identity import Same
from transpile.code.lexer import Token, spelled, tokenize
from transpile.core import ProgrammingModel, Source, Span, UnitKind
from transpile.expressions import ExpressionError, evaluate
from transpile.parsers.files.conditionals import behind_mark, chains, defined

VALUES: Mapping[ProgrammingModel, Mapping[str, int]] = {
    ProgrammingModel.CUDA: {
        "__CUDACC__": 1,
        "__NVCC__": 1,
        "__CUDACC_VER_MAJOR__": 12,
        "__CUDACC_VER_MINOR__": 4,
        "__CUDACC_VER_BUILD__": 0,
        "CUDART_VERSION": 12040,
        "CUDA_VERSION": 12040,
    },
    ProgrammingModel.HIP: {
        "__HIPCC__": 1,
        "__HIP__": 1,
        "__HIP_PLATFORM_AMD__": 1,
        "HIP_VERSION_MAJOR": 6,
        "HIP_VERSION_MINOR": 2,
        "HIP_VERSION": 60200000,
    },
}
"""Macros of the emulator (``simt/qualifiers.h``)."""
_NEVER = ("__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__")
_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_NAME = re.compile(r"\b[A-Za-z_]\w*")
_SUFFIX = re.compile(r"\b(\d+)[uUlL]+\b")


def without_compiler_conditions(source: Source) -> Source:
    """Return a source whose kernels and device functions have no conditions on the compiler of devices."""
    return _without(Same(source)) if source.dialect.model in VALUES else source


@lru_cache(maxsize=4)
def _without(key: Same) -> Source:
    source, own = key.source, VALUES[key.source.dialect.model]
    given = {name.decode("latin-1") for name in defined(source.files, source.translation_units)}
    every = (*_NEVER, *(name for names in VALUES.values() for name in names))
    known = {name: own.get(name, 0) for name in every if name not in given}
    found: dict[str, list[Edit[bytes]]] = {}
    for unit in source.units:
        if unit.kind in (UnitKind.KERNEL, UnitKind.DEVICE) and b"#" in unit.text:
            edits = found.setdefault(unit.path, [])
            edits += (item for item in _edits(unit.text, unit.span.start, known) if item not in edits)
    return edited(source, found) if any(found.values()) else source


def _edits(text: bytes, start: int, known: Mapping[str, int]) -> Iterator[Edit[bytes]]:
    """Yield what takes the conditions out of a text that begins at an offset of its file."""
    gone: list[Span] = []
    for marks in chains(tokenize(text).text):
        kept = _kept(marks, text, known)
        if kept is None or any(span.start <= marks[0].start < span.end for span in gone):
            continue
        first, last = _line(text, marks[0]).start, _line(text, marks[-1]).end
        gone += (Span(start=first, end=kept.start or last), Span(start=kept.end or last, end=last))
    yield from (Edit(start + span.start, start + span.end, b"") for span in gone if span.start < span.end)


def _kept(marks: Sequence[Token], text: bytes, known: Mapping[str, int]) -> Span | None:
    """Return the branch that is compiled, empty if there is none; None where other names decide."""
    for mark, following in pairwise(marks):
        holds = _holds(mark, known)
        if holds is None:
            return None
        if holds:
            return Span(start=_line(text, mark).end, end=_line(text, following).start)
    return Span(start=0, end=0)


def _holds(mark: Token, known: Mapping[str, int]) -> bool | None:
    """Tell whether a branch is compiled if none before it is; None where that is not known."""
    name, *rest = behind_mark(mark)
    word, condition = name.text.decode("latin-1"), spelled(rest)
    if word == "else":
        return True
    if word.endswith("def"):
        condition = f"{'!' if word.endswith('ndef') else ''}defined({condition})"
    asked = [one or other for one, other in _DEFINED.findall(condition)]
    if not known.keys() >= {*asked, *_NAME.findall(_DEFINED.sub("", condition))}:
        return None
    condition = _DEFINED.sub(lambda match: str(int(known[match[1] or match[2]] > 0)), condition)
    try:
        return evaluate(_SUFFIX.sub(r"\1", condition), known) != 0
    except ExpressionError:
        return None


def _line(text: bytes, token: Token) -> Span:
    """Return the lines of a directive, with their ends."""
    end = text.find(b"\n", token.end)
    return Span(start=text.rfind(b"\n", 0, token.start) + 1, end=len(text) if end < 0 else end + 1)
