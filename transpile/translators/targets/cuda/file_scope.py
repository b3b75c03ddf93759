"""Variables at file scope that kernels are given as they are given the function's own."""

from __future__ import annotations

from dataclasses import replace

from transpile.code.syntax import find, source
from transpile.code.variables import Variables
from transpile.core import Contract, ElementType
from transpile.translators.loops.planning.choice import Choice
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


def with_file_scope(choice: Choice, contract: Contract, around: EnclosingScope) -> Variables:
    """Return a function's variables with those at file scope that a kernel may be given."""
    own = {item.name for item in choice.variables.all}
    signature = contract.signature
    numbers = {item.name for item in signature.parameters if item.outside and not item.pointer}
    numbers |= {item.name for item in signature.globals if not item.lengths and _is_number(item.element)}
    arrays = {item.name for item in (*signature.globals, *signature.constants) if item.lengths}
    function = choice.function.node  # their own declarations are places in another text
    given = {
        name: replace(item, uses=[], writes=[], declaration=function, scope=function)
        for name, item in around.declared.items()
        if name not in own and name in (arrays if item.array else numbers)
    }
    by_use, by_macro = dict(choice.variables.by_use), dict(choice.variables.by_macro)
    for node in find(choice.function.body, "identifier"):
        name = source(node)
        if name in given:
            given[name].uses.append(node)
            by_use[node.id] = given[name]
        elif hidden := sorted(around.words.get(name, frozenset()) & given.keys()):
            by_macro[node.id] = (*by_macro.get(node.id, ()), *(given[item] for item in hidden))
    return Variables([*choice.variables.all, *given.values()], by_use, by_macro)


def _is_number(element: ElementType | None) -> bool:
    return element is not None and element.scalar is not None
