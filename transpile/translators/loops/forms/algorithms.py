"""Algorithms of the standard library that go through a container once, as the loops that they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import (
    INDENT,
    STATEMENTS,
    Function,
    ancestors,
    arguments,
    called,
    field,
    find,
    indentation,
    inside,
    operator,
    replace,
    source,
    squeeze,
)
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.forms.applied import Argument, block, value
from transpile.translators.loops.iteration.places import before, in_block
from transpile.translators.loops.symbols.containers import depth, elements
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import is_number, is_whole

_ENDS = re.compile(r"(\w+)\.c?(begin|end)\(\)|std::c?(begin|end)\((\w+)\)")
_LITERALS = ("number_literal", "char_literal", "true", "false")
_KINDS = (
    (re.compile(r"\d+"), "int"),
    (re.compile(r"\d+[lL]{1,2}"), "long long"),
    (re.compile(r"[\d.]*\.[\d.]*[fF]"), "float"),
    (re.compile(r"[\d.]*\.[\d.]*"), "double"),
)
"""Types of numbers that sums begin with."""
_UNCERTAIN = ("conditional_expression", "lambda_expression", "comma_expression")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of an algorithm over all elements of a container."""

    function: Function
    variables: Variables
    node: Node
    container: Variable
    rest: tuple[Node, ...]
    """Its other arguments."""
    index: str

    @property
    def element(self) -> Argument:
        """Return the element that an iteration is about."""
        return self.of(self.container)

    def of(self, container: Variable) -> Argument:
        """Return the element of a container at the same place."""
        return Argument(f"{container.name}[{self.index}]", elements(container) or "")

    def loop(self, statement: str, first: int = 0) -> list[str]:
        """Return the lines of the loop around a statement."""
        end = f"{self.container.name}.size()"
        head = f"for (std::size_t {self.index} = {first}; {self.index} < {end}; {self.index}++)"
        is_block = statement.startswith("{")
        return [f"{head} {statement}"] if is_block else [head + " {", INDENT + statement, "}"]

    def name(self, wish: str) -> str:
        """Return a name for what the loop finds."""
        return free_name(self.function.identifiers, wish)


@dataclass(frozen=True, slots=True)
class _Found:
    """A loop that finds a value, and what stands for it then."""

    lines: Sequence[str]
    node: Node
    text: str


def names_one(text: str) -> bool:
    """Tell whether a text may call such an algorithm."""
    return any(name in text for name in (*_DONE, *_FOUND))


def as_loop(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more algorithm as a loop; None where there is none."""
    if not names_one(function.text):
        return None
    variables = resolve(function, around.refers)
    for node in find(function.body, "call_expression"):
        edits = list(_edits(function, node, variables, around))
        if edits:
            return function.edited(edits)
    return None


def _edits(
    function: Function, node: Node, variables: Variables, around: EnclosingScope
) -> Iterator[Edit[str]]:
    name, given = called(node), arguments(node)
    if name not in _DONE and name not in _FOUND:
        return
    container = _whole(given[:2], variables)
    statement = _statement(node, around)
    if container is None or statement is None:
        return
    call = _Call(
        function, variables, node, container, tuple(given[2:]), free_name(function.identifiers, "index")
    )
    if name in _DONE:
        done = _DONE[name](call) if node.parent is not None and node.parent.id == statement.id else None
        if done is not None:
            yield replace(statement, _joined(function, statement, call.loop(done)))
        return
    found = _FOUND[name](call)
    if found is not None:
        yield Edit(statement.start_byte, statement.start_byte, before(function, statement, found.lines))
        yield replace(found.node, found.text)


def _joined(function: Function, statement: Node, lines: Sequence[str]) -> str:
    indent = indentation(function.text, statement.start_byte)
    return f"\n{indent}".join(lines)


def _whole(ends: Sequence[Node], variables: Variables) -> Variable | None:
    """Return the container that two iterators are the ends of."""
    found = [known for node in ends if (known := _end(node, variables)) is not None]
    if len(found) != 2 or [side for _, side in found] != ["begin", "end"]:
        return None
    return found[0][0] if found[0][0] is found[1][0] else None


def _end(node: Node, variables: Variables) -> tuple[Variable, str] | None:
    """Return the container that an iterator is an end of, and which one."""
    match = _ENDS.fullmatch(squeeze(source(node)))
    if match is None:
        return None
    name = next(item for item in find(node, "identifier") if source(item) == (match[1] or match[4]))
    variable = variables.of(name)
    if variable is None or elements(variable) is None or depth(variable) != 1:
        return None
    return variable, match[2] or match[3]


def _statement(node: Node, around: EnclosingScope) -> Node | None:
    """Return the statement before which a call may be made: nothing else happens in it, and it is made."""
    for parent in ancestors(node):
        if parent.type in _UNCERTAIN or operator(parent) in ("&&", "||"):
            return None
        if parent.type in STATEMENTS:
            head = field(parent, "condition") if parent.type == "if_statement" else parent
            fits = parent.type in _PLACES and in_block(parent) and inside(node, head)
            return parent if fits and _is_alone(node, parent, head, around) else None
    return None


_PLACES = ("expression_statement", "declaration", "return_statement", "if_statement")


def _is_alone(node: Node, statement: Node, head: Node, around: EnclosingScope) -> bool:
    """Tell whether nothing that a statement does comes before a call in it."""
    others = [item for item in find(head, "call_expression") if not inside(item, node)]
    if any(not _is_value(item, around) and not inside(node, item) for item in others):
        return False
    writes = [
        item for item in find(head, "update_expression", "assignment_expression") if not inside(item, node)
    ]
    if statement.type == "declaration":
        declared = sum(True for _ in find(statement, "init_declarator"))
        return declared == 1 and not writes and not source(statement).startswith("static")
    return all(item.parent is not None and item.parent.id == statement.id for item in writes)


def _is_value(call: Node, around: EnclosingScope) -> bool:
    name, text = called(call), squeeze(source(call))
    asks = _ENDS.fullmatch(text) is not None or text.endswith(".size()")
    return asks or name in _FOUND or around.calls(name)


# ------------------------------------------------------------------------------ what is done to elements


def _each(call: _Call) -> str | None:
    return block(call.function, call.rest[0], call.element, call.variables) if len(call.rest) == 1 else None


def _transform(call: _Call) -> str | None:
    if len(call.rest) not in (2, 3):
        return None
    *begins, given = call.rest
    containers = [_begin(item, call.variables) for item in begins]
    known = [item for item in (call.container, *containers) if item is not None]
    *sources, target = map(call.of, known)
    made = value(call.function, given, sources, call.variables)
    return None if made is None or None in containers else f"{target.text} = {_bare(made)};"


def _begin(node: Node, variables: Variables) -> Variable | None:
    found = _end(node, variables)
    return found[0] if found is not None and found[1] == "begin" else None


def _bare(text: str) -> str:
    """Return an expression without the parentheses around all of it."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _fill(call: _Call) -> str | None:
    is_fixed = len(call.rest) == 1 and _fixed(call.rest[0], call.variables)
    return f"{call.element.text} = {source(call.rest[0])};" if is_fixed else None


_DONE: Mapping[str, Callable[[_Call], str | None]] = {
    "std::for_each": _each,
    "std::transform": _transform,
    "std::fill": _fill,
}


# ------------------------------------------------------------------------------- what is found among them


def _sum(call: _Call) -> _Found | None:
    if len(call.rest) not in (1, 2):
        return None
    kind = _kind(call.rest[0], call.variables)
    if not kind or (is_whole(squeeze(kind)) and not is_whole(call.element.kind)):
        return None
    name = call.name("sum")
    text = f"{name} += {call.element.text};"
    if len(call.rest) == 2:
        given = [Argument(name, squeeze(kind)), call.element]
        made = value(call.function, call.rest[1], given, call.variables)
        if made is None:
            return None
        text = f"{name} = {_bare(made)};"
    return _Found([f"{kind} {name} = {source(call.rest[0])};", *call.loop(text)], call.node, name)


def _kind(begun: Node, variables: Variables) -> str:
    """Return the type of what a sum begins with; empty where it is not clear."""
    variable = variables.of(begun)
    if variable is not None:
        kind = variable.type.replace("const", "").strip()
        plain = not (variable.pointer or variable.array) and is_number(squeeze(kind))
        return kind if plain else ""
    return next((kind for pattern, kind in _KINDS if pattern.fullmatch(source(begun))), "")


def _number(call: _Call) -> _Found | None:
    test = _test(call)
    if test is None:
        return None
    name = call.name("count")
    lines = [f"std::ptrdiff_t {name} = 0;", *call.loop(f"if ({_bare(test)}) {name}++;")]
    return _Found(lines, call.node, name)


def _test(call: _Call) -> str | None:
    """Return what is asked of an element: whether it is a number, or what a predicate says."""
    if len(call.rest) != 1:
        return None
    [given] = call.rest
    if called(call.node) in ("std::find", "std::count"):
        return f"{call.element.text} == {source(given)}" if _fixed(given, call.variables) else None
    return value(call.function, given, [call.element], call.variables)


def _fixed(node: Node, variables: Variables) -> bool:
    """Tell whether an argument is a number that may be asked for again."""
    variable = variables.of(node)
    return node.type in _LITERALS or (variable is not None and is_number(variable.bare))


def _first(call: _Call) -> _Found | None:
    test, around = _test(call), call.node.parent
    if test is None or around is None:
        return None
    if around.type == "binary_expression" and inside(call.node, field(around, "left")):
        end = _end(field(around, "right"), call.variables)
        if end == (call.container, "end") and operator(around) in ("!=", "=="):
            return _flagged(call, test, around, negated=operator(around) == "==")
        if end == (call.container, "begin") and operator(around) == "-":
            return _place(call, test, around)
    distance = around.parent
    if distance is not None and called(distance) == "std::distance":
        first, *last = arguments(distance)
        if _begin(first, call.variables) is call.container and [item.id for item in last] == [call.node.id]:
            return _place(call, test, distance)
    return None


def _flagged(call: _Call, test: str, node: Node, *, negated: bool) -> _Found:
    name = call.name("found")
    lines = [f"bool {name} = false;", *call.loop(f"if ({_bare(test)}) {{ {name} = true; break; }}")]
    return _Found(lines, node, f"!{name}" if negated else name)


def _place(call: _Call, test: str, node: Node) -> _Found:
    name = call.name("place")
    text = f"if ({_bare(test)}) {{ {name} = {call.index}; break; }}"
    return _Found([f"std::ptrdiff_t {name} = {call.container.name}.size();", *call.loop(text)], node, name)


def _any(call: _Call) -> _Found | None:
    return _asked(call, "")


def _none(call: _Call) -> _Found | None:
    return _asked(call, "", negated=True)


def _all(call: _Call) -> _Found | None:
    return _asked(call, "!", negated=True)


def _asked(call: _Call, sign: str, *, negated: bool = False) -> _Found | None:
    test = _test(call)
    return None if test is None else _flagged(call, f"{sign}{test}", call.node, negated=negated)


_FOUND: Mapping[str, Callable[[_Call], _Found | None]] = {
    "std::accumulate": _sum,
    "std::reduce": _sum,
    "std::count": _number,
    "std::count_if": _number,
    "std::find": _first,
    "std::find_if": _first,
    "std::any_of": _any,
    "std::none_of": _none,
    "std::all_of": _all,
}
