"""Names in functions of C++ behind which something may run that no call in the text shows.

An operator on an object, a conversion, a constructor or a destructor is a call. Numbers, pointers, structs
of such, and containers and complex numbers of the standard library have none that does more than it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any

from clang.cindex import CursorKind, TypeKind, conf

from transpile.parsers.types.clang import descend, in_system_header
from transpile.parsers.types.computing import Computing
from transpile.parsers.types.functions import Function, Functions

Cursor = Any
Type = Any


class Hidden(IntEnum):
    """What an object may run of its own, the lesser included in the greater."""

    NOTHING = 0
    MAKING = 1
    """Making, copying or destroying one runs code; reading a member of one does not."""
    OPERATING = 2
    """Any operator on one may be a function, or a conversion to what has the operator."""


_LEADING = (TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
_ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY, TypeKind.VECTOR)
_PLAIN = frozenset(
    (
        *(TypeKind.BOOL, TypeKind.CHAR_S, TypeKind.CHAR_U, TypeKind.SCHAR, TypeKind.UCHAR, TypeKind.WCHAR),
        *(TypeKind.CHAR16, TypeKind.CHAR32, TypeKind.SHORT, TypeKind.USHORT, TypeKind.INT, TypeKind.UINT),
        *(TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.INT128),
        *(TypeKind.UINT128, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.FLOAT128),
        *(TypeKind.HALF, TypeKind.COMPLEX, TypeKind.NULLPTR, TypeKind.VOID, TypeKind.INVALID),
    )
)
_CALLED = ("<bound member function type>", "<builtin fn type>")
"""Types that are not of an object."""
_FUNCTIONS = (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO)
_LIBRARY = ("std", "__gnu_cxx")
_MODELLED = frozenset(
    ("vector", "array", "basic_string", "complex", "pair", "tuple", "initializer_list", "numeric_limits")
) | {"__normal_iterator", "allocator", "char_traits"}
"""Templates of the standard library whose operators do what the analysis of loops takes them to do."""
_FREE = (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE)
_CLASSES = (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL)
_MAKING = (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR)
_COMPUTING = frozenset(
    (
        *(CursorKind.PARM_DECL, CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF, CursorKind.NAMESPACE_REF),
        *(CursorKind.MEMBER_REF, CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.INIT_LIST_EXPR),
        *(CursorKind.BINARY_OPERATOR, CursorKind.CONDITIONAL_OPERATOR, CursorKind.CXX_STATIC_CAST_EXPR),
        *(CursorKind.CSTYLE_CAST_EXPR, CursorKind.CXX_FUNCTIONAL_CAST_EXPR, CursorKind.CHARACTER_LITERAL),
        *(CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL, CursorKind.CXX_BOOL_LITERAL_EXPR),
        CursorKind.CXX_NULL_PTR_LITERAL_EXPR,
    )
)
"""Syntax of an initializer that only computes, beside its parameters and their members."""
_GIVEN = (CursorKind.PARM_DECL, CursorKind.ENUM_CONSTANT_DECL)
_OPERATOR = re.compile(r"operator\b(?!\w)")
_OBJECTS = (TypeKind.RECORD, TypeKind.ENUM, TypeKind.UNEXPOSED)
_MADE = (*(CursorKind.VAR_DECL, CursorKind.PARM_DECL, CursorKind.CALL_EXPR, CursorKind.TYPE_REF),)
"""Where an object of a type may be made."""
_WAYS = (
    *(CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR),
    *(CursorKind.UNARY_OPERATOR, CursorKind.PAREN_EXPR, CursorKind.UNEXPOSED_EXPR),
)
_LITERAL = 'operator""'
_SUBSCRIPT = "operator[]"


def is_operator(function: Cursor) -> bool:
    """Tell whether a function is called by an operator, not by its name."""
    return _OPERATOR.match(function.spelling) is not None


class Opaque:
    """What the classes of a translation unit run of their own."""

    def __init__(self, parsed: Any, functions: Functions, *, c: bool, computing: bool = True) -> None:
        """Look for operators of the source that are no members; C has neither classes nor these.

        Args:
            parsed: The translation unit.
            functions: Those in it.
            c: It is C.
            computing: What of the source only computes hides nothing; else it does: it is the host's.
        """
        self._parsed = parsed
        self._functions = functions
        self._c = c
        self._known: dict[str, Hidden] = {}
        self._computing = Computing() if computing else None
        self._operated = frozenset(() if c else self._operands(parsed.cursor))

    @property
    def relies(self) -> bool:
        """Tell whether anything hides nothing only because it computes and no more."""
        return self._computing is not None and self._computing.found_any

    def names(self) -> dict[str, frozenset[str]]:
        """Return the names behind which something may run, by the unit; of a template, in any instance."""
        found: dict[str, frozenset[str]] = {}
        for function in self._functions.found.values():
            cursor = function.cursor
            if cursor.kind is not CursorKind.FUNCTION_TEMPLATE and cursor.is_definition():
                names = frozenset(() if self._c else self._within(function))
                found[function.unit.id] = found.get(function.unit.id, frozenset()) | names
        return found

    def classes(self) -> dict[str, bool]:
        """Return the names of the source's classes: does making, copying and operating only compute?"""
        found: dict[str, bool] = {}
        for declaration in () if self._c else self._declared(self._parsed.cursor):
            name, plain = declaration.spelling, not self._hidden(declaration.type)
            found[name] = plain and found.get(name, True)
        return found

    def _declared(self, scope: Cursor) -> Iterator[Cursor]:
        """Yield the classes at file scope that the source defines."""
        for child in scope.get_children():
            if not self._functions.file_of(child):
                continue
            if child.kind in (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
                yield from self._declared(child)
            elif child.kind in _CLASSES and child.is_definition() and child.spelling.isidentifier():
                yield child

    def _within(self, function: Function) -> Iterator[str]:
        passed = {item.hash for item in function.cursor.get_arguments()}
        passed |= {item.hash for part in function.naming for item in _passed(part)}
        for item in function.naming:
            yield from self._hiding(item)
            hidden = Hidden.NOTHING if item.hash in passed else self._hidden(item.type)
            if hidden and hidden > _harmless(item):
                yield from _words(item)

    def _operands(self, scope: Cursor) -> Iterator[str]:
        """Yield the names of the types that operators at file scope take; an empty one for any type."""
        for child in scope.get_children():
            if not self._functions.file_of(child):
                continue
            if child.kind in (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
                yield from self._operands(child)
            elif child.kind in _FREE and is_operator(child) and not self._is_plain(child):
                given = (item for item in child.get_children() if item.kind is CursorKind.PARM_DECL)
                taken = [_inner(item.type) for item in given]
                if not any(map(_is_foreign, taken)):  # such an object shows whatever is done to it
                    yield from (_named(item) for item in taken if item.kind in _OBJECTS)

    def _is_plain(self, function: Cursor) -> bool:
        """Tell whether an operator does no more than compute, as the same one does with numbers."""
        known = self._computing if function.kind is not CursorKind.FUNCTION_TEMPLATE else None
        return known is not None and known.is_plain_operator(function)

    def _hiding(self, cursor: Cursor) -> Iterator[str]:
        """Yield the names by which a text may show that a cursor runs something."""
        match cursor.kind:
            case CursorKind.CXX_FOR_RANGE_STMT:
                yield from self._ranged(cursor)
            case CursorKind.CALL_EXPR:
                yield from self._called(cursor)
            case CursorKind.MEMBER_REF_EXPR if _refers(cursor, CursorKind.VAR_DECL):
                yield cursor.spelling  # one for all objects
            case CursorKind.TEMPLATE_REF if _refers(cursor, CursorKind.TYPE_ALIAS_TEMPLATE_DECL):
                yield cursor.spelling  # of whatever type
            case CursorKind.UNEXPOSED_DECL:
                yield from _words(cursor)  # names for parts of an object
            case _:
                pass

    def _called(self, call: Cursor) -> Iterator[str]:
        given = list(call.get_arguments())
        if call.spelling.startswith(_LITERAL) or self._adds(call, given):
            yield from _words(call)
        if call.spelling != _SUBSCRIPT:
            yield from (word for item in given if item is not None for word in self._objects(item))

    def _adds(self, call: Cursor, given: Sequence[Cursor | None]) -> bool:
        """Tell whether a call has arguments that its function adds to it, and that do more than compute."""
        if call.referenced is None or not self._functions.file_of(call.referenced):
            return False
        taken = list(call.referenced.get_arguments())
        added = [at for at, item in enumerate(given) if item is None or item.location.file is None]
        return any(at >= len(taken) or not self._begins(taken[at]) for at in added)

    def _begins(self, parameter: Cursor) -> bool:
        """Tell whether a parameter is known to begin with what is only computed."""
        return any(True for _ in parameter.get_children()) and self._computes(parameter)

    def _ranged(self, loop: Cursor) -> Iterator[str]:
        """Yield what a loop goes through where asking for its begin and its elements may run something."""
        parts = list(loop.get_children())
        for item in parts[1:-1]:
            if parts[0].type.get_canonical().kind not in _LEADING:
                yield from self._objects(item)
            kind = _inner(item.type)
            if kind.kind is TypeKind.RECORD and not _is_of_library(kind.get_declaration()):
                yield from (word for part in (item, *descend(item)) for word in _words(part))

    def _objects(self, expression: Cursor) -> Iterator[str]:
        """Yield the names in an expression that are of what runs something when it is made or copied."""
        for item in (expression, *descend(expression)):
            if self._hidden(item.type):
                yield from _words(item)

    def _hidden(self, kind: Type) -> Hidden:
        """Return what objects of a type run, or what a function is given or gives back."""
        if kind.kind in _PLAIN and not kind.is_volatile_qualified():
            return Hidden.NOTHING  # as most are: the rest takes longer to tell
        inner = _inner(kind)
        if inner.is_volatile_qualified():
            return Hidden.OPERATING
        if inner.kind in _FUNCTIONS:
            taken = inner.argument_types() if inner.kind is TypeKind.FUNCTIONPROTO else ()
            return max(map(self._hidden, (inner.get_result(), *taken)), default=Hidden.NOTHING)
        if inner.kind in (TypeKind.RECORD, TypeKind.ENUM) and self._is_operand(inner.get_declaration()):
            return Hidden.OPERATING
        if inner.kind is TypeKind.ENUM:
            return Hidden.NOTHING
        if inner.kind is TypeKind.RECORD:
            name = inner.spelling
            if name not in self._known:
                self._known[name] = Hidden.NOTHING  # of one that leads to its own kind
                self._known[name] = self._of_class(inner)
            return self._known[name]
        known = inner.kind in _PLAIN or inner.spelling in _CALLED
        return Hidden.NOTHING if known else Hidden.OPERATING

    def _is_operand(self, declaration: Cursor) -> bool:
        return "" in self._operated or declaration.spelling in self._operated

    def _of_class(self, kind: Type) -> Hidden:
        declaration = kind.get_declaration()
        count = max(kind.get_num_template_arguments(), 0)
        found = [self._hidden(kind.get_template_argument_type(index)) for index in range(count)]
        if _is_of_library(declaration):
            known = declaration.spelling in _MODELLED and not _hands_out_bits(kind)
            found.append(Hidden.NOTHING if known else Hidden.OPERATING)
        elif self._functions.file_of(declaration) or in_system_header(declaration):
            found += map(self._of_member, _members(declaration))
            found += (self._of_field(item.type.get_canonical()) for item in kind.get_fields())
        else:
            return Hidden.OPERATING  # its operators may be anywhere
        return max(found, default=Hidden.NOTHING)

    def _of_field(self, kind: Type) -> Hidden:
        if kind.kind is TypeKind.POINTER:
            return Hidden.NOTHING  # what follows it names it
        return Hidden.OPERATING if kind.kind in _LEADING else self._hidden(kind)

    def _of_member(self, member: Cursor) -> Hidden:
        match member.kind:
            case CursorKind.CXX_BASE_SPECIFIER:
                return self._hidden(member.type)
            case CursorKind.FRIEND_DECL:
                return max(map(self._of_member, member.get_children()), default=Hidden.NOTHING)
            case CursorKind.FIELD_DECL:
                return Hidden.NOTHING if self._computes(member) else Hidden.MAKING
            case CursorKind.FUNCTION_TEMPLATE:
                return Hidden.OPERATING if _is_special(member) else Hidden.NOTHING
            case _ if member.is_default_method() or member.is_deleted_method():
                return Hidden.NOTHING
            case CursorKind.CONSTRUCTOR if self._sets(member):
                return Hidden.NOTHING
            case kind if kind in _MAKING and self._computing and self._computing.only_computes(member):
                return Hidden.NOTHING
            case kind if kind in _MAKING:
                return Hidden.MAKING
            case CursorKind.CXX_METHOD | CursorKind.FUNCTION_DECL if not is_operator(member):
                return Hidden.NOTHING
            case kind if kind is not CursorKind.CONSTRUCTOR and self._is_plain(member):
                return Hidden.NOTHING
            case CursorKind.CXX_METHOD | CursorKind.FUNCTION_DECL | CursorKind.CONVERSION_FUNCTION:
                return Hidden.OPERATING
            case _:
                return Hidden.NOTHING

    def _sets(self, constructor: Cursor) -> bool:
        """Tell whether a constructor only computes what members begin with, of what it cannot change."""
        made = constructor.get_definition()
        if made is None:
            return False
        parts = list(made.get_children())
        kinds = [item.type.get_canonical() for item in parts if item.kind is CursorKind.PARM_DECL]
        kept = all(
            kind.kind not in _LEADING
            or (kind.kind is not TypeKind.POINTER and kind.get_pointee().is_const_qualified())
            for kind in kinds
        )
        body = [item for item in parts if item.kind is CursorKind.COMPOUND_STMT]
        rest = [item for item in parts if item not in body]
        empty = all(not list(item.get_children()) for item in body)
        return kept and empty and all(self._is_computed(item) and self._computes(item) for item in rest)

    def _computes(self, cursor: Cursor) -> bool:
        return all(self._is_computed(item) for item in descend(cursor))

    def _is_computed(self, cursor: Cursor) -> bool:
        match cursor.kind:
            case CursorKind.DECL_REF_EXPR:
                return any(_refers(cursor, kind) for kind in _GIVEN)
            case CursorKind.MEMBER_REF_EXPR:
                return all(
                    item.type.get_canonical().kind is TypeKind.RECORD for item in cursor.get_children()
                )
            case CursorKind.CALL_EXPR:
                return _refers(cursor, CursorKind.CONSTRUCTOR) and not self._hidden(cursor.type)
            case kind:
                return kind in _COMPUTING


def _inner(kind: Type) -> Type:
    """Return the type that pointers, references and arrays lead to."""
    kind = kind.get_canonical()
    while kind.kind in _LEADING or kind.kind in _ARRAYS:
        kind = (kind.get_pointee() if kind.kind in _LEADING else kind.element_type).get_canonical()
    return kind


def _members(declaration: Cursor) -> list[Cursor]:
    """Return what stands in a class, of an instance of a template in that."""
    own = list(declaration.get_children())
    pattern = conf.lib.clang_getSpecializedCursorTemplate(declaration)
    return list(pattern.get_children()) if pattern is not None and not own else own


def _passed(cursor: Cursor) -> Iterator[Cursor]:
    """Yield the objects on the way to a member of one of them, to which nothing else is done."""
    is_field = cursor.kind is CursorKind.MEMBER_REF_EXPR and _refers(cursor, CursorKind.FIELD_DECL)
    while is_field and (cursor := next(cursor.get_children(), None)) is not None and _leads_on(cursor):
        yield cursor


def _leads_on(cursor: Cursor) -> bool:
    """Tell whether the way to a member goes through operators of the language, or a container's subscript."""
    if cursor.kind is not CursorKind.CALL_EXPR:
        return cursor.kind in _WAYS
    owner = next(cursor.get_children(), None)
    return (
        owner is not None
        and cursor.spelling == _SUBSCRIPT
        and _is_of_library(_inner(owner.type).get_declaration())
    )


def _named(kind: Type) -> str:
    """Return the name of a class, of whatever arguments; empty for a parameter of a template."""
    declaration = kind.get_declaration()
    return "" if declaration.kind is CursorKind.TEMPLATE_TYPE_PARAMETER else declaration.spelling


def _is_foreign(kind: Type) -> bool:
    """Tell whether a type is of the standard library and not modelled, such as a stream."""
    declaration = kind.get_declaration()
    return _is_of_library(declaration) and declaration.spelling not in _MODELLED


def _hands_out_bits(kind: Type) -> bool:
    """Tell whether elements of a container are objects that lead into it; those of a constant one are not."""
    return str(kind.get_canonical().spelling).startswith("std::vector<bool")


def _is_special(template: Cursor) -> bool:
    """Tell whether a member's template is of an operator, a conversion or a constructor."""
    return is_operator(template) or template.spelling.startswith(template.semantic_parent.spelling)


def _harmless(cursor: Cursor) -> Hidden:
    """Return what an object may run that is not made where a cursor stands: only its operators count."""
    value = cursor.type.get_canonical().kind not in _LEADING
    made = value and cursor.kind in _MADE
    return Hidden.NOTHING if made or _inner(cursor.type).kind in _FUNCTIONS else Hidden.MAKING


def _refers(cursor: Cursor, kind: CursorKind) -> bool:
    return cursor.referenced is not None and cursor.referenced.kind is kind


def _is_of_library(declaration: Cursor) -> bool:
    parent, name = declaration.semantic_parent, ""
    while parent is not None and parent.kind is not CursorKind.TRANSLATION_UNIT:
        parent, name = parent.semantic_parent, parent.spelling
    return name in _LIBRARY and in_system_header(declaration)


def _words(cursor: Cursor) -> list[str]:
    return re.findall(r"\w+", cursor.spelling.partition("<")[0])
