"""Leftovers after the other passes: unused launch shapes, sizes, error checks, empty headers."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from transpile.assemble.host_code import standard
from transpile.assemble.host_code.declarations import Declared, declarators, parameters
from transpile.assemble.host_code.effects import function_name
from transpile.assemble.host_code.in_place import without_declarator
from transpile.assemble.host_code.sight import fully_seen, hidden_words
from transpile.assemble.host_code.stable import pure
from transpile.assemble.host_code.tree import apply, deletion, of_type, parse, removal, text_of, uses
from transpile.assemble.host_code.vocabulary import Level, level
from transpile.code.edits import Edit
from transpile.code.lexer import Kind, tokenize

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"][ \t]*\n?', re.MULTILINE)
_INERT = re.compile(rb"(?://[^\n]*|/\*[\s\S]*?\*/|\s+|#[ \t]*pragma[ \t]+once)+")
_PLAIN = re.compile(
    rb"(?:(?:unsigned|signed|long|short|int|char|float|double|bool|auto|constexpr|volatile)\b\s*)+"
    rb"|(?:std::)?\w+_t|dim3|u?int[1-4]|cuda\w+|CU\w+"
)
"""Types of variables that do nothing when they begin or end."""
_GUARD = re.compile(
    rb"\s*#[ \t]*ifndef[ \t]+(\w+)\s*#[ \t]*define[ \t]+\1\b([\s\S]*)#[ \t]*endif\b[^\n]*\s*\Z"
)


def without_leftovers(files: Mapping[str, bytes], before: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files without what lost its last use since ``before``."""
    texts = dict(files)
    while True:
        hidden = hidden_words(texts.values())
        swept = {path: _without_variables(data, before[path], hidden) for path, data in texts.items()}
        swept = _without_helpers(swept, before)
        if swept == texts:
            return texts
        texts = swept


def _without_variables(data: bytes, before: bytes, hidden: frozenset[bytes]) -> bytes:
    """Drop local variables that were used before and are not any more."""
    if data == before:
        return data
    earlier = {function_name(node): node for node in of_type(parse(before), "function_definition")}
    groups: list[list[Edit[bytes]]] = []
    for function in of_type(parse(data), "function_definition"):
        old = earlier.get(function_name(function))
        body = function.child_by_field_name("body")
        if body is None or old is None or text_of(old) == text_of(function):
            continue
        groups += _dead_variables(data, body, old, hidden)
        groups += _dead_loops(data, body)
    return apply(data, _apart(groups))


def _apart(groups: list[list[Edit[bytes]]]) -> list[Edit[bytes]]:
    """Return the edits of groups that do not touch: the next round makes the others."""
    kept: list[Edit[bytes]] = []
    for group in groups:
        if not any(edit.start < other.end and other.start < edit.end for edit in group for other in kept):
            kept += group
    return kept


def _dead_variables(
    data: bytes, body: Node, old: Node, hidden: frozenset[bytes]
) -> Iterator[list[Edit[bytes]]]:
    for declaration in of_type(body, "declaration"):
        if declaration.parent is None or declaration.parent.type not in (
            "compound_statement",
            "case_statement",
        ):
            continue
        for found in declarators(declaration):
            scope = found.scope
            if scope is None or (found.arrays and found.value is not None) or not _harmless(found):
                continue
            own = [node for node in uses(scope, found.name) if not _within(node, declaration)]
            lost = sum(1 for _ in uses(old, found.name)) > sum(1 for _ in uses(body, found.name))
            seen = found.name not in hidden and fully_seen(body, found.name)
            if not lost or not seen or sum(1 for _ in uses(declaration, found.name)) != 1:
                continue
            stores = [_dead_store(node) for node in own]
            if all(store is not None for store in stores):
                removed = [deletion(data, store) for store in stores if store is not None]
                yield [*removed, without_declarator(data, found)]


def _within(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte < outer.end_byte


def _harmless(found: Declared) -> bool:
    """Tell whether leaving a declaration out changes nothing but the variable."""
    value = found.value
    if not found.pointers and not _PLAIN.fullmatch(found.bare_type):
        return False  # an object may do something when it begins and when it ends
    if value is None:
        return not found.constructed or found.bare_type == b"dim3"
    if value.type == "compound_literal_expression" and not text_of(value).startswith(b"dim3"):
        return False
    if found.bare_type != b"dim3" and value.type in ("argument_list", "initializer_list"):
        return all(pure(child) for child in value.named_children)
    return pure(value)


def _dead_store(use: Node) -> Node | None:
    """Return the statement where a use is nothing but ``x = …;`` of a value without effects."""
    parent = use.parent
    while parent is not None and parent.type == "field_expression":
        use, parent = parent, parent.parent
    if parent is None or parent.type != "assignment_expression" or parent.child_by_field_name("left") != use:
        return None
    right, statement = parent.child_by_field_name("right"), parent.parent
    if right is None or statement is None or statement.type != "expression_statement" or not pure(right):
        return None
    return statement


def _dead_loops(data: bytes, body: Node) -> Iterator[list[Edit[bytes]]]:
    """Drop counting loops whose bodies other passes have emptied."""
    for loop in of_type(body, "for_statement"):
        inner = loop.child_by_field_name("body")
        initial, condition = loop.child_by_field_name("initializer"), loop.child_by_field_name("condition")
        empty = inner is not None and re.fullmatch(rb"\{\s*\}", text_of(inner)) is not None
        if initial is None or initial.type != "declaration" or condition is None or not pure(condition):
            continue
        own = list(declarators(initial))
        if empty and all(pure(one.value) for one in own if one.value is not None) and _counts(loop, own):
            yield [deletion(data, loop)]


def _counts(loop: Node, own: Sequence[Declared]) -> bool:
    """Tell whether a loop goes on by nothing but changes of its own variables."""
    update, names = loop.child_by_field_name("update"), {one.name for one in own}
    for change in of_type(update, "assignment_expression", "update_expression") if update is not None else ():
        target = change.child_by_field_name("left") or change.child_by_field_name("argument")
        if target is None or text_of(target) not in names:
            return False
    return update is None or next(of_type(update, "call_expression", "new_expression"), None) is None


def _without_helpers(files: Mapping[str, bytes], before: Mapping[str, bytes]) -> dict[str, bytes]:
    """Drop macros and functions that dealt with CUDA and have no use left, then headers that hold nothing."""
    counts: dict[bytes, int] = {}
    for data in files.values():
        for name in _names(data):
            counts[name] = counts.get(name, 0) + 1
    earlier: dict[bytes, int] = {}
    for data in before.values():
        for name in _names(data):
            earlier[name] = earlier.get(name, 0) + 1
    texts = {}
    for path, data in files.items():
        unused = {name for name in set(_names(data)) if counts[name] < earlier.get(name, 0)}
        texts[path] = apply(
            data, [*_dead_macros(data, unused, counts), *_dead_functions(data, unused, counts)]
        )
    return _without_empty_headers(texts, before)


def _names(data: bytes) -> Iterator[bytes]:
    tokens = tokenize(data)
    for token in tokens.text:
        if token.kind is Kind.WORD:
            yield token.text
    for macro in tokens.macros:
        yield macro.name
        for token in macro.body:
            if token.kind is Kind.WORD:
                yield token.text


def _dead_macros(data: bytes, unused: set[bytes], counts: Mapping[bytes, int]) -> Iterator[Edit[bytes]]:
    for node in of_type(parse(data), "preproc_function_def", "preproc_def"):
        name = node.child_by_field_name("name")
        if name is None or text_of(name) not in unused or counts[text_of(name)] != 1:
            continue
        if level(text_of(node)) is not Level.NONE:
            yield _with_comment(data, node)


def _dead_functions(data: bytes, unused: set[bytes], counts: Mapping[bytes, int]) -> Iterator[Edit[bytes]]:
    """Drop functions out of sight of other programs that only CUDA code called."""
    for function in of_type(parse(data), "function_definition"):
        name = function_name(function)
        if name not in unused or counts[name] != 1 or name == b"main":
            continue
        node = function
        if node.parent is not None and node.parent.type == "template_declaration":
            node = node.parent
        local = re.match(rb"\s*(?:static|inline|template)\b", text_of(node)) is not None
        takes_status = any(one.bare_type == b"cudaError_t" for one in parameters(function))
        body = function.child_by_field_name("body")
        on_cuda = level(text_of(function)) is not Level.NONE and body is not None
        if on_cuda and (local or takes_status):
            yield _with_comment(data, node)


def _with_comment(data: bytes, node: Node) -> Edit[bytes]:
    """Return the removal of a node together with the comment right above it."""
    start = node
    while True:
        previous = start.prev_sibling
        adjacent = (
            previous is not None
            and previous.type == "comment"
            and start.start_point.row - previous.end_point.row == 1
        )
        if not adjacent or previous is None:
            break
        before = previous.prev_sibling
        if before is not None and before.end_point.row == previous.start_point.row:
            break
        start = previous
    edit = removal(data, node)
    return (
        Edit(min(edit.start, data.rfind(b"\n", 0, start.start_byte) + 1), edit.end, b"")
        if start != node
        else edit
    )


def _without_empty_headers(files: Mapping[str, bytes], before: Mapping[str, bytes]) -> dict[str, bytes]:
    """Drop headers that were emptied, handing their own includes to the files that included them."""
    texts = dict(files)
    for path, data in files.items():
        if data == before[path] or not path.endswith((".h", ".hpp", ".cuh", ".hh")) or not _is_empty(data):
            continue
        inherited = [
            match for match in _INCLUDE.finditer(data) if not re.match(rb"cuda|helper_cuda", match.group(2))
        ]
        del texts[path]
        for other, text in texts.items():
            texts[other] = _with_inherited(text, posixpath.basename(path).encode(), inherited)
    return texts


def _is_empty(data: bytes) -> bool:
    guard = _GUARD.fullmatch(
        _INERT.sub(b" ", data, count=1) if data.lstrip().startswith((b"//", b"/*")) else data
    )
    inner = guard.group(2) if guard is not None else data
    return _INERT.sub(b"", _INCLUDE.sub(b"", inner)) == b""


def _with_inherited(data: bytes, header: bytes, inherited: list[re.Match[bytes]]) -> bytes:
    present = {match.group(2) for match in _INCLUDE.finditer(data)}
    if not any(posixpath.basename(name.decode("utf-8", "replace")).encode() == header for name in present):
        return data
    lines = b"".join(
        match.group().strip() + b"\n"
        for match in inherited
        if match.group(2) not in present and standard.useful(data, match.group(2).decode("utf-8", "replace"))
    )

    def replaced(match: re.Match[bytes]) -> bytes:
        if match.group(2).rpartition(b"/")[2] != header:
            return match.group()
        return lines

    return _INCLUDE.sub(replaced, data)
