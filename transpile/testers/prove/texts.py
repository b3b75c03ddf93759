"""Source and translation as trees: both out of the one text that the trials were built from."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clang.cindex import CursorKind

from transpile.core import Contract, Covers, Invariant, Source, Unbounded
from transpile.parsers.lowering.emulation import candidate_namespace, lower
from transpile.parsers.types import clang
from transpile.testers.proposal import Proposal
from transpile.testers.prove.reading import read
from transpile.testers.prove.sides import Original, Sides
from transpile.testers.prove.tree import NotModelled, Routine

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


def sides(source: Source, proposal: Proposal, contract: Contract) -> Sides:
    """Return kernel and translation as trees.

    Raises:
        NotModelled: One of them holds something that proofs do not model.
    """
    candidate = proposal.candidate
    _refuse(source, proposal, contract, [item.text for item in candidate.replacements])
    if not isinstance(contract.law, Covers | Invariant | Unbounded) or candidate.binding.kernel:
        raise NotModelled("a launch whose shape matters")
    insertions = [{item.unit: item.text for item in candidate.replacements}]
    parsed = _Parsed.of(source, proposal, insertions)
    translation = parsed.routine((candidate_namespace(0), *candidate.binding.name.split("::")))
    if translation.builtins:
        raise NotModelled("a translation that asks for the launch")
    return Sides(
        source=parsed.routine(tuple(proposal.unit.name.split("::"))),
        candidate=translation,
        arguments=candidate.binding.arguments,
        contract=contract,
    )


def original(source: Source, proposal: Proposal, contract: Contract) -> Original:
    """Return what is translated as a tree, whatever became of it.

    Raises:
        NotModelled: It holds something that proofs do not model.
    """
    _refuse(source, proposal, contract, [])
    parsed = _Parsed.of(source, proposal, [])
    return Original(source=parsed.routine(tuple(proposal.unit.name.split("::"))), contract=contract)


def kernel(source: Source, proposal: Proposal) -> tuple[Cursor, bytes]:
    """Return the definition of what is translated, and the file that it stands in as it was parsed.

    Raises:
        NotModelled: It is a template, or not understood.
    """
    _refuse_generated(source, proposal)
    parsed = _Parsed.of(source, proposal, [])
    found = _one(parsed.functions, tuple(proposal.unit.name.split("::")))
    return found, parsed.texts[found.location.file.name]


def _refuse(source: Source, proposal: Proposal, contract: Contract, texts: Sequence[bytes]) -> None:
    parts = (proposal.unit, *source.closure(proposal.unit))
    for text in (*(part.text for part in parts), *texts):
        for word, name in _REFUSED.items():
            if word in text:
                raise NotModelled(name)
    if contract.signature.template_arguments is not None:
        raise NotModelled("templates")
    _refuse_generated(source, proposal)


def _refuse_generated(source: Source, proposal: Proposal) -> None:
    """Refuse what does not stand in the text as it is compiled."""
    if any(b"_Pragma" in data for data in source.files.values()):
        raise NotModelled("directives in macros")
    if b"template" in proposal.unit.text:
        raise NotModelled("templates")


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A translation unit that the parser understands, with the functions that its texts define."""

    functions: tuple[tuple[tuple[str, ...], Cursor], ...]
    texts: Mapping[str, bytes]

    @classmethod
    def of(cls, source: Source, proposal: Proposal, insertions: Sequence[Mapping[str, bytes]]) -> _Parsed:
        path = proposal.unit.translation_unit
        unit = next(item for item in source.translation_units if item.path == path)
        files = lower(source, insertions=insertions, rename_main=True)
        if insertions:
            headers = b"".join(b"#include %s\n" % header.encode() for header in proposal.candidate.headers)
            files[path] = headers + b"#line 1\n" + files[path]
        parsed = clang.parse(source.root, files, unit)
        wrong = next((item for item in parsed.diagnostics if item.severity >= clang.ERROR), None)
        if wrong is not None:
            raise NotModelled(f"what the parser does not understand ({wrong.spelling})")
        texts = {str(source.root / path): data for path, data in files.items()}
        return cls(tuple(_functions(parsed.cursor, (), texts)), texts)

    def routine(self, name: tuple[str, ...]) -> Routine:
        """Return a function by its qualified name."""
        return read(_one(self.functions, name), self.texts)


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


def _one(functions: Sequence[tuple[tuple[str, ...], Cursor]], name: tuple[str, ...]) -> Cursor:
    found = [cursor for names, cursor in functions if names == name]
    if len(found) != 1:
        raise NotModelled(f"{'::'.join(name)} with {len(found)} definitions")
    return found[0]
