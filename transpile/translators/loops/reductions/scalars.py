"""Scalars that a loop writes: private to an iteration, gathered over all of them, or a dependence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from tree_sitter import Node

from transpile.code.polynomial import INTEGER_TYPES
from transpile.code.syntax import (
    LOOPS,
    ancestors,
    block_statements,
    condition,
    field,
    find,
    inside,
    operator,
    parse,
    quoted,
    root_of,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.iteration.nests import Loop, counted, steady
from transpile.translators.loops.iteration.starts import start_of
from transpile.translators.loops.reductions.definite import (
    always_sets,
    comes_set,
    is_setting,
    set_before_read,
    target,
)
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.mentions import NO_REASON, Reason, mention


class Kind(Enum):
    """What a scalar is to the iterations of a loop."""

    PRIVATE = "private"
    LAST = "last"
    """Each iteration gives it a value of its own, and that of the last one is read behind the loop."""
    REDUCTION = "reduction"
    CARRIED = "carried"


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A scalar that a loop writes and that is declared before it."""

    variable: Variable
    kind: Kind
    operator: str = ""
    """Of a reduction, as OpenMP spells it; ``fmin`` and ``fmax`` pass over a NaN that was there before."""
    within: tuple[Loop, ...] = ()
    """Of a last value, the loops that run where there is one, outermost first."""
    reason: Reason = NO_REASON
    """Of a carried one, the dependence."""

    @property
    def extreme(self) -> str:
        """Return ``min`` or ``max`` of what looks for one; empty for other reductions."""
        return self.operator.removeprefix("f") if self.operator.endswith(("min", "max")) else ""


_GATHERING = {"+": "+", "-": "+", "*": "*", "&": "&", "|": "|", "^": "^"}
_JOINED = {**_GATHERING, "||": "||", "&&": "&&"}
_TRUTH = ("||", "&&")
_WRITTEN = {"0": "&&", "false": "&&", "1": "||", "true": "||"}
"""Operators of flags that are only ever set to this value."""
_OPPOSITE = {"min": "max", "max": "min"}
_EXTREMES = {"<": "min", "<=": "min", ">": "max", ">=": "max"}


def scalars(loop: Loop, variables: Variables, around: EnclosingScope) -> list[Scalar]:
    """Return what becomes of every scalar that a loop writes and that lives longer than an iteration."""
    found = []
    for variable in variables.all:
        own = inside(variable.declaration, loop.node) and not variable.static
        if variable is loop.variable or own or variable.array:
            continue
        if not any(
            inside(write, loop.node) and not _of_element(write, variable) for write in variable.writes
        ):
            continue
        found.append(_classified(variable, loop, variables, around))
    return found


def _classified(variable: Variable, loop: Loop, variables: Variables, around: EnclosingScope) -> Scalar:
    carried = Scalar(variable, Kind.CARRIED, reason=carries(variable, loop))
    led_to = variable.static or variable.reference or (variable.parameter and variable.pointer)
    if led_to or not all(_comes_after(leak, loop.node, variable) for leak in variable.leaks):
        return carried
    if names(loop.first, variable):
        return carried  # an iteration's own has no value before the first
    sign = flagged(variable, loop) or gathered(variable, loop.node)
    if "<" in variable.type:
        sign = ""  # OpenMP adds up numbers, and no objects
    if sign in _TRUTH and start_of(variable, loop.node, variables) not in _WRITTEN:
        sign = ""  # neither 0 nor 1, and left so by no iterations
    if sign:
        return Scalar(variable, Kind.REDUCTION, sign)
    if not set_before_read(variable, loop.body):
        return carried
    if not read_after(variable, loop.node):
        return Scalar(variable, Kind.PRIVATE)
    within = tuple(_setting(variable, loop, variables, around))
    return Scalar(variable, Kind.LAST, within=within) if within else carried


def _comes_after(place: Node, loop: Node, variable: Variable) -> bool:
    """Tell whether control comes to a place only when a loop has ended, for one life of a variable."""
    jumps = _has_labels(source(root_of(loop)))
    around = (item for item in ancestors(loop) if item.type in LOOPS and inside(place, item))
    again = next(around, None)
    return (
        place.start_byte >= loop.end_byte
        and not jumps
        and (again is None or inside(variable.declaration, field(again, "body")))
    )


def _setting(variable: Variable, loop: Loop, variables: Variables, around: EnclosingScope) -> Iterator[Loop]:
    """Yield the loops all of which set a variable in each iteration if they run; none if they may not.

    Of loops that are all that is in one another, either each iteration has one of the innermost or none has.
    """
    chain: list[Loop] = []
    inner: Loop | None = loop
    while inner is not None:
        chain.append(inner)
        if always_sets(inner.body, variable):
            yield from chain
            return
        statements = [item for item in block_statements(inner.body) if item.type != "comment"]
        inner = counted(statements[0], variables, around) if len(statements) == 1 else None
        if inner is not None and not _runs_alike(inner, loop, variables, around):
            return


def _runs_alike(inner: Loop, loop: Loop, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a loop goes from where to where it does in every iteration of one around it."""
    return all(steady(part, loop.node, variables, around) for part in (inner.first, inner.bound))


def _of_element(write: Node, variable: Variable) -> bool:
    """Tell whether a write goes to what a pointer leads to, and not to the pointer."""
    target = write.child_by_field_name("left") or write.child_by_field_name("argument")
    return target is not None and unparenthesized(target).type != "identifier" and variable.pointer


def read_behind(variable: Variable) -> str:
    """Return why a loop whose last iteration leaves something does not run in parallel."""
    return f"`{variable.name}` is read after the loop"


def read_after(variable: Variable, loop: Node) -> bool:
    """Tell whether what a loop leaves in a variable may be read once it has ended."""
    targets = {target(write).id for write in variable.writes if is_setting(write)}
    back = _has_labels(source(root_of(loop)))
    for use in variable.uses:
        if use.id in targets:
            continue
        if inside(use, loop):
            begin = loop.start_byte if back else _begun_again_from(variable, loop)
        elif back:
            return True
        else:
            begin = loop.end_byte if use.start_byte > loop.start_byte else _repeated_from(use, loop)
        if begin is not None and not comes_set(use, variable, begin):
            return True
    return False


@lru_cache(maxsize=64)
def _has_labels(text: str) -> bool:
    """Tell whether jumps may lead back in a function, which is asked of each of its loops."""
    return next(find(parse(text), "labeled_statement"), None) is not None


def _begun_again_from(variable: Variable, loop: Node) -> int | None:
    """Return from where on control comes to a loop again with the same variable; None where it does not."""
    around = next((parent for parent in ancestors(loop) if parent.type in LOOPS), None)
    if around is None or inside(variable.declaration, field(around, "body")):
        return None
    first = around.child_by_field_name("initializer")
    return around.start_byte if first is None else first.end_byte


def _repeated_from(use: Node, loop: Node) -> int | None:
    """Return from where on control comes to a use before a loop once more; None where it does not."""
    around = [parent for parent in ancestors(loop) if inside(use, parent)]
    if not any(parent.type in LOOPS for parent in around):
        return None
    first = around[0].child_by_field_name("initializer")  # of a loop that is not begun again
    return around[0].start_byte if first is None else first.end_byte


def begun_before(variable: Variable, loop: Loop) -> bool:
    """Tell whether a variable is a scalar that is declared before a loop and has a value there."""
    if variable.pointer or variable.array or variable.static or variable.reference or variable.escapes:
        return False
    begun = variable.parameter or variable.initializer is not None
    begun = begun or any(write.start_byte < loop.node.start_byte for write in variable.writes)
    return begun and not inside(variable.declaration, loop.node)


def flagged(variable: Variable, loop: Loop) -> str:
    """Return the operator by which iterations gather a flag that some of them set, all to the same truth."""
    writes = [write for write in variable.writes if inside(write, loop.node)]
    uses = [use for use in variable.uses if inside(use, loop.node)]
    values = {
        source(unparenthesized(field(write, "right")))
        for write in writes
        if write.type == "assignment_expression" and operator(write) == "="
    }
    whole = variable.bare in ("bool", "int")
    if not whole or len(writes) != len(uses) or len(values) != 1 or any(_is_step(write) for write in writes):
        return ""
    conditional = any(item.type == "if_statement" for item in ancestors(writes[0]) if inside(item, loop.body))
    return _WRITTEN.get(values.pop(), "") if conditional else ""


def _is_step(write: Node) -> bool:
    return write.type != "assignment_expression" or operator(write) != "="


def gathered(variable: Variable, node: Node) -> str:
    """Return the operator by which a node adds to a variable, and no more; empty where it does otherwise."""
    uses = [use for use in variable.uses if inside(use, node)]
    signs: set[str] = set()
    covered: set[int] = set()
    for write in variable.writes:
        if not inside(write, node):
            continue
        sign, part = _update(write, variable) or _extreme(write, variable) or ("", None)
        if not sign or part is None:
            return ""
        signs.add(sign)
        covered |= {use.id for use in uses if inside(use, part)}
    if len(signs) != 1 or any(use.id not in covered for use in uses):
        return ""
    return signs.pop()


def _update(write: Node, variable: Variable) -> tuple[str, Node] | None:
    """Return the operator of ``s += e`` and ``s = s + e``, and the node of it."""
    if write.type == "update_expression":
        is_alone = write.parent is not None and write.parent.type in ("expression_statement", "for_statement")
        return ("+", write) if is_alone else None
    if write.parent is None or write.parent.type != "expression_statement":
        return None
    right, sign = unparenthesized(field(write, "right")), operator(write).removesuffix("=")
    if sign:
        return (_GATHERING[sign], write) if sign in _GATHERING and not names(right, variable) else None
    extreme = _called_extreme(right, variable) or _chosen_extreme(right, variable)
    if extreme:
        return extreme, write
    if right.type != "binary_expression" or operator(right) not in _JOINED:
        return None
    left, other = unparenthesized(field(right, "left")), field(right, "right")
    if source(left) != variable.name and operator(right) != "-":
        left, other = unparenthesized(other), left
    if source(left) != variable.name or names(other, variable):
        return None
    return _JOINED[operator(right)], write


def _called_extreme(right: Node, variable: Variable) -> str:
    if right.type != "call_expression":
        return ""
    function = source(field(right, "function")).removeprefix("std::").removesuffix("f")
    given = [unparenthesized(item) for item in field(right, "arguments").named_children]
    own = [item for item in given if source(item) == variable.name]
    others = [item for item in given if source(item) != variable.name]
    if len(own) != 1 or any(names(item, variable) for item in others):
        return ""
    if function in ("min", "max") and given[0].id != own[0].id and not _whole(variable):
        return ""  # a NaN comes in, and goes with the next element
    if function not in ("min", "max", "fmin", "fmax"):
        return ""
    return function


def _whole(variable: Variable) -> bool:
    return variable.bare in INTEGER_TYPES


def _chosen_extreme(right: Node, variable: Variable) -> str:
    """Return the operator of ``e > s ? e : s``, which leaves a NaN out as an ``if`` does.

    ``s > e ? s : e`` takes one in, and lets it go with the next element: numbers without one are alike.
    """
    if right.type != "conditional_expression":
        return ""
    test = unparenthesized(field(right, "condition"))
    taken, kept = (unparenthesized(field(right, part)) for part in ("consequence", "alternative"))
    kept_first = source(taken) == variable.name and _whole(variable)
    if kept_first:
        taken, kept = kept, taken
    if source(kept) != variable.name or test.type != "binary_expression" or names(taken, variable):
        return ""
    found = _larger(test, squeeze(source(taken)), variable)
    return _OPPOSITE.get(found, "") if kept_first else found


def _larger(test: Node, value: str, variable: Variable) -> str:
    """Return the operator that takes a value where a test finds that it exceeds a variable."""
    if operator(test) not in _EXTREMES:
        return ""
    left, right = (squeeze(source(unparenthesized(field(test, side)))) for side in ("left", "right"))
    kind = _EXTREMES[operator(test)]
    if (left, right) == (value, variable.name):
        return kind
    return _OPPOSITE[kind] if (left, right) == (variable.name, value) else ""


def _extreme(write: Node, variable: Variable) -> tuple[str, Node] | None:
    """Return the operator of ``if (e > s) s = e;``, and the node of the statement.

    What else is asked leaves elements out, if it is the same in whatever order they come.
    """
    if write.type != "assignment_expression" or operator(write) != "=":
        return None
    test = next((item for item in ancestors(write) if item.type == "if_statement"), None)
    if test is None or test.child_by_field_name("alternative") is not None:
        return None
    statements = [item for item in block_statements(field(test, "consequence")) if item.type != "comment"]
    if len(statements) != 1 or write.parent is None or statements[0].id != write.parent.id:
        return None
    right = unparenthesized(field(write, "right"))
    tests = list(joined(condition(test)))
    own = [item for item in tests if names(item, variable)]
    if names(right, variable) or len(own) != 1 or own[0].type != "binary_expression":
        return None
    kind = _larger(own[0], squeeze(source(right)), variable)
    return (kind, test) if kind else None


def joined(test: Node) -> Iterator[Node]:
    """Yield the conditions that all have to hold, in their order."""
    test = unparenthesized(test)
    if test.type == "binary_expression" and operator(test) == "&&":
        yield from joined(field(test, "left"))
        yield from joined(field(test, "right"))
    else:
        yield test


def names(node: Node, variable: Variable) -> bool:
    """Tell whether a variable is named in a node."""
    return any(inside(use, node) for use in variable.uses)


def carries(variable: Variable, loop: Loop) -> Reason:
    """Return why a loop is sequential whose iterations need what those before leave in a scalar."""
    write = next((item for item in variable.writes if inside(item, loop.node)), None)
    head = f"loop-carried dependence on the scalar `{variable.name}`"
    return Reason(head) if write is None else Reason(f"{head}: {quoted(write)}", (mention(write),))
