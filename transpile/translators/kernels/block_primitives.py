"""Reductions and scans of a block by CUB, in the words of shared memory and barriers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import (
    INDENT,
    Function,
    arguments,
    enclosing_statement,
    field,
    find,
    function_of,
    indentation,
    quoted,
    source,
    squeeze,
    taken_out,
)
from transpile.code.syntax import replace as replaced
from transpile.code.types import arithmetic
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.refusal import refuse
from transpile.translators.refusal import Refused

_KINDS = ("BlockReduce", "BlockScan")
_STORAGE = re.compile(r"(?:typename\s+)?(?P<of>\S.*?)\s*::\s*TempStorage", re.DOTALL)
_SUM = "{0} + {1}"
_OPERATIONS = {
    "Sum": _SUM,
    "plus": _SUM,
    "Max": "{1} > {0} ? {1} : {0}",
    "maximum": "{1} > {0} ? {1} : {0}",
    "Min": "{1} < {0} ? {1} : {0}",
    "minimum": "{1} < {0} ? {1} : {0}",
}
_NAMED = re.compile(r"(?:::)?(?:cub|cuda|cuda::std)::(\w+)(?:<\w*>)?(?:\(\)|\{\})")
_PURE = re.compile(r"(?!.*(?:\+\+|--))[\w\s.+*/<>?:-]+")
"""An expression that may be computed once for each thread that counts."""
_RULE = "block-primitives"


@dataclass(frozen=True, slots=True)
class _Primitive:
    """A collective operation of a block of one dimension."""

    kind: str
    element: str
    threads: str


def block_primitives(draft: Draft) -> Draft:
    """Write the reductions and scans of a kernel, and of the functions around it, as loops of one thread.

    What only the first thread is promised, all threads get: the source's others hold nothing that counts.
    Blocks of several dimensions and threads with several items are refused.
    """
    functions = {
        name: tuple(map(_plain_where_known, texts)) for name, texts in draft.surroundings.functions.items()
    }
    around = replace(draft.surroundings, functions=functions)
    return replace(draft, surroundings=around).after(_RULE, _plain(draft.text))


def _plain_where_known(text: str) -> str:
    """Return the text of a function without the primitives, or as it is: the kernel may not call it."""
    try:
        return _plain(text)
    except Refused:
        return text


def _plain(text: str) -> str:
    """Return the text of a function without the primitives that it names."""
    function = function_of(text) if any(kind in text for kind in _KINDS) else None
    if function is None or "cub" not in text:
        return text
    types = find(function.body, "type_definition", "alias_declaration")
    defined = [(node, found) for node in types if (found := _primitive(field(node, "type"))) is not None]
    names = {_defined(node): primitive for node, primitive in defined}
    declared = [
        (node, found)
        for node in find(function.body, "declaration")
        if (found := _stored(node, names)) is not None
    ]
    stored = {source(item): primitive for node, primitive in declared for item in _declarators(node)}
    calls = [call for call in find(function.body, "call_expression") if _primitive_of(call, names)]
    edits = [taken_out(function.text, node) for node, _ in defined]
    edits += [replaced(node, _array(node, primitive)) for node, primitive in declared]
    edits += [_call(function, call, stored) for call in calls]
    return function.edited(edits)


def _defined(node: Node) -> str:
    """Return the name that a definition gives to a type."""
    return source(node.child_by_field_name("declarator") or field(node, "name"))


def _declarators(node: Node) -> list[Node]:
    """Return the plain names that a declaration declares."""
    return [item for item in node.children_by_field_name("declarator") if item.type == "identifier"]


def _primitive(node: Node) -> _Primitive | None:
    """Return the primitive that a type or a function of a type names, written out."""
    for item in find(node, "template_type", "template_function"):
        kind = source(field(item, "name"))
        given = [source(child) for child in field(item, "arguments").named_children]
        if kind not in _KINDS or not re.match(r"\s*(?:typename\s+)?(?:::\s*)?cub\s*::", source(node)):
            continue
        if len(given) > 3:
            refuse("TP203", node, f"no rule translates {quoted(node)}: blocks of several dimensions")
        return _Primitive(kind, given[0], given[1])
    return None


def _named(node: Node, names: Mapping[str, _Primitive]) -> _Primitive | None:
    """Return the primitive that an expression or a type names, by itself or by another name."""
    return names.get(source(node)) or _primitive(node)


def _stored(node: Node, names: Mapping[str, _Primitive]) -> _Primitive | None:
    """Return the primitive whose threads exchange data by what is declared."""
    kind = field(node, "type")
    found = _STORAGE.fullmatch(source(kind))
    return None if found is None else names.get(found["of"]) or _primitive(kind)


def _array(node: Node, primitive: _Primitive) -> str:
    """Return the declaration of the shared arrays that stand for such storage."""
    if not source(node).lstrip().startswith("__shared__"):
        refuse("TP203", node, f"no rule translates {quoted(node)}: it is not in shared memory")
    listed = [f"{source(item)}[{primitive.threads}]" for item in node.children_by_field_name("declarator")]
    return f"__shared__ {primitive.element} {', '.join(listed)};"


def _primitive_of(call: Node, names: Mapping[str, _Primitive]) -> _Primitive | None:
    """Return the primitive of a call such as ``Reduce(storage).Sum(x)``."""
    function = field(call, "function")
    if function.type != "field_expression" or field(function, "argument").type != "call_expression":
        return None
    return _named(field(field(function, "argument"), "function"), names)


def _call(function: Function, call: Node, stored: Mapping[str, _Primitive]) -> Edit[str]:
    """Return the edit that writes a call out, in the place of its statement."""
    method = source(field(field(call, "function"), "field"))
    given = arguments(field(field(call, "function"), "argument"))
    storage = source(given[0]) if len(given) == 1 else ""
    primitive = stored.get(storage)
    if primitive is None:
        refuse("TP203", call, f"no rule translates {quoted(call)}: its storage is declared elsewhere")
    values = arguments(call)
    if not values or source(values[0]) in _arrays(function):
        refuse("TP203", call, f"no rule translates {quoted(call)}: threads hold several items")
    index = free_name(function.identifiers, "k", "thread")
    texts = [source(value) for value in values]
    written = _Written(storage, primitive, index)
    if primitive.kind == "BlockReduce":
        made = written.reduced(method, texts)
        value = "" if made is None else f"{storage}[0]"
    else:
        made, value = written.scanned(method, texts), ""
    if made is None:
        refuse("TP203", call, f"no rule translates {quoted(call)}")
    return _in_statement(function, call, made, value)


@dataclass(frozen=True, slots=True)
class _Written:
    """The statements that a primitive comes to."""

    storage: str
    primitive: _Primitive
    index: str

    def reduced(self, method: str, texts: Sequence[str]) -> list[str] | None:
        """Return the statements of a reduction, whose result the first element holds; None of another."""
        operation, *valid = ["cub::Sum()", *texts[1:]] if method == "Sum" else texts[1:] or [""]
        if method not in ("Sum", "Reduce") or not operation or len(valid) > 1:
            return None
        if not all(map(_PURE.fullmatch, valid)):
            return None
        return self._around(texts[0], self._folded("0", operation), valid[0] if valid else "")

    def scanned(self, method: str, texts: Sequence[str]) -> list[str] | None:
        """Return the statements of a scan, with its results; None of another."""
        way, sums, scans = ("Inclusive", "InclusiveSum", "InclusiveScan")
        if method.startswith("Exclusive"):
            way, sums, scans = ("Exclusive", "ExclusiveSum", "ExclusiveScan")
        value, *rest = texts
        if method == sums and rest:
            nothing = "0" if arithmetic(self.primitive.element) else f"{self.primitive.element}()"
            result, initial, operation, *total = [rest[0], nothing, "cub::Sum()", *rest[1:]]
        elif method == scans and way == "Inclusive" and len(rest) >= 2:
            result, initial, operation, *total = [rest[0], "", *rest[1:]]
        elif method == scans and len(rest) >= 3:
            result, initial, operation, *total = rest
        else:
            return None
        if len(total) > 1 or not re.fullmatch(r"[\w.\[\]]+", result):
            return None
        own = f"{self.storage}[threadIdx.x]"
        if way == "Exclusive":
            before = f"{self.storage}[threadIdx.x - 1]"
            if initial != "0":
                before = self._combined(initial, before, operation)
            own = f"threadIdx.x == 0 ? {initial} : {before}"
        made = self._around(value, self._folded(f"{self.index} - 1", operation, self.index), "")
        made.append(f"{result} = {own};")
        return made + [f"{name} = {self.storage}[{self.primitive.threads} - 1];" for name in total]

    def _around(self, value: str, step: str, valid: str) -> list[str]:
        count = valid or self.primitive.threads
        return [
            f"{self.storage}[threadIdx.x] = {value};",
            "__syncthreads();",
            "if (threadIdx.x == 0) {",
            f"{INDENT}for (int {self.index} = 1; {self.index} < {count}; ++{self.index}) {step}",
            "}",
            "__syncthreads();",
        ]

    def _folded(self, left: str, operation: str, into: str = "") -> str:
        first, second = f"{self.storage}[{left}]", f"{self.storage}[{self.index}]"
        if not into and _form(operation) == _SUM and arithmetic(self.primitive.element):
            return f"{first} += {second};"
        return f"{self.storage}[{into or left}] = {self._combined(first, second, operation)};"

    def _combined(self, first: str, second: str, operation: str) -> str:
        form = _form(operation)
        return form.format(first, second) if form else f"{operation}({first}, {second})"


def _form(operation: str) -> str:
    """Return an operation of CUB's or the standard's with places for both values; empty of another."""
    named = _NAMED.fullmatch(squeeze(operation))
    return _OPERATIONS.get(named[1], "") if named is not None else ""


def _in_statement(function: Function, call: Node, made: Sequence[str], value: str) -> Edit[str]:
    """Return the edit of the statement that a call stands in."""
    statement = enclosing_statement(call)
    lines = [*made]
    if statement.type != "expression_statement" or call.parent != statement:
        if not value or not _whole(call, statement):
            refuse("TP203", call, f"no rule translates {quoted(call)} within an expression")
        before = function.text[statement.start_byte : call.start_byte]
        lines.append(before + value + function.text[call.end_byte : statement.end_byte])
    indent = indentation(function.text, statement.start_byte)
    if statement.parent is not None and statement.parent.type == "compound_statement":
        return replaced(statement, ("\n" + indent).join(lines))
    return replaced(statement, "{\n" + "".join(f"{indent}{line}\n" for line in lines) + indent + "}")


def _whole(call: Node, statement: Node) -> bool:
    """Tell whether a call is all that a statement returns, declares or assigns."""
    parent = call.parent
    if parent is None or statement.type == "return_statement":
        return parent == statement
    if parent.type == "assignment_expression" and field(parent, "right") != call:
        return False
    return parent.type in ("init_declarator", "assignment_expression") and parent.parent == statement


def _arrays(function: Function) -> frozenset[str]:
    """Return the names that a function declares as arrays."""
    declared = find(function.root, "array_declarator")
    return frozenset(source(field(node, "declarator")) for node in declared)
