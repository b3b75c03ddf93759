"""A band of parallel loops as a call of one of C++'s parallel algorithms over a range of indices."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import (
    Function,
    begins_line,
    block_statements,
    field,
    indent_unit,
    indentation,
    inside,
    operator,
    quoted,
    reindent,
    replace,
    source,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.nests import Loop, ended
from transpile.translators.loops.iteration.trips import ends
from transpile.translators.loops.planning.updates import amount, updates
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.stdpar.folds import Fold
from transpile.translators.targets.stdpar.ranges import INDEX_RANGE

_UPDATES = ("assignment_expression", "update_expression")
_FETCHED = {"": "store", "+": "fetch_add", "&": "fetch_and", "|": "fetch_or", "^": "fetch_xor"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Statements that take the place of a band."""

    text: str
    """At the indentation of the band's first line, which it leaves out."""
    declared: tuple[str, ...]
    """Names that it declares."""
    headers: tuple[str, ...]


def call(function: Function, variables: Variables, band: Band, taken: Collection[str]) -> Call:
    """Return the call that a band becomes; raises Refused.

    Args:
        function: What the band is in.
        variables: Those of the function.
        band: Of its loops the outermost becomes the call, the others stay loops.
        taken: Names that mean something else.
    """
    loop = band.outer
    if loop.variable.pointer:
        raise Refused(SEQUENTIAL, f"`{loop.variable.name}` is a pointer, not an index")
    _refuse_containers(band, variables)
    name = free_name(taken, f"{loop.variable.name}_range")
    body = _Body(function, variables, band)
    folds = [Fold(item) for item in band.loops[0].reductions]
    result = free_name(taken, f"{folds[0].name}_found") if folds else ""
    lines, headers = _reduced(body, name, folds, result) if folds else _for_each(body, name)
    return Call(
        text=f"{_range(loop, name)}\n{body.indent}{lines}",
        declared=(name, result),
        headers=(*headers, f"<{INDEX_RANGE}>"),
    )


def _refuse_containers(band: Band, variables: Variables) -> None:
    for item in variables.used_in(band.node):
        if elements(item) is not None and not inside(item.declaration, band.node):
            raise Refused(SEQUENTIAL, f"a call would copy the container `{item.name}`")


def _range(loop: Loop, name: str) -> str:
    step = "" if loop.step == 1 else f", {loop.step}"
    return f"const index_range<{_index(loop)}{step}> {name}({', '.join(ends(loop))});"


def _index(loop: Loop) -> str:
    return loop.variable.type.replace("const ", "")


def _for_each(body: _Body, name: str) -> tuple[str, tuple[str, ...]]:
    atomic = [_atomic(access.update, access.node) for access in updates(body.band)]
    policy = "par" if atomic else "par_unseq"
    edits = [*atomic, *ended(body.band.outer, "return;")]
    text = f"std::for_each(std::execution::{policy}, {name}.begin(), {name}.end(), {body.function(edits)});"
    return text, ("<algorithm>", "<execution>", *(("<atomic>",) if atomic else ()))


def _atomic(update: str, element: Node) -> Edit[str]:
    """Return an update as an operation that no other thread comes between."""
    whole = element.parent
    if update not in _FETCHED or whole is None or whole.type not in _UPDATES:
        raise Refused(SEQUENTIAL, f"no atomic operation does {quoted(whole or element)}")
    text = f"std::atomic_ref({source(element)}).{_FETCHED[update]}({amount(whole)})"
    return replace(whole, text)


def _reduced(body: _Body, name: str, folds: Sequence[Fold], result: str) -> tuple[str, tuple[str, ...]]:
    """Return a reduction; of what stays out of the call, by a variable for its result."""
    _refuse_mixed(body.band, folds)
    headers = ("<execution>", "<numeric>", *(header for item in folds for header in item.headers))
    if len(folds) > 1:
        return _of_several(body, name, folds), (*headers, "<tuple>")
    [fold] = folds
    edits = list(ended(body.band.outer, f"return {fold.name};"))
    alone = _alone(body, fold)
    function = alone or body.function(
        edits, (f"{fold.type} {fold.name} = {fold.neutral};",), (f"return {fold.name};",)
    )
    value = _transform_reduce(body, name, fold.initial, fold.function, function)
    if not fold.apart:
        return f"{fold.name} = {value}", headers
    return f"const {fold.type} {result} = {value}\n{body.indent}{fold.taken(result)}", headers


def _transform_reduce(body: _Body, name: str, initial: str, joined: str, each: str) -> str:
    line = f"\n{body.deeper}"
    given = f"std::execution::par, {name}.begin(), {name}.end(), {initial},"
    between = line if joined.startswith("[") else " "
    moved = reindent(each, body.indent, body.deeper)
    return f"std::transform_reduce({line}{given}{between}{joined},{line}{moved});"


def _refuse_mixed(band: Band, folds: Sequence[Fold]) -> None:
    """Raise Refused for what a call does not gather by the letter of the standard."""
    for item in folds:
        if not item.possible or (item.apart and len(folds) > 1):
            raise Refused(SEQUENTIAL, f"no parallel algorithm does the reduction of `{item.name}`")
    for access in band.nest.accesses:
        array = access.variable if access.variable is not None and access.variable.array else None
        own = array is not None and inside(array.declaration, band.node)
        if access.write and not own and inside(access.node, band.node):
            # How often a call makes each result is left open.
            raise Refused(SEQUENTIAL, f"it reduces `{folds[0].name}` and also writes {quoted(access.node)}")


def _of_several(body: _Body, name: str, folds: Sequence[Fold]) -> str:
    names = ", ".join(item.name for item in folds)
    made = f"std::tuple<{', '.join(item.type for item in folds)}>"
    joined = ", ".join(
        item.joined(f"std::get<{number}>(one)", f"std::get<{number}>(other)")
        for number, item in enumerate(folds)
    )
    function = f"[](const auto &one, const auto &other) {{ return {made}({joined}); }}"
    leave = f"return {made}({names});"
    begun = tuple(f"{item.type} {item.name} = {item.neutral};" for item in folds)
    each = body.function(list(ended(body.band.outer, leave)), begun, (leave,))
    return f"std::tie({names}) = {_transform_reduce(body, name, f'{made}({names})', function, each)}"


def _alone(body: _Body, fold: Fold) -> str:
    """Return the lambda of a loop that does nothing but ``s += e``; empty for others."""
    statements = [item for item in block_statements(body.band.outer.body) if item.type != "comment"]
    if not fold.plain or len(statements) != 1 or statements[0].type != "expression_statement":
        return ""
    update = statements[0].named_children[0]
    if update.type != "assignment_expression" or operator(update) == "=" or body.privates:
        return ""
    if source(field(update, "left")) != fold.name:
        return ""
    return f"{body.head} -> {fold.type} {{ return {amount(update)}; }}"


class _Body:
    """What an iteration of a band does, as a lambda."""

    def __init__(self, function: Function, variables: Variables, band: Band) -> None:
        self.of = function
        self.band = band
        self.indent = indentation(function.text, band.node.start_byte)
        self.deeper = self.indent + indent_unit(function)
        self.privates = tuple(item.variable for item in band.loops[0].privates)
        self._shared = [
            item.name
            for item in variables.used_in(band.node)
            if item.array and not item.static and not inside(item.declaration, band.node)
        ]

    @property
    def head(self) -> str:
        """Return the capture and the parameter; arrays of the function are not copied."""
        captures = ", ".join(("=", *(f"&{name}" for name in self._shared)))
        return f"[{captures}]({_index(self.band.outer)} {self.band.outer.variable.name})"

    def function(
        self, edits: Sequence[Edit[str]], first: Sequence[str] = (), last: Sequence[str] = ()
    ) -> str:
        """Return the lambda with edits in the statements and more of them around."""
        node = self.band.outer.body
        start = next(iter(node.named_children), node) if node.type == "compound_statement" else node
        alone = begins_line(self.of.text, start.start_byte)
        inner = indentation(self.of.text, start.start_byte) if alone else self.deeper
        text = apply_outermost(self.of.text, edits, node.start_byte, node.end_byte)
        if node.type == "compound_statement":
            text = text[1:-1].strip()
        parts = (*map(_declared, self.privates), *first, text, *last)
        statements = "".join(f"\n{inner}{part}" for part in parts if part)
        return f"{self.head} {{{statements}\n{self.indent}}}"


def _declared(variable: Variable) -> str:
    """Return the declaration of a variable without its value."""
    return f"{variable.type} {source(variable.shape)};"
