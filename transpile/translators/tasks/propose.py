"""Functions that call themselves several times, in OpenMP: calls that do not need each other become tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from transpile.code.identity import Same
from transpile.code.syntax import Function, find, function_of, source
from transpile.code.variables import declared_type, resolve
from transpile.core import (
    OPENMP,
    Binding,
    ByRules,
    Candidate,
    Contract,
    Rejected,
    Replacement,
    Source,
    Unit,
)
from transpile.expressions import names as names_of
from transpile.parsers.text.hosts import is_c
from transpile.translators.kernels.casts import casts
from transpile.translators.loops.symbols.enclosing_scope import enclosing_scope
from transpile.translators.refusal import DEPENDENT, Refused, rejected
from transpile.translators.tasks.body import Body, branches, is_number
from transpile.translators.tasks.effects import effects
from transpile.translators.tasks.groups import groups
from transpile.translators.tasks.normal import normal
from transpile.translators.tasks.tasks import Names, entered, making_tasks, sequential

SPECULATIVE = "speculative: calls taken to touch different elements"
"""The rule of a candidate whose calls were not shown to leave each other's memory alone."""
_NOT_PROVED = "/* Not proved: parallel calls are taken to touch different elements. */\n"
_ENOUGH = 1000
"""Elements from which on a team of threads does more than it takes to begin with it."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_ARITHMETIC = re.compile(r"[\w\s+*()-]+")
_FIXED = ("constexpr", "consteval", "template", "friend", "virtual")


def is_recursive(unit: Unit) -> bool:
    """Tell whether one call of a function may make several calls of itself."""
    function = function_of(unit.text.decode("latin-1"))
    return function is not None and branches(function)


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function whose independent calls of itself are tasks, or why there are none."""
    function = _function(unit)
    if not branches(function):
        return _refused(unit, "it does not call itself several times")
    reason = next(_unsuitable(source_, unit, function), "")
    around = enclosing_scope(source_, unit)
    found = effects(source_, unit, around)
    if reason or found.unknown:
        return _refused(unit, reason or found.unknown)
    form = Function(normal(function.text))
    body = Body(form, resolve(form), around, found.writes)
    independent, reasons = groups(body)
    if not independent:
        return _refused(unit, *(reasons or ["none of its calls follow each other"]))
    names = Names.free(function.name, _words(Same(source_)))
    contract = contracts[0] if contracts else None
    texts = (
        sequential(function, names),
        (_NOT_PROVED if found.writes else "") + making_tasks(body, independent, names),
        entered(function, independent, names, _enough(contract)),
    )
    return Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text="\n\n".join(texts).encode("latin-1")),),
        binding=Binding(name=unit.name, arguments=contract.signature.names if contract else ()),
        dialect=OPENMP,
        headers=("<omp.h>",),
        origin=ByRules(rules=("recursion", "tasks", *([SPECULATIVE] if found.writes else []))),
    )


def _function(unit: Unit) -> Function:
    """Return a function as both C and C++ take it."""
    function = Function(unit.text.decode("latin-1"))
    return Function(function.edited(casts(function, resolve(function)))) if is_c(unit.path) else function


def _unsuitable(source_: Source, unit: Unit, function: Function) -> Iterator[str]:
    """Yield why a function cannot become several."""
    head = function.text[: function.body.start_byte]
    yield from (f"it is declared `{word}`" for word in _FIXED if re.search(rf"\b{word}\b", head))
    name = function.name
    if not name.isidentifier():
        yield f"`{name}` is declared elsewhere"
    if sum(item.name == unit.name for item in source_.units) > 1:
        yield f"there are several functions `{name}`"
    listed = function.parameter_list.named_children
    if any(item.type not in ("parameter_declaration", "comment") for item in listed):
        yield "a parameter has a default, or their number varies"
    if any(not item.name and item.text != "void" for item in function.parameters):
        yield "a parameter has no name"
    if any(unit in source_.closure(item) for item in source_.closure(unit)):
        yield "it calls itself through other functions"
    calls = {node.start_byte for node in find(function.body, "call_expression")}
    if any(
        source(node) == name and node.start_byte not in calls for node in find(function.body, "identifier")
    ):
        yield f"`{name}` is used as a value, not only called"
    returns = declared_type(function.node)
    if function.node.child_by_field_name("declarator") != function.declarator:
        yield "it returns a pointer or a reference"
    if returns != "void" and not is_c(unit.path) and not is_number(returns):
        yield f"it returns `{returns}`"


def _enough(contract: Contract | None) -> str:
    """Return the condition under which arrays are long enough for a team; empty where there are none."""
    parameters = set(contract.signature.names) if contract is not None else set()
    for fact in contract.arrays if contract is not None else ():
        named = set(names_of(fact.extent))
        if named and named <= parameters and _ARITHMETIC.fullmatch(fact.extent):
            return f"{fact.extent} > {_ENOUGH}"
    return ""


@lru_cache(maxsize=4)
def _words(key: Same) -> frozenset[str]:
    """Return all words of a source: a name that is none of them has no meaning in it."""
    return frozenset(
        word.decode("latin-1") for data in key.source.files.values() for word in _WORD.findall(data)
    )


def _refused(unit: Unit, *reasons: str) -> Rejected:
    return rejected(unit, (Refused(DEPENDENT, reason) for reason in dict.fromkeys(reasons)))
