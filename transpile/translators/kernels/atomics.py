"""Atomic functions as OpenMP atomics, or as plain updates where one host thread owns the data."""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import (
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
)
from transpile.translators.kernels.atomic_targets import address, element_type, lvalue, parameter_points_to
from transpile.translators.kernels.cuda_names import SMALL_FLOAT_TYPES
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import has_effects
from transpile.translators.kernels.own_lines import in_place_of, on_own_line
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.swapping import swapping
from transpile.translators.kernels.types import Types

_UPDATES = {"Add": "+", "Sub": "-", "And": "&", "Or": "|", "Xor": "^", "Mul": "*", "Div": "/"}
_NAME = re.compile(r"atomic(?:(Add|Sub|And|Or|Xor|Min|Max|Exch|CAS|Inc|Dec)(?:_block|_system)?|::(\w+))$")
"""CUDA's functions, and in a namespace those that loops around a compare-and-swap make (handmade.py)."""
_WHOLE = ("int", "unsigned", "unsigned long long", "long long")
_BUILT_IN = {"Add": (*_WHOLE, "float", "double"), "Exch": (*_WHOLE, "float")}
"""Types for which CUDA has a function of its own, which is chosen before a template."""
_FETCH = {"Add": "fetch_add", "Sub": "fetch_sub", "And": "fetch_and", "Or": "fetch_or", "Xor": "fetch_xor"}
_COUNTED = {
    "Inc": "{old} >= {value} ? 0 : {old} + 1",
    "Dec": "({old} == 0 || {old} > {value}) ? {value} : {old} - 1",
}
"""Both count ``unsigned`` numbers and nothing else."""


def atomics(draft: Draft) -> Draft:
    """Translate the atomic functions of a kernel or device function, one after the other."""
    while True:
        function = draft.function
        calls = (call for call in find(function.body, "call_expression") if _NAME.match(called(call)))
        found = (_Atomic(draft, function, call) for call in calls)
        first = next((atomic for atomic in found if not atomic.is_own()), None)
        if first is None:
            return draft
        opened = on_own_line(function, first.statement)
        draft = first.translated() if opened == function.text else draft.with_text(opened)


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
        self.target = lvalue(values[0])
        self.values = [source(value) for value in values[1:]]
        self.types = Types(draft.variables(function), draft.surroundings)
        self.type = element_type(values[0], self.types)
        self.local = draft.block_local and any(
            source(item) in draft.block_local for item in find(values[0], "identifier")
        )
        self.statement = enclosing_statement(call)

    def is_own(self) -> bool:
        """Tell whether the call is one of a function of the source that overloads CUDA's."""
        name = called(self.call)
        own = self.draft.surroundings.functions.get(name, ())
        if not own:
            return False
        if self.type is None:
            unknown = f"the type of the target of {quoted(self.call)} is unknown"
            refuse("TP211", self.call, f"{unknown}, and the source overloads `{name}`")
        pointees = {parameter_points_to(text) for text in own}
        return self.type in pointees or (
            None in pointees and self.type not in _BUILT_IN.get(self.kind, _WHOLE)
        )

    def translated(self) -> Draft:
        """Return the draft with this call translated."""
        parent = self.call.parent
        assert parent is not None
        if self._swaps():
            return self._swapped()
        if parent.type == "expression_statement":
            return self._done([in_place_of(self.function, parent, self._update())])
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
        if self.kind in _COUNTED:
            self._refuse_effects()
            lines, value = self._settled("limit", "unsigned")
            return [*lines, f"{x} = {_COUNTED[self.kind].format(old=x, value=value)};"]
        return [f"{self._expression()};"]

    def _extremum(self, old: str = "") -> list[str]:
        self._refuse_effects()
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
        """Return the scalar variable that alone receives the old value, and that nothing else depends on."""
        name = self._receiver(parent)
        apart = self.kind in ("CAS", "Min", "Max")  # look after that themselves
        asked = arguments(self.call)[:1] if apart else arguments(self.call)
        used = {source(item) for node in asked for item in find(node, "identifier")}
        return name if name not in used else None

    def _receiver(self, parent: Node) -> str | None:
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
        return self._done([in_place_of(self.function, self.statement, lines)])

    def _capture(self, name: str) -> list[str]:
        self._refuse_effects()
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
                f"__atomic_compare_exchange_n({address(x)}, &{name}, {self.values[1]}, {flags});",
            ]
        if self.kind in ("Min", "Max"):
            return self._extremum(name)
        lines, value = self._settled("limit", "unsigned")
        return [f"{name} = {x};", *lines, f"{x} = {_COUNTED[self.kind].format(old=name, value=value)};"]

    # -- by a loop around a compare-and-swap

    def _swaps(self) -> bool:
        """Tell whether OpenMP has no atomic form of the operation."""
        return not self.local and (
            self.kind in _COUNTED or (self.kind == "Add" and self.type in SMALL_FLOAT_TYPES)
        )

    def _swapped(self) -> Draft:
        """Return the draft with a loop before what is left of the statement."""
        placed = self.statement.parent is not None and (
            self.statement.type != "declaration" or self.statement.parent.type == "compound_statement"
        )
        if not placed or not self._runs_first():
            refuse("TP204", self.call, f"{quoted(self.call)} is part of an expression")
        self._refuse_effects()
        taken = self.function.identifiers
        old, wanted = free_name(taken, "old", "previous"), free_name(taken, "wanted", "desired")
        counts = self.kind in _COUNTED
        kind = "unsigned" if counts else self._known_type()
        lines, value = self._settled("limit" if counts else "value", kind)
        change = _COUNTED.get(self.kind, "{old} + {value}").format(old=old, value=value)
        lines += swapping(kind, address(self.target), old, wanted, change)
        start, end = self.statement.start_byte, self.statement.end_byte
        if self.call.parent is None or self.call.parent.type != "expression_statement":
            lines.append(apply_outermost(self.function.text, [replace(self.call, old)], start, end))
        return self._done([in_place_of(self.function, self.statement, lines)])

    def _settled(self, wish: str, kind: str) -> tuple[list[str], str]:
        """Return a declaration of the operand, and its name; a number is its own."""
        (value,) = self.values
        if re.fullmatch(r"\d+[uU]?", value) and kind == "unsigned":
            return [], value
        name = free_name(self.function.identifiers, wish, f"{wish}_here")
        return [f"const {kind} {name} = {value};"], name

    def _expression(self) -> str:
        """Return the atomic operation as an expression; only integers have one."""
        known = self._known_type()
        if self.kind in _FETCH and known not in ("float", "double"):
            return f"__atomic_{_FETCH[self.kind]}({address(self.target)}, {self.values[0]}, __ATOMIC_RELAXED)"
        if self.kind == "Exch" and known not in ("float", "double"):
            return f"__atomic_exchange_n({address(self.target)}, {self.values[0]}, __ATOMIC_RELAXED)"
        if self.kind == "CAS" and not self.local:
            return f"__sync_val_compare_and_swap({address(self.target)}, {', '.join(self.values)})"
        if self.kind == "Load":
            load = f"__atomic_load_n({address(self.target)}, __ATOMIC_RELAXED)"
            return self.target if self.local else load
        refuse("TP204", self.call, f"{quoted(self.call)} is part of an expression")

    def _hoistable(self) -> bool:
        """Tell whether the call runs first in a statement of a block."""
        parent = self.statement.parent
        return parent is not None and parent.type == "compound_statement" and self._runs_first()

    def _runs_first(self) -> bool:
        """Tell whether the call runs exactly once, first of all, when its statement runs."""
        allowed = {"expression_statement", "declaration", "if_statement", "return_statement"}
        if self.statement.type not in allowed:
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

    def _refuse_effects(self) -> None:
        """Refuse a target that is not the same when it is named again, as in ``&a[i++]``."""
        pointer = arguments(self.call)[0]
        changes = any(True for _ in find(pointer, "update_expression", "assignment_expression"))
        if changes or has_effects(pointer, self.types.variables):
            refuse("TP204", self.call, f"the target of {quoted(self.call)} would be computed twice")

    def _known_type(self) -> str:
        if self.type is None:
            refuse("TP211", self.call, f"the type of the target of {quoted(self.call)} is unknown")
        return self.type
