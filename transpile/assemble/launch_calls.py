"""Launches written as calls of what takes the kernel's place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.assemble.configuration import Shape, shape_of
from transpile.assemble.host_code.declarations import parameters
from transpile.assemble.host_code.tree import arguments_of, of_type, parse, text_of
from transpile.core import Candidate, LaunchSite, Source, Span, Unit, UnitKind

_WORD = re.compile(r"(?:(?:gridDim|blockDim)\s*\.\s*[xyz]\b)|(?<![\w.])[A-Za-z_]\w*")
_PRIMARY = re.compile(r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])*|\([^()]*\)")
_NUMBER = re.compile(r"\d\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """How a launch is written."""

    shapes: Mapping[str, Shape]
    """Of ``gridDim`` and ``blockDim``."""
    arguments: tuple[str, ...]
    in_macro: bool = False


def call_of(source: Source, site: LaunchSite, candidate: Candidate) -> str:
    """Return a launch as a call of a candidate."""
    return called_as(written(source, site), site, candidate, parameter_names(source.unit(candidate.unit)))


def called_as(launch: Written, site: LaunchSite, candidate: Candidate, names: Sequence[str]) -> str:
    """Return the call of a candidate for a launch of a kernel with parameters of these names."""
    values = dict(zip(names, launch.arguments, strict=False))
    arguments = ", ".join(
        _substituted(text, values, launch.shapes, site, in_macro=launch.in_macro)
        for text in candidate.binding.arguments
    )
    return f"{_callee(site.kernel, candidate)}({arguments})"


def written(source: Source, site: LaunchSite) -> Written:
    """Return how a launch is written, that of a macro as it expands."""
    if site.macro is None:
        launch = _launch_node(source.files[site.path], site.span)
    else:
        # A function around it, since the grammar takes statements of a file for declarations.
        place, around = site.macro.place, b"void f() {"
        moved = Span(start=place.start + len(around), end=place.end + len(around))
        launch = _launch_node(around + site.macro.expansion + b"}", moved)
    given = [_decoded(node) for node in arguments_of(launch)] if launch is not None else list(site.arguments)
    return Written(shapes=_shapes(launch, site), arguments=tuple(given), in_macro=launch is None)


def launched(source: Source, site: LaunchSite) -> tuple[str, ...]:
    """Return the kernel that a launch is of; overloads where the types of its arguments choose among them."""
    if site.unit is not None:
        return (site.unit,)
    name = _plain(site.kernel).partition("<")[0].strip().rpartition("::")[2]
    kernels = (item for item in source.units if item.kind is UnitKind.KERNEL)
    same = (item for item in kernels if item.name.rpartition("::")[2] == name)
    return tuple(item.id for item in same if len(parameter_names(item)) == len(site.arguments))


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


def parameter_names(unit: Unit) -> list[str]:
    """Return the names of a kernel's parameters."""
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
