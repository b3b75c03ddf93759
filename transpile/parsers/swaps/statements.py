"""The statements of a function, one after the other: branches, loops, and ways out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from transpile.code.trees import descendants, text
from transpile.parsers.swaps.flow import Expressions
from transpile.parsers.swaps.names import SWAPS, Names, bare, calls_of, child
from transpile.parsers.swaps.values import Leaked, Value, at_loop, compiled, confirmed, either

_MOST_TURNS = 8
_SKIPPED = frozenset(
    {"comment", "type_definition", "using_declaration", "alias_declaration", "static_assert_declaration"}
)
_CONDITIONAL = frozenset({"preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef"})


@dataclass(slots=True)
class _Loop:
    """A loop that is being run."""

    left: list[dict[str, Value]] = field(default_factory=list)
    again: list[dict[str, Value]] = field(default_factory=list)
    exits: frozenset[str] = frozenset()
    """Reads that decide when it ends."""


@dataclass(slots=True)
class Statements:
    """Runs a function's body for one address."""

    expressions: Expressions
    names: Names
    unused: bool
    """No caller uses what the function returns."""
    alive: bool = True
    loops: list[_Loop] = field(default_factory=list)

    def run(self, node: Node) -> None:
        """Run a statement; raises Leaked."""
        if not self.alive:
            return
        match node.type:
            case "compound_statement":
                self._block(node)
            case "declaration":
                for item in node.children_by_field_name("declarator"):
                    self.expressions.declare(item)
            case "expression_statement":
                for item in node.named_children:
                    if item.type != "comment":
                        self.expressions.value(item)
            case "if_statement":
                self._if(node)
            case "while_statement" | "do_statement" | "for_statement":
                self._loop(node)
            case "break_statement" | "continue_statement":
                self._leave(node)
            case "return_statement":
                self._return(node)
            case kind if kind in _CONDITIONAL:
                self._compiled(node)
            case kind:
                if kind not in _SKIPPED:
                    self._other(node)

    # -- in order

    def _block(self, node: Node) -> None:
        outer = dict(self.expressions.state)
        own: set[str] = set()
        for item in node.named_children:
            names = _declared(item)
            if names & outer.keys():
                raise Leaked  # one name for two variables
            own |= names
            self.run(item)
        for name in own:
            self.expressions.state.pop(name, None)

    def _return(self, node: Node) -> None:
        does = self.expressions
        values = [does.value(item) for item in node.named_children if item.type != "comment"]
        decided = does.control | does.returned
        if values and not self.unused and (decided or any(value.tainted for value in values)):
            raise Leaked
        does.returned |= does.control
        self._ends()

    def _ends(self) -> None:
        self.alive = False
        self.expressions.state = {}

    def _leave(self, node: Node) -> None:
        if not self.loops:
            raise Leaked
        loop = self.loops[-1]
        loop.exits |= self.expressions.control
        (loop.left if node.type == "break_statement" else loop.again).append(dict(self.expressions.state))
        self._ends()

    def _other(self, node: Node) -> None:
        """Go past a statement that is not understood; raises Leaked where a read may be in it."""
        if any(value.tainted for value in self.expressions.state.values()) or self.expressions.control:
            raise Leaked
        inner = descendants(node, "pointer_expression", "subscript_expression", "field_expression")
        if any(self.names.place(item) == self.expressions.address for item in inner) or any(
            calls_of(node, SWAPS)
        ):
            raise Leaked

    # -- branches

    def _if(self, node: Node) -> None:
        does = self.expressions
        condition = does.value(_condition(node))
        outside, before, decided = does.control, dict(does.state), _decides(condition)
        branches = [node.child_by_field_name("consequence"), node.child_by_field_name("alternative")]
        after = []
        for branch, truth in zip(branches, (True, False), strict=True):
            does.state, does.control, self.alive = _told(before, condition, truth), outside | decided, True
            if branch is not None:
                self.run(branch.named_children[-1] if branch.type == "else_clause" else branch)
            if self.alive:
                after.append(does.state)
        does.control = outside
        self.alive = bool(after)
        does.state = either(after) if after else {}

    def _compiled(self, node: Node) -> None:
        """Run each text that conditional compilation may choose: none where there is no ``#else``."""
        types: dict[str, str] = {}
        for item in (item for chosen in _alternatives(node) for item in chosen if item.type == "declaration"):
            kind = text(item.child_by_field_name("type"))
            if any(types.setdefault(name, kind) != kind for name in _declared(item)):
                raise Leaked  # one name for two variables
        does = self.expressions
        before, after = dict(does.state), []
        for chosen in _alternatives(node):
            does.state, self.alive = dict(before), True
            for item in chosen:
                self.run(item)
            if self.alive:
                after.append(does.state)
        self.alive = bool(after)
        does.state = compiled(f"{node.start_byte}", after) if after else {}

    # -- loops

    def _loop(self, node: Node) -> None:
        does, before = self.expressions, set(self.expressions.state)
        if node.type == "for_statement" and (first := node.child_by_field_name("initializer")) is not None:
            if first.type == "declaration":
                self.run(first)
            else:
                does.value(first)
        entry, outside, exits = dict(does.state), does.control, frozenset[str]()
        head = at_loop(f"{node.start_byte}", entry, None)
        for _ in range(_MOST_TURNS):
            does.state, does.control, self.alive = dict(head), outside | exits, True
            returned = does.returned
            loop = self._turn(node)
            following = at_loop(f"{node.start_byte}", entry, does.state if self.alive else None)
            if following == head and loop.exits <= exits and does.returned == returned:
                break
            head, exits = following, exits | loop.exits
        else:
            raise Leaked
        does.control = outside
        self.alive = bool(loop.left)
        left = self._after(either(loop.left), node, exits) if loop.left else {}
        does.state = {name: value for name, value in left.items() if name in before}

    def _turn(self, node: Node) -> _Loop:
        """Run a loop once, from its head to its head."""
        loop = _Loop()
        self.loops.append(loop)
        if node.type != "do_statement":
            self._test(node, loop)
        self.run(child(node, "body"))
        ways = [*loop.again, *([dict(self.expressions.state)] if self.alive else [])]
        self.alive = bool(ways)
        if ways:
            self.expressions.state = either(ways)
            update = node.child_by_field_name("update")
            if update is not None:
                self.expressions.value(update)
            if node.type == "do_statement":
                self._test(node, loop)
        self.loops.pop()
        return loop

    def _test(self, node: Node, loop: _Loop) -> None:
        does = self.expressions
        clause = node.child_by_field_name("condition")
        if clause is None:  # for (;;)
            return
        value = does.value(_condition(node))
        loop.exits |= _decides(value)
        if text(_condition(node)) not in ("true", "1"):
            loop.left.append(_told(does.state, value, False))
        does.state = _told(does.state, value, True)
        does.control |= _decides(value)

    def _after(self, state: dict[str, Value], node: Node, exits: frozenset[str]) -> dict[str, Value]:
        """Let what a loop assigns depend on what ended it."""
        targets = (
            {text(item) for item in descendants(node, "identifier")} & self.names.changed if exits else set()
        )
        return {
            name: replace(value, decided=value.decided | exits) if name in targets else value
            for name, value in state.items()
        }


def _condition(node: Node) -> Node:
    clause = child(node, "condition")
    return bare(child(clause, "value") if clause.type == "condition_clause" else clause)


def _decides(condition: Value) -> frozenset[str]:
    """Return the reads that a branch depends on: none where it asks whether memory still held one."""
    return condition.decided if condition.confirms else condition.tainted


def _told(state: dict[str, Value], condition: Value, truth: bool) -> dict[str, Value]:
    """Return the state where a condition has a truth value."""
    if condition.confirms and condition.confirms[1] is truth:
        return confirmed(state, condition.confirms[0])
    return dict(state)


def _declared(statement: Node) -> set[str]:
    """Return the names that a statement declares for the block around it."""
    if statement.type in _CONDITIONAL:
        return {name for chosen in _alternatives(statement) for item in chosen for name in _declared(item)}
    if statement.type != "declaration":
        return set()
    return {text(n) for d in statement.children_by_field_name("declarator") for n in _names(d)}


def _alternatives(node: Node) -> list[list[Node]]:
    """Return the statements of each text that conditional compilation may choose."""
    beside = [node.child_by_field_name(name) for name in ("condition", "name", "alternative")]
    chosen = [[item for item in node.named_children if item not in beside]]
    if node.type == "preproc_else":
        return chosen
    other = beside[-1]
    return [*chosen, *(_alternatives(other) if other is not None else [[]])]


def _names(declarator: Node) -> Sequence[Node]:
    """Return the node of the name that is declared."""
    if declarator.type == "identifier":
        return (declarator,)
    inner = declarator.child_by_field_name("declarator")
    return _names(inner) if inner is not None else ()
