"""Launch bounds in the text of a kernel: guards, blocks that constants fix, unsigned differences.

All of it is proposed, and tried on the running source before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tree_sitter import Node

from transpile.code.brackets import split
from transpile.code.syntax import MIRRORED
from transpile.code.trees import descendants, grammar_of, text
from transpile.code.trees import parse as syntax
from transpile.contracts.text.constants import constants_for
from transpile.contracts.text.symbols import BUILTINS, Symbols, plain, polynomial
from transpile.core import Signature, Source, Unit
from transpile.expressions import ExpressionError, evaluate, names, parse, substitute, to_text

_BELOW = {"<": 0, ">=": 0, "<=": 1, ">": 1, "==": 1, "!=": 1}
"""Indices that a comparison lets through, beyond the number it compares with."""
_MAXIMUM_BLOCK = 1024
_TYPES = frozenset({"type_parameter_declaration", "optional_type_parameter_declaration"})
_LOCAL = frozenset({"declaration", "init_declarator"})
_SAMPLES = (
    {"threadIdx": 3, "blockIdx": 5, "blockDim": 7, "gridDim": 11},
    {"threadIdx": 2, "blockIdx": 9, "blockDim": 4, "gridDim": 13},
)
_SCALAR = 17


class Counted(StrEnum):
    """The quantity that a guarded index counts."""

    THREADS = "threads"
    BLOCKS = "blocks"
    LANES = "threads of a block"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A comparison of an index with something that the scalars give."""

    letter: str
    """Of the axis; several where the index is made of several."""
    most: str
    """The number of indices that pass it."""
    counted: Counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Launch bounds found in a text."""

    guards: tuple[Guard, ...] = ()
    demands: tuple[str, ...] = ()
    """Relations without which an unsigned difference wraps round, and its guard lets everything through."""
    divisions: tuple[str, ...] = ()
    """Relations under which what the text divides, or numbers through, comes out even."""
    blocks: tuple[tuple[int, int, int], ...] = ()
    """Shapes by which constants multiply the index of a block, or as large as arrays of the text."""
    fixed: tuple[tuple[str, int], ...] = ()
    """Axes on which a constant stands in the place of ``blockDim``, with the constant."""
    joined: str = ""
    """Axes whose threads are counted through all blocks."""
    arrays: bool = False
    """It declares arrays of its own."""

    @property
    def limits(self) -> tuple[str, ...]:
        """Return products of sizes that guards compare with: arrays are often as long."""
        return tuple(dict.fromkeys(item.most for item in self.guards if len(names(item.most)) > 1))

    def bounds(self, letter: str, *counted: Counted) -> tuple[str, ...]:
        """Return what guards on an axis let through, shortest first."""
        found = (item.most for item in self.guards if item.letter == letter and item.counted in counted)
        return tuple(sorted(dict.fromkeys(found), key=lambda item: (len(names(item)) == 0, len(item))))


def told_of(source: Source, unit: Unit, signature: Signature, scalars: Iterable[str]) -> Told:
    """Read what the text of one instantiation of a kernel says."""
    root = syntax(unit.text, grammar_of(unit.path)).root_node
    constants = constants_for(source, unit)
    return told_by(root, Symbols(root, constants.get, template_arguments(root, signature)), scalars)


def template_arguments(root: Node, signature: Signature) -> dict[str, str]:
    """Return the numbers and types that template parameters stand for."""
    given = split(signature.template_arguments.strip("<> ")) if signature.template_arguments else []
    found: dict[str, str] = {}
    for listed in descendants(root, "template_parameter_list"):
        declared = [item for item in listed.named_children if item.type != "comment"]
        for item, argument in zip(declared, given, strict=False):
            if item.type == "parameter_declaration" and argument.strip().isdigit():
                found[text(item.child_by_field_name("declarator"))] = argument.strip()
            elif item.type in _TYPES:
                found[text(item.child_by_field_name("name") or item.named_child(0))] = argument.strip()
        break
    return found


def told_by(function: Node, symbols: Symbols, scalars: Iterable[str]) -> Told:
    """Read what a function's text says, over scalars of these names."""
    known = frozenset(scalars)
    guards: list[Guard] = []
    demands: list[str] = []
    for node in descendants(function, "binary_expression"):
        guard = _guard(node, symbols, known)
        if guard is not None:
            guards.append(guard)
            demands += _demands(node, symbols, known)
    fixed = tuple(dict.fromkeys(_strides(function, symbols)))
    return Told(
        guards=tuple(dict.fromkeys(guards)),
        demands=_strongest(demands),
        divisions=tuple(dict.fromkeys(_divisions(function, symbols, known))),
        blocks=tuple(dict.fromkeys((*_shapes(fixed), *_owned(function, symbols)))),
        fixed=fixed if len({letter for letter, _ in fixed}) == len(fixed) else (),
        joined="".join(sorted(_joined(function, symbols))),
        arrays=any(
            item.parent is not None and item.parent.type in _LOCAL
            for item in descendants(function, "array_declarator")
        ),
    )


def _strongest(demands: Sequence[str]) -> tuple[str, ...]:
    """Return relations without those that follow from another one."""
    kept: list[str] = []
    for text_ in dict.fromkeys(demands):
        lead, _, rest = text_.partition(" >= ")
        others = [other.partition(" >= ") for other in demands if other != text_]
        weaker = any(name == lead and _constant_above(more, rest) for name, _, more in others)
        kept += [] if weaker else [text_]
    return tuple(kept)


def _constant_above(more: str, rest: str) -> bool:
    """Tell whether one expression exceeds another by a constant."""
    terms = polynomial(parse(f"({more}) - ({rest})"))
    return terms is not None and set(terms) == {()} and terms[()] > 0


def _sides(node: Node) -> tuple[str, Node | None, Node | None]:
    operator = text(node.child_by_field_name("operator"))
    return operator, node.child_by_field_name("left"), node.child_by_field_name("right")


def _guard(node: Node, symbols: Symbols, known: frozenset[str]) -> Guard | None:
    """Return the guard that a comparison is, None where it is none."""
    operator, left, right = _sides(node)
    if operator not in _BELOW:
        return None
    index, limit = symbols.expression(left), symbols.expression(right)
    if index is None or limit is None:
        return None
    if _of_launch(limit) and not _of_launch(index):
        index, limit, operator = limit, index, MIRRORED.get(operator, operator)
    if not _of_launch(index) or not names(limit) <= known:
        return None
    found = _counted(index)
    if found is None:
        return None
    counted, letter = found
    least = _first(index)
    if least is None:
        return None
    moved = least != "0" or _BELOW[operator]
    most = plain(f"({limit}) - ({least}) + {_BELOW[operator]}" if moved else limit)
    return None if most is None else Guard(letter=letter, most=most, counted=counted)


def _of_launch(expression: str) -> bool:
    return any(name.partition(".")[0] in BUILTINS for name in names(expression))


def _first(index: str) -> str | None:
    """Return the index that the first thread has."""
    zero = {name: "0" for name in names(index) if name.partition(".")[0] in ("threadIdx", "blockIdx")}
    first = plain(substitute(index, zero))
    return None if first is None or _of_launch(first) else first


def _counted(index: str) -> tuple[Counted, str] | None:
    """Return what an index counts, and the letters of the axes that it is made of; None for any other."""
    own = {name for name in names(index) if name.partition(".")[0] in ("threadIdx", "blockIdx")}
    letters = "".join(sorted({name.rpartition(".")[2] for name in own}))
    base = _first(index)
    if not letters or base is None:
        return None
    if len(letters) > 1:
        return (Counted.THREADS, letters) if _joint(index) else None
    forms = {
        Counted.THREADS: f"blockIdx.{letters} * blockDim.{letters} + threadIdx.{letters}",
        Counted.BLOCKS: f"blockIdx.{letters}",
        Counted.LANES: f"threadIdx.{letters}",
    }
    strides = [(Counted.THREADS, form) for _, form in _constant_strides(index, letters)]
    for counted, form in (*forms.items(), *strides):
        if all(_value(index, turn) == _value(f"{base} + {form}", turn) for turn in range(len(_SAMPLES))):
            return counted, letters
    return None


def _value(expression: str, turn: int) -> int | None:
    """Return an expression's value at one of several launches, with a number for every scalar."""
    environment = {
        name: _SAMPLES[turn].get(name.partition(".")[0], _SCALAR + turn + len(name))
        + ("xyz".find(name[-1]) if name.partition(".")[0] in BUILTINS else 0)
        for name in names(expression)
    }
    try:
        return evaluate(expression, environment)
    except ExpressionError:
        return None


def _joint(index: str) -> bool:
    """Tell whether blocks of several axes are counted through: each builtin stands in it, none is divided."""
    return "/" not in index and "%" not in index and "gridDim" in index and "blockDim" in index


def _constant_strides(index: str, letter: str) -> Iterator[tuple[int, str]]:
    """Yield the constant by which an index multiplies the block's, and the index that this makes."""
    terms = polynomial(parse(index))
    if terms is None:
        return
    stride = terms.get((f"blockIdx.{letter}",), 0)
    if 1 < stride <= _MAXIMUM_BLOCK and terms.get((f"threadIdx.{letter}",)) == 1:
        yield stride, f"blockIdx.{letter} * {stride} + threadIdx.{letter}"


def _joined(function: Node, symbols: Symbols) -> set[str]:
    """Return the axes with an expression of all of a thread's builtins; all where one is passed on whole."""
    found: set[str] = set()
    for node in descendants(function, "binary_expression"):
        index = symbols.expression(node)
        used = {name for name in names(index or "0") if name.partition(".")[0] in BUILTINS}
        found |= {a for a in "xyz" if {f"{word}.{a}" for word in BUILTINS[:3]} <= used}
    whole = any(
        text(node) in BUILTINS and (node.parent is None or node.parent.type != "field_expression")
        for node in descendants(function, "identifier")
    )
    return set("xyz") if whole else found


def _strides(function: Node, symbols: Symbols) -> Iterator[tuple[str, int]]:
    """Yield the axes and constants of all indices that multiply the block's by a constant."""
    for node in descendants(function, "binary_expression"):
        index = symbols.expression(node)
        if index is None:
            continue
        for letter in "xyz":
            used = {name for name in names(index) if name.partition(".")[0] in BUILTINS}
            if used == {f"blockIdx.{letter}", f"threadIdx.{letter}"}:
                yield from ((letter, stride) for stride, _ in _constant_strides(index, letter))


def _shapes(fixed: Iterable[tuple[str, int]]) -> Iterator[tuple[int, int, int]]:
    known = dict(fixed)
    if known:
        yield (known.get("x", 1), known.get("y", 1), known.get("z", 1))


def _owned(function: Node, symbols: Symbols) -> Iterator[tuple[int, int, int]]:
    """Yield blocks with a thread for each element of an array that the text declares."""
    for node in descendants(function, "declaration"):
        for item in node.children_by_field_name("declarator"):
            array = item.child_by_field_name("declarator") if item.type == "init_declarator" else item
            sizes = [_constant(length) for length in _lengths(array, symbols)]
            if 0 < len(sizes) <= 3 and all(0 < size <= _MAXIMUM_BLOCK for size in sizes):
                x, y, z = (*sizes, 1, 1)[:3]
                yield x, y, z


def _lengths(declarator: Node | None, symbols: Symbols) -> Iterator[str | None]:
    """Yield the lengths of an array, innermost first."""
    node = declarator
    while node is not None and node.type == "array_declarator":
        yield symbols.expression(node.child_by_field_name("size"))
        node = node.child_by_field_name("declarator")


def _constant(expression: str | None) -> int:
    try:
        return evaluate(expression or "0", {})
    except ExpressionError:
        return 0


def _demands(node: Node, symbols: Symbols, known: frozenset[str]) -> list[str]:
    """Return what keeps an unsigned limit from wrapping round, as a relation that raises one of its names."""
    _, left, right = _sides(node)
    if not (symbols.unsigned(left) or symbols.unsigned(right)):
        return []
    limits = [symbols.expression(side) for side in (left, right)]
    found: list[str] = []
    for limit in limits:
        terms = None if limit is None or not names(limit) <= known else polynomial(parse(limit))
        if terms is None or all(factor > 0 for factor in terms.values()):
            continue
        lead = next((key for key, factor in terms.items() if len(key) == 1 and factor == 1), None)
        if lead is not None:
            rest = {key: -factor for key, factor in terms.items() if key != lead}
            found.append(f"{lead[0]} >= {_positive_first(rest)}")
    return found


def _divisions(function: Node, symbols: Symbols, known: frozenset[str]) -> Iterator[str]:
    """Yield that sizes are multiples of what they are divided by."""
    for node in descendants(function, "binary_expression"):
        operator, left, right = _sides(node)
        if operator not in "/%":
            continue
        size, divisor = symbols.expression(left), symbols.expression(right)
        if size in known and divisor is not None and names(divisor) <= known and size not in names(divisor):
            written = plain(divisor)
            if written is not None and written != "1":
                yield to_text(parse(f"{size} % ({written}) == 0"))


def _positive_first(terms: Mapping[tuple[str, ...], int]) -> str:
    pieces = [
        (" * ".join([*([str(abs(n))] if abs(n) != 1 or not key else []), *key]), n)
        for key, n in terms.items()
    ]
    ordered = sorted(pieces, key=lambda item: item[1] < 0)
    joined = "".join(f" {'-' if n < 0 else '+'} {piece}" for piece, n in ordered) or " + 0"
    joined = joined.removeprefix(" + ").strip()
    return to_text(parse(joined))
