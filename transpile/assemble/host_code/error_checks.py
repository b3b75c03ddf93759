"""Functions and macros that look at a status and do nothing while there is no error.

Only around such may a call stand bare: what counts calls, logs or measures them has to stay.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.assemble.host_code.declarations import declared, parameters
from transpile.assemble.host_code.definitions import Definitions, plain_name
from transpile.assemble.host_code.quiet import does_more, prints
from transpile.assemble.host_code.tree import arguments_of, called, function_of, of_type, parse, peel, text_of
from transpile.code.lexer import Kind, Macro

_DEPTH = 4
_TELLING = frozenset((b"printf", b"puts", b"push_back", b"emplace_back", b"print"))
"""Functions that do something with a status whatever it is."""
_SUCCESS = (b"cudaSuccess", b"CUDA_SUCCESS", b"0")
_HARMLESS = re.compile(
    rb"cuda(?:Get|Peek)\w*|cudaDeviceSynchronize|cudaThreadSynchronize|assert|static_cast|__builtin_expect"
)
_BLOCKS = frozenset(
    ("compound_statement", "else_clause", "do_statement", "preproc_if", "preproc_ifdef", "preproc_else")
)


def is_error_check(name: bytes, known: Definitions, depth: int = _DEPTH) -> bool:
    """Tell whether calls of a name do nothing on success, as is supposed of what others define."""
    if depth == 0:
        return False
    functions, macros = known.functions.get(name, ()), known.macros.get(name, ())
    if not functions and not macros and does_more(name):
        return False  # such as exit
    return all(_function_checks(one, known, depth) for one in functions) and all(
        _macro_checks(one, known, depth) for one in macros
    )


def _function_checks(function: Node, known: Definitions, depth: int) -> bool:
    own, body = list(parameters(function)), function.child_by_field_name("body")
    return body is not None and bool(own) and _Reader({own[0].name}, known, depth).idle(body)


def _macro_checks(macro: Macro, known: Definitions, depth: int) -> bool:
    """Tell the same of a macro, whose body is read as that of a function."""
    if not macro.parameters:
        return False
    text, end = b"", 0
    for index, token in enumerate(macro.body):
        beside = (*macro.body[max(0, index - 1) : index], *macro.body[index + 1 : index + 2])
        joined = token.text in macro.parameters[1:] and any(one.kind is Kind.STRING for one in beside)
        text += (b" " if token.start > end else b"") + (b'""' if joined else token.text)
        end = token.end
    text = re.sub(rb"(?<!#)#\s*(?=[A-Za-z_])", b"", text).replace(b"##", b"")
    root = parse(b"void check() {\n" + text + b";\n}")
    body = next(of_type(root, "compound_statement"), None)
    return body is not None and not root.has_error and _Reader({macro.parameters[0]}, known, depth).idle(body)


class _Reader:
    """Reads what runs while a status is no error."""

    def __init__(self, statuses: set[bytes], known: Definitions, depth: int) -> None:
        self._statuses = statuses
        self._kept: set[bytes] = set()
        """Variables that hold nothing but the status that was asked for last."""
        self._known = known
        self._depth = depth

    def idle(self, node: Node) -> bool:
        """Tell whether a statement does nothing on success; GNU C has expressions of statements, too."""
        if node.type == "expression_statement" and node.named_children:
            inner = peel(node.named_children[0])
            node = inner if inner.type == "compound_statement" else node
        if node.type in _BLOCKS:
            for child in node.named_children:
                if child.type == "if_statement" and self._ends(child):
                    return True
                if not self.idle(child):
                    return False
            return True
        if node.type == "if_statement":
            return self._idle_choice(node)
        if node.type == "declaration":
            return self._idle_declaration(node)
        return self._idle_expressions(node)

    def _ends(self, choice: Node) -> bool:
        """Tell whether a statement returns on success: ``if (error == cudaSuccess) return;``."""
        then = choice.child_by_field_name("consequence")
        returns = (
            then is not None and re.fullmatch(rb"\{?\s*return[^;{}()]*;\s*\}?", text_of(then)) is not None
        )
        return returns and self._asked(choice) is True

    def _idle_choice(self, choice: Node) -> bool:
        then, other = choice.child_by_field_name("consequence"), choice.child_by_field_name("alternative")
        succeeded = self._asked(choice)
        condition = choice.child_by_field_name("condition")
        if succeeded is False and condition is not None:
            self._take_note(condition)
        ways = [then, other] if succeeded is None else [then] if succeeded else [other]
        if condition is None or not self._idle_expressions(condition):
            return False
        return all(self.idle(way) for way in ways if way is not None)

    def _asked(self, choice: Node) -> bool | None:
        """Return whether a condition holds on success; None where it asks something else."""
        condition = choice.child_by_field_name("condition")
        text = (
            re.sub(rb"\s+|\b(?:int|bool|unsigned|static_cast<\w+>)(?=\()", b"", text_of(condition))
            if condition
            else b""
        )
        likely = re.fullmatch(rb"\(*(?:__builtin_expect|\w*likely)\((.*?)(?:,[01])?\)+", text, re.IGNORECASE)
        text = (likely[1] if likely is not None else text).translate(None, b"()")
        text = re.sub(rb"^\w+=(?=\w)", b"", text)
        for status in self._statuses:
            for success in _SUCCESS:
                if text in (status + b"!=" + success, success + b"!=" + status, status):
                    return False
                if text in (status + b"==" + success, success + b"==" + status, b"!" + status):
                    return True
        return None

    def _take_note(self, condition: Node) -> None:
        """Take note of the variable that a condition sets to the status that it asks for."""
        for change in of_type(condition, "assignment_expression"):
            target, value = change.child_by_field_name("left"), change.child_by_field_name("right")
            if target is not None and value is not None and self._holds_status(value):
                self._kept.add(text_of(target))

    def _idle_declaration(self, declaration: Node) -> bool:
        """Take note of variables that hold the status; other values may be anything that does nothing."""
        if b"static" in text_of(declaration).split():
            return False
        for item in declaration.children_by_field_name("declarator"):
            value = item.child_by_field_name("value")
            name = item.child_by_field_name("declarator")
            if value is not None and name is not None and self._holds_status(value):
                self._statuses.add(text_of(name))
        return self._idle_expressions(declaration)

    def _holds_status(self, value: Node) -> bool:
        inner = peel(value)
        asks = called(inner) in (b"cudaGetLastError", b"cudaPeekAtLastError", b"cudaDeviceSynchronize")
        return text_of(inner) in self._statuses or asks

    def _idle_expressions(self, node: Node) -> bool:
        """Tell whether evaluating what stands in a statement changes nothing."""
        if next(
            of_type(node, "update_expression", "new_expression", "delete_expression", "throw_statement"), None
        ):
            return False
        if any(map(prints, of_type(node, "binary_expression"))):
            return False
        for change in of_type(node, "assignment_expression"):
            target, value = change.child_by_field_name("left"), change.child_by_field_name("right")
            found = declared(target) if target is not None and target.type == "identifier" else None
            if target is None or value is None:
                return False
            if text_of(target) in self._kept and self._holds_status(value):
                continue
            if found is None or function_of(found.declaration) is None:
                return False
            if self._holds_status(value):
                self._statuses.add(text_of(target))
        return all(self._idle_call(call) for call in of_type(node, "call_expression"))

    def _idle_call(self, call: Node) -> bool:
        name = plain_name(call)
        if _HARMLESS.fullmatch(name):
            return True
        given = arguments_of(call)
        hands_on = bool(given) and text_of(peel(given[0])) in self._statuses
        return hands_on and name not in _TELLING and is_error_check(name, self._known, self._depth - 1)
