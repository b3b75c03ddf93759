"""Operators of Fortran and how they bind.

The grammar's own binding is not trusted (it takes ``a**b**c`` from the left): chains of operators are taken
apart and put together again here.
"""

from __future__ import annotations

from collections.abc import Sequence

from transpile.parsers.fortran.tree import Binary, Expression, Unary

MODERN = {
    ".eq.": "==",
    ".ne.": "/=",
    ".lt.": "<",
    ".le.": "<=",
    ".gt.": ">",
    ".ge.": ">=",
}
RELATIONAL = ("==", "/=", "<", "<=", ">", ">=")
LOGICAL = (".and.", ".or.", ".eqv.", ".neqv.", ".not.")
_DEFINED_BINARY = 1
_NOT = 5
_SIGN = 8
_TIMES = 9
_POWER = 10
_DEFINED_UNARY = 11
_BINDING = {
    ".eqv.": 2,
    ".neqv.": 2,
    ".or.": 3,
    ".and.": 4,
    **dict.fromkeys(RELATIONAL, 6),
    "//": 7,
    "+": _SIGN,
    "-": _SIGN,
    "*": _TIMES,
    "/": _TIMES,
    "**": _POWER,
}


def assemble(parts: Sequence[Expression | str]) -> Expression:
    """Return the expression that operands and operators in the order of the text stand for."""
    chain = _Chain(parts)
    result = chain.operand(0)
    assert chain.at == len(parts), "an operator is left over"
    return result


class _Chain:
    """Operands and operators, read from the left."""

    def __init__(self, parts: Sequence[Expression | str]) -> None:
        self.parts = parts
        self.at = 0

    def operand(self, least: int) -> Expression:
        """Return what stands next, up to an operator that binds less than given."""
        left = self.prefixed()
        while self.at < len(self.parts):
            operator = self.parts[self.at]
            assert isinstance(operator, str)
            binding = _BINDING.get(operator, _DEFINED_BINARY)
            if binding < least:
                break
            self.at += 1
            right = self.operand(binding if binding == _POWER else binding + 1)
            left = Binary(left.line, operator, left, right)
        return left

    def prefixed(self) -> Expression:
        """Return a primary with the operators before it."""
        part = self.parts[self.at]
        self.at += 1
        if not isinstance(part, str):
            return part
        if part == ".not.":
            operand = self.operand(_NOT)
        elif part in "+-":
            operand = self.operand(_TIMES)
        else:
            operand = self.operand(_DEFINED_UNARY)
        return Unary(operand.line, part, operand)
