"""Values of macros and constants at file scope that have one meaning only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from tree_sitter import Node

from transpile.code.trees import descendants, grammar_of, parse, text
from transpile.core import Source, Unit
from transpile.parsers.files.comments import code
from transpile.parsers.files.includes import compiled, read_by

_MOST_SHIFTED = 30
_AROUND = frozenset(
    (
        *("namespace_definition", "declaration_list", "linkage_specification"),
        *("preproc_ifdef", "preproc_if", "preproc_elif", "preproc_elifdef", "preproc_else"),
    )
)
"""Syntax around declarations at file scope."""
_SHIFT = re.compile(r"(^\s*|\()(\([^()]*\)|\w+)\s*(<<|>>)\s*(\w+)(?=\s*(?:\)|$))")
"""A shift that is all of an expression, or all that stands between brackets."""
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)((?:[^\n\\]|\\.|\\\r?\n)*)", re.MULTILINE)


def macros(files: Iterable[bytes]) -> dict[bytes, bytes]:
    """Return the bodies of all macros that any file defines, joined where there are several."""
    found: dict[bytes, bytes] = {}
    for data in files:
        for name, body in _DEFINE.findall(data):
            found[name] = found.get(name, b"") + b" " + code(body)
    return found


@lru_cache(maxsize=32)
def constants_of(files: tuple[tuple[str, bytes], ...]) -> dict[str, Node]:
    """Return what macros and constants at file scope stand for, where a name has one meaning only."""
    found: dict[str, list[Node]] = {}
    for path, data in files:
        for name, body in macros([data]).items():
            found.setdefault(name.decode("utf-8", "surrogateescape"), []).extend(_value(body))
        for node in _of_file(parse(data, grammar_of(path)).root_node):
            for key, value in _fixed(node):
                found.setdefault(key, []).append(value)
    return {name: values[0] for name, values in found.items() if len({text(item) for item in values}) == 1}


def constants_for(source: Source, unit: Unit) -> dict[str, Node]:
    """Return what names stand for in a unit: as the files that its compiler reads say, or all files alike."""
    near = read_by(source, unit.translation_unit)
    own = constants_of(tuple((path, source.files[path]) for path in sorted(near)))
    return constants_of(tuple(sorted(compiled(source.files).items()))) | own


def without_shifts(expression: str, number: Callable[[str], str | None]) -> str:
    """Return a text of C in which shifts of whole numbers that are no less than 0 are products and quotients.

    Args:
        expression: The text.
        number: What a name stands for, where that is a number; digits stand for themselves.
    """

    def replaced(match: re.Match[str]) -> str:
        places = (match[4] if match[4].isdigit() else number(match[4]) or "").strip("() ")
        if not places.isdigit() or int(places) > _MOST_SHIFTED:
            return match[0]
        return f"{match[1]}{match[2]} {'*' if match[3] == '<<' else '/'} {1 << int(places)}"

    return _SHIFT.sub(replaced, expression)


def value_of(body: bytes) -> Node | None:
    """Return the expression that a macro stands for; None where it is none."""
    return next(iter(_value(body)), None)


def _value(body: bytes) -> Iterable[Node]:
    root = parse(b"long value = (" + body.strip() + b");", "c").root_node
    if not root.has_error:
        yield from (item.child_by_field_name("value") for item in descendants(root, "init_declarator"))  # type: ignore[misc]


def _of_file(root: Node) -> Iterator[Node]:
    """Yield what stands outside of functions and classes, in namespaces and guards of headers as well."""
    for node in root.named_children:
        if node.type in _AROUND:
            yield from _of_file(node)
        else:
            yield node


def _fixed(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the names and values of a declaration of constants."""
    qualifiers = {text(child) for child in node.named_children if child.type == "type_qualifier"}
    if node.type == "declaration" and qualifiers & {"const", "constexpr"}:
        for item in node.children_by_field_name("declarator"):
            name, value = item.child_by_field_name("declarator"), item.child_by_field_name("value")
            if name is not None and name.type == "identifier" and value is not None:
                yield text(name), value
    for item in descendants(node, "enumerator"):
        value = item.child_by_field_name("value")
        if value is not None:
            yield text(item.child_by_field_name("name")), value
