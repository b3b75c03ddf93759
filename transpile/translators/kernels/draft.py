"""A unit on its way through the passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from transpile.code.syntax import Function
from transpile.code.variables import Variables, resolve
from transpile.core import LaunchLaw
from transpile.translators.kernels.pure_functions import is_pure

_CHANGING = re.compile(r"(?!(?:\s*const\b[^*&]*|[^*&]*\bconst\s*)&(?!&))[^&]*&")
"""Parameters that are references, but for those to constants."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a unit sees of the rest of its source."""

    functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Texts of the functions of the source by bare name, since one may hide or overload a built-in."""
    macros: Mapping[str, str] = field(default_factory=dict)
    """Definitions of macros whose expansion mentions CUDA, by name: parameters and body as written."""
    constants: Mapping[str, str] = field(default_factory=dict)
    """Numbers that constants at file scope stand for."""
    shared: frozenset[str] = frozenset()
    """Shared variables declared at file scope."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Types of variables at file scope by name, those of arrays with ``[]`` behind the elements'."""
    members: Mapping[str, str] = field(default_factory=dict)
    """Types of the members of classes at file scope, by ``Class::member``; of no pointers or arrays."""

    def takes_reference(self, name: str, index: int) -> bool:
        """Tell whether some function of that name takes that argument by a reference that may change it."""
        for text in self.functions.get(name, ()):
            parameters = Function(text).parameters
            if index < len(parameters) and _CHANGING.match(parameters[index].text):
                return True
        return False

    def number(self, text: str) -> str:
        """Return the number that a constant or a macro stands for; the text itself where there is none."""
        parameters, _, body = self.macros.get(text, "").partition("\n")
        body = body.strip("() \t")
        return self.constants.get(text) or (body if not parameters and body.isdigit() else text)

    def is_pure(self, name: str) -> bool:
        """Tell whether a function or macro computes with its arguments and does nothing else."""
        return is_pure(name, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One function, with what is known and what was decided about it."""

    text: str
    law: LaunchLaw | None
    surroundings: Surroundings
    kernel: bool = True
    distinct: frozenset[str] = frozenset()
    """Arrays whose elements are pairwise different, or the source would race."""
    rules: tuple[str, ...] = ()
    headers: frozenset[str] = frozenset()
    extra: tuple[tuple[str, str], ...] = ()
    """Parameters that stand for the launch: declaration, and its value for the binding."""
    block_local: frozenset[str] = frozenset()
    """Arrays that one host thread owns, since a block is run by one thread."""
    parallel: bool = False
    placed: bool = False
    """The launch has become loops, or none is needed."""

    @property
    def function(self) -> Function:
        """Return the parts of the current text."""
        return Function(self.text, self.surroundings.macros.keys())

    def variables(self, function: Function) -> Variables:
        """Return the variables of the current text."""
        return resolve(function, self.surroundings.takes_reference, pure=self.surroundings.is_pure)

    def with_text(self, text: str) -> Draft:
        """Return the draft with a text that no rule has changed the meaning of."""
        return replace(self, text=text)

    def after(self, rule: str, text: str, *headers: str) -> Draft:
        """Return the draft with a new text, noting the rule where the text changed."""
        if text == self.text:
            return self
        return replace(self, text=text, rules=(*self.rules, rule), headers=self.headers | set(headers))


Pass = Callable[[Draft], Draft]
