"""The form that a translation has to have: its prototype, and how a launch of the source becomes a call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import LAUNCH
from transpile.code.syntax import Function, declared_name, find, function_of, parse
from transpile.core import (
    Candidate,
    Contract,
    Covers,
    Dialect,
    Invariant,
    Unit,
    UnitKind,
)

_QUALIFIERS = re.compile(
    r"\b(?:__global__|__host__|__device__|__forceinline__|__noinline__)\s*"
    r"|\b__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)\s*|\bextern\s*\"C\"\s*"
)
_SIZES = {"gridDim": "blocks", "blockDim": "threads"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a translation is called."""

    prototype: str
    """The head of the function to write, template header and all, without body."""
    name: str
    arguments: tuple[str, ...]
    """For each parameter what a call passes, as in ``Binding.arguments``."""
    launch: tuple[tuple[str, str], ...] = ()
    """Parameters that stand for the launch: declaration, and the quantity of the source."""


def form_of(unit: Unit, contracts: Sequence[Contract], target: Dialect) -> Form | None:
    """Return the form of a unit's translation; None where the unit's own head cannot be read."""
    text = unit.text.decode("latin-1")
    function = function_of(text)
    if function is None:
        return None
    extra = tuple(_launch_parameters(function, unit, contracts)) if not target.traits.emulated else ()
    edits = [Edit(node.start_byte, node.end_byte, "") for node in find(function.root, "comment")]
    if extra:
        end = function.parameter_list.end_byte - 1
        comma = ", " if function.parameters else ""
        edits.append(Edit(end, end, comma + ", ".join(declaration for declaration, _ in extra)))
    head = function.edited([*edits, Edit(function.body.start_byte, len(text), "")])
    return Form(
        prototype=re.sub(r"\s*\n\s*", "\n", _QUALIFIERS.sub("", head)).strip(),
        name=unit.name,
        arguments=(*_own_arguments(function, contracts), *(quantity for _, quantity in extra)),
        launch=extra,
    )


def form_of_candidate(candidate: Candidate) -> Form | None:
    """Return the form of a translation that there is; None where its head cannot be read."""
    text = candidate.replacements[0].text.decode("latin-1")
    base = candidate.binding.name.rpartition("::")[2]
    for node in find(parse(text), "function_definition"):
        declarator, body = next(find(node, "function_declarator"), None), node.child_by_field_name("body")
        if declarator is None or body is None or declared_name(declarator).rpartition("::")[2] != base:
            continue
        template = (
            node.parent if node.parent is not None and node.parent.type == "template_declaration" else node
        )
        return Form(
            prototype=re.sub(r"\s*\n\s*", "\n", text[template.start_byte : body.start_byte]).strip(),
            name=candidate.binding.name,
            arguments=candidate.binding.arguments,
        )
    return None


def _own_arguments(function: Function, contracts: Sequence[Contract]) -> tuple[str, ...]:
    if contracts:
        return contracts[0].signature.names
    return tuple(parameter.name for parameter in function.parameters)


def _launch_parameters(
    function: Function, unit: Unit, contracts: Sequence[Contract]
) -> Iterator[tuple[str, str]]:
    """Yield the sizes of the launch that the result depends on, where it does."""
    if unit.kind is not UnitKind.KERNEL:
        return
    if all(isinstance(contract.law, Invariant | Covers) for contract in contracts):
        return
    taken = set(function.identifiers)
    axes = {axis for match in LAUNCH.finditer(function.text) for axis in match.groups()[1:]} or {"x"}
    for base, wish in _SIZES.items():
        for axis in sorted(axes):
            name = free_name(taken, wish if axes == {"x"} else f"{wish}_{axis}", f"{wish}_count")
            taken.add(name)
            yield f"int {name}", f"{base}.{axis}"
    if any(contract.signature.uses_dynamic_shared for contract in contracts):
        yield f"size_t {free_name(taken, 'shared_bytes')}", "dynamicShared"
