"""CUDA to OpenMP C++ by rules: the order of the passes, and what comes out as a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.code.syntax import function_of
from transpile.core import (
    SUPPOSED,
    Binding,
    ByRules,
    Candidate,
    Contract,
    LaunchLaw,
    Rejected,
    Replacement,
    Source,
    Unit,
    UnitKind,
)
from transpile.parsers.ptx.places import without_assembly
from transpile.parsers.warp_synchronous import waiting
from transpile.translators.kernels.alignment import alignment
from transpile.translators.kernels.atomics import atomics
from transpile.translators.kernels.block_primitives import block_primitives
from transpile.translators.kernels.blocks import CONDITIONAL, blocks
from transpile.translators.kernels.build_settings import settled
from transpile.translators.kernels.compiler_conditions import without_compiler_conditions
from transpile.translators.kernels.cooperative import RANKS, cooperative_groups, tiles
from transpile.translators.kernels.declarations import plain_initializers, split_declarations
from transpile.translators.kernels.draft import Draft, Pass, Surroundings
from transpile.translators.kernels.early_return import early_return, early_return_of_lanes, last_return
from transpile.translators.kernels.elementwise import elementwise
from transpile.translators.kernels.extremes import plain_extremes
from transpile.translators.kernels.fences import block_fences
from transpile.translators.kernels.fixed import fixed_launch
from transpile.translators.kernels.handmade import hand_made
from transpile.translators.kernels.inline import collective, inline_collectives
from transpile.translators.kernels.intrinsics import bit_casts, intrinsics
from transpile.translators.kernels.late_declarations import late_declarations
from transpile.translators.kernels.launch_dimensions import in_one_dimension
from transpile.translators.kernels.laws import common_law, distinct_in_all
from transpile.translators.kernels.leftovers import leftovers
from transpile.translators.kernels.loop_counters import loop_counters
from transpile.translators.kernels.loop_returns import loop_returns
from transpile.translators.kernels.macros import expand_macros
from transpile.translators.kernels.math_constants import math_constants
from transpile.translators.kernels.parameters import own_parameters
from transpile.translators.kernels.qualifiers import qualifiers
from transpile.translators.kernels.reduction import grid_sum
from transpile.translators.kernels.shifted_bounds import with_parentheses
from transpile.translators.kernels.single import single_thread
from transpile.translators.kernels.single_assignment import single_assignment
from transpile.translators.kernels.stores import common_stores
from transpile.translators.kernels.surroundings import surroundings
from transpile.translators.kernels.unfold import unfold
from transpile.translators.kernels.voted_loops import voted_loops
from transpile.translators.kernels.warpforms import warp_forms
from transpile.translators.refusal import Refused, rejected

_IN_STEP = "the lanes of a warp run in step where they share `volatile` memory, as before Volta"
KERNEL_PASSES: tuple[Pass, ...] = (
    unfold,
    expand_macros,
    alignment,
    plain_initializers,
    late_declarations,
    hand_made,
    qualifiers,
    intrinsics,
    block_primitives,
    own_parameters,
    tiles,
    inline_collectives,
    cooperative_groups,
    voted_loops,
    warp_forms,
    intrinsics,
    plain_extremes,
    split_declarations,
    loop_counters,
    last_return,
    loop_returns,
    single_thread,
    grid_sum,
    fixed_launch,
    elementwise,
    early_return,
    single_assignment,
    block_fences,
    blocks,
    atomics,
    common_stores,
    bit_casts,
    math_constants,
    leftovers,
)
DEVICE_PASSES: tuple[Pass, ...] = (
    unfold,
    expand_macros,
    alignment,
    hand_made,
    qualifiers,
    intrinsics,
    plain_extremes,
    atomics,
    bit_casts,
    math_constants,
    leftovers,
)


def propose(
    source: Source, unit: Unit, contracts: Sequence[Contract], passes: Sequence[Pass] = KERNEL_PASSES
) -> Candidate | Rejected:
    """Return the OpenMP form of a kernel with the device functions it calls, or why there is none."""
    if (refusal := _ranked(source, unit)) is not None:
        return refusal
    written = with_parentheses(without_compiler_conditions(without_assembly(source)))
    source = waiting(written, ascending=True)
    found = _proposed(source, source.unit(unit.id), contracts, passes)
    if isinstance(found, Rejected) and found.diagnostics[0].code == CONDITIONAL:
        one = settled(source, source.unit(unit.id))
        if one is not None:
            found = _proposed(one.source, one.source.unit(unit.id), contracts, passes, guards=one.guards)
    if isinstance(found, Rejected) and found.diagnostics[0].code == "TP201":
        # Most conditions around what lanes pass are the same for a whole warp, and need no masks.
        apart = [early_return_of_lanes if item is early_return else item for item in passes]
        again = _proposed(source, source.unit(unit.id), contracts, apart)
        found = again if isinstance(again, Candidate) else found
    return _supposing(written, source, found) if isinstance(found, Candidate) else found


def _ranked(source: Source, unit: Unit) -> Rejected | None:
    """Return that a kernel may count its threads along several axes, of which its text names one."""
    text = b"\n".join(part.text for part in (unit, *device_closure(source, unit)))
    if not RANKS.search(text.decode("latin-1")) or in_one_dimension(source, unit):
        return None
    detail = "ranks in groups of threads, in blocks that may have more than one dimension"
    return rejected(unit, [Refused("TP209", detail)])


def _supposing(written: Source, source: Source, candidate: Candidate) -> Candidate:
    """Return the candidate with what it rests on where barriers were put into the source."""
    owners = [item.unit for item in candidate.replacements]
    origin = candidate.origin
    if all(_barriers(written, owner) == _barriers(source, owner) for owner in owners):
        return candidate
    assert isinstance(origin, ByRules)
    return replace(candidate, origin=replace(origin, rules=(*origin.rules, f"{SUPPOSED}{_IN_STEP}")))


def _barriers(source: Source, unit: str) -> int:
    return source.unit(unit).text.count(b"__syncwarp")


def _proposed(
    source: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    passes: Sequence[Pass],
    *,
    guards: bytes = b"",
) -> Candidate | Rejected:
    """Return the form of a kernel, behind directives that guard it, or why there is none."""
    around = surroundings(source, unit)
    current = unit
    distinct = distinct_in_all(contracts)
    try:
        kernel = translate_kernel(unit.text, common_law(contracts), around, distinct, passes)
        drafts = [(unit, kernel)]
        gone: list[Unit] = []
        for callee in device_closure(source, unit):
            current = callee
            if collective(callee.text.decode("latin-1"), around):
                gone.append(callee)
            else:
                drafts.append((callee, translate_device(callee.text, around)))
    except Refused as why:
        return rejected(current, [why])
    signature = contracts[0].signature if contracts else None
    arguments = [*signature.names] if signature else [item.name for item in kernel.function.parameters]
    return Candidate(
        unit=unit.id,
        replacements=(
            *(
                Replacement(
                    unit=owner.id,
                    text=(guards if owner is unit else b"") + draft.text.encode("latin-1"),
                    same_signature=owner.kind is UnitKind.DEVICE and not draft.extra,
                )
                for owner, draft in drafts
            ),
            # What has to know its thread was put in the place of its calls.
            *(Replacement(unit=callee.id, text=b"") for callee in gone),
        ),
        binding=Binding(name=unit.name, arguments=(*arguments, *(value for _, value in kernel.extra))),
        headers=tuple(sorted(frozenset[str]().union(*(draft.headers for _, draft in drafts)))),
        origin=ByRules(rules=kernel.rules),
        parallel=kernel.parallel,
    )


def translate_kernel(
    text: bytes,
    law: LaunchLaw | None,
    around: Surroundings,
    distinct: frozenset[str] = frozenset(),
    passes: Sequence[Pass] = KERNEL_PASSES,
) -> Draft:
    """Return the translated kernel; raises Refused."""
    draft = Draft(text=text.decode("latin-1"), law=law, surroundings=around, distinct=distinct)
    return _run(draft, passes)


def translate_device(text: bytes, around: Surroundings) -> Draft:
    """Return the translated device function; raises Refused."""
    return _run(
        Draft(text=text.decode("latin-1"), law=None, surroundings=around, kernel=False), DEVICE_PASSES
    )


def _run(draft: Draft, passes: Sequence[Pass]) -> Draft:
    if function_of(draft.text) is None:
        raise Refused("TP206", "the parser finds no function in the text")
    for step in passes:
        draft = step(draft)
    return draft


def device_closure(source: Source, unit: Unit) -> list[Unit]:
    """Return the device functions that a unit calls, directly or not, callees first."""
    found: dict[str, Unit] = {}

    def visit(current: Unit) -> None:
        for identifier in current.callees:
            callee = source.unit(identifier)
            if callee.kind is UnitKind.DEVICE and identifier not in found:
                visit(callee)
                found[identifier] = callee

    visit(unit)
    return list(found.values())
