"""Parts of expressions that stay where passes leave the rest out, since evaluating them does something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.assemble.host_code.declarations import declared
from transpile.assemble.host_code.definitions import Definitions, plain_name
from transpile.assemble.host_code.tree import (
    BLOCKS,
    deletion,
    function_of,
    of_type,
    text_of,
)
from transpile.code.edits import Edit
from transpile.code.lexer import Kind, Macro

_CHANGES = (
    "assignment_expression",
    "update_expression",
    "new_expression",
    "delete_expression",
    "co_await_expression",
)
_LOUD = frozenset(
    (
        *(b"rand", b"random", b"drand48", b"rand_r", b"getchar", b"getc", b"fgetc", b"fgets", b"fread"),
        *(b"read", b"scanf", b"fscanf", b"strtok", b"printf", b"fprintf", b"puts", b"putchar", b"malloc"),
        *(b"exit", b"_exit", b"_Exit", b"quick_exit", b"abort"),
        *(b"next", b"pop", b"exchange", b"swap", b"emplace_back", b"push_back"),
        *(b"fetch_add", b"fetch_sub"),
    )
)
"""Functions of libraries that do more than return a value; others are taken to return one."""
_STREAMS = frozenset((b"cout", b"cerr", b"clog", b"wcout", b"wcerr", b"wclog"))
_STRINGS = ("string_literal", "concatenated_string", "raw_string_literal")
_DEPTH = 4


def kept_effects(dropped: Sequence[Node], known: Definitions) -> bytes:
    """Return statements that do what evaluating some expressions does; empty where that is nothing."""
    return b" ".join(text + b";" for node in dropped for text in effects_of(node, known))


def removed(data: bytes, statement: Node, dropped: Sequence[Node], known: Definitions) -> Edit[bytes]:
    """Return the edit that takes a call statement out, but for what evaluating its arguments does."""
    effects = kept_effects(dropped, known)
    if not effects:
        return deletion(data, statement)
    alone = statement.parent is not None and statement.parent.type not in BLOCKS
    text = b"{ " + effects + b" }" if alone and effects.count(b";") > 1 else effects
    return Edit(statement.start_byte, statement.end_byte, text)


def effects_of(node: Node, known: Definitions) -> Iterator[bytes]:
    """Yield the outermost parts of an expression whose evaluation changes anything."""
    if node.type == "lambda_expression" or next(_loud(node, known, _DEPTH), None) is None:
        return
    calls = node.type == "call_expression" and _call_is_loud(node, known, _DEPTH)
    if calls or node.type in _CHANGES or _is_choice(node) or prints(node):
        yield text_of(node)
    else:
        for child in node.named_children:
            yield from effects_of(child, known)


def _is_choice(node: Node) -> bool:
    """Tell whether a part of an expression may be left out when it is evaluated."""
    operator = node.child_by_field_name("operator")
    logical = operator is not None and text_of(operator) in (b"&&", b"||")
    return node.type == "conditional_expression" or (node.type == "binary_expression" and logical)


def _loud(node: Node, known: Definitions, depth: int) -> Iterator[Node]:
    """Yield the parts of an expression that do something."""
    yield from of_type(node, *_CHANGES)
    yield from filter(prints, of_type(node, "binary_expression"))
    for call in of_type(node, "call_expression"):
        if _call_is_loud(call, known, depth):
            yield call


def prints(node: Node) -> bool:
    """Tell whether an expression writes to a stream: ``std::cout << n``."""
    operands: list[Node] = []
    inner: Node | None = node
    while inner is not None and _is_shift(inner):
        operands += filter(None, [inner.child_by_field_name("right")])
        inner = inner.child_by_field_name("left")
    if not operands or inner is None:
        return False
    found = declared(inner) if inner.type == "identifier" else None
    written = any(operand.type in _STRINGS or text_of(operand).endswith(b"endl") for operand in operands)
    return written or is_stream(text_of(inner)) or (found is not None and b"stream" in found.type)


def does_more(name: bytes) -> bool:
    """Tell whether a function of a library is known to do more than return a value."""
    return name in _LOUD


def is_stream(name: bytes) -> bool:
    """Tell whether a name is that of a stream of the standard library."""
    return name.rpartition(b"::")[2] in _STREAMS


def _is_shift(node: Node) -> bool:
    operator = node.child_by_field_name("operator")
    return node.type == "binary_expression" and operator is not None and text_of(operator) == b"<<"


def _call_is_loud(call: Node, known: Definitions, depth: int) -> bool:
    """Tell whether a call may do more than return a value, arguments aside."""
    return _is_loud(plain_name(call), known, depth)


def _is_loud(name: bytes, known: Definitions, depth: int) -> bool:
    functions, macros = known.functions.get(name, ()), known.macros.get(name, ())
    if not functions and not macros:
        return does_more(name)
    if depth == 0:
        return True
    quiet = all(_is_quiet(one, known, depth - 1) for one in functions)
    return not quiet or not all(_macro_is_quiet(one, known, depth - 1) for one in macros)


def _macro_is_quiet(macro: Macro, known: Definitions, depth: int) -> bool:
    """Tell the same of a macro: it assigns nothing, and calls nothing that does more than return a value."""
    words = [token.text for token in macro.body]
    if any(map(is_stream, words)):
        return False
    for index, (before, own, behind) in enumerate(zip((b"", *words), words, (*words[1:], b""), strict=False)):
        comparing = before in (b"=", b"!", b"<", b">") or behind == b"="
        if (own == b"=" and not comparing) or (own == behind and own in (b"+", b"-")):
            return False
        if behind == b"(" and macro.body[index].kind is Kind.WORD and _is_loud(own, known, depth):
            return False
    return True


def _is_quiet(function: Node, known: Definitions, depth: int) -> bool:
    """Tell whether calling a function changes nothing but its own variables."""
    body = function.child_by_field_name("body")
    if body is None or b"static" in text_of(body):
        return False
    if next(of_type(body, "new_expression", "delete_expression", "throw_statement"), None) is not None:
        return False
    if any(_call_is_loud(call, known, depth) for call in of_type(body, "call_expression")):
        return False
    if any(_is_command(statement, known) for statement in of_type(body, "expression_statement")):
        return False
    if any(map(prints, of_type(body, "binary_expression"))):
        return False
    return all(_is_own(change, function) for change in of_type(body, *_CHANGES))


def _is_command(statement: Node, known: Definitions) -> bool:
    """Tell whether a statement calls what others define: it is there for what that does."""
    call = statement.named_children[0] if statement.named_children else None
    name = plain_name(call) if call is not None and call.type == "call_expression" else b""
    return bool(name) and not known.functions.get(name) and not known.macros.get(name) and name != b"assert"


def _is_own(change: Node, function: Node) -> bool:
    """Tell whether what is assigned or counted is a variable of the function itself."""
    target = change.child_by_field_name("left") or change.child_by_field_name("argument")
    if target is None or target.type != "identifier":
        return False
    found = declared(target)
    return found is not None and not found.reference and function_of(found.declaration) == function
