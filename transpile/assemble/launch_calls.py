"""Launches written as calls of what takes the kernel's place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.assemble.configuration import Shape, shape_of
from transpile.assemble.host_code.declarations import parameters
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.quiet import effects_of
from transpile.assemble.host_code.tree import arguments_of, of_type, parse, text_of
from transpile.code.lexer import spelled, split
from transpile.core import Candidate, LaunchSite, Source, Span, Unit, UnitKind

_WORD = re.compile(r"(?:(?:gridDim|blockDim)\s*\.\s*[xyz]\b)|(?<![\w.])[A-Za-z_]\w*")
_PRIMARY = re.compile(r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])*|\([^()]*\)")
_NUMBER = re.compile(r"\d\w*")
_DIMENSION = re.compile(r"(gridDim|blockDim)\s*\.\s*([xyz])\b")
_PRODUCT = re.compile(rf"{_DIMENSION.pattern}(?:\s*\*\s*{_DIMENSION.pattern})+")
_SHARED = "dynamicShared"
_PARTS = ("gridDim", "blockDim", _SHARED, "stream")
"""Parts of a launch's configuration, in the order of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A launch, as its text writes it."""

    shapes: Mapping[str, Shape]
    """Of ``gridDim`` and ``blockDim``."""
    arguments: tuple[str, ...]
    shared: str = "0"
    in_macro: bool = False


def call_of(source: Source, known: Definitions, site: LaunchSite, candidate: Candidate) -> str:
    """Return a launch as a call of a candidate, in which each part that does something is evaluated once."""
    unit = source.unit(candidate.unit)
    launch = written(source, known, site)
    launch = replace(launch, arguments=_with_defaults(launch.arguments, unit))
    names = parameter_names(unit)
    values = dict(zip(names, launch.arguments, strict=False))

    def text(named: Mapping[str, str]) -> str:
        """Return the call with names in place of some parts of the launch."""
        own = values | {name: word for name, word in named.items() if name in values}
        parts = {
            **launch.shapes,
            **{name: _named_shape(named[name]) for name in launch.shapes if name in named},
        }
        given = replace(launch, shapes=parts, shared=named.get(_SHARED, launch.shared))
        return called_as(given, own, site.kernel, candidate)

    whole = values | {_SHARED: launch.shared} | {name: shape.whole for name, shape in launch.shapes.items()}
    return _evaluated_once(text, whole, _active(_node(source, site), names, known), launch.shapes)


def called_as(launch: Written, values: Mapping[str, str], kernel: str, candidate: Candidate) -> str:
    """Return the call of a candidate for a launch of a kernel, by the values of its parameters."""
    arguments = ", ".join(
        _substituted(text, values, launch.shapes, launch.shared, in_macro=launch.in_macro)
        for text in candidate.binding.arguments
    )
    return f"{_callee(kernel, candidate)}({arguments})"


def written(source: Source, known: Definitions, site: LaunchSite) -> Written:
    """Return how a launch is written, that of a macro as it expands."""
    launch = _node(source, site)
    given = [_decoded(node) for node in arguments_of(launch)] if launch is not None else list(site.arguments)
    parts = _expanded(site.configuration, known)
    return Written(
        shapes=_shapes(launch, site, known),
        arguments=tuple(given),
        shared=parts[2] if len(parts) > 2 else "0",
        in_macro=launch is None,
    )


def _node(source: Source, site: LaunchSite) -> Node | None:
    """Return the syntax of a launch; None in macros that the grammar cannot look into."""
    if site.macro is None:
        return _launch_node(source.files[site.path], site.span)
    # A function around it, since the grammar takes statements of a file for declarations.
    place, around = site.macro.place, b"void f() {"
    moved = Span(start=place.start + len(around), end=place.end + len(around))
    return _launch_node(around + site.macro.expansion + b"}", moved)


def _active(launch: Node | None, names: Sequence[str], known: Definitions) -> dict[str, str]:
    """Return what evaluating parts of a launch does beside their values, by the name that they have here."""
    syntax = next(of_type(launch, "kernel_call_syntax"), None) if launch is not None else None
    if launch is None or syntax is None:
        return {}
    parts = [child for child in syntax.named_children if child.type != "comment"]
    nodes = [*zip(_PARTS, parts, strict=False), *zip(names, arguments_of(launch), strict=False)]
    found = {name: list(effects_of(node, known)) for name, node in nodes}
    return {
        name: ", ".join(text.decode("utf-8", "surrogateescape") for text in several)
        for name, several in found.items()
        if several
    }


def _named_shape(name: str) -> Shape:
    return Shape(name, (f"{name}.x", f"{name}.y", f"{name}.z"))


def _evaluated_once(
    text: Callable[[Mapping[str, str]], str],
    whole: Mapping[str, str],
    active: Mapping[str, str],
    shapes: Collection[str],
) -> str:
    """Return a call in which each part of a launch that does something is evaluated once.

    A value that is used once stays where it is, what the call leaves out is evaluated ahead of it, and others
    are handed to a function of their own.
    """
    named = {name: f"{name}_of_launch" for name in active}
    marked = text(named)
    uses = {name: len(re.findall(rf"\b{word}\b", marked)) for name, word in named.items()}
    ahead = [effects for name, effects in active.items() if not uses[name]]
    handed = [name for name in active if uses[name] > 1 or (uses[name] and name in shapes)]
    inner = text({name: named[name] for name in handed})
    if handed:
        parameters = (f"{'const dim3' if name in shapes else 'auto'} {named[name]}" for name in handed)
        values = ", ".join(whole[name] for name in handed)
        inner = f"[&]({', '.join(parameters)}) {{ {inner}; }}({values})"
    return f"({', '.join([*ahead, inner])})" if ahead else inner


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
    text: str, values: Mapping[str, str], shapes: Mapping[str, Shape], shared: str, *, in_macro: bool
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
        elif word == _SHARED:
            found = shared
        else:
            found = values.get(word, word)
        if alone or (word not in (*values, _SHARED) and not axis):
            return found
        # A word in a macro may stand for more than one.
        single = _NUMBER if word in values and in_macro else _PRIMARY
        return found if single.fullmatch(found) else f"({found})"

    return _WORD.sub(value, text)


def _with_defaults(given: tuple[str, ...], unit: Unit) -> tuple[str, ...]:
    """Return the arguments of a launch with those that the kernel has defaults for.

    Without them the name of a parameter would mean what has that name at the launch.
    """
    definition = next(of_type(parse(unit.text), "function_definition"), None)
    own = list(parameters(definition)) if definition is not None else []
    left = [found.declaration.child_by_field_name("default_value") for found in own[len(given) :]]
    return (*given, *(_decoded(value) for value in left if value is not None))


def parameter_names(unit: Unit) -> list[str]:
    """Return the names of a kernel's parameters."""
    definition = next(of_type(parse(unit.text), "function_definition"), None)
    return [found.name.decode() for found in parameters(definition)] if definition is not None else []


def _decoded(node: Node) -> str:
    return text_of(node).decode("utf-8", "surrogateescape")


def _shapes(launch: Node | None, site: LaunchSite, known: Definitions) -> dict[str, Shape]:
    syntax = next(of_type(launch, "kernel_call_syntax"), None) if launch is not None else None
    nodes = (
        [child for child in syntax.named_children if child.type != "comment"] if syntax is not None else []
    )
    if len(nodes) >= 2:
        shapes = [shape_of(node, known) for node in nodes[:2]]
    else:
        made = [f"dim3({text})" for text in _expanded(site.configuration, known)[:2]]
        shapes = [Shape(text, (f"{text}.x", f"{text}.y", f"{text}.z")) for text in made]
    return dict(zip(("gridDim", "blockDim"), shapes, strict=False))


def _expanded(configuration: tuple[str, ...], known: Definitions) -> tuple[str, ...]:
    """Return the parts of a configuration, those that one macro stands for."""
    name = configuration[0].encode("utf-8", "surrogateescape") if len(configuration) == 1 else b""
    bodies = [macro.body for macro in known.macros.get(name, ()) if macro.parameters is None]
    return tuple(map(spelled, split(bodies[0]))) if len(bodies) == 1 else configuration


def _launch_node(data: bytes, span: Span) -> Node | None:
    """Return the syntax of a launch; None inside macros, which the grammar does not look into."""
    for syntax in of_type(parse(data), "kernel_call_syntax"):
        if span.start <= syntax.start_byte < span.end:
            return syntax.parent
    return None
