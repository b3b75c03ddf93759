"""Ports in which kernels do nothing: only what is around them counts."""

from __future__ import annotations

from transpile.assemble import assemble
from transpile.core import Binding, Candidate, Replacement, Source, UnitKind


def port(source: Source, **arguments: str) -> str:
    """Return the port, with candidates of kernels that each have some arguments and parameters."""
    kept = {}
    for unit in source.units:
        if unit.kind is UnitKind.KERNEL and unit.name in arguments:
            passed, _, more = arguments[unit.name].partition(" | ")
            text = f"void {unit.name}(int *out, int n{', ' * bool(more)}{more}) {{ }}".encode()
            kept[unit.id] = Candidate(
                unit=unit.id,
                replacements=(Replacement(unit=unit.id, text=text),),
                binding=Binding(name=unit.name, arguments=tuple(passed.split("; "))),
            )
    return assemble(source, kept).files["main.cpp"].decode()
