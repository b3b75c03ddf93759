"""Warp-synchronous code, with the barriers that it leaves out.

Before Volta the lanes of a warp ran in step, and reductions and scans passed values through ``volatile``
shared memory with no barrier. That ended with independent thread scheduling (CUDA C++ Programming Guide, the
section of that name): such code needs ``__syncwarp()`` between a read and a write that may meet. Here each
statement gets it that touches another lane's element of a ``volatile`` array.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as field_of
from functools import lru_cache

from tree_sitter import Node

from transpile.code.edits import Edit, apply, disjoint, edited
from transpile.code.lexer import tokenize
from transpile.code.names import free_name
from transpile.code.polynomial import depends_on_launch, launch_name
from transpile.code.syntax import (
    LOOPS,
    Function,
    ancestors,
    block_statements,
    called,
    condition,
    consequence,
    enclosing_statement,
    field,
    find,
    function_of,
    inside,
    operator,
    squeeze,
    subscript,
)
from transpile.code.syntax import source as spelled
from transpile.code.variables import Variable, Variables, resolve
from transpile.core import Source
from transpile.parsers.text.outline import device_functions

_BARRIER = "__syncwarp();"
_OF_THOSE_HERE = "__syncwarp(__activemask());"
"""Lanes that took another branch do not wait."""
_WHOLE_WARPS = re.compile(r"\(?\w+(?:\.x)?<(?:32|64|96|128|256|512|1024|warpSize)[uU]?\)?")
"""Conditions that warps meet as wholes."""
_OF_NUMBERS = frozenset(
    ("identifier", "number_literal", "binary_expression", "unary_expression", "parenthesized_expression")
)
"""Of these a condition is made that is worth the same when it is asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A statement that reads or writes elements of other lanes."""

    statement: Node
    assignment: Node | None
    """Of one of them, before which all lanes have to have read; None where it only reads."""
    outer: Node
    """The statement, or the ``if`` that stands around it alone."""
    condition: Node | None
    """Of that ``if``, or of one around more statements that becomes theirs."""
    last: bool
    """No statement behind it writes any element."""
    ahead: bool
    """It reads nothing but elements that lie by a number behind the one that it writes."""


def waiting(source: Source, *, ascending: bool = False) -> Source:
    """Return a source whose warp-synchronous functions wait where they have to; units keep ids and lines.

    Args:
        source: The source.
        ascending: Lanes run one after the other from the first on, so that none is late for what lies ahead.
    """
    found = {path: edits for path, data in source.files.items() if (edits := _edits(data, ascending))}
    return edited(source, found) if found else source


def waiting_text(data: bytes) -> bytes:
    """Return a file whose warp-synchronous functions wait where they have to. No line moves."""
    return apply(data, _edits(data, ascending=False))


@lru_cache(maxsize=512)
def _edits(data: bytes, ascending: bool) -> tuple[Edit[bytes], ...]:
    if b"volatile" not in data or (b"__global__" not in data and b"__device__" not in data):
        return ()
    tokens = tokenize(data).text
    read = [
        _DeviceCode(function, kernel=item.kernel, start=tokens[item.first].start)
        for item in device_functions(tokens)
        if (function := _function(data[tokens[item.first].start : tokens[item.last].end])) is not None
    ]
    changes = [*_barriers(read, ascending), *(_plain(read) if ascending else ())]
    return tuple(disjoint((edit,) for edit in changes))


def _function(data: bytes) -> Function | None:
    return function_of(data.decode("latin-1")) if b"volatile" in data else None


@dataclass(slots=True)
class _DeviceCode:
    """A function of the device, and what its lanes exchange."""

    function: Function
    kernel: bool
    start: int
    """Its offset in the file."""
    variables: Variables = field_of(init=False)
    arrays: list[Variable] = field_of(init=False)
    exchanges: list[Exchange] = field_of(init=False)
    """None where one is not understood: its order may be part of what it does."""

    def __post_init__(self) -> None:
        self.variables = resolve(self.function)
        self.arrays = [item for item in self.variables.all if _is_exchanged(item, kernel=self.kernel)]
        found = list(_exchanges(self.function, self.variables, self.arrays))
        self.exchanges = found if all(_is_understood(item, self.variables) for item in found) else []

    def edit(self, start: int, end: int, text: str) -> Edit[bytes]:
        """Return an edit of the file."""
        return Edit(self.start + start, self.start + end, text.encode("latin-1"))


def _barriers(read: Sequence[_DeviceCode], ascending: bool) -> Iterator[Edit[bytes]]:
    for code in read:
        taken = set(code.function.identifiers)
        outers = {exchange.outer.id for exchange in code.exchanges}
        for exchange in code.exchanges:
            name = free_name(frozenset(taken), "lane_value")
            taken.add(name)
            late = not (ascending and exchange.ahead)
            text = _with_barriers(code.function, exchange, name if late else "", code.variables)
            before = exchange.outer.prev_named_sibling
            if before is None or not (before.id in outers or _is_barrier(before)):
                text = f"{_BARRIER} {text}"
            text = _placed(exchange.outer, text if ascending else text.replace(_BARRIER, _OF_THOSE_HERE))
            yield code.edit(exchange.outer.start_byte, exchange.outer.end_byte, text)
        blocks = {node.id: node for item in code.exchanges if (node := _block_of(item)) is not None}
        for block in blocks.values():
            yield from _without_branch(code, block, outers)


def _plain(read: Sequence[_DeviceCode]) -> Iterator[Edit[bytes]]:
    """Yield the edits that make shared memory plain: lanes in their order need no more than barriers."""
    some = any(code.exchanges for code in read)
    for code in read:
        arrays = [item for item in code.arrays if some or item.shared]
        for declaration in {item.declaration.id: item.declaration for item in arrays}.values():
            for qualifier in find(declaration, "type_qualifier"):
                if spelled(qualifier) == "volatile":
                    yield code.edit(qualifier.start_byte, qualifier.end_byte, "")


def _is_exchanged(variable: Variable, *, kernel: bool) -> bool:
    """Tell whether a variable is memory that lanes of a warp share: not a kernel's own argument."""
    if not (variable.pointer or variable.array) or (kernel and variable.parameter):
        return False
    return any(spelled(item) == "volatile" for item in find(variable.declaration, "type_qualifier"))


def _exchanges(function: Function, variables: Variables, arrays: Sequence[Variable]) -> Iterator[Exchange]:
    elements = [
        node
        for node in find(function.body, "subscript_expression")
        if variables.of(field(node, "argument")) in arrays
    ]
    written = Counter(_index(node) for node in elements if _assignment(node) is not None)
    own = written.most_common(1)[0][0] if written else ""
    stores = [node for node in elements if _assignment(node) is not None]
    seen: set[int] = set()
    for node in elements:
        statement = enclosing_statement(node)
        if _index(node) == own or statement.id in seen:
            continue
        seen.add(statement.id)
        if statement.type not in ("expression_statement", "declaration"):
            continue
        writes = [item for item in elements if inside(item, statement) and _assignment(item) is not None]
        guard = _guard(statement, variables)
        after = (guard if guard is not None else statement).next_named_sibling
        if after is not None and _is_barrier(after):
            continue
        parted = _parted(statement, variables) if guard is None else None
        asking = guard if guard is not None else parted
        yield Exchange(
            statement=statement,
            assignment=_assignment(writes[0]) if writes else None,
            outer=guard if guard is not None else statement,
            condition=condition(asking) if asking is not None else None,
            last=not any(place.start_byte > statement.end_byte for place in stores),
            ahead=all(_is_ahead(item, writes) for item in elements if inside(item, statement)),
        )


def _is_understood(exchange: Exchange, variables: Variables) -> bool:
    """Tell whether a statement may be written in two steps: what is asked or written twice has no effects."""
    statement, assignment = exchange.statement, exchange.assignment
    parent = exchange.outer.parent
    if statement.type == "declaration":
        return parent is not None and parent.type == "compound_statement"
    if assignment is None:
        return True
    place, value = subscript(field(assignment, "left")), field(assignment, "right")
    kept = _kept_in(value) if operator(assignment) == "=" else ""
    computed = field(value, "right") if kept else value
    changed = {variable.name for variable in variables.used_in(computed) if variable.escapes} | {kept}
    used = {variable.name for variable in variables.used_in(place)}
    asked = exchange.condition
    used |= {variable.name for variable in variables.used_in(asked)} if asked is not None else set()
    return not _changes(place) and not _changes(computed) and not used & changed


def _changes(node: Node) -> bool:
    """Tell whether an expression may change something: ``i++``, ``a = b``."""
    return any(True for _ in find(node, "assignment_expression", "update_expression", "lambda_expression"))


def _index(element: Node) -> str:
    return squeeze(spelled(subscript(element)))


def _is_ahead(element: Node, writes: Sequence[Node]) -> bool:
    first = _index(writes[0]) if writes else ""
    return re.fullmatch(rf"{re.escape(first)}(?:\+\d+)?", _index(element)) is not None


def _assignment(element: Node) -> Node | None:
    """Return the statement's assignment to an element; None where it is only read."""
    parent = element.parent
    assigns = parent is not None and parent.type == "assignment_expression"
    whole = parent is not None and parent.parent is not None and parent.parent.type == "expression_statement"
    if assigns and whole and parent is not None and field(parent, "left").id == element.id:
        return parent
    return None


def _guard(statement: Node, variables: Variables) -> Node | None:
    """Return the ``if`` around a statement alone, whose condition can be asked twice."""
    block = statement.parent
    if block is not None and block.type == "compound_statement" and len(block_statements(block)) == 1:
        block = block.parent
    if block is None or block.type != "if_statement" or block.child_by_field_name("alternative") is not None:
        return None
    if not inside(statement, consequence(block)) or statement.type != "expression_statement":
        return None
    return block if _is_repeatable(condition(block), variables) else None


def _is_repeatable(asked: Node, variables: Variables) -> bool:
    """Tell whether a condition may differ between lanes, and is made of the lane's own numbers alone."""
    used = variables.used_in(asked)
    own = bool(used) or depends_on_launch(asked)
    numbers = not any(item.pointer or item.array or item.reference or item.escapes for item in used)
    plain = all(item.type in _OF_NUMBERS or launch_name(item) is not None for item in _named(asked))
    return own and numbers and plain


def _named(node: Node) -> Iterator[Node]:
    """Yield the parts of an expression, those of ``threadIdx.x`` left out."""
    yield node
    if launch_name(node) is None:
        for child in node.named_children:
            yield from _named(child)


def _parted(statement: Node, variables: Variables) -> Node | None:
    """Return the ``if`` around several statements that may part a warp, whose condition can be each one's."""
    block = statement.parent
    branch = block.parent if block is not None and block.type == "compound_statement" else None
    if block is None or branch is None or branch.type != "if_statement":
        return None
    if branch.parent is None or branch.parent.type != "compound_statement":
        return None
    asked = condition(branch)
    whole = _WHOLE_WARPS.fullmatch(squeeze(spelled(asked)))
    if whole is not None or branch.child_by_field_name("alternative") is not None:
        return None
    plain = all(item.type == "expression_statement" for item in block_statements(block))
    steady = not any(inside(place, block) for item in variables.used_in(asked) for place in item.writes)
    return branch if plain and steady and _is_repeatable(asked, variables) else None


def _block_of(exchange: Exchange) -> Node | None:
    """Return the statements around one whose branch became its own."""
    parted = exchange.condition is not None and exchange.outer.id == exchange.statement.id
    return exchange.statement.parent if parted else None


def _without_branch(code: _DeviceCode, block: Node, exchanged: Collection[int]) -> Iterator[Edit[bytes]]:
    """Yield the edits that give each statement of a branch its condition."""
    branch = block.parent
    assert branch is not None
    yield code.edit(branch.start_byte, block.start_byte + 1, "")
    yield code.edit(block.end_byte - 1, block.end_byte, "")
    for statement in block_statements(block):
        if statement.id not in exchanged:
            at = statement.start_byte
            yield code.edit(at, at, f"if ({spelled(condition(branch))}) ")


def _with_barriers(function: Function, exchange: Exchange, name: str, variables: Variables) -> str:
    """Return the statement with a barrier behind it, and one before it writes where the value has a name."""
    outer, assignment = exchange.outer, exchange.assignment
    whole = function.text[outer.start_byte : outer.end_byte]
    guard = f"if ({spelled(exchange.condition)}) " if exchange.condition is not None else ""
    if assignment is None:
        read = (guard if outer.id == exchange.statement.id else "") + whole
        return read if exchange.last and not _repeats(exchange.statement) else f"{read} {_BARRIER}"
    text = _written(assignment, guard, name, variables)
    lost = whole.count("\n") - text.count("\n")
    return f"{text} {_BARRIER}{chr(10) * lost}"


def _written(assignment: Node, guard: str, name: str, variables: Variables) -> str:
    """Return an assignment in two steps, with a barrier between them where the value has a name."""
    element, value = field(assignment, "left"), field(assignment, "right")
    left, computes = spelled(element), operator(assignment).removesuffix("=")
    kept = "" if computes else _kept_in(value)
    if kept:
        made, store = f"{spelled(value)};", f"{left} = {kept};"
        return f"{guard}{made} {_BARRIER} {guard}{store}" if name else f"{guard}{{ {made} {store} }}"
    if not name:
        return f"{guard}{spelled(assignment)};"
    array = variables.of(field(element, "argument"))
    kind = array.type.replace("volatile", "").strip() if array is not None else "auto"
    result = f"{left} {computes} ({spelled(value)})" if computes else spelled(value)
    declared = f"{kind} {name}; {guard}" if guard else f"{kind} "
    return f"{declared}{name} = {result}; {_BARRIER} {guard}{left} = {name};"


def _repeats(statement: Node) -> bool:
    """Tell whether a statement stands in a loop."""
    return any(node.type in LOOPS for node in ancestors(statement))


def _is_barrier(statement: Node) -> bool:
    return any(called(call) in ("__syncthreads", "__syncwarp") for call in find(statement, "call_expression"))


def _kept_in(value: Node) -> str:
    """Return the variable that a value is assigned to on its way; empty where there is none."""
    if value.type != "assignment_expression" or operator(value) != "=":
        return ""
    kept = field(value, "left")
    return spelled(kept) if kept.type == "identifier" else ""


def _placed(outer: Node, text: str) -> str:
    """Return statements as one, where one stood alone."""
    return text if outer.parent is not None and outer.parent.type == "compound_statement" else f"{{ {text} }}"
