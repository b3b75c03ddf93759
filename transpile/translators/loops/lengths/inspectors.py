"""Inspectors: the loops without their work, which tell how far these reach into an array.

The classic half of inspector and executor (Saltz, Mirchandaney, Crowley: Run-time parallelization and
scheduling of loops, 1991): where subscripts follow from data, the host goes through them before it copies.
What is left of the loops is a backward slice: the subscripts, and what these and the control flow need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.names import free_name
from transpile.code.syntax import (
    INDENT,
    Function,
    alternative,
    ancestors,
    arguments,
    block_statements,
    called,
    condition,
    consequence,
    find,
    indentation,
    inside,
    operator,
    reindent,
    source,
    subscript,
    unparenthesized,
)
from transpile.code.syntax import field as child_of
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.places import name_of
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.trips import tight
from transpile.translators.loops.lengths.local_pointers import counted_from, leads_into
from transpile.translators.loops.lengths.naturals import natural
from transpile.translators.loops.lengths.slices import (
    CHANGES,
    NOTHING,
    Slice,
    heads,
    joined,
    sets,
    summand,
    with_cases,
)
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.lines import deeper, either, lines_of, under, with_head
from transpile.translators.refusal import SEQUENTIAL, Refused

HEADERS = ("<algorithm>",)
_MEMORY = ("subscript_expression", "pointer_expression")
_ASKING = ("condition_clause", "parenthesized_expression", "unary_expression")
"""Nodes around a pointer that test it for null."""


@dataclass(slots=True)
class Inspector:
    """Slices statements for what subscripts of one array need."""

    function: Function
    variables: Variables
    around: EnclosingScope
    array: Variable
    nodes: Collection[int]
    """The accesses to the array."""
    written: Collection[str]
    """Arrays that the statements write: what an inspector reads is not among them."""
    needed: set[int] = field(default_factory=set)
    """Scalars that subscripts and the control flow depend on."""
    reach: str = "reach"
    """The variable that counts the elements."""
    _notes: dict[str, frozenset[str]] = field(default_factory=dict)
    """Lines that note a subscript, and what that names."""
    below: bool = False
    """The text leaves open whether some subscript is below zero."""

    def lines(self, name: str, statements: Sequence[Node]) -> list[str]:
        """Return the declaration of a variable that says how many elements are reached.

        Args:
            name: Of that variable.
            statements: The loops, in one block.
        """
        self.reach = free_name(self.function.identifiers, "reach")
        kept, before = self._sliced(statements), -1
        while len(self.needed) > before:
            before = len(self.needed)
            kept = self._sliced(statements)
        ahead = ", or that they begin ahead of it" if self.below else ""
        return [
            f"// How far the loops below reach into `{self.array.name}`{ahead}.",
            f"const long long {name} = [=]() mutable {{",
            f"{INDENT}long long {self.reach} = 0;",
            *deeper(kept),
            f"{INDENT}return {self.reach};",
            "}();",
        ]

    def _sliced(self, statements: Sequence[Node]) -> tuple[str, ...]:
        """Return what is left of statements by what is known to be needed so far."""
        return tuple(line for node in statements for line in self._of(node).lines)

    def _of(self, node: Node) -> Slice:
        match node.type:
            case "comment":
                return NOTHING
            case "compound_statement":
                return joined(self._of(child) for child in block_statements(node))
            case "for_statement" | "while_statement":
                return self._loop(node)
            case "if_statement":
                return self._branch(node)
            case "switch_statement":
                return self._switch(node)
            case "declaration" | "expression_statement":
                return self._simple(node)
            case "break_statement" | "continue_statement":
                return Slice((source(node),))
            case "return_statement":
                return Slice((f"return {self.reach};",))
            case _:
                if any(self._is_reached(item) for item in find(node, *_MEMORY)) or self._changes(node):
                    raise Refused(SEQUENTIAL, f"a {node.type.replace('_', ' ')} around its subscripts")
                return NOTHING

    def _loop(self, node: Node) -> Slice:
        body = child_of(node, "body")
        loop = counted(node, self.variables, self.around, self._kept)
        # Both ends are the same all the time: they are looked up whether there are iterations or not.
        ends = [] if loop is None else [loop.first, loop.bound]
        ahead = _without_repeats(tuple(self._reached(end)) for end in ends)
        if loop is None:
            for head in heads(node, body):
                self._refuse_reached(head)
        inner = self._of(body)
        if not inner.reaches:
            return Slice(ahead, reaches=bool(ahead))
        at_once = self._last_iteration(loop, inner.lines)
        if at_once:
            return Slice((*ahead, *at_once), reaches=True)
        for head in heads(node, body):
            self._need(head)
        return Slice((*ahead, *with_head(self._head(node, body), inner.lines)), reaches=True)

    def _last_iteration(self, loop: Loop | None, inner: Sequence[str]) -> tuple[str, ...]:
        """Return what stands for a loop that reaches elements one by one, or the same; nothing for others."""
        if loop is None or loop.step != 1 or loop.inclusive or loop.converted:
            return ()
        if all(line in self._notes and loop.variable.name not in self._notes[line] for line in inner):
            return self._with_iterations(loop, inner)
        own = loop.variable.name
        one_by_one = [self._noted(own, below=below) for below in (False, True)]
        if tuple(inner) not in one_by_one:
            return ()
        reached = f"{self.reach} = std::max<long long>({self.reach}, {source(loop.bound)});"
        below = tuple(inner) == one_by_one[1]
        return self._with_iterations(
            loop, (self._left_below(source(loop.first)), reached) if below else (reached,)
        )

    def _with_iterations(self, loop: Loop, lines: Sequence[str]) -> tuple[str, ...]:
        """Return what is done where a loop has any iteration."""
        self._need(loop.first)
        self._need(loop.bound)
        first, bound = (tight(source(end)) for end in (loop.first, loop.bound))
        return with_head(f"if ({first} < {bound})", lines)

    @property
    def _kept(self) -> frozenset[str]:
        """Return the arrays whose elements are the same all the time."""
        return frozenset(
            item.name for item in self.variables.all if item.parameter and name_of(item) not in self.written
        )

    def _branch(self, node: Node) -> Slice:
        other = alternative(node)
        chosen = self._of(consequence(node))
        left = self._of(other) if other is not None else NOTHING
        test = condition(node)
        reached = self._reached(test)
        if not left.lines and set(chosen.lines) <= set(reached) & self._notes.keys():
            chosen = NOTHING  # The condition has been there already.
        if not chosen.lines and not left.lines:
            return Slice(tuple(reached), reaches=bool(reached))
        if chosen.lines == left.lines and set(chosen.lines) <= self._notes.keys() and not sets(test):
            return Slice((*reached, *chosen.lines), reaches=True)
        self._need(test)
        lines = either(source(unparenthesized(test)), chosen.lines, left.lines)
        return Slice((*reached, *lines), reaches=bool(reached) or chosen.reaches or left.reaches)

    def _switch(self, node: Node) -> Slice:
        test = condition(node)
        reached = self._reached(test)
        cases = [item for item in block_statements(child_of(node, "body")) if item.type != "comment"]
        if any(item.type != "case_statement" for item in cases):
            raise Refused(SEQUENTIAL, "statements ahead of the cases of a switch")
        kept = [(item, joined(map(self._of, _statements_of(item)))) for item in cases]
        if all(line == "break;" for _, part in kept for line in part.lines):
            return Slice(tuple(reached), reaches=bool(reached))
        self._need(test)
        reaches = bool(reached) or any(part.reaches for _, part in kept)
        return Slice((*reached, *with_cases(test, kept)), reaches=reaches)

    def _simple(self, node: Node) -> Slice:
        appended = self._appended(node)
        if appended:
            return Slice(appended, reaches=True)
        reached = self._reached(node)
        if not self._changes(node):
            return Slice(tuple(reached), reaches=bool(reached))
        self._need(node)
        if any(self._writes_memory(change) for change in find(node, *CHANGES)):
            raise Refused(SEQUENTIAL, "a statement that writes an array as well as what its subscripts need")
        return Slice((*reached, *lines_of(self.function, node)), reaches=True)

    def _appended(self, node: Node) -> tuple[str, ...]:
        """Return what stands for ``a[n++] = value``, whose value reaches nothing and changes nothing."""
        found = [item for item in find(node, *_MEMORY) if self._is_reached(item)]
        moved = list(find(node, "update_expression"))
        if len(found) != 1 or len(moved) != 1 or node.type != "expression_statement":
            return ()
        (ahead, places), [counter] = self._place(found[0]), moved
        name = child_of(counter, "argument")
        if (
            ahead
            or [item.id for item in places] != [counter.id]
            or name.type != "identifier"
            or self._guards(found[0], node)
        ):
            return ()
        self._need(name)
        after = source(counter).endswith(("++", "--"))
        noted, stepped = self._noted(source(name), below=True), (f"{source(counter)};",)
        self.below = True
        return (*noted, *stepped) if after else (*stepped, *noted)

    def _changes(self, node: Node) -> bool:
        """Tell whether a statement sets something that is needed."""
        declared = any(
            id(item) in self.needed and inside(item.declaration, node)
            for item in self.variables.all
            if not item.parameter
        )
        return declared or any(
            id(item) in self.needed and any(inside(write, node) for write in item.writes)
            for item in self.variables.all
        )

    def _writes_memory(self, change: Node) -> bool:
        target = change.child_by_field_name("left") or child_of(change, "argument")
        return unparenthesized(target).type != "identifier"

    def _reached(self, node: Node) -> list[str]:
        """Return what notes the elements that an expression touches, those under the same tests together."""
        found: dict[tuple[str, ...], dict[str, None]] = {}
        for item in find(node, *_MEMORY):
            if self._is_reached(item):
                noted = self._note(item)
                found.setdefault(tuple(self._guards(item, node)), {}).update(dict.fromkeys(noted))
        return [line for tests, noted in found.items() for line in under(tests, tuple(noted))]

    def _refuse_reached(self, node: Node) -> None:
        if any(self._is_reached(item) for item in find(node, *_MEMORY)):
            raise Refused(SEQUENTIAL, "a loop goes on as its own elements say")

    def _is_reached(self, node: Node) -> bool:
        return node.id in self.nodes

    def _note(self, access: Node) -> tuple[str, ...]:
        ahead, terms = self._place(access)
        for term in terms:
            if sets(term):
                raise Refused(SEQUENTIAL, "a subscript that changes what it names")
            self._need(term)
        natural = not ahead and all(self._is_natural(term) for term in terms)
        self.below |= not natural
        distance = [f"{pointer} - {self.array.name}" for pointer in ahead]
        noted = self._noted(" + ".join([*distance, *map(summand, terms)]) or "0", below=not natural)
        named = frozenset(source(name) for term in terms for name in find(term, "identifier")).union(ahead)
        self._notes.update(dict.fromkeys(noted, named))
        return noted

    def _is_natural(self, term: Node) -> bool:
        return natural(term, self.function.body, self.variables, self.around)

    def _noted(self, place: str, *, below: bool) -> tuple[str, ...]:
        reached = f"{self.reach} = std::max<long long>({self.reach}, {place} + 1LL);"
        return (self._left_below(place), reached) if below else (reached,)

    def _left_below(self, place: str) -> str:
        return f"if ({place} < 0) return -1LL;"

    def _place(self, access: Node) -> tuple[tuple[str, ...], list[Node]]:
        """Return the pointer that an element is counted from, unless it is the array's, and what is added."""
        terms = [subscript(access)] if access.type == "subscript_expression" else []
        base = unparenthesized(child_of(access, "argument"))
        while base.type == "binary_expression" and operator(base) == "+":
            terms.insert(0, child_of(base, "right"))
            base = unparenthesized(child_of(base, "left"))
        pointer = self.variables.of(base)
        if pointer is self.array:
            return (), terms
        if pointer is None or leads_into(pointer, self.variables) is not self.array:
            raise Refused(SEQUENTIAL, "an element that is not one of its own name")
        self.needed.add(id(pointer))
        return (pointer.name,), terms

    def _guards(self, access: Node, statement: Node) -> list[str]:
        """Return the conditions in its expression under which an element is touched."""
        found: list[str] = []
        child = access
        for parent in ancestors(access):
            if not inside(parent, statement):
                break
            if parent.type == "conditional_expression" and child.id != child_of(parent, "condition").id:
                taken = child.id == child_of(parent, "consequence").id
                found.insert(0, self._guard(child_of(parent, "condition"), holds=taken))
            lazy = parent.type == "binary_expression" and operator(parent) in ("&&", "||")
            if lazy and child.id == child_of(parent, "right").id:
                found.insert(0, self._guard(child_of(parent, "left"), holds=operator(parent) == "&&"))
            child = parent
        return found

    def _guard(self, test: Node, *, holds: bool) -> str:
        if sets(test):
            raise Refused(SEQUENTIAL, "a condition that changes what it names")
        self._need(test)
        text = source(unparenthesized(test))
        return text if holds else f"!({text})"

    def _need(self, node: Node) -> None:
        """Note the scalars that are needed for a kept text, which may read what the loops leave alone."""
        for call in find(node, "call_expression"):
            if not self.around.calls(called(call)) or any(
                item.type == "pointer_expression" for item in arguments(call)
            ):
                raise Refused(SEQUENTIAL, f"its subscripts need a call of {called(call) or 'something'}")
        followed = self._followed(node)
        for item in self.variables.needed_in(node):
            if item.array and inside(item.declaration, self.function.body) and not item.static:
                raise Refused(SEQUENTIAL, f"its subscripts need `{item.name}`, which is filled on the way")
            array = leads_into(item, self.variables) if item.pointer and not item.parameter else item
            if array is None:
                raise Refused(SEQUENTIAL, f"its subscripts need `{item.name}`, which leads into an array")
            if item.pointer or item.array:
                if name_of(array) in self.written and id(item) in followed:
                    raise Refused(
                        SEQUENTIAL, f"its subscripts follow from `{item.name}`, which the loops write"
                    )
                if item is not array:
                    self.needed.add(id(item))
                continue
            if item.reference:
                raise Refused(SEQUENTIAL, f"its subscripts need `{item.name}`, a reference")
            self.needed.add(id(item))

    def _followed(self, node: Node) -> set[int]:
        """Return the arrays whose elements an expression reads: whether there is one may be asked of all."""
        tests = (
            child.id
            for child in find(node, "identifier")
            if child.parent is not None and child.parent.type in _ASKING
        )
        # An address is computed from where an array begins, whatever is in it.
        asked = {*tests, *(base.id for item in self.variables.all if (base := counted_from(item)))}
        named = (child for child in find(node, "identifier") if child.id not in asked and child.id != node.id)
        return {id(item) for child in named if (item := self.variables.of(child)) is not None}

    def _head(self, node: Node, body: Node) -> str:
        text = self.function.text[node.start_byte : body.start_byte].rstrip()
        return reindent(text, indentation(self.function.text, node.start_byte), "")


def _without_repeats(blocks: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the lines of all blocks, those of equal ones once."""
    return tuple(line for block in dict.fromkeys(blocks) for line in block)


def _statements_of(case: Node) -> list[Node]:
    label = case.child_by_field_name("value")
    return [item for item in case.named_children if label is None or item.id != label.id]
