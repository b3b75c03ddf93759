"""Expressions of a function as terms: what they give, what they assign, and the conditions within them."""

from __future__ import annotations

from typing import Any

import z3
from clang.cindex import CursorKind, StorageClass, TypeKind

from transpile.core import Scalar
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.expressions import key_of, promoted
from transpile.testers.prove.reach.calls import called, callee
from transpile.testers.prove.reach.runtime import TOLD, Runtime
from transpile.testers.prove.reach.values import Term, compared, limits
from transpile.testers.prove.reach.variables import integer
from transpile.testers.prove.tree import NotModelled

Cursor = Any

_CASTS = (
    CursorKind.PAREN_EXPR,
    CursorKind.UNEXPOSED_EXPR,
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
)
_LITERALS = (CursorKind.INTEGER_LITERAL, CursorKind.CHARACTER_LITERAL, CursorKind.CXX_BOOL_LITERAL_EXPR)
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_NULLS = (CursorKind.CXX_NULL_PTR_LITERAL_EXPR, CursorKind.GNU_NULL_EXPR, CursorKind.INTEGER_LITERAL)
_POINTERS = (TypeKind.POINTER, TypeKind.NULLPTR)


class Evaluation(Runtime):
    """A place of a function, where expressions are executed."""

    def declare(self, cursor: Cursor) -> None:
        """Execute a declaration."""
        if cursor.kind is not CursorKind.VAR_DECL:
            if cursor.kind is CursorKind.STRUCT_DECL or cursor.kind is CursorKind.ENUM_DECL:
                return
            raise NotModelled(str(cursor.kind.name))
        if cursor.storage_class is StorageClass.STATIC:
            self.blur(cursor.extent.start.line)
        values = clang.expressions(cursor)
        term = None
        for item in values:
            term = self.value(item)
        kind = integer(cursor.type)
        if kind is not None:
            given = integer(values[-1].type) if values else None
            known = term is not None and given is not None
            self.hold(
                cursor,
                self.values.converted(term, given, kind) if known and given else self.values.unknown(kind),
            )

    def unrecorded(self, cursor: Cursor) -> Term:
        """Return the truth of a condition once more."""
        self._silent = True
        try:
            return self.truth(cursor)
        finally:
            self._silent = False

    # -------------------------------------------------------------------------------------- conditions

    def truth(self, cursor: Cursor) -> Term:
        """Return the truth of a condition that is branched on, and take note of it."""
        plain = clang.bare(cursor)
        if plain.kind is CursorKind.UNARY_OPERATOR and operators.unary(plain) == "!":
            return z3.Not(self.truth(next(iter(plain.get_children()))))
        if plain.kind is CursorKind.BINARY_OPERATOR and operators.binary(plain) in ("&&", "||"):
            return self._joined(plain)
        term = self._leaf(plain)
        self.record(plain, [term], [z3.Not(term)])
        return term

    def _joined(self, cursor: Cursor) -> Term:
        self.extend(cursor)
        both = operators.binary(cursor) == "&&"
        left, right = cursor.get_children()
        first = self.truth(left)
        before, path = dict(self.known), list(self.path)
        reached = first if both else z3.Not(first)
        self.path.append(reached)
        second = self.truth(right)
        self.known, self.path = self.merged(reached, self.known, before, before), path
        return z3.And(first, second) if both else z3.Or(first, second)

    def _leaf(self, cursor: Cursor) -> Term:
        """Return the truth of what is no joined condition."""
        if cursor.type.get_canonical().kind in _POINTERS:
            return self._there(cursor)
        if cursor.kind is CursorKind.BINARY_OPERATOR and operators.binary(cursor) in _COMPARISONS:
            return self._comparison(cursor)
        kind = integer(cursor.type)
        term = self.value(cursor)
        return self.values.flag() if kind is None else term != 0

    def _comparison(self, cursor: Cursor) -> Term:
        operator = operators.binary(cursor)
        left, right = cursor.get_children()
        if integer(left.type) is not None and integer(right.type) is not None:
            return compared(operator, self.value(left), self.value(right))
        for pointer, null in ((left, right), (right, left)):
            if operator in ("==", "!=") and _is_null(null) and pointer.type.get_canonical().kind in _POINTERS:
                there = self._there(pointer)
                return there if operator == "!=" else z3.Not(there)
        self.effect(left)
        self.effect(right)
        return self.values.flag()

    def _there(self, cursor: Cursor) -> Term:
        """Return whether a pointer leads somewhere."""
        plain = clang.bare(cursor)
        if plain.kind is CursorKind.DECL_REF_EXPR and plain.referenced is not None:
            return z3.BoolVal(True) if self.variables.is_there(plain.referenced) else self.values.flag()
        self.effect(cursor)
        return self.values.flag()

    # ------------------------------------------------------------------------------------------ values

    def effect(self, cursor: Cursor) -> None:
        """Execute an expression for what it does."""
        self.value(cursor)

    def value(self, cursor: Cursor) -> Term:
        """Return the number that an expression gives; for what is no whole number, any."""
        kind = integer(cursor.type)
        if cursor.kind is CursorKind.LAMBDA_EXPR:
            self.blur(cursor.extent.start.line, cursor.extent.end.line)
            return self.values.flag()
        if cursor.kind is CursorKind.CXX_DELETE_EXPR:
            self.blur(cursor.extent.start.line, cursor.extent.end.line)
        found = self._modelled(cursor, kind)
        if found is not None:
            return found
        return self._anything(cursor, kind)

    def _modelled(self, cursor: Cursor, kind: Scalar | None) -> Term | None:
        match cursor.kind:
            case CursorKind.UNARY_OPERATOR:
                return self._unary(cursor, kind)
            case CursorKind.BINARY_OPERATOR:
                return self._binary(cursor, kind)
            case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                return self._compound(cursor, kind)
            case CursorKind.CONDITIONAL_OPERATOR:
                return self._choice(cursor, kind)
            case literal if literal in _LITERALS and kind is not None:
                return constant(cursor, kind)
            case CursorKind.DECL_REF_EXPR if kind is not None:
                return self._name(cursor, kind)
            case cast if cast in _CASTS and kind is not None:
                return self._cast(cursor, kind)
            case CursorKind.CALL_EXPR if kind is not None:
                return self._call(cursor, kind)
            case CursorKind.ARRAY_SUBSCRIPT_EXPR if kind is not None:
                return self._element(cursor, kind)
            case CursorKind.MEMBER_REF_EXPR:
                return self.launched(cursor)
            case _:
                return None

    def _anything(self, cursor: Cursor, kind: Scalar | None) -> Term:
        """Execute the parts of an expression of which nothing else is known."""
        parts = clang.expressions(cursor)
        terms = [self.value(part) for part in parts]
        function = callee(cursor) if cursor.kind is CursorKind.CALL_EXPR else None
        if function is not None:
            taken = [None, *(integer(item.type) for item in function.get_arguments())]
            given = (integer(part.type) for part in parts)
            call = called(cursor, list(map(self._passed, terms, given, taken)), self.path)
            self.calls += [] if call is None else [call]
        return self.values.flag() if kind is None else self.values.unknown(kind)

    def _passed(self, term: Term, given: Scalar | None, taken: Scalar | None) -> Term | None:
        """Return what a parameter is given; None where it is no whole number."""
        return None if given is None or taken is None else self.values.converted(term, given, taken)

    def _name(self, cursor: Cursor, kind: Scalar) -> Term | None:
        declared = cursor.referenced
        if declared is not None and declared.kind is CursorKind.ENUM_CONSTANT_DECL:
            return z3.IntVal(int(declared.enum_value))
        held = None if declared is None else self.known.get(key_of(declared))
        if held is not None:
            return held
        fixed = declared is not None and declared.type.get_canonical().is_const_qualified()
        if fixed and declared.kind is CursorKind.VAR_DECL:
            try:
                return constant(declared, kind)
            except NotModelled:
                return None
        return None

    def _cast(self, cursor: Cursor, kind: Scalar) -> Term | None:
        inner = clang.expressions(cursor)
        given = integer(inner[0].type) if len(inner) == 1 else None
        return None if given is None else self.values.converted(self.value(inner[0]), given, kind)

    def _unary(self, cursor: Cursor, kind: Scalar | None) -> Term | None:
        operator, (inner,) = operators.unary(cursor), cursor.get_children()
        if operator == "!":
            term = self._plain_truth(inner)
            return z3.If(term, z3.IntVal(0), z3.IntVal(1))
        if kind is None:
            return None
        if operator in ("p++", "p--", "++", "--"):
            before, working = self.value(inner), promoted(kind)
            moved = self.values.operate(operator[-1], working, before, z3.IntVal(1))
            moved = self.values.converted(moved, working, kind)
            self._assign(inner, moved)
            return before if operator[0] == "p" else moved
        if operator == "-":
            return self._operate("-", kind, z3.IntVal(0), self.value(inner))
        return self.value(inner) if operator == "+" else None

    def _plain_truth(self, cursor: Cursor) -> Term:
        """Return the truth of what needs no branch, but for joined conditions within."""
        plain = clang.bare(cursor)
        if plain.kind is CursorKind.BINARY_OPERATOR and operators.binary(plain) in ("&&", "||"):
            return self._joined(plain)
        if plain.kind is CursorKind.UNARY_OPERATOR and operators.unary(plain) == "!":
            return z3.Not(self._plain_truth(next(iter(plain.get_children()))))
        return self._leaf(plain)

    def _binary(self, cursor: Cursor, kind: Scalar | None) -> Term | None:
        operator = operators.binary(cursor)
        left, right = cursor.get_children()
        if operator in ("&&", "||") or operator in _COMPARISONS:
            return z3.If(self._plain_truth(cursor), z3.IntVal(1), z3.IntVal(0))
        if operator == ",":
            self.effect(left)
            return self.value(right)
        if operator == "=":
            return self._set(left, right, kind)
        if kind is None or integer(left.type) is None or integer(right.type) is None:
            return None
        return self._operate(operator, kind, self.value(left), self.value(right))

    def _set(self, left: Cursor, right: Cursor, kind: Scalar | None) -> Term | None:
        given = integer(right.type)
        term = self.value(right)
        if kind is None:
            self._assign(left, term)
            return term
        term = self.values.unknown(kind) if given is None else self.values.converted(term, given, kind)
        self._assign(left, term)
        return term

    def _compound(self, cursor: Cursor, kind: Scalar | None) -> Term | None:
        left, right = cursor.get_children()
        working = integer(right.type)
        if kind is None or working is None:
            term = self._anything(cursor, kind)
            if kind is not None:
                self._assign(left, term)
            return term
        operator = operators.binary(cursor)[:-1]
        other = self.value(right)
        working = promoted(kind if operator in ("<<", ">>") else working)
        # Both operands are converted to what the right one has become by now.
        old = self.values.converted(self.value(left), kind, working)
        term = self.values.converted(self._operate(operator, working, old, other), working, kind)
        self._assign(left, term)
        return term

    def _operate(self, operator: str, kind: Scalar, left: Term, right: Term) -> Term:
        return (
            self.values.unknown(kind)
            if kind is Scalar.BOOL
            else self.values.operate(operator, kind, left, right)
        )

    def _assign(self, target: Cursor, term: Term) -> None:
        plain = clang.bare(target)
        if plain.kind is CursorKind.DECL_REF_EXPR and plain.referenced is not None:
            key = key_of(plain.referenced)
            if key in self.known:
                self.known[key] = term
        else:
            self.effect(target)

    def _choice(self, cursor: Cursor, kind: Scalar | None) -> Term | None:
        condition, yes, no = cursor.get_children()
        test = self.truth(condition)
        before, path = dict(self.known), list(self.path)
        self.path = [*path, test]
        first = self.value(yes)
        taken = self.known
        self.known, self.path = dict(before), [*path, z3.Not(test)]
        second = self.value(no)
        self.known, self.path = self.merged(test, taken, self.known, before), path
        kinds = (integer(yes.type), integer(no.type))
        if kind is None or None in kinds:
            return self.values.flag() if kind is None else self.values.unknown(kind)
        first, second = (
            self.values.converted(term, given, kind)
            for term, given in zip((first, second), kinds, strict=True)
            if given is not None
        )
        return z3.If(test, first, second)

    def _call(self, cursor: Cursor, kind: Scalar) -> Term | None:
        arguments = list(cursor.get_arguments())
        if cursor.spelling in TOLD and not arguments:
            return self.of_team(str(cursor.spelling))
        same = len(arguments) == 2 and all(integer(item.type) is kind for item in arguments)
        if cursor.spelling in ("min", "max") and same:
            left, right = map(self.value, arguments)
            first, second = (left, right) if cursor.spelling == "min" else (right, left)
            return z3.If(left <= right, first, second)
        return None

    def _element(self, cursor: Cursor, kind: Scalar) -> Term | None:
        array, index = cursor.get_children()
        plain = clang.bare(array)
        if plain.kind is not CursorKind.DECL_REF_EXPR or plain.referenced is None:
            return None
        self.effect(index)
        term = self.values.unknown(kind)
        limits = self._premises.elements.get(self.variables.input(plain.referenced))
        if limits is not None:
            low, high = map(self.bound, limits)
            self.suppose(*([] if low is None else [term >= low]), *([] if high is None else [term <= high]))
        return term


def constant(cursor: Cursor, kind: Scalar) -> Term:
    """Return the value of a constant expression; libclang gives numbers of 64 bits with a sign.

    Raises:
        NotModelled: It has none.
    """
    (low, high), value = limits(kind), int(operators.constant(cursor, kind))
    return z3.IntVal((value - low) % (high - low + 1) + low)


def _is_null(cursor: Cursor) -> bool:
    plain = cursor
    while plain.kind in (*_CASTS,) and len(inner := list(plain.get_children())) == 1:
        plain = inner[0]
    if plain.kind is CursorKind.INTEGER_LITERAL:
        return bool(operators.constant(plain, Scalar.INT32) == 0)
    return plain.kind in _NULLS
