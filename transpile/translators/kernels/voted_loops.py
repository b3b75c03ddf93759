"""Loops that a warp goes on with by vote: the vote in their body, with a jump out of the loop.

``while (__any_sync(m, c)) { … }`` is ``while (true) { if (!__any_sync(m, c)) break; … }``, and there the vote
can become a statement of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import (
    LOOPS,
    Function,
    ancestors,
    block_statements,
    called,
    condition,
    field,
    find,
    indent_unit,
    indentation,
    inside,
    operator,
    outside_lambdas,
    reindent,
    source,
    unparenthesized,
)
from transpile.translators.kernels.declarations import hides
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.guards import parts
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.warpforms import is_vote


def voted_loops(draft: Draft) -> Draft:
    """Move the votes of loop conditions into the loops, the outermost loop first."""
    while True:
        function = draft.function
        loops = find(function.body, "for_statement", "while_statement", "do_statement")
        loop = next((item for item in loops if _is_voted(item) and not _skips(item)), None)
        if loop is None:
            return draft
        _refuse_waiting(draft, function, loop)
        indent = indentation(function.text, loop.start_byte)
        text = _Loop(function, loop, indent).text()
        draft = draft.after("voted-loops", function.edited([Edit(loop.start_byte, loop.end_byte, text)]))


def _refuse_waiting(draft: Draft, function: Function, loop: Node) -> None:
    """Refuse a loop in which lanes may wait for what other warps write: these may come after it."""
    for variable in draft.variables(function).used_in(loop):
        qualifiers = (source(item) for item in find(variable.declaration, "type_qualifier"))
        if variable.parameter and "volatile" in qualifiers:
            refuse("TP202", loop, f"lanes may wait for other warps through `{variable.name}`")


def _is_voted(loop: Node) -> bool:
    """Tell whether the condition of a loop is made from votes that all lanes take part in each time."""
    test = loop.child_by_field_name("condition")
    if test is None or any(True for _ in find(test, "declaration")):
        return False
    tests = list(_tests(loop))
    votes = [call for item in tests for call in find(item, "call_expression") if is_vote(called(call))]
    return bool(votes) and not any(_may_be_skipped(call, item) for item in tests for call in votes)


def _tests(loop: Node) -> Iterator[Node]:
    """Yield what has to hold for a loop to go on, in the order in which it is asked."""
    return parts(condition(loop), ("&&",))


def _may_be_skipped(call: Node, test: Node) -> bool:
    """Tell whether a test may come out without a call in it."""
    between = (above for above in ancestors(call) if inside(above, test) and above.id != call.id)
    return any(
        above.type == "conditional_expression"
        or (
            above.type == "binary_expression"
            and operator(above) in ("&&", "||")
            and inside(call, field(above, "right"))
        )
        for above in between
    )


def _skips(loop: Node) -> bool:
    """Tell whether a jump to the end of the body goes past what would stand there."""
    jumps = outside_lambdas(field(loop, "body"), "continue_statement")
    homes = (next(above for above in ancestors(jump) if above.type in LOOPS) for jump in jumps)
    return loop.type != "while_statement" and any(home.id == loop.id for home in homes)


class _Loop:
    """A loop, and what it becomes at an indentation."""

    def __init__(self, function: Function, loop: Node, indent: str) -> None:
        self._function = function
        self._loop = loop
        self._unit = indent_unit(function)
        self._indent = indent

    def text(self) -> str:
        """Return the loop with the vote in its body, in braces where it declares a variable."""
        start = self._loop.child_by_field_name("initializer")
        if start is None:
            return self._endless(self._indent)
        deeper = self._indent + self._unit
        first = source(start).rstrip().removesuffix(";")
        return "\n".join(["{", f"{deeper}{first};", f"{deeper}{self._endless(deeper)}", f"{self._indent}}}"])

    def _endless(self, indent: str) -> str:
        leave = [f"if ({_negated(test)}) break;" for test in _tests(self._loop)]
        update = self._loop.child_by_field_name("update")
        step = [f"{source(update)};"] if update is not None else []
        first, last = ([], leave) if self._loop.type == "do_statement" else (leave, step)
        inner = indent + self._unit
        lines = [*first, *self._body(inner), *last]
        return "\n".join(["while (true) {", *(inner + line for line in lines), f"{indent}}}"])

    def _body(self, indent: str) -> list[str]:
        """Return the statements of the body, in braces where they hide names of the head."""
        body = field(self._loop, "body")
        old = indentation(self._function.text, self._loop.start_byte)
        head = (self._loop.child_by_field_name(name) for name in ("condition", "update"))
        hidden = hides(body.named_children, (part for part in head if part is not None))
        if body.type != "compound_statement" or hidden:
            return [reindent(source(body), old, indent)]
        statements = block_statements(body)
        if not statements:
            return []
        within = self._function.text[statements[0].start_byte : statements[-1].end_byte]
        return [reindent(within, indentation(self._function.text, statements[0].start_byte), indent)]


def _negated(test: Node) -> str:
    """Return what holds where a test does not."""
    if test.type == "unary_expression" and operator(test) == "!":
        return source(unparenthesized(field(test, "argument")))
    plain = test.type in ("call_expression", "parenthesized_expression")
    return f"!{source(test)}" if plain else f"!({source(test)})"
