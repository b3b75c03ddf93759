"""Heads of functions compared as types: how they are spelled, and what parameters are called, is free."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import declared_name, find, parse
from transpile.code.syntax import source as text_of
from transpile.code.types import meant

_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_PROMISES = re.compile(r"\b(?:__restrict__|__restrict|restrict)\b")
_MARKS = re.compile(r"\s*([*&])\s*")
_STD = re.compile(r"(?<![\w:])(?:::\s*)?std\s*::\s*")
_TAGS = re.compile(r"\b(?:struct|class|union|enum|typename)\s+(?=\w)")
_SPECIFIERS = re.compile(
    r"\b(?:static|inline|extern|constexpr|__inline__|__host__|__device__|__global__|__forceinline__|__noinline__)\b"
    r"|\"C\"|\[\[[^\]]*\]\]|\b__(?:attribute__|launch_bounds__)\s*\((?:[^()]|\([^()]*\))*\)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Name and parameters of a function."""

    name: str
    result: str
    parameters: tuple[str, ...]

    def __str__(self) -> str:
        """Return it as a declaration is written."""
        return f"{self.result} {self.name}({', '.join(self.parameters)})".strip()

    def fits(self, wanted: Head) -> bool:
        """Tell whether calls of the other may call this one: a promise not to write may be left out."""
        return (
            self.name == wanted.name
            and self.result in (wanted.result, "auto")
            and _unpromised(self.parameters) == _unpromised(wanted.parameters)
        )


def head_of(text: str) -> Head:
    """Return the head that a text begins with, which may end before its body."""
    node = _function(text)
    if node is None:
        return Head(name=" ".join(text.split()), result="", parameters=())
    function, declarator = node
    name = declared_name(declarator).rpartition("::")[2]
    parameters = tuple(canonical(item) for item in _parameters(declarator))
    return Head(
        name=name,
        result=_result(function, declarator),
        parameters=() if parameters == ("void",) else parameters,
    )


def aligned(text: str, wanted: str) -> str:
    """Return the text of a function with its parameters as the wanted head declares them, by its own names.

    So a spelling of its own, or a `const` left out, makes no second function beside the one that is called.
    """
    ours, theirs = _function(wanted), _function(text)
    if ours is None or theirs is None:
        return text
    pairs = zip(_parameters(ours[1]), _parameters(theirs[1]), strict=False)
    edits = [
        Edit(mine.start_byte, mine.end_byte, new)
        for model, mine in pairs
        if (new := _renamed(model, mine)) is not None
    ]
    return apply_outermost(text, edits)


def canonical(node: Node) -> str:
    """Return the type of a parameter: without its name, default value and promises, in one spelling."""
    text = text_of(node).partition("=")[0]
    declarator = node.child_by_field_name("declarator")
    name = declared_name(declarator) if declarator is not None else ""
    text = _PROMISES.sub(" ", text)
    if name:
        text = re.sub(rf"\b{re.escape(name)}\b(?=\s*(?:\[[^\]]*\]\s*)*$)", " ", text.rstrip())
    return _spelled(re.sub(r"\[[^\]]*\]\s*$", "*", text.rstrip()))


def _spelled(text: str) -> str:
    words = _MARKS.sub(r" \1 ", _TAGS.sub("", _STD.sub("", text))).split()
    pointed = [word for word in words if word in "*&"]
    # ``int const`` and ``const int`` are one type, and a const value is the callee's own business.
    promises = [word for word in words if word == "const" and pointed]
    return " ".join((*promises, meant(" ".join(word for word in words if word not in "*&")), *pointed))


def _unpromised(parameters: Sequence[str]) -> list[str]:
    return [" ".join(word for word in item.split() if word != "const") for item in parameters]


def _result(function: Node, declarator: Node) -> str:
    """Return what a function returns, in the words and stars ahead of its name."""
    text = text_of(function)[: declarator.start_byte - function.start_byte]
    return _spelled(_SPECIFIERS.sub(" ", text))


def _function(text: str) -> tuple[Node, Node] | None:
    """Return the function that a text defines, and its declarator."""
    for closed in (text, text.rstrip().rstrip(";") + " {}"):
        for function in find(parse(closed), "function_definition"):
            declarator = next(find(function, "function_declarator"), None)
            if declarator is not None:
                return function, declarator
    return None


def _parameters(declarator: Node) -> Iterator[Node]:
    listed = declarator.child_by_field_name("parameters")
    yield from (item for item in listed.named_children if item.type in _PARAMETERS) if listed else ()


def _renamed(model: Node, mine: Node) -> str | None:
    """Return the wanted parameter with the name that the other has; None where it stays as it is."""
    if canonical(model) == canonical(mine) or "[" in text_of(model):
        return None
    name, new = (_identifier(node) for node in (model, mine))
    if name is None or new is None:
        return None
    text, start = text_of(model), model.start_byte
    return text[: name.start_byte - start] + text_of(new) + text[name.end_byte - start :]


def _identifier(node: Node) -> Node | None:
    declarator = node.child_by_field_name("declarator")
    return next(find(declarator, "identifier"), None) if declarator is not None else None
