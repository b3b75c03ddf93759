"""Atomic functions as OpenMP atomics, or as plain updates where one host thread owns the data."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name, unqualified
from transpile.code.syntax import (
    INDENT,
    Function,
    ancestors,
    arguments,
    called,
    enclosing_statement,
    field,
    find,
    indentation,
    inside,
    operator,
    quoted,
    replace,
    source,
    unparenthesized,
)
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.types import Types, normal

_UPDATES = {"Add": "+", "Sub": "-", "And": "&", "Or": "|", "Xor": "^", "Mul": "*", "Div": "/"}
_NAME = re.compile(r"atomic(?:(Add|Sub|And|Or|Xor|Min|Max|Exch|CAS|Inc|Dec)(?:_block|_system)?|::(\w+))$")
"""CUDA's functions, and in a namespace those that loops around a compare-and-swap make (handmade.py)."""
_WHOLE = ("int", "unsigned", "unsigned long long", "long long")
_BUILT_IN = {"Add": (*_WHOLE, "float", "double"), "Exch": (*_WHOLE, "float")}
"""Types for which CUDA has a function of its own, which is chosen before a template."""
_FETCH = {"Add": "fetch_add", "Sub": "fetch_sub", "And": "fetch_and", "Or": "fetch_or", "Xor": "fetch_xor"}


def atomics(draft: Draft) -> Draft:
    """Translate the atomic functions of a kernel or device function, one after the other."""
    while True:
        function = draft.function
        calls = (call for call in find(function.body, "call_expression") if _NAME.match(called(call)))
        found = (_Atomic(draft, function, call) for call in calls)
        first = next((atomic for atomic in found if not atomic.is_own()), None)
        if first is None:
            return draft
        draft = first.translated()


class _Atomic:
    """One call of an atomic function."""

    def __init__(self, draft: Draft, function: Function, call: Node) -> None:
        self.draft = draft
        self.function = function
        self.call = call
        match = _NAME.match(called(call))
        assert match is not None
        self.kind = match.group(1) or match.group(2)
        values = arguments(call)
        self.target = _pointee(values[0])
        self.values = [source(value) for value in values[1:]]
        self.types = Types(draft.variables(function), draft.surroundings)
        self.type = self.types.of(values[0]) or self._element(values[0])
        self.local = draft.block_local and any(
            source(item) in draft.block_local for item in find(values[0], "identifier")
        )
        self.statement = enclosing_statement(call)

    def _element(self, pointer: Node) -> str | None:
        inner = pointer.named_children[-1] if pointer.type == "pointer_expression" else pointer
        if pointer.type == "pointer_expression":
            return self.types.of(inner)
        for item in find(pointer, "identifier"):
            variable = self.types.variables.of(item)
            if variable is not None and (variable.pointer or variable.array):
                return unqualified(variable.type)
        return None

    def is_own(self) -> bool:
        """Tell whether the call is one of a function of the source that overloads CUDA's."""
        name = called(self.call)
        own = self.draft.surroundings.functions.get(name, ())
        if not own:
            return False
        if self.type is None:
            unknown = f"the type of the target of {quoted(self.call)} is unknown"
            refuse("TP211", self.call, f"{unknown}, and the source overloads `{name}`")
        pointees = {_pointed(text) for text in own}
        return self.type in pointees or (
            None in pointees and self.type not in _BUILT_IN.get(self.kind, _WHOLE)
        )

    def translated(self) -> Draft:
        """Return the draft with this call translated."""
        parent = self.call.parent
        assert parent is not None
        if parent.type == "expression_statement":
            return self._done([self._put(parent, self._update())])
        name = self._receives(parent)
        if self.kind == "Load":
            return self._done([replace(self.call, self._expression())])
        if name is not None:
            return self._captured_in(name)
        if not self._hoistable():
            return self._done([replace(self.call, self._expression())])
        return self._hoisted()

    def _done(self, edits: list[Edit[str]]) -> Draft:
        return self.draft.after("atomics", self.function.edited(edits))

    # -- without the old value

    def _update(self) -> list[str]:
        x, pragma = self.target, [] if self.local else ["#pragma omp atomic"]
        if self.kind in _UPDATES:
            return [*pragma, f"{x} {_UPDATES[self.kind]}= {self.values[0]};"]
        if self.kind == "Exch":
            return ([] if self.local else ["#pragma omp atomic write"]) + [f"{x} = {self.values[0]};"]
        if self.kind in ("Min", "Max"):
            return self._extremum()
        return [f"{self._expression()};"]

    def _extremum(self, old: str = "") -> list[str]:
        sign = "<" if self.kind == "Max" else ">"
        value, lines, x = self.values[0], [], self.target
        if not re.fullmatch(r"[\w.]+(\[\w+\])?", value) or (old and re.search(rf"\b{old}\b", value)):
            name = free_name(self.function.identifiers, "value")
            lines, value = [f"const {self._known_type()} {name} = {value};"], name
        if not self.local:
            lines.append(f"#pragma omp atomic compare{' capture' if old else ''}")
        change = f"if ({x} {sign} {value}) {{ {x} = {value}; }}"
        return [*lines, f"{{ {old} = {x}; {change} }}" if old else change]

    # -- with the old value

    def _receives(self, parent: Node) -> str | None:
        """Return the scalar variable that alone receives the old value."""
        if parent.type == "init_declarator":
            declaration = parent.parent
            assert declaration is not None
            several = len([c for c in declaration.named_children if c.type == "init_declarator"]) > 1
            plain = field(parent, "declarator").type == "identifier"
            block = declaration.parent is not None and declaration.parent.type == "compound_statement"
            return source(field(parent, "declarator")) if plain and block and not several else None
        if parent.type == "assignment_expression" and operator(parent) == "=":
            left = field(parent, "left")
            outer = parent.parent
            if left.type == "identifier" and outer is not None and outer.type == "expression_statement":
                return source(left)
        return None

    def _captured_in(self, name: str) -> Draft:
        """Take the old value into a variable, declaring it first where the statement did."""
        lines = []
        if self.statement.type == "declaration":
            head = self.function.text[
                self.statement.start_byte : field(self.statement, "declarator").start_byte
            ]
            lines.append(f"{head.replace('const ', '').strip()} {name};")
        lines += self._capture(name)
        return self._done([self._put(self.statement, lines)])

    def _capture(self, name: str) -> list[str]:
        x = self.target
        if self.kind in _UPDATES:
            change = f"{x} {_UPDATES[self.kind]}= {self.values[0]};"
        elif self.kind == "Exch":
            change = f"{x} = {self.values[0]};"
        else:
            return self._captured_otherwise(name)
        if self.local:
            return [f"{name} = {x};", change]
        return ["#pragma omp atomic capture", f"{{ {name} = {x}; {change} }}"]

    def _captured_otherwise(self, name: str) -> list[str]:
        x = self.target
        if self.kind == "CAS":
            if self.local:
                return [f"{name} = {x};", f"if ({name} == {self.values[0]}) {x} = {self.values[1]};"]
            if name != self.values[0] and re.search(rf"\b{name}\b", self.values[1]):
                return [f"{name} = {self._expression()};"]
            flags = "false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST"
            return [
                f"{name} = {self.values[0]};",
                f"__atomic_compare_exchange_n({_address(x)}, &{name}, {self.values[1]}, {flags});",
            ]
        if self.kind in ("Min", "Max"):
            return self._extremum(name)
        if not self.local:
            refuse("TP204", self.call, f"OpenMP cannot capture the old value of {quoted(self.call)}")
        value = self.values[0]
        if self.kind == "Inc":
            return [f"{name} = {x};", f"{x} = {name} >= {value} ? 0 : {name} + 1;"]
        return [f"{name} = {x};", f"{x} = ({name} == 0 || {name} > {value}) ? {value} : {name} - 1;"]

    def _expression(self) -> str:
        """Return the atomic operation as an expression; only integers have one."""
        known = self._known_type()
        if self.kind in _FETCH and known not in ("float", "double"):
            return (
                f"__atomic_{_FETCH[self.kind]}({_address(self.target)}, {self.values[0]}, __ATOMIC_RELAXED)"
            )
        if self.kind == "Exch" and known not in ("float", "double"):
            return f"__atomic_exchange_n({_address(self.target)}, {self.values[0]}, __ATOMIC_RELAXED)"
        if self.kind == "CAS" and not self.local:
            return f"__sync_val_compare_and_swap({_address(self.target)}, {', '.join(self.values)})"
        if self.kind == "Load":
            load = f"__atomic_load_n({_address(self.target)}, __ATOMIC_RELAXED)"
            return self.target if self.local else load
        refuse("TP204", self.call, f"{quoted(self.call)} is part of an expression")

    def _hoistable(self) -> bool:
        """Tell whether the call runs exactly once, first of all, when its statement runs."""
        if self.kind in ("Inc", "Dec") and not self.local:
            return False
        allowed = {"expression_statement", "declaration", "if_statement", "return_statement"}
        if self.statement.type not in allowed or self.statement.parent is None:
            return False
        if self.statement.parent.type != "compound_statement":
            return False
        if self.statement.type == "if_statement" and not inside(
            self.call, field(self.statement, "condition")
        ):
            return False
        between = [a for a in ancestors(self.call) if inside(a, self.statement)]
        if any(
            a.type in ("conditional_expression", "lambda_expression", "comma_expression") for a in between
        ):
            return False
        logical = [a for a in between if a.type == "binary_expression" and operator(a) in ("&&", "||")]
        if any(not inside(self.call, field(a, "left")) for a in logical):
            return False
        return not any(
            c.start_byte < self.call.start_byte
            for c in find(self.statement, "call_expression")
            if c.id != self.call.id and not inside(self.call, c)
        )

    def _hoisted(self) -> Draft:
        name = free_name(self.function.identifiers, "old", "previous", "slot")
        start = self.statement.start_byte
        lead = "\n" + indentation(self.function.text, start)
        lines = [f"{self._known_type()} {name};", *self._capture(name)]
        return self._done([Edit(start, start, lead.join([*lines, ""])), replace(self.call, name)])

    def _known_type(self) -> str:
        if self.type is None:
            refuse("TP211", self.call, f"the type of the target of {quoted(self.call)} is unknown")
        return self.type

    def _put(self, statement: Node, lines: list[str]) -> Edit[str]:
        """Return the edit that puts lines in the place of a statement, in braces where it is a branch."""
        text = self.function.text
        start, end = statement.start_byte, statement.end_byte
        indent = indentation(text, start)
        parent = statement.parent
        if parent is None or parent.type in ("compound_statement", "case_statement"):
            return Edit(start, end, ("\n" + indent).join(lines))
        if len(lines) == 1 and not lines[0].startswith("#"):
            return Edit(start, end, lines[0])
        if parent.type == "else_clause":
            parent = parent.parent
        indent = indentation(text, parent.start_byte) if parent is not None else indent
        inner = ("\n" + indent + INDENT).join(["{", *lines])
        return Edit(len(text[:start].rstrip()), end, " " + inner + "\n" + indent + "}")


def _pointee(node: Node) -> str:
    """Return the lvalue that a pointer expression points to."""
    node = unparenthesized(node)
    if node.type == "pointer_expression" and operator(node) == "&":
        inner = node.named_children[-1]
        return source(unparenthesized(inner))
    if node.type == "binary_expression" and operator(node) == "+":
        left, right = field(node, "left"), field(node, "right")
        if left.type in ("identifier", "field_expression"):
            return f"{source(left)}[{source(right)}]"
    if node.type in ("identifier", "field_expression", "call_expression", "subscript_expression"):
        return f"*{source(node)}"
    if node.type == "cast_expression":
        return f"*{source(node)}"
    return f"*({source(node)})"


def _pointed(text: str) -> str | None:
    """Return the type that the first parameter of a function points to; None for a type of its own."""
    parameters = Function(text).parameters
    return normal(parameters[0].text.partition("*")[0]) if parameters and parameters[0].pointer else None


def _address(lvalue: str) -> str:
    return lvalue[1:] if lvalue.startswith("*") else f"&{lvalue}"
