"""Parts of a source that are already HIP: whole files, and branches of ``#if`` for one vendor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from transpile.code.edits import Edit, apply, line_ends, line_of
from transpile.code.identity import Same
from transpile.code.lexer import Kind, Token, tokenize
from transpile.core import Diagnostic, Severity, Source, Span, Unit
from transpile.parsers.files.discovery import is_code
from transpile.parsers.files.includes import readings
from transpile.parsers.text.hip_words import INCLUDES_CUDA, INCLUDES_HIP

_HIP = rb"\b(?!\w+_(?:H|HH|HPP|CUH)_*\b)(?:\w*_)?(?:HIP(?:CC)?|ROCM|AMDGCN)(?:_\w*)?\b"
"""A macro that says that it is HIP, and no guard of a header."""
_OF_HIP = re.compile(_HIP)
_OF_CUDA = re.compile(rb"\b\w*(?:CUDA|NVCC|NVIDIA)\w*\b")
_WITHOUT = re.compile(rb"(?:!\s*(?:defined\s*\(?\s*)?|\bifndef\s+)" + _HIP)
_SELECTS = re.compile(
    rb"(?:\bifn?def\s+|\bdefined\s*\(?\s*|\b(?:el)?if\s+!?\s*)(" + _HIP + rb")(?!\s*(?:[=<>+*/%-]|!=))"
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A group of ``#if`` … ``#endif`` that is one thing to HIP and another to CUDA."""

    span: Span
    condition: bytes

    @property
    def macros(self) -> frozenset[bytes]:
        """Return the macros that have to be there for HIP's branch; none where that is not so simple."""
        return frozenset(_SELECTS.findall(self.condition))

    @property
    def selecting(self) -> tuple[str, ...]:
        """Return those of the macros that no compiler defines of itself."""
        return tuple(sorted(name.decode() for name in self.macros if not name.startswith(b"__")))


@lru_cache(maxsize=512)
def choices(data: bytes) -> tuple[Choice, ...]:
    """Return the outermost choices of a text in order."""
    found: list[Choice] = []
    for conditions, last in _groups(data):
        chosen = next((item for item in conditions if _chooses(item.text)), None)
        if chosen is not None:
            span = Span(start=conditions[0].start, end=last.end)
            found = [item for item in found if item.span.start < span.start]
            found.append(Choice(span, chosen.text))
    return tuple(found)


def _groups(data: bytes) -> Iterator[tuple[list[Token], Token]]:
    """Yield the conditions of each group, inner groups first, and its end."""
    opened: list[list[Token]] = []
    for token in tokenize(data).text:
        if token.kind is Kind.DIRECTIVE:
            word = token.text.lstrip(b"# \t")
            if word.startswith(b"if"):
                opened.append([token])
            elif word.startswith(b"el") and opened:
                opened[-1].append(token)
            elif word.startswith(b"endif") and opened:
                yield opened.pop(), token


def _chooses(condition: bytes) -> bool:
    """Tell whether a condition holds for one of the two alone; one that names both is for both."""
    if _OF_HIP.search(condition) is None:
        return False
    return _OF_CUDA.search(condition) is None or _WITHOUT.search(condition) is not None


def selecting(source: Source) -> tuple[str, ...]:
    """Return the macros that the build for HIP has to define."""
    code = (data for path, data in source.files.items() if is_code(path))
    return tuple(sorted({name for data in code for item in choices(data) for name in item.selecting}))


def is_chosen(data: bytes, span: Span) -> bool:
    """Tell whether a span touches a choice."""
    return any(item.span.start < span.end and span.start < item.span.end for item in choices(data))


def without_choices(data: bytes) -> bytes:
    """Return a text whose choices are gone but for their lines."""
    spans = [item.span for item in choices(data)]
    return apply(data, (Edit(span.start, span.end, line_ends(span.of(data))) for span in spans))


def already(source: Source) -> frozenset[str]:
    """Return the files that are HIP: who includes its headers, and what only such translation units read."""
    return _already(Same(source))


@lru_cache(maxsize=4)
def _already(key: Same) -> frozenset[str]:
    source = key.source
    code = {path: without_choices(data) for path, data in source.files.items() if is_code(path)}
    own = {path for path in code if _is_hip(path, code)}
    read = readings(key)
    hip = {path for path, paths in read.items() if paths & own and not _read_cuda(paths, code)}
    others = set[str]().union(*(read[path] for path in read.keys() - hip))
    return frozenset(own | set[str]().union(*(read[path] for path in hip)) - others)


def _is_hip(path: str, code: Mapping[str, bytes]) -> bool:
    includes = INCLUDES_HIP.search(code[path]) is not None
    return path.endswith(".hip") or (includes and not INCLUDES_CUDA.search(code[path]))


def _read_cuda(paths: frozenset[str], code: Mapping[str, bytes]) -> bool:
    return any(INCLUDES_CUDA.search(code[path]) for path in paths if path in code)


def is_left(source: Source, unit: Unit) -> bool:
    """Tell whether a unit is not ported: it is HIP, or one vendor's of two."""
    return unit.path in already(source) or any(
        item.span.start <= unit.span.start and unit.span.end <= item.span.end
        for item in choices(source.files[unit.path])
    )


def undecided(source: Source) -> Iterator[Diagnostic]:
    """Yield the choices of which is not known what makes them choose HIP."""
    for path, data in source.files.items():
        for choice in choices(data) if is_code(path) else ():
            if not choice.macros:
                yield Diagnostic(
                    code="TP213",
                    severity=Severity.ERROR,
                    path=path,
                    line=line_of(data, choice.span.start),
                    message="the macro that selects the HIP branch of this `#if` is unknown",
                    hint="test __HIP_PLATFORM_AMD__, which AMD's compilers define",
                )
