"""Kernels and their translations as a small typed tree: what proofs understand of C++, and nothing more.

Every conversion is explicit, every declaration has a key of its own, assignments stand where statements do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass

from transpile.core import Scalar


class NotModelled(Exception):
    """The text holds something that proofs do not model; the message names it."""


# ------------------------------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; floating ones as the exact value of their type."""

    value: int | float
    type: Scalar


@dataclass(frozen=True, slots=True)
class Name:
    """The value of a local variable or a parameter, scalar or pointer."""

    key: str
    type: Scalar | None
    """None for pointers and local arrays."""


@dataclass(frozen=True, slots=True)
class Builtin:
    """A launch quantity such as ``blockIdx.x``."""

    name: str
    type: Scalar = Scalar.UINT32


@dataclass(frozen=True, slots=True)
class Element:
    """What lies at an index behind a pointer."""

    pointer: Expression
    index: Expression
    type: Scalar


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer moved by a number of elements."""

    pointer: Expression
    index: Expression
    negative: bool = False
    type: None = None


@dataclass(frozen=True, slots=True)
class Unary:
    """``-``, ``~`` or ``!`` of an operand of the same type."""

    operator: str
    operand: Expression
    type: Scalar


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation on two operands that are converted already; comparisons and logic give ``bool``."""

    operator: str
    left: Expression
    right: Expression
    type: Scalar


@dataclass(frozen=True, slots=True)
class Convert:
    """A value converted to another arithmetic type."""

    operand: Expression
    type: Scalar


@dataclass(frozen=True, slots=True)
class Choice:
    """``condition ? yes : no``."""

    condition: Expression
    yes: Expression
    no: Expression
    type: Scalar


@dataclass(frozen=True, slots=True)
class Call:
    """A library function without side effects, by its name and the types that it takes."""

    name: str
    arguments: tuple[Expression, ...]
    type: Scalar


@dataclass(frozen=True, slots=True)
class Inlined:
    """A function of the text itself: parameters are bound, the body runs, ``result`` is what it returns."""

    name: str
    parameters: tuple[tuple[str, Scalar | None], ...]
    arguments: tuple[Expression, ...]
    body: tuple[Statement, ...]
    result: Expression | None
    type: Scalar | None


@dataclass(frozen=True, slots=True)
class Assign:
    """A store; ``operator`` joins the old value, computed in ``type``, and the new one."""

    target: Name | Element
    operator: str
    """Empty for a plain assignment."""
    value: Expression
    type: Scalar | None
    """In which the operation is done; None for pointers."""


Expression = (
    Literal | Name | Builtin | Element | Address | Unary | Binary | Convert | Choice | Call | Inlined | Assign
)

# -------------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Declare:
    """A local variable; ``local`` arrays have a number of elements and no initial value."""

    key: str
    type: Scalar | None
    value: Expression | None
    elements: int = 0


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression for its effect."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class If:
    """A branch."""

    condition: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """A ``for`` or ``while`` loop whose ``first`` part has run; ``late`` ones test after the body."""

    first: tuple[Statement, ...]
    condition: Expression | None
    step: tuple[Statement, ...]
    body: tuple[Statement, ...]
    late: bool = False
    pragma: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """``return``, ``break`` or ``continue``."""

    kind: str


Statement = Declare | Evaluate | If | Loop | Exit


@dataclass(frozen=True, slots=True)
class Routine:
    """A function: its parameters in order, and what it does."""

    name: str
    parameters: tuple[tuple[str, Scalar | None], ...]
    """Names with their types; None for pointers."""
    elements: tuple[tuple[str, Scalar], ...]
    """What pointer parameters point to."""
    body: tuple[Statement, ...]
    builtins: frozenset[str]
    lines: Mapping[int, tuple[int, int]] = field(default_factory=dict, compare=False)
    """First and last lines of the body's conditions, by ``id``; the function's last line is 0."""


def walk(node: object) -> Iterator[object]:
    """Yield a node and all nodes below it, in the order of the text."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif is_dataclass(node):
        yield node
        for item in fields(node):
            yield from walk(getattr(node, item.name))


def assigned(*parts: object) -> tuple[str, ...]:
    """Return the keys of the variables that are assigned within, in the order of the text."""
    found = (node.target for node in walk(parts) if isinstance(node, Assign))
    return tuple(dict.fromkeys(target.key for target in found if isinstance(target, Name)))


def leaves(statements: tuple[Statement, ...]) -> bool:
    """Tell whether these statements may leave what they stand in."""
    for statement in statements:
        if isinstance(statement, Exit):
            return True
        if isinstance(statement, If) and (leaves(statement.yes) or leaves(statement.no)):
            return True
    return False


def reads(*parts: object) -> bool:
    """Tell whether memory may be read or written within."""
    return any(isinstance(node, Element | Inlined) for node in walk(parts))


def breaks(body: tuple[Statement, ...]) -> bool:
    """Tell whether the body of a loop may leave it."""
    kinds = (item.kind for item in _exits(body))
    return any(kind in ("break", "return") for kind in kinds)


def _exits(body: tuple[Statement, ...]) -> list[Exit]:
    found: list[Exit] = []
    for item in body:
        if isinstance(item, Exit):
            found.append(item)
        elif isinstance(item, If):
            found += [*_exits(item.yes), *_exits(item.no)]
        elif isinstance(item, Loop):
            found += [exit for exit in _exits(item.body) if exit.kind == "return"]
    return found


def ascends(condition: Expression, key: str) -> bool:
    """Tell whether a condition is that the variable is below something that the loop does not change."""
    if not isinstance(condition, Binary) or condition.operator not in ("<", "<="):
        return False
    left = condition.left
    while isinstance(left, Convert):
        left = left.operand
    inside = {node.key for node in walk(condition.right) if isinstance(node, Name)}
    return isinstance(left, Name) and left.key == key and key not in inside
