"""Refusals of what no kernel can be given: host memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transpile.code.syntax import find, source
from transpile.code.variables import Variable, Variables
from transpile.core import Contract
from transpile.translators.loops.lengths.local_pointers import leads_into
from transpile.translators.loops.planning.facts import Part
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.cuda.declarations import is_array, rows


def refuse_members(parts: Sequence[Part]) -> None:
    """Raise Refused where a pointer in memory leads to an array: that is memory of the host."""
    for access in (item for part in parts for item in part.nest.accesses):
        if access.followed:
            raise Refused(SEQUENTIAL, f"`{access.base}`, a member of a struct or rows, points to host memory")


def refuse_file_scope(
    parts: Sequence[Part], contract: Contract, variables: Variables, words: Mapping[str, frozenset[str]]
) -> None:
    """Raise Refused where kernels would name variables at file scope: those are memory of the host."""
    signature = contract.signature
    known = {item.name for item in (*signature.globals, *signature.constants)}
    known |= {item.name for item in signature.parameters if item.outside}
    for name in (item for part in parts for item in find(part.node, "identifier")):
        if variables.of(name) is not None:
            continue
        given = {item.name for item in variables.by_macro.get(name.id, ())}
        for hidden in sorted(({source(name)} | words.get(source(name), frozenset())) & known - given):
            raise Refused(SEQUENTIAL, f"`{hidden}`, a variable at file scope, is host memory")


def refuse_host_memory(used: Sequence[Variable], variables: Variables) -> None:
    """Raise Refused where some of what a kernel uses is memory of the host, or of no type of a device."""
    for item in used:
        if "long double" in item.type:
            raise Refused(SEQUENTIAL, f"`{item.name}` is a `long double`, which devices do not have")
        followed = item.pointer and (item.parameter or leads_into(item, variables) is not None)
        of_others = (item.pointer and not followed) or (item.array and item.static)
        if of_others or elements(item) is not None:
            raise Refused(SEQUENTIAL, f"`{item.name}` is host memory")
        if is_array(item) and rows(item) is None:
            raise Refused(SEQUENTIAL, f"`{item.name}` points to pointers")
        if item.array and variables.used_in(item.shape):
            raise Refused(SEQUENTIAL, f"the length of the array `{item.name}` is not a constant")
