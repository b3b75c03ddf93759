"""Kept kernels take the place of their sources; their launches become calls."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tree_sitter import Node

from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.tree import apply, of_type, parse, removal_of, text_of
from transpile.assemble.launch_calls import call_of, launched, parameter_names
from transpile.assemble.macro_launches import Called, macro_edits
from transpile.assemble.passed_kernels import passing_edits
from transpile.assemble.pointed_kernels import pointer_edits
from transpile.code.edits import Edit
from transpile.code.lexer import tokenize
from transpile.core import Candidate, LaunchSite, Source, Unit, UnitKind
from transpile.parsers.files.includes import compiled, read_by
from transpile.parsers.text.units import parameter_types, scope_of

_WIDTH = 100
_EMULATED = "Not translated{why}. Runs through the emulator in simt/."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """A function that was replaced, and its new prototype; of others, what stands in the source."""

    unit: Unit
    types: tuple[str, ...]
    """Of the parameters that it had."""
    text: bytes | None
    """None where it was not replaced under its name."""


def with_kernels(
    source: Source, kept: Mapping[str, Candidate], reasons: Mapping[str, str]
) -> dict[str, bytes]:
    """Return the source's files with kept kernels replaced, launched by calls, and the others marked."""
    edits: dict[str, list[Edit[bytes]]] = {}

    def add(path: str, edit: Edit[bytes]) -> None:
        edits.setdefault(path, []).append(edit)

    needed = _needed(source, kept)
    for identifier, text in replacements(source, kept).items():
        unit = source.unit(identifier)
        new = unit.text + b"\n\n" + text if identifier in needed else text
        add(unit.path, Edit(unit.span.start, unit.span.end, new))
    for unit in source.units:
        if unit.kind is UnitKind.KERNEL and unit.id not in kept:
            add(unit.path, Edit(unit.span.start, unit.span.start, note(_EMULATED, reasons.get(unit.id, ""))))
    known = Definitions.of(compiled(source.files).values())
    for edits_of in (_calls, passing_edits, pointer_edits):
        for path, edit in edits_of(source, known, kept):
            add(path, edit)
    heads: dict[str, list[_Head]] = {}
    for head in _heads(source, kept):
        heads.setdefault(head.unit.name.rpartition("::")[2], []).append(head)
    for path in source.files:
        for edit in _prototypes(source, path, heads):
            add(path, edit)
    return {path: apply(data, edits.get(path, ())) for path, data in source.files.items()}


def _calls(
    source: Source, known: Definitions, kept: Mapping[str, Candidate]
) -> Iterator[tuple[str, Edit[bytes]]]:
    """Yield the edits, by file, that make calls of launches."""
    by_macros: list[Called] = []
    for site in source.launches:
        candidate = _in_place_of(source, known, site, kept)
        if site.macro is not None:
            names = tuple(parameter_names(source.unit(candidate.unit))) if candidate is not None else ()
            by_macros.append(Called(site=site, candidate=candidate, parameters=names))
        elif candidate is not None:
            text = call_of(source, known, site, candidate)
            edit = Edit(site.span.start, site.span.end, text.encode("utf-8", "surrogateescape"))
            yield site.path, edit
    yield from macro_edits(by_macros, partial(call_of, source, known), source.files)


def _in_place_of(
    source: Source, known: Definitions, site: LaunchSite, kept: Mapping[str, Candidate]
) -> Candidate | None:
    """Return what a launch calls instead; None where it stays, as where an overload that it may mean does."""
    kernels = launched(source, site)
    found = [kept[unit] for unit in kernels if unit in kept]
    if not found or len(found) != len(kernels):
        return None
    return found[0] if len({call_of(source, known, site, item) for item in found}) == 1 else None


def replacements(source: Source, kept: Mapping[str, Candidate]) -> dict[str, bytes]:
    """Return the new text of every unit that has one; texts of one unit are the same by agreement."""
    return {item.unit: item.text for candidate in kept.values() for item in candidate.replacements}


def _needed(source: Source, kept: Mapping[str, Candidate]) -> frozenset[str]:
    """Return the replaced device functions that stay beside their new text: some caller stays as it was."""
    replaced = set(replacements(source, kept))
    same = {
        item.unit for candidate in kept.values() for item in candidate.replacements if item.same_signature
    }
    replacing = {
        unit.id for unit in source.units if unit.id in replaced and unit.kind is UnitKind.DEVICE
    } - same
    waiting = [unit for unit in source.units if unit.id not in replaced]
    found: set[str] = set()
    while waiting:
        called = replacing.intersection(waiting.pop().callees) - found
        found |= called
        waiting += map(source.unit, called)
    return frozenset(found)


def note(said: str, reason: str) -> bytes:
    """Return a comment that says what became of a kernel, with the reason in place of ``{why}``."""
    why = f": {' '.join(reason.split())}" if reason else ""
    text = said.replace("{why}", why)
    lines = textwrap.wrap(text, _WIDTH, initial_indent="// ", subsequent_indent="// ", break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _prototypes(source: Source, path: str, heads: Mapping[str, Sequence[_Head]]) -> Iterator[Edit[bytes]]:
    """Rewrite declarations of replaced functions that stand apart from their definitions."""
    data = source.files[path]
    replaced = (name for name, several in heads.items() if any(head.text is not None for head in several))
    if not any(name.encode() in data for name in replaced):
        return
    for declaration in of_type(parse(data), "declaration"):
        declarator = next(of_type(declaration, "function_declarator"), None)
        if declarator is None or declarator.start_byte < declaration.start_byte:
            continue
        name = declarator.child_by_field_name("declarator")
        several = heads.get(text_of(name).decode("utf-8", "surrogateescape"), ()) if name is not None else ()
        head = _meant(source, several, declarator, path)
        qualified = b"__global__" in text_of(declaration) or b"__device__" in text_of(declaration)
        if head is None or not qualified:
            continue
        start, end = declaration.start_byte, declaration.end_byte
        outer = declaration.parent
        if outer is not None and outer.type == "template_declaration":
            start, end = outer.start_byte, outer.end_byte
        if not _inside_unit(source, path, start):
            yield Edit(start, end, head) if head else removal_of(data, start, end)


def _inside_unit(source: Source, path: str, at: int) -> bool:
    return any(unit.path == path and unit.span.start <= at < unit.span.end for unit in source.units)


def _heads(source: Source, kept: Mapping[str, Candidate]) -> Iterator[_Head]:
    """Yield each function of the device, with its new prototype where a replacement defines it."""
    replaced = replacements(source, kept)
    for unit in source.units:
        if unit.kind not in (UnitKind.KERNEL, UnitKind.DEVICE) and unit.id not in replaced:
            continue
        name = unit.name.rpartition("::")[2]
        wanted = kept[unit.id].binding.name.rpartition("::")[2] if unit.id in kept else name
        text = prototype(replaced[unit.id], wanted) if unit.id in replaced else None
        before = next(of_type(parse(unit.text), "function_declarator"), None)
        yield _Head(unit=unit, types=_types(before), text=text)


def _meant(source: Source, heads: Sequence[_Head], declarator: Node, path: str) -> bytes | None:
    """Return the new prototype of the function that a declaration in a file is of; None where it stays.

    Functions of one name are told apart by the namespace of the declaration, by who reads its file, and by
    its parameters, which may be spelled otherwise there.
    """
    scope = scope_of(declarator)[0]
    types = _types(declarator)
    for fits in (
        lambda head: tuple(head.unit.name.split("::")[:-1]) == scope,
        lambda head: path in read_by(source, head.unit.path),
        lambda head: head.types == types,
    ):
        heads = [head for head in heads if fits(head)] or heads
    texts = {head.text for head in heads}
    return texts.pop() if len(texts) == 1 else None


def _types(declarator: Node | None) -> tuple[str, ...]:
    """Return the types of parameters as they are spelled, without names, defaults and ``restrict``."""
    listed = None if declarator is None else declarator.child_by_field_name("parameters")
    inside = tokenize(text_of(listed)).text[1:-1] if listed is not None else ()
    return parameter_types(inside)


def prototype(text: bytes, name: str) -> bytes | None:
    """Return the declaration of the function of that name that a text defines; None where it defines none."""
    for definition in of_type(parse(text), "function_definition"):
        declarator = next(of_type(definition, "function_declarator"), None)
        body = definition.child_by_field_name("body")
        own = declarator.child_by_field_name("declarator") if declarator is not None else None
        if own is None or body is None or text_of(own).decode() != name:
            continue
        start = definition.start_byte
        if definition.parent is not None and definition.parent.type == "template_declaration":
            start = definition.parent.start_byte
        return text[start : body.start_byte].rstrip() + b";"
    return None
