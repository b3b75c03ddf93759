"""The one of several device functions with one name that a call means, as far as the text tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from transpile.code.syntax import Function, Parameter, arguments, field, find, parse
from transpile.code.templates import parameters_of
from transpile.translators.kernels.types import Types, named

_POINTER = re.compile(r"\*|\[")


def fitting(call: Node, texts: Sequence[str], types: Types) -> list[str]:
    """Return the functions that a call may mean: one where its arguments are exactly of that one's types."""
    given = arguments(call)
    left = [text for text in texts if len(Function(text).parameters) == len(given)]
    left = [text for text in left if _takes(text, call)]
    if len(left) < 2 or any(_is_specialization(text) for text in left):
        return left
    exact = [text for text in left if _agrees(text, given, types)]
    others = [text for text in left if text not in exact]
    # Between a template and a function of its types by another name, that function is meant.
    sure = len(exact) == 1 and all(_differs(text, given, types) for text in others)
    sure = sure and (not _is_template(exact[0]) or all(map(_is_template, others)))
    return exact if sure else left


def _is_specialization(text: str) -> bool:
    return re.match(r"\s*template\s*<\s*>", text) is not None


def _is_template(text: str) -> bool:
    return text.lstrip().startswith("template")


def _agrees(text: str, given: Sequence[Node], types: Types) -> bool:
    """Tell whether each argument is of the type that the function's parameter is declared with."""
    return all(map(_Match(text, types).is_exact, Function(text).parameters, given))


def _takes(text: str, call: Node) -> bool:
    """Tell whether a function has as many template parameters as a call gives arguments for."""
    written = field(call, "function")
    if written.type != "template_function":
        return True
    listed = next(find(parse(text), "template_parameter_list"), None)
    if listed is None or "..." in text[listed.start_byte : listed.end_byte]:
        return listed is not None
    return len(field(written, "arguments").named_children) <= len(list(parameters_of(listed)))


def _differs(text: str, given: Sequence[Node], types: Types) -> bool:
    """Tell whether an argument is of another type than the function's parameter is declared with."""
    return any(map(_Match(text, types).differs, Function(text).parameters, given))


class _Match:
    """Agreement of arguments with the parameters of one function."""

    def __init__(self, text: str, types: Types) -> None:
        self._types = types
        listed = next(find(parse(text), "template_parameter_list"), None)
        written = parameters_of(listed) if listed is not None and _is_template(text) else ()
        self._open = frozenset(name for name, _ in written)

    def is_exact(self, parameter: Parameter, argument: Node) -> bool:
        """Tell whether both have the type of one name."""
        declared, given = self._declared(parameter), self._given(parameter, argument)
        return declared is not None and declared == given

    def differs(self, parameter: Parameter, argument: Node) -> bool:
        """Tell whether they have types of different names."""
        declared, given = self._declared(parameter), self._given(parameter, argument)
        return declared is not None and given is not None and declared != given

    def _declared(self, parameter: Parameter) -> str | None:
        kind = re.sub(rf"\b{re.escape(parameter.name)}\b.*$", "", parameter.text, flags=re.DOTALL)
        kind = re.sub(r"\b__restrict__\b|\*", " ", kind)
        return None if self._open.intersection(re.findall(r"\w+", kind)) else named(kind)

    def _given(self, parameter: Parameter, argument: Node) -> str | None:
        pointer = _POINTER.search(parameter.text) is not None
        return self._types.pointee(argument) if pointer else self._types.of(argument)
