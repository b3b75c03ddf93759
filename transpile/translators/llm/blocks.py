"""Blocks of code in an answer: those that define what was asked for, each with the helpers it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import declared_name, find, parse
from transpile.code.syntax import source as text_of

MOST = 100_000
"""Bytes of code; whoever writes more has not understood the question."""
_DRAFTS = 3
"""Blocks of one answer that are read: the last, and those before it."""
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n`]*\n(.*?)(?:\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"][^>\"\n]*[>\"])[^\n]*\n?", re.MULTILINE)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once[^\n]*\n?", re.MULTILINE)
_DEVICE = re.compile(r"\b__(?:global|device)__\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TYPES = ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The code of an answer, taken apart."""

    headers: tuple[str, ...]
    text: str


def written(answer: str, name: str, *, device: bool) -> tuple[Written, ...] | str:
    """Return the code in an answer that defines a function, the last block first; else what was found.

    Models think aloud: a draft, then the corrected code. What is last is meant.

    Args:
        answer: A character a byte.
        name: The function, without its namespace.
        device: Whether what is written has kernels of its own; else such blocks only quote the source.
    """
    blocks = list(dict.fromkeys(match[2] for match in _FENCE.finditer(answer))) or [answer]
    meant = [block for block in blocks if name in defined(block)]
    if not meant:
        others = sorted({other for block in blocks for other in defined(block) if other})
        if others:
            return f"it defines {', '.join(others[:5])}, and not `{name}`"
        return "it holds no code in a fenced block"
    helpers = [block for block in blocks if block not in meant and (device or not _DEVICE.search(block))]
    drafts = [_taken_apart(_with_helpers(block, helpers)) for block in meant[: -_DRAFTS - 1 : -1]]
    # Behind its directives a text that is no code may be read in another way.
    usable = tuple(draft for draft in drafts if name in defined(draft.text))
    return usable or f"`{name}` cannot be read in it"


def defined(text: str) -> dict[str, Node]:
    """Return the functions that a text defines, by name."""
    return {
        declared_name(declarator): node
        for node in find(parse(text), "function_definition")
        if (declarator := next(find(node, "function_declarator"), None)) is not None
    }


def _with_helpers(block: str, others: Sequence[str]) -> str:
    """Return a block behind those that define what it names and does not define, the last that do."""
    parts = [block]
    while True:
        known = {name for part in parts for name in _names(part)}
        lacking = {word for part in parts for word in _WORD.findall(part)} - known
        found = next(
            (item for item in reversed(others) if item not in parts and not lacking.isdisjoint(_names(item))),
            None,
        )
        # A second definition of what is there is another draft, and no helper.
        if found is None or not known.isdisjoint(_names(found)):
            return "\n".join(parts)
        parts.insert(0, found)


def _names(text: str) -> Iterator[str]:
    """Yield the functions and types that a text defines."""
    yield from defined(text)
    for node in find(parse(text), *_TYPES):
        name = node.child_by_field_name("name")
        if name is not None and node.child_by_field_name("body") is not None:
            yield text_of(name)


def _taken_apart(block: str) -> Written:
    headers = tuple(dict.fromkeys(match[1] for match in _INCLUDE.finditer(block)))
    return Written(headers=headers, text=_trimmed(_ONCE.sub("", _INCLUDE.sub("", block))))


def _trimmed(text: str) -> str:
    """Drop what a translation unit has already or must not have twice: ``main``, ``extern "C"``."""
    edits = []
    for node in find(parse(text), "function_definition"):
        declarator = next(find(node, "function_declarator"), None)
        if declarator is not None and declared_name(declarator) == "main":
            edits.append(Edit(node.start_byte, node.end_byte, ""))
    for node in find(parse(text), "linkage_specification"):
        body = node.child_by_field_name("body")
        if body is not None and body.type == "declaration_list":
            edits += [
                Edit(node.start_byte, body.start_byte + 1, ""),
                Edit(body.end_byte - 1, body.end_byte, ""),
            ]
        elif body is not None:
            edits.append(Edit(node.start_byte, body.start_byte, ""))
    return apply_outermost(text, edits).strip() + "\n"
