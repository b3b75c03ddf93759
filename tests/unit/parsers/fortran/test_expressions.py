"""Expressions bind as Fortran binds them, whatever the grammar says."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.units import parse, parse_expression


def shown(expression: tree.Expression) -> str:
    match expression:
        case tree.Name(name=name):
            return name
        case tree.Integer(value=value):
            return str(value)
        case tree.Unary(operator=operator, operand=operand):
            return f"({operator}{shown(operand)})"
        case tree.Binary(operator=operator, left=left, right=right):
            return f"({shown(left)}{operator}{shown(right)})"
        case tree.Parenthesized(inner=inner):
            return f"[{shown(inner)}]"
    return type(expression).__name__


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("a**b**c", "(a**(b**c))"),
        ("-a**2", "(-(a**2))"),
        ("-a*b", "(-(a*b))"),
        ("-a + b", "((-a)+b)"),
        ("a - b - c", "((a-b)-c)"),
        ("a/b*c", "((a/b)*c)"),
        ("2**(-1)", "(2**[(-1)])"),
        (".not. a .and. b .or. c", "(((.not.a).and.b).or.c)"),
        ("a .eqv. b .or. c", "(a.eqv.(b.or.c))"),
        (".not. a .eq. b", "(.not.(a==b))"),
        ("a // b == c // d", "((a//b)==(c//d))"),
        ("a .cross. b + c", "(a.cross.(b+c))"),
        ("a .lt. b .neqv. c .ge. d", "((a<b).neqv.(c>=d))"),
    ],
)
def test_operators_bind(text: str, bound: str) -> None:
    assert shown(parse_expression(text, "a.f90", 1)) == bound


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("1.5d0", tree.Real(1, "1.5e0", "d")),
        (".5e-3_dp", tree.Real(1, ".5e-3", "dp")),
        ("1.", tree.Real(1, "1.", "")),
        ("7_8", tree.Integer(1, 7, "8")),
        ("z'1F'", tree.Bits(1, 31)),
        ("'it''s'", tree.String(1, "it's")),
        ('"a""b"', tree.String(1, 'a"b')),
        (".TRUE.", tree.Logical(1, True)),
    ],
)
def test_literals(text: str, literal: tree.Expression) -> None:
    assert parse_expression(text, "a.f90", 1) == literal


def test_what_the_grammar_cannot_parse_is_refused_with_its_place() -> None:
    with pytest.raises(Refused) as caught:
        parse("program p\n  x = 1\n  call call call (\nend program\n", "a.f90")
    assert caught.value.line == 3
    assert caught.value.file == "a.f90"
