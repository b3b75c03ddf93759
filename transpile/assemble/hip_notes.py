"""Notes on a port to HIP that may surprise its reader: what stays, and why."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.assemble.hip import surroundings
from transpile.code.edits import line_of
from transpile.core import Diagnostic, Dialect, Severity, Source
from transpile.parsers.files.discovery import is_code
from transpile.toolchains.beside import INCLUDE, headers_beside
from transpile.translators.targets.hip import collisions, names, tables, vendors
from transpile.translators.targets.hip.leftovers import lacking_names, leftovers, missing
from transpile.translators.targets.hip.source import is_ported


def notes(source: Source, target: Dialect) -> Iterator[Diagnostic]:
    """Yield what is to be known of a port of a source."""
    yield from _lacking(source, target)
    yield from _already(source)
    yield from collisions.told(source)
    yield from _outside(source)


def _lacking(source: Source, target: Dialect) -> Iterator[Diagnostic]:
    port, left = surroundings(source, target), vendors.already(source)
    lacking = lacking_names(port)
    for path, data in port.files.items():
        if is_ported(path, data) and path not in left:
            for item in leftovers(vendors.without_choices(data), lacking):
                yield missing(path, item.line, item, Severity.WARNING)


def _already(source: Source) -> Iterator[Diagnostic]:
    left = vendors.already(source)
    for path in sorted(left):
        yield _left(path, 1, "it is already HIP, and it is not judged")
    for path, data in source.files.items():
        for choice in vendors.choices(data) if is_code(path) and path not in left else ():
            line = line_of(data, choice.span.start)
            asked = "".join(f"; define {name} to build for HIP" for name in choice.selecting)
            yield _left(path, line, f"`#if` chooses between HIP and CUDA here, and both branches stay{asked}")


def _left(path: str, line: int, why: str) -> Diagnostic:
    return Diagnostic(code="TP213", severity=Severity.NOTE, path=path, line=line, message=f"unchanged: {why}")


def _outside(source: Source) -> Iterator[Diagnostic]:
    """Yield the headers beside the repository that include CUDA's."""
    flags = tuple(flag for unit in source.translation_units for flag in unit.flags)
    headers = tables.headers(source.files.get(tables.OWN, b""))
    for path, data in sorted(headers_beside(source.files, flags).items()):
        for found in INCLUDE.finditer(data):
            if names.row_of(found, headers, frozenset()) is not None:
                name = (found[1] or found[2]).decode("utf-8", "replace")
                yield Diagnostic(
                    code="TP215",
                    severity=Severity.WARNING,
                    path=path,
                    line=line_of(data, found.start()),
                    message=f"the header includes `{name}` and lies outside the repository, so it stays CUDA",
                    hint="port a directory that holds both, or port that header's own repository",
                )
                break
