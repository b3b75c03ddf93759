"""Kept kernels take the place of their sources; their launches become calls."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tree_sitter import Node

from transpile.assemble.configuration import Shape, shape_of
from transpile.assemble.host_code.declarations import parameters
from transpile.assemble.host_code.tree import apply, arguments_of, of_type, parse, removal_of, text_of
from transpile.assemble.macro_launches import Called, macro_edits
from transpile.code.edits import Edit
from transpile.code.lexer import tokenize
from transpile.core import Candidate, LaunchSite, Source, Span, Unit, UnitKind
from transpile.parsers.files.includes import read_by
from transpile.parsers.text.units import parameter_types, scope_of

_WIDTH = 100
_EMULATED = "Not translated{why}. Runs through the emulator in simt/."
_WORD = re.compile(r"(?:(?:gridDim|blockDim)\s*\.\s*[xyz]\b)|(?<![\w.])[A-Za-z_]\w*")
_PRIMARY = re.compile(r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])*|\([^()]*\)")
_NUMBER = re.compile(r"\d\w*")
_DIMENSION = re.compile(r"(gridDim|blockDim)\s*\.\s*([xyz])\b")
_PRODUCT = re.compile(rf"{_DIMENSION.pattern}(?:\s*\*\s*{_DIMENSION.pattern})+")


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
    for path, edit in _calls(source, kept):
        add(path, edit)
    heads: dict[str, list[_Head]] = {}
    for head in _heads(source, kept):
        heads.setdefault(head.unit.name.rpartition("::")[2], []).append(head)
    for path in source.files:
        for edit in _prototypes(source, path, heads):
            add(path, edit)
    return {path: apply(data, edits.get(path, ())) for path, data in source.files.items()}


def _calls(source: Source, kept: Mapping[str, Candidate]) -> Iterator[tuple[str, Edit[bytes]]]:
    """Yield the edits, by file, that make calls of launches."""
    by_macros: list[Called] = []
    for site in source.launches:
        candidate = _in_place_of(source, site, kept)
        if site.macro is not None:
            names = tuple(_parameter_names(source.unit(candidate.unit))) if candidate is not None else ()
            by_macros.append(Called(site=site, candidate=candidate, parameters=names))
        elif candidate is not None:
            text = _call(source, site, candidate)
            edit = Edit(site.span.start, site.span.end, text.encode("utf-8", "surrogateescape"))
            yield site.path, edit
    yield from macro_edits(by_macros, partial(_call, source), source.files)


def _in_place_of(source: Source, site: LaunchSite, kept: Mapping[str, Candidate]) -> Candidate | None:
    """Return what a launch calls instead; None where it stays, as where an overload that it may mean does."""
    kernels = _launched(source, site)
    found = [kept[unit] for unit in kernels if unit in kept]
    if not found or len(found) != len(kernels):
        return None
    return found[0] if len({_call(source, site, item) for item in found}) == 1 else None


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


def _call(source: Source, site: LaunchSite, candidate: Candidate) -> str:
    if site.macro is None:
        launch = _launch_node(source.files[site.path], site.span)
    else:
        # A function around it, since the grammar takes statements of a file for declarations.
        place, around = site.macro.place, b"void f() {"
        moved = Span(start=place.start + len(around), end=place.end + len(around))
        launch = _launch_node(around + site.macro.expansion + b"}", moved)
    shapes = _shapes(launch, site)
    given = [_decoded(node) for node in arguments_of(launch)] if launch is not None else list(site.arguments)
    values = dict(zip(_parameter_names(source.unit(candidate.unit)), given, strict=False))
    arguments = ", ".join(
        _substituted(text, values, shapes, site, in_macro=launch is None)
        for text in candidate.binding.arguments
    )
    return f"{_callee(site.kernel, candidate)}({arguments})"


def _launched(source: Source, site: LaunchSite) -> tuple[str, ...]:
    """Return the kernel that a launch is of; overloads where the types of its arguments choose among them."""
    if site.unit is not None:
        return (site.unit,)
    name = _plain(site.kernel).partition("<")[0].strip().rpartition("::")[2]
    kernels = (item for item in source.units if item.kind is UnitKind.KERNEL)
    same = (item for item in kernels if item.name.rpartition("::")[2] == name)
    return tuple(item.id for item in same if len(_parameter_names(item)) == len(site.arguments))


def _plain(kernel: str) -> str:
    """Return the kernel expression of a launch without parentheses around it."""
    kernel = kernel.strip()
    return kernel[1:-1].strip() if kernel.startswith("(") and kernel.endswith(")") else kernel


def _callee(kernel: str, candidate: Candidate) -> str:
    """Return the launch's kernel expression under the candidate's name, its template arguments kept."""
    kernel = _plain(kernel)
    base, bracket, rest = kernel.partition("<")
    own = candidate.binding.name.rpartition("::")[2]
    scope = base.strip().rpartition("::")[0]
    arguments = bracket + rest
    if not bracket and candidate.binding.template_arguments is not None and "," not in kernel:
        arguments = ""
    return (scope + "::" if scope else "") + own + arguments


def _substituted(
    text: str, values: Mapping[str, str], shapes: Mapping[str, Shape], site: LaunchSite, *, in_macro: bool
) -> str:
    """Write a binding's argument with the texts of one launch."""
    if _PRODUCT.fullmatch(text.strip()):
        sizes = (shapes[base].axes["xyz".index(axis)] for base, axis in _DIMENSION.findall(text))
        longer = [size for size in sizes if size != "1"]
        if len(longer) > 1:
            longer = [size if _PRIMARY.fullmatch(size) else f"({size})" for size in longer]
        return " * ".join(longer) or "1"
    alone = text.strip() in values or re.fullmatch(
        r"(gridDim|blockDim)\s*\.\s*[xyz]|dynamicShared", text.strip()
    )

    def value(match: re.Match[str]) -> str:
        word = re.sub(r"\s", "", match.group())
        base, _, axis = word.partition(".")
        if axis:
            found = shapes[base].axes["xyz".index(axis)]
        elif word in shapes:
            found = shapes[word].whole
        elif word == "dynamicShared":
            found = site.configuration[2] if len(site.configuration) > 2 else "0"
        else:
            found = values.get(word, word)
        if alone or (word not in (*values, "dynamicShared") and not axis):
            return found
        # A word in a macro may stand for more than one.
        single = _NUMBER if word in values and in_macro else _PRIMARY
        return found if single.fullmatch(found) else f"({found})"

    return _WORD.sub(value, text)


def _parameter_names(unit: Unit) -> list[str]:
    definition = next(of_type(parse(unit.text), "function_definition"), None)
    return [found.name.decode() for found in parameters(definition)] if definition is not None else []


def _decoded(node: Node) -> str:
    return text_of(node).decode("utf-8", "surrogateescape")


def _shapes(launch: Node | None, site: LaunchSite) -> dict[str, Shape]:
    syntax = next(of_type(launch, "kernel_call_syntax"), None) if launch is not None else None
    nodes = (
        [child for child in syntax.named_children if child.type != "comment"] if syntax is not None else []
    )
    if len(nodes) >= 2:
        shapes = [shape_of(node) for node in nodes[:2]]
    else:
        made = [f"dim3({text})" for text in site.configuration[:2]]
        shapes = [Shape(text, (f"{text}.x", f"{text}.y", f"{text}.z")) for text in made]
    return dict(zip(("gridDim", "blockDim"), shapes, strict=False))


def _launch_node(data: bytes, span: Span) -> Node | None:
    """Return the syntax of a launch; None inside macros, which the grammar does not look into."""
    for syntax in of_type(parse(data), "kernel_call_syntax"):
        if span.start <= syntax.start_byte < span.end:
            return syntax.parent
    return None


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
