"""Variables at file scope, as the declarations in the source's files tell of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from tree_sitter import Node

from transpile.code.syntax import declared_name, find, parse, source, squeeze
from transpile.code.variables import Variable, declared_type
from transpile.core import Source

_HOLDING = ("translation_unit", "linkage_specification", "declaration_list")
_CHOOSING = ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif")
_DECLARED = ("init_declarator", "array_declarator", "identifier")
_LEADING = ("pointer_declarator", "reference_declarator", "function_declarator")
_SHARED = ("volatile", "_Atomic", "thread_local", "_Thread_local", "__thread")


def declarations(source_: Source, names: Collection[str], path: str) -> Mapping[str, Variable]:
    """Return numbers and arrays of these names that are declared in one way alone, in the source's words.

    What each file that reads a header has for itself is none of them: the port of a file is two.
    """
    found: dict[str, dict[str, Variable]] = {}
    for file, data in source_.files.items() if names else ():
        if any(name.encode() in data for name in names):
            for item in _declared(parse(data.decode("latin-1"))):
                if item.name not in names or _is(item, "extern"):
                    continue
                if file == path or not _is(item, "static"):
                    found.setdefault(item.name, {})[squeeze(f"{item.type} {source(item.shape)}")] = item
    single = {name: item for name, ways in found.items() if len(ways) == 1 for item in ways.values()}
    return {name: item for name, item in single.items() if not _is_shared(item)}


def constant_data(source_: Source) -> frozenset[str]:
    """Return the numbers and arrays of numbers that are constant in each declaration at file scope."""
    found: dict[str, bool] = {}
    for data in source_.files.values():
        for declaration, part in _parts(parse(data.decode("latin-1"))):
            name = declared_name(part)
            found[name] = found.get(name, True) and _is_constant(declaration, part)
    return frozenset(name for name, constant in found.items() if constant)


def _is_constant(declaration: Node, part: Node) -> bool:
    words = source(declaration).split()
    leads = next(find(part, *_LEADING), None) is not None
    return "const" in words and part.type in _DECLARED and not leads and not set(words) & set(_SHARED)


def _declared(node: Node) -> Iterator[Variable]:
    return (_variable(child, part) for child, part in _parts(node) if part.type in _DECLARED)


def _parts(node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the declarations at file scope with each of their declarators."""
    for child in node.named_children:
        if child.type in (*_HOLDING, *_CHOOSING):
            yield from _parts(child)
        elif child.type == "declaration":
            for part in child.children_by_field_name("declarator"):
                yield child, part


def _variable(declaration: Node, declarator: Node) -> Variable:
    name, kind = declared_name(declarator), declared_type(declaration)
    found = Variable(name, kind, declarator, declaration, declaration)
    found.array = found.shape.type == "array_declarator"
    return found


def _is(variable: Variable, storage: str) -> bool:
    return any(source(child) == storage for child in variable.declaration.children)


def _is_shared(variable: Variable) -> bool:
    """Tell whether a variable is one of a thread, or changes while others look."""
    return any(word in _SHARED for word in source(variable.declaration).split())
