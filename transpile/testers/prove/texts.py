"""Source and translation as trees: both out of the one text that the trials were built from."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from clang.cindex import CursorKind

from transpile.core import Contract, Covers, Invariant, Source, TranslationUnit, Unbounded
from transpile.parsers import clang
from transpile.parsers.emulation import candidate_namespace, lower
from transpile.testers.proposal import Proposal
from transpile.testers.prove.reading import read
from transpile.testers.prove.sides import Sides
from transpile.testers.prove.tree import NotModelled

Cursor = Any

_REFUSED = {
    b"__shared__": "shared memory",
    b"__syncthreads": "barriers",
    b"atomic": "atomic operations",
    b"_Pragma": "directives in macros",
    b"#define": "macros that are defined within",
    b"asm": "assembly",
    b"goto": "goto",
    b"reinterpret_cast": "a cast of pointers",
}
_ERROR = 3  # CXDiagnostic_Error


def sides(source: Source, unit: TranslationUnit, proposal: Proposal, contract: Contract) -> Sides:
    """Return kernel and translation as trees.

    Raises:
        NotModelled: One of them holds something that proofs do not model.
    """
    candidate = proposal.candidate
    parts = (proposal.unit, *source.closure(proposal.unit))
    for text in (*(part.text for part in parts), *(item.text for item in candidate.replacements)):
        for word, name in _REFUSED.items():
            if word in text:
                raise NotModelled(name)
    if any(b"_Pragma" in data for data in source.files.values()):
        raise NotModelled("directives in macros")
    if contract.signature.template_arguments is not None or b"template" in proposal.unit.text:
        raise NotModelled("templates")
    if not isinstance(contract.law, Covers | Invariant | Unbounded) or candidate.binding.kernel:
        raise NotModelled("a launch whose shape matters")
    insertions = [{item.unit: item.text for item in candidate.replacements}]
    files = lower(source, insertions=insertions, rename_main=True)
    headers = b"".join(b"#include %s\n" % header.encode() for header in candidate.headers)
    files[unit.path] = headers + b"#line 1\n" + files[unit.path]
    parsed = clang.parse(source.root, files, unit)
    wrong = next((item for item in parsed.diagnostics if item.severity >= _ERROR), None)
    if wrong is not None:
        raise NotModelled(f"what the parser does not understand ({wrong.spelling})")
    texts = {str(source.root / path): data for path, data in files.items()}
    space = candidate_namespace(0)
    functions = list(_functions(parsed.cursor, (), texts))
    kernel = read(_one(functions, tuple(proposal.unit.name.split("::"))), texts)
    translation = read(_one(functions, (space, *candidate.binding.name.split("::"))), texts)
    if translation.builtins:
        raise NotModelled("a translation that asks for the launch")
    return Sides(kernel, translation, candidate.binding.arguments, contract)


def _functions(
    cursor: Cursor, place: tuple[str, ...], texts: Container[str]
) -> Iterator[tuple[tuple[str, ...], Cursor]]:
    """Yield the functions that the texts define, with their qualified names; headers are passed over."""
    for child in cursor.get_children():
        file = child.location.file
        if file is None or file.name not in texts:
            continue
        if child.kind is CursorKind.NAMESPACE:
            yield from _functions(child, (*place, child.spelling), texts)
        elif child.kind is CursorKind.LINKAGE_SPEC or child.kind is CursorKind.UNEXPOSED_DECL:
            yield from _functions(child, place, texts)
        elif child.kind is CursorKind.FUNCTION_DECL and child.is_definition():
            yield (*place, child.spelling), child


def _one(functions: list[tuple[tuple[str, ...], Cursor]], name: tuple[str, ...]) -> Cursor:
    found = [cursor for names, cursor in functions if names == name]
    if len(found) != 1:
        raise NotModelled(f"{'::'.join(name)} with {len(found)} definitions")
    return found[0]
