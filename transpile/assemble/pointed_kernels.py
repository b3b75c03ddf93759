"""Pointers that hold kernels become pointers to functions, which are called with the sizes of the launch."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, parameters
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.tree import of_type, parse, text_of
from transpile.assemble.kernel_bridges import Bridge, Sizes, bridge, parameters_of
from transpile.assemble.launch_calls import written
from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.core import Candidate, Source, Unit
from transpile.parsers.text.launching_pointers import LaunchingPointers, launching_pointers

_WIDTH = 100


def pointer_edits(
    source: Source, known: Definitions, kept: Mapping[str, Candidate]
) -> Iterator[tuple[str, Edit[bytes]]]:
    """Yield the edits, by file, after which such pointers are called and hold functions.

    A kernel that is not kept is launched as before, by a function behind it.
    """
    for found in launching_pointers(source):
        if any(item.unit in kept for item in found.held):
            yield from _edits(source, known, kept, found)


def _edits(
    source: Source, known: Definitions, kept: Mapping[str, Candidate], found: LaunchingPointers
) -> Iterator[tuple[str, Edit[bytes]]]:
    sites = {(site.path, site.span.start): site for site in source.launches}
    launches = [(item, written(source, known, sites[item.path, item.span.start])) for item in found.launches]
    sizes = Sizes.of(launch for _, launch in launches)
    for item, launch in launches:
        more = ", ".join(sizes.arguments(launch))
        yield item.path, Edit(item.configuration.start, item.configuration.end, b"")
        yield item.path, Edit(item.end, item.end, _encoded(f", {more}" if item.arguments else more))
    for path, span in found.parameters:
        empty = not source.files[path][span.start + 1 : span.end - 1].strip()
        more = ", ".join(sizes.types)
        yield path, Edit(span.end - 1, span.end - 1, _encoded(more if empty else f", {more}"))
    yield from _functions(source, found, kept, sizes)


def _functions(
    source: Source, found: LaunchingPointers, kept: Mapping[str, Candidate], sizes: Sizes
) -> Iterator[tuple[str, Edit[bytes]]]:
    """Yield the edits of what pointers are given, and the functions that this takes."""
    names: dict[str, str] = {}
    for identifier in dict.fromkeys(item.unit for item in found.held):
        unit = source.unit(identifier)
        name = unit.name.rpartition("::")[2]
        header, arguments = _template(unit)
        made = bridge(source, unit.id, name + arguments, kept.get(unit.id), sizes, deduced=False)
        itself = made.takes and _is_alike(unit, kept[unit.id])
        names[unit.id] = made.name if itself else _free(source, f"{name}_on_grid")
        if not itself:
            text = f"\n\n{header}inline {_definition(names[unit.id], made)}"
            yield unit.path, Edit(unit.span.end, unit.span.end, _encoded(text))
    for item in found.held:
        yield item.path, Edit(item.span.start, item.span.end, _encoded(names[item.unit].partition("<")[0]))


def _is_alike(unit: Unit, candidate: Candidate) -> bool:
    """Tell whether a candidate's parameters begin with the kernel's: kernels of one type stay of one type."""
    own = next(of_type(parse(unit.text), "function_definition"), None)
    before = [_kind(item) for item in parameters(own)] if own is not None else []
    return [_kind(item) for item in parameters_of(candidate)][: len(before)] == before


def _kind(parameter: Declared) -> tuple[bytes, int, bool]:
    return parameter.type, parameter.pointers + parameter.arrays, parameter.reference


def _definition(name: str, made: Bridge) -> str:
    head = f"void {name}("
    lines = textwrap.wrap(
        f"{head}{made.declared}) {{", _WIDTH, subsequent_indent=" " * len(head), break_long_words=False
    )
    return "\n".join((*lines, f"    {made.call};", "}"))


def _template(unit: Unit) -> tuple[str, str]:
    """Return the line that makes a kernel a template, and its own parameters as arguments; or nothing."""
    template = next(of_type(parse(unit.text), "template_declaration"), None)
    listed = template.child_by_field_name("parameters") if template is not None else None
    if listed is None:
        return "", ""
    own = (
        item.child_by_field_name("name") or item.child_by_field_name("declarator") or item.named_children[-1]
        for item in listed.named_children
    )
    return f"template {_text(listed)}\n", f"<{', '.join(map(_text, own))}>"


def _text(node: Node) -> str:
    return text_of(node).decode("utf-8", "surrogateescape")


def _free(source: Source, name: str) -> str:
    """Return a name that no code of a source has a word for."""
    words = {word.decode() for data in source.files.values() for word in re.findall(rb"[A-Za-z_]\w*", data)}
    return free_name(words, name)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
