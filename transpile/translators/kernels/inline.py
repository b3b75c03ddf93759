"""Device functions that know the thread or wait for others, put in the place of their calls."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name, unqualified
from transpile.code.polynomial import LAUNCH
from transpile.code.syntax import (
    Function,
    arguments,
    called,
    enclosing_statement,
    field,
    find,
    indent_unit,
    indentation,
    operator,
    parse,
    quoted,
    reindent,
    replace,
    source,
)
from transpile.code.templates import parameters_of
from transpile.code.variables import resolve
from transpile.translators.kernels.cooperative import GROUP_TYPE, is_group, spelled
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.effects import BARRIERS, BLOCK_FENCE, WARP
from transpile.translators.kernels.overloads import fitting
from transpile.translators.kernels.qualifiers import without_hints
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.single_exit import single_exit
from transpile.translators.kernels.types import Types, result_type

_COLLECTIVE = re.compile(
    rf"{LAUNCH.pattern}|\bwarpSize\b|__shared__|\b(?:{'|'.join(BARRIERS)}|{BLOCK_FENCE})\b"
    rf"|{WARP.pattern}\s*\(|{GROUP_TYPE.pattern}|\bthis_thread_block\b|\.\s*(?:thread_rank|sync|shfl\w*)\s*\("
)
_TAKEN = re.compile(
    r"(?:(?:const|volatile)\s+)*(?P<type>\w+)(?:\s+const)?\s*(?:&|(?P<star>\*)\s*(?:const\b|__restrict__\b)?)?"
    r"\s*\w+(?P<brackets>\s*\[\s*\])?"
)
"""A parameter whose type, or that of what it points to, is one name."""
_LIMIT = 40


def collective(text: str, surroundings: Surroundings, depth: int = 0) -> bool:
    """Tell whether a device function must know its thread, itself or through what it calls."""
    bare = code(text)
    if _COLLECTIVE.search(bare):
        return True
    if depth > 4:
        return False
    brace = bare.find("{")
    for name, texts in surroundings.functions.items():
        if not re.search(rf"\b{re.escape(name)}\s*(?:<[^;]*>)?\s*\(", bare[brace:]):
            continue
        if any(inner != text and collective(inner, surroundings, depth + 1) for inner in texts):
            return True
    return False


def inline_collectives(draft: Draft) -> Draft:
    """Put the body of each such device function in the place of its call."""
    for _ in range(_LIMIT):
        function = draft.function
        call = _next_call(function, draft.surroundings)
        if call is None:
            return draft
        draft = draft.after("inline-device-functions", _inlined(draft, function, call))
    refuse("TP208", None, "device functions with barriers or shuffles that call each other")


def _next_call(function: Function, surroundings: Surroundings) -> Node | None:
    for call in find(function.body, "call_expression"):
        texts = surroundings.functions.get(called(call).rsplit("::", 1)[-1], ())
        if any(collective(text, surroundings) for text in texts):
            return call
    return None


def _inlined(draft: Draft, function: Function, call: Node) -> str:
    name = called(call)
    texts = [spelled(text) for text in draft.surroundings.functions[name.rsplit("::", 1)[-1]]]
    meant = fitting(call, texts, Types(draft.variables(function), draft.surroundings))
    if len(meant) != 1:
        refuse("TP208", call, f"`{name}` has {len(meant)} overloads that fit this call")
    callee = Function(_instantiated(draft, function, call, meant[0]))
    statement = enclosing_statement(call)
    callee = Function(single_exit(without_hints(callee.text)))
    body = [s for s in callee.statements if s.type != "comment"]
    if len(body) == 1 and body[0].type == "return_statement":
        return _as_expression(function, callee, call)
    if statement.parent is None or statement.parent.type not in ("compound_statement", "case_statement"):
        return _braced(function, statement)
    return _Splice(draft, function, callee, call, statement).text()


def _braced(function: Function, statement: Node) -> str:
    """Return the text with a lone branch in braces, so that more statements may stand in it."""
    indent = indentation(function.text, statement.parent.start_byte if statement.parent is not None else 0)
    start = len(function.text[: statement.start_byte].rstrip())
    text = f" {{\n{indent}    {source(statement)}\n{indent}}}"
    return function.edited([Edit(start, statement.end_byte, text)])


def _instantiated(draft: Draft, function: Function, call: Node, text: str) -> str:
    """Return the callee with its template parameters replaced by what the call gives or implies."""
    listed = next(find(parse(text), "template_parameter_list"), None)
    if listed is None or not text.lstrip().startswith("template"):
        return text
    defaults = dict(parameters_of(listed))
    given = field(call, "function")
    values: dict[str, str] = {}
    if given.type == "template_function":
        explicit = [source(c) for c in field(given, "arguments").named_children]
        values = dict(zip(defaults, explicit, strict=False))
    callee = Function(text)
    types = Types(draft.variables(function), draft.surroundings)
    for parameter, argument in zip(callee.parameters, arguments(call), strict=True):
        match = _TAKEN.fullmatch(parameter.text)
        if match is not None and match.group("type") in defaults and match.group("type") not in values:
            pointer = match.group("star") or match.group("brackets")
            kind = types.pointee(argument) if pointer else types.of(argument)
            kind = "thread_group" if is_group(function, argument) else kind
            if kind is not None:
                values[match.group("type")] = kind
    for name, default in defaults.items():
        if default is not None and name not in values:
            values[name] = _with(values, default)
    if set(defaults) - set(values):
        refuse("TP208", call, f"the template arguments of `{called(call)}` are unknown")
    return _with(values, text[listed.end_byte :].lstrip())


def _with(values: Mapping[str, str], text: str) -> str:
    """Return the text with names replaced by what they stand for."""
    return re.sub(r"[A-Za-z_]\w*", lambda found: values.get(found.group(), found.group()), text)


def _as_expression(function: Function, callee: Function, call: Node) -> str:
    """Return the text with a call of a one-line function replaced by its formula."""
    value = next(find(callee.body, "return_statement")).named_children[0]
    table = {p.name: source(a) for p, a in zip(callee.parameters, arguments(call), strict=True)}
    edits = [
        replace(item, text if re.fullmatch(r"[\w.]+", text) else f"({text})")
        for item in find(value, "identifier")
        if (text := table.get(source(item))) is not None
    ]
    formula = apply_outermost(callee.text, edits, value.start_byte, value.end_byte)
    simple = call.parent is not None and call.parent.type in (
        "init_declarator",
        "argument_list",
        "return_statement",
    )
    return function.edited([replace(call, formula if simple else f"({formula})")])


class _Splice:
    """One call of a function of several statements, and the statement that it stands in."""

    def __init__(
        self, draft: Draft, function: Function, callee: Function, call: Node, statement: Node
    ) -> None:
        self.draft = draft
        self.function = function
        self.callee = callee
        self.call = call
        self.statement = statement
        self.variables = resolve(callee, draft.surroundings.takes_reference)
        self.lines: list[str] = []
        self.table: dict[int, str] = {}

    def text(self) -> str:
        """Return the caller with the body in the place of the call."""
        returned = self._returned()
        target, rest = self._target(returned)
        self._bind(target, returned)
        self._rename_locals()
        edits = [
            replace(use, new) for v in self.variables.all if (new := self.table.get(id(v))) for use in v.uses
        ]
        edits += [
            replace(name, new)
            for v in self.variables.all
            if not v.parameter and (new := self.table.get(id(v)))
            for name in [next(find(v.declarator, "identifier"))]
        ]
        indent = indentation(self.function.text, self.statement.start_byte)
        old = indentation(self.callee.text, self.callee.body.end_byte - 1) + indent_unit(self.callee)
        lines = list(self.lines)
        for statement in self.callee.statements:
            if statement.type == "return_statement":
                if target is not None and not self._same(returned, target):
                    value = (
                        apply_outermost(self.callee.text, edits, returned.start_byte, returned.end_byte)
                        if returned
                        else ""
                    )
                    lines.append(f"{target} = {value};")
                continue
            piece = apply_outermost(self.callee.text, edits, statement.start_byte, statement.end_byte)
            lines.append(reindent(piece, old, indent))
        body = ("\n" + indent).join([*lines, *rest])
        return self.function.edited([Edit(self.statement.start_byte, self.statement.end_byte, body)])

    def _returned(self) -> Node | None:
        """Return the value of the one return at the end."""
        returns = list(find(self.callee.body, "return_statement"))
        last = next((item for item in reversed(self.callee.statements) if item.type != "comment"), None)
        if not returns:
            return None
        if len(returns) > 1 or last is None or returns[0].id != last.id:
            refuse("TP208", self.call, f"`{called(self.call)}` returns from several places")
        return returns[0].named_children[0] if returns[0].named_children else None

    def _target(self, returned: Node | None) -> tuple[str | None, list[str]]:
        """Return the variable that takes the result, and what is left of the statement."""
        if returned is None or (
            self.statement.type == "expression_statement" and self.call.parent == self.statement
        ):
            return None, []
        parent = self.call.parent
        if parent is not None and parent.type == "init_declarator" and self.statement.type == "declaration":
            name = source(field(parent, "declarator"))
            head = unqualified(self.function.text[self.statement.start_byte : parent.start_byte])
            if re.search(r"\bauto\b", head):  # which a declaration without a value cannot be
                result = result_type(self.callee.text, self.callee.name)
                if "auto" in result:
                    refuse("TP211", self.call, f"the type of the result of {quoted(self.call)} is unknown")
                head = re.sub(r"\bauto\b", result, head)
            self.lines.append(f"{head} {name}")
            return name, []
        if parent is not None and parent.type == "assignment_expression" and operator(parent) == "=":
            left = field(parent, "left")
            if (
                left.type == "identifier"
                and parent.parent is not None
                and parent.parent.id == self.statement.id
            ):
                return source(left), []
        name = free_name(
            self.function.identifiers | self.callee.identifiers, "result", f"{called(self.call)}_result"
        )
        kind = Types(self.draft.variables(self.function), self.draft.surroundings).of(self.call)
        if kind is None:
            refuse("TP211", self.call, f"the type of the result of {quoted(self.call)} is unknown")
        self.lines.append(f"{kind} {name}")
        start = self.statement.start_byte
        rest = apply_outermost(self.function.text, [replace(self.call, name)], start, self.statement.end_byte)
        return name, [rest]

    def _bind(self, target: str | None, returned: Node | None) -> None:
        """Give each parameter its argument: by name where that is safe, else in a variable of its own."""
        declared = self.lines.pop() if self.lines else None
        start = ""
        for parameter, argument in zip(self.callee.parameters, arguments(self.call), strict=True):
            variable = next(v for v in self.variables.all if v.parameter and v.name == parameter.name)
            value = source(argument)
            if target is not None and returned is not None and source(returned) == parameter.name:
                self.table[id(variable)] = target
                if declared is not None:
                    start = f" = {value}"
                elif value != target:
                    self.lines.append(f"{target} = {value};")
            elif (
                variable.reference
                or GROUP_TYPE.search(parameter.text)
                or (variable.constant and re.fullmatch(r"[\w.]+", value))
            ):
                self.table[id(variable)] = value
            else:
                name = free_name(self._taken(), parameter.name)
                self.table[id(variable)] = name
                text = re.sub(rf"\b{re.escape(parameter.name)}\b(\s*\[[^\]]*\])?$", name, parameter.text)
                self.lines.append(f"{text} = {value};")
        if declared is not None:
            self.lines.append(f"{declared}{start};")

    def _same(self, returned: Node | None, target: str) -> bool:
        if returned is None or returned.type != "identifier":
            return False
        variable = self.variables.of(returned)
        return variable is not None and self.table.get(id(variable)) == target

    def _taken(self) -> frozenset[str]:
        return self.function.identifiers | frozenset(self.table.values())

    def _rename_locals(self) -> None:
        for variable in self.variables.all:
            inner = (
                variable.declaration.parent is not None
                and variable.declaration.parent.id != self.callee.body.id
            )
            if variable.parameter or inner:
                continue
            if variable.name in self._taken():
                self.table[id(variable)] = free_name(
                    self._taken() | self.callee.identifiers, f"{variable.name}_2"
                )
