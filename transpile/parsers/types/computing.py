"""Operators and constructors of classes that compute with their operands and do nothing else.

To the analysis of loops such an operator is what the same one is on numbers: it reads its operands, and one
that assigns changes its left one. The compiler sees to the rest: what is ``const`` stays as it is.
"""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from transpile.parsers.types.clang import REFERENCES, bare, expressions, in_system_header

Cursor = Any
Type = Any

_ASSIGNING = re.compile(r"operator(?:[-+*/%&|^]|<<|>>)?=")
_COMPUTING = re.compile(r"operator(?:[-+*/%^!~]|<=?|>=?|==|!=)")
"""Operators that give a value; ``[]``, ``->``, and ``*`` and ``&`` with one operand lead to objects."""
_STATEMENTS = frozenset(
    (
        *(CursorKind.COMPOUND_STMT, CursorKind.RETURN_STMT, CursorKind.DECL_STMT, CursorKind.IF_STMT),
        *(CursorKind.FOR_STMT, CursorKind.NULL_STMT),
    )
)
_EXPRESSIONS = frozenset(
    (
        *(CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF, CursorKind.NAMESPACE_REF, CursorKind.MEMBER_REF),
        *(CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.INIT_LIST_EXPR),
        *(CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR, CursorKind.PARM_DECL),
        *(CursorKind.CONDITIONAL_OPERATOR, CursorKind.CXX_STATIC_CAST_EXPR, CursorKind.CSTYLE_CAST_EXPR),
        *(CursorKind.CXX_FUNCTIONAL_CAST_EXPR, CursorKind.CHARACTER_LITERAL, CursorKind.INTEGER_LITERAL),
        *(CursorKind.FLOATING_LITERAL, CursorKind.CXX_BOOL_LITERAL_EXPR, CursorKind.CXX_THIS_EXPR),
    )
)
_CALLABLE = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD)
_METHODS = (CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION)
_OF_OBJECTS = (*_METHODS, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR)
_MATHEMATICS = frozenset(
    [
        "sqrt",
        "fabs",
        "abs",
        "fmin",
        "fmax",
        "min",
        "max",
        "sin",
        "cos",
        "exp",
        "log",
        "pow",
        "hypot",
        "floor",
        "ceil",
    ]
)


class Computing:
    """Tells which functions of a translation unit only compute with what they are given."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    @property
    def found_any(self) -> bool:
        """Tell whether any of those that were asked for does."""
        return any(self._known.values())

    def is_plain_operator(self, function: Cursor) -> bool:
        """Tell whether an operator does what the same one does to numbers."""
        name = function.spelling
        if function.kind is CursorKind.CONVERSION_FUNCTION or _is_computing(function):
            return _gives_value(function) and self.only_computes(function)
        return _ASSIGNING.fullmatch(name) is not None and self.only_computes(function)

    def only_computes(self, function: Cursor) -> bool:
        """Tell whether a function changes its own variables alone, and its left operand if it assigns."""
        key = function.hash
        if key not in self._known:
            self._known[key] = False  # of one that calls itself
            made = function.get_definition()
            self._known[key] = made is not None and _is_kept(made) and self._within(made)
        return self._known[key]

    def _within(self, function: Cursor) -> bool:
        return all(self._computes(item) for item in function.get_children())

    def _computes(self, cursor: Cursor) -> bool:
        match cursor.kind:
            case CursorKind.DECL_REF_EXPR:
                known = _is_own(cursor.referenced)
            case CursorKind.MEMBER_REF_EXPR:
                known = _is_member_of_operand(cursor)
            case CursorKind.ARRAY_SUBSCRIPT_EXPR:
                array = bare(next(cursor.get_children()))
                known = array.type.get_canonical().kind is TypeKind.CONSTANTARRAY
            case CursorKind.UNARY_OPERATOR:
                known = _is_of_numbers(cursor)
            case CursorKind.VAR_DECL:
                known = _is_local_value(cursor)
            case CursorKind.CALL_EXPR:
                known = self._calls(cursor)
            case kind:
                known = kind in _STATEMENTS or kind in _EXPRESSIONS
        return known and all(self._computes(item) for item in cursor.get_children())

    def _calls(self, call: Cursor) -> bool:
        called = call.referenced
        if called is None:
            return False
        if in_system_header(called):
            return called.spelling in _MATHEMATICS and all(map(_is_number, called.get_arguments()))
        return called.is_default_method() or self.only_computes(called)


def _is_computing(function: Cursor) -> bool:
    """Tell whether an operator is one of arithmetic; ``*`` and ``&`` with one operand are none."""
    if _COMPUTING.fullmatch(function.spelling) is None:
        return False
    operands = len(list(function.get_arguments())) + (function.kind in _METHODS)
    return operands == 2 or function.spelling in ("operator-", "operator+", "operator!", "operator~")


def _gives_value(function: Cursor) -> bool:
    kind = function.result_type.get_canonical().kind
    return kind is not TypeKind.POINTER and kind not in REFERENCES


def _is_kept(function: Cursor) -> bool:
    """Tell whether the compiler lets a function change nothing that it is given, but its left operand."""
    if function.kind in _OF_OBJECTS and (function.is_virtual_method() or function.is_static_method()):
        return False
    taken = [item.type.get_canonical() for item in function.get_arguments()]
    assigns = _ASSIGNING.fullmatch(function.spelling) is not None
    if assigns and function.kind is CursorKind.FUNCTION_DECL:
        left, *taken = taken
        if left.kind is not TypeKind.LVALUEREFERENCE:
            return False
    if function.kind in _METHODS and not assigns and not function.is_const_method():
        return False
    return all(map(_is_read, taken))


def _is_read(kind: Type) -> bool:
    """Tell whether an argument of a type is copied, or only read."""
    if kind.kind in REFERENCES:
        pointee = kind.get_pointee()
        return bool(pointee.is_const_qualified()) and not pointee.is_volatile_qualified()
    return kind.kind is not TypeKind.POINTER


def _is_own(named: Cursor | None) -> bool:
    """Tell whether a name is of an argument, of a function's own variable, of a function or of a constant."""
    if named is None:
        return False
    if named.kind in (CursorKind.PARM_DECL, CursorKind.ENUM_CONSTANT_DECL, *_CALLABLE):
        return True
    return named.kind is CursorKind.VAR_DECL and (_is_local_value(named) or _is_constant(named))


def _is_local_value(variable: Cursor) -> bool:
    kind = variable.type.get_canonical().kind
    inner = variable.semantic_parent.kind in (CursorKind.FUNCTION_DECL, *_OF_OBJECTS)
    lasting = variable.storage_class in (StorageClass.STATIC, StorageClass.EXTERN)
    return inner and not lasting and kind is not TypeKind.POINTER and kind not in REFERENCES


def _is_constant(variable: Cursor) -> bool:
    kind = variable.type.get_canonical()
    return bool(kind.is_const_qualified()) and _is_number(variable)


def _is_number(item: Cursor) -> bool:
    kind = item.type.get_canonical()
    kind = kind.get_pointee().get_canonical() if kind.kind in REFERENCES else kind
    return kind.kind not in (TypeKind.POINTER, TypeKind.RECORD, TypeKind.UNEXPOSED)


def _is_member_of_operand(cursor: Cursor) -> bool:
    """Tell whether a member is one of an object itself, and no pointer leads to it."""
    member = cursor.referenced
    if member is None or (member.kind is CursorKind.FIELD_DECL and member.is_mutable_field()):
        return False
    if member.kind not in (CursorKind.FIELD_DECL, CursorKind.CXX_METHOD):
        return False
    return all(
        item.type.get_canonical().kind is TypeKind.RECORD or bare(item).kind is CursorKind.CXX_THIS_EXPR
        for item in expressions(cursor)
    )


def _is_of_numbers(operation: Cursor) -> bool:
    """Tell whether a unary operator computes, or names the object itself (``*this``): no other pointers."""
    operand = bare(next(operation.get_children()))
    pointers = any(item.type.get_canonical().kind is TypeKind.POINTER for item in (operation, operand))
    return not pointers or operand.kind is CursorKind.CXX_THIS_EXPR
