"""Relations between the scalars of a kernel, from launch sites and their callers.

A wrapper that launches a kernel with its own parameters tells little; who calls the wrapper tells more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.trees import descendants, grammar_of, text
from transpile.code.trees import parse as syntax
from transpile.contracts.text.constants import constants_for, without_shifts
from transpile.contracts.text.symbols import plain
from transpile.core import LaunchSite, Signature, Source, Unit
from transpile.expressions import ExpressionError, names, substitute

_LEVELS = 3
_DEPTH = 6
_MOST_CALLS = 12
_CASTS = re.compile(
    r"\(\s*(?:const\s+)?(?:unsigned|signed|int|long|short|size_t|u?int\d+_t)+\s*\)(?=\s*[\w(])"
)
_SUFFIX = re.compile(r"\b(\d+)[uUlL]+\b")


@dataclass(frozen=True, slots=True)
class _Passed:
    """A call or a launch: where it stands, and what it gives to scalars of the kernel."""

    function: Unit | None
    place: int
    given: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Relations:
    """Equations between the scalars of a kernel."""

    held: tuple[str, ...]
    """At a launch, whoever calls the function around it."""
    passed: tuple[tuple[str, ...], ...]
    """At the launch and at each call that leads to it, the farthest last; distinct ones that say anything."""


def relations_of(
    source: Source, launch: LaunchSite, signature: Signature, held: Mapping[str, str]
) -> Relations:
    """Return what holds between scalars at a launch and at the calls that lead to it.

    Args:
        source: The program.
        launch: The launch.
        signature: Of the kernel.
        held: The host's texts for numbers that the kernel finds in variables.
    """
    level = [_launched(source, launch, signature, held)]
    found: list[tuple[str, ...]] = []
    for _ in range(_LEVELS):
        resolved = [(item, _resolved(source, item)) for item in level]
        found += [_relations(given) for _, given in resolved]
        level = [call for item, given in resolved for call in _calls(source, item, given)][:_MOST_CALLS]
    return Relations(found[0], tuple(dict.fromkeys(item for item in found if item)))


def products_of(
    source: Source, launch: LaunchSite, signature: Signature, held: Mapping[str, str]
) -> tuple[str, ...]:
    """Return how the launching function makes scalars that it passes by name of each other.

    So ``size == rows * columns`` is known where rows and columns are constants, which would hide it.
    """
    passed = _launched(source, launch, signature, held)
    if passed.function is None:
        return ()
    body = passed.function.text.decode("utf-8", "replace")
    called: dict[str, str] = {}
    for name, given in passed.given.items():
        if re.fullmatch(r"[A-Za-z_]\w*", given.strip()):
            called.setdefault(given.strip(), name)
    made = {
        name: _expression(given, body, {}, _DEPTH, frozenset({*called} - {given}))
        for given, name in called.items()
    }
    return _equations({name: text for name, text in made.items() if text and names(text)}, called)


def _launched(source: Source, launch: LaunchSite, signature: Signature, held: Mapping[str, str]) -> _Passed:
    """Return what a launch gives to the scalars of its kernel, beside what variables hold."""
    scalars = {
        parameter.name: argument
        for argument, parameter in zip(launch.arguments, signature.parameters, strict=False)
        if not parameter.pointer and parameter.element is not None and parameter.element.scalar is not None
    }
    around = _around(source, launch.path, launch.span.start)
    return _Passed(around, launch.span.start, {**scalars, **held})


def _around(source: Source, path: str, place: int) -> Unit | None:
    """Return the function that a place lies in."""
    inside = (u for u in source.units if u.path == path and u.span.start <= place < u.span.end)
    return min(inside, key=lambda unit: unit.span.end - unit.span.start, default=None)


def _resolved(source: Source, passed: _Passed) -> dict[str, str]:
    """Return what is given as expressions of names that the function around does not set itself."""
    if passed.function is None:
        return {}
    body = passed.function.text.decode("utf-8", "replace")
    constants = constants_for(source, passed.function)
    hidden = set(_parameters(passed.function))
    known = {name: text(value) for name, value in constants.items() if name not in hidden}
    own = {name: _expression(given, body, known, _DEPTH) for name, given in passed.given.items()}
    return {name: given for name, given in own.items() if given is not None}


def _expression(
    given: str,
    body: str,
    constants: Mapping[str, str],
    depth: int,
    kept: frozenset[str] = frozenset(),
) -> str | None:
    """Return a text of C as an expression, with what variables of a function are set to in their place.

    Args:
        given: The text.
        body: Of the function.
        constants: What names stand for that the function does not set.
        depth: How often a variable is replaced by what it is set to.
        kept: Names that stay.
    """
    bare = _SUFFIX.sub(r"\1", _CASTS.sub("", given.replace("->", ".").replace("\n", " ")))
    bare = without_shifts(bare, constants.get)
    try:
        known = names(bare)
    except ExpressionError:
        return None
    values: dict[str, str] = {}
    for name in known - kept if depth else ():
        value = None if "." in name else _set_to(name, body, constants, depth, kept)
        if value is not None:
            values[name] = value
    return substitute(bare, values)


def _set_to(
    name: str, body: str, constants: Mapping[str, str], depth: int, kept: frozenset[str]
) -> str | None:
    """Return what a name is set to in a function, or stands for; None where it changes."""
    word = rf"(?<![\w.>]){re.escape(name)}\b"
    changes = re.findall(
        rf"(?:\+\+|--)\s*{word}|{word}\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))|&\s*{word}", body
    )
    set_once = re.search(rf"{word}\s*=(?!=)\s*([^;,]*)[;,]", body)
    if not changes and name in constants:
        return _expression(constants[name], body, constants, depth - 1, kept)
    if len(changes) != 1 or set_once is None:
        return None
    return _expression(set_once.group(1), body, constants, depth - 1, kept)


def _relations(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return equations between scalars that the expressions given for them make."""
    called: dict[str, str] = {}
    for name, expression in given.items():
        if re.fullmatch(r"[A-Za-z_][\w.]*", expression):
            called.setdefault(expression, name)
    return _equations(given, called)


def _equations(given: Mapping[str, str], called: Mapping[str, str]) -> tuple[str, ...]:
    """Return that each scalar is what is given for it, where that consists of others.

    Args:
        given: Expressions over the caller's names, by scalar.
        called: Scalars by the caller's names for them.
    """
    found: list[str] = []
    for name, expression in given.items():
        atoms = names(expression)
        if called.get(expression) == name or not atoms <= set(called):
            continue
        value = plain(substitute(expression, called))
        if value is not None and name not in names(value):
            found.append(f"{name} == {value}")
    return tuple(found)


def _calls(source: Source, passed: _Passed, given: Mapping[str, str]) -> Iterator[_Passed]:
    """Yield the calls of the function around, with what they give to the kernel's scalars."""
    if passed.function is None:
        return
    name = passed.function.name.rpartition("::")[2]
    parameters = _parameters(passed.function)
    for caller in source.units:
        if caller.id == passed.function.id or name.encode("utf-8", "surrogateescape") not in caller.text:
            continue
        root = syntax(caller.text, grammar_of(caller.path)).root_node
        for node in descendants(root, "call_expression"):
            if text(node.child_by_field_name("function")) != name:
                continue
            values = _substituted(given, parameters, _arguments(node))
            if values:
                yield _Passed(caller, caller.span.start + node.start_byte, values)


def _substituted(
    given: Mapping[str, str], parameters: Sequence[str], arguments: Sequence[str]
) -> dict[str, str]:
    if len(parameters) != len(arguments):
        return {}
    passed = {name: f"({argument})" for name, argument in zip(parameters, arguments, strict=True)}
    pattern = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
    return {
        name: pattern.sub(lambda match: passed.get(match.group(), match.group()), expression)
        for name, expression in given.items()
    }


def _arguments(call: Node) -> list[str]:
    listed = call.child_by_field_name("arguments")
    return [text(item) for item in listed.named_children if item.type != "comment"] if listed else []


def _parameters(unit: Unit) -> list[str]:
    """Return the names of a function's parameters; empty ones where they cannot be read."""
    root = syntax(unit.text, grammar_of(unit.path)).root_node
    listed = next(descendants(root, "parameter_list"), None)
    found: list[str] = []
    for item in listed.named_children if listed is not None else ():
        if item.type.endswith("parameter_declaration"):
            inner = item.child_by_field_name("declarator")
            inside = next(descendants(item, "identifier"), None) if inner is not None else None
            found.append(text(inner if inner is not None and inner.type == "identifier" else inside))
    return found


def only_of(relations: Sequence[tuple[str, ...]], known: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """Return the relations that name nothing but what is known."""
    kept = (tuple(text_ for text_ in item if names(text_) <= known) for item in relations)
    return tuple(dict.fromkeys(item for item in kept if item))
