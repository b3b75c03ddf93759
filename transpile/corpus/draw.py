"""Choices that a seed makes: names, types, expressions and layouts of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

Item = TypeVar("Item")

TYPES = ("float", "float", "double", "unsigned")
_ARRAYS = ("x", "y", "z", "in", "src", "data", "field", "values", "a", "b", "u", "v", "left", "right", "w")
_OUTPUTS = ("out", "dst", "result", "next", "c", "y_new", "res", "target")
_SIZES = ("n", "size", "count", "len", "total", "elements")
_SCALARS = ("alpha", "beta", "scale", "factor", "k", "s", "weight", "shift")
_VERBS = ("apply", "compute", "update", "do", "run", "eval", "calc", "step")
_INDENTS = ("    ", "  ", "\t")


@dataclass(slots=True)
class Draw:
    """One text's choices; what was named once is not named again."""

    random: Random
    type: str = ""
    indent: str = ""
    _taken: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, seed: int, index: int) -> Draw:
        """Return the choices of one text: the same for the same numbers, whatever else is made."""
        made = cls(random=Random(f"transpile corpus {seed} {index}"))
        made.type, made.indent = made.one(TYPES), made.one(_INDENTS)
        return made

    def one(self, of: Sequence[Item]) -> Item:
        """Return one of several."""
        return self.random.choice(of)

    def maybe(self, chance: float = 0.5) -> bool:
        """Return whether something is so."""
        return self.random.random() < chance

    def _name(self, pool: Sequence[str]) -> str:
        left = [name for name in pool if name not in self._taken]
        name = self.one(left) if left else f"{self.one(pool)}{len(self._taken)}"
        self._taken.add(name)
        return name

    def array(self) -> str:
        """Return the name of an array that is read."""
        return self._name(_ARRAYS)

    def output(self) -> str:
        """Return the name of an array that is written."""
        return self._name(_OUTPUTS)

    def size(self) -> str:
        """Return the name of a number of elements."""
        return self._name(_SIZES)

    def scalar(self) -> str:
        """Return the name of a number."""
        return self._name(_SCALARS)

    def function(self, what: str) -> str:
        """Return the name of the whole."""
        form = self.one(("{what}", "{verb}_{what}", "{what}_kernel", "{what}{number}"))
        return form.format(what=what, verb=self.one(_VERBS), number=self.random.randrange(2, 99))

    def constant(self) -> str:
        """Return a number of the text's type."""
        if self.type == "unsigned":
            return f"{self.random.randrange(1, 64)}u"
        value = self.random.choice((0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 0.125)) * self.one((1, 1, 1, -1))
        return f"{value!r}f" if self.type == "float" else repr(value)

    def expression(self, operands: Sequence[str], depth: int) -> str:
        """Return a graph of operators over operands, each of which stands in it."""
        parts = list(operands)
        for _ in range(depth):
            at = self.random.randrange(len(parts))
            parts[at] = self._operator(parts[at])
        self.random.shuffle(parts)
        while len(parts) > 1:
            first, second = parts.pop(), parts.pop()
            parts.append(f"({first} {self.one(('+', '-', '*', '+'))} {second})")
        return parts[0].removeprefix("(").removesuffix(")") if _is_bracketed(parts[0]) else parts[0]

    def _operator(self, value: str) -> str:
        """Return an operator of one operand: scale, shift, clamp, a rectifier, a square."""
        zero = {"float": "0.0f", "double": "0.0", "unsigned": "0u"}[self.type]
        forms = [
            f"({value} * {self.constant()})",
            f"({value} + {self.constant()})",
            f"({value} * {value})",
            f"({value} > {self.constant()} ? {value} : {zero})",
        ]
        if self.type == "unsigned":
            forms += [f"({value} ^ {self.constant()})", f"({value} >> {self.random.randrange(1, 8)})"]
        else:
            forms += [f"(-{value})", f"({value} < {zero} ? -{value} : {value})"]
        return self.one(forms)


def _is_bracketed(text: str) -> bool:
    """Tell whether the first bracket is closed by the last."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(text) - 1 and text.startswith("(")
    return False
