"""Variants that may be faster than marked loops: fused loops, other orders of loops, and sums in vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name, with_number
from transpile.code.syntax import INDENT, indentation, reindent
from transpile.core import Candidate, Contract, Source, Unit
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import SequentialNest, does_enough, is_grid
from transpile.translators.loops.forms.fusion import Region, fused
from transpile.translators.loops.planning.choice import formed
from transpile.translators.loops.planning.facts import Part
from transpile.translators.loops.planning.fallback import beside
from transpile.translators.loops.planning.overlaps import apart
from transpile.translators.loops.planning.work import Work, work
from transpile.translators.loops.schedule.rewriting import rewritten
from transpile.translators.loops.symbols.callees import is_open
from transpile.translators.refusal import Refused
from transpile.translators.targets.openmp.emitters import IDIOMS
from transpile.translators.targets.openmp.marking import candidate, marked
from transpile.translators.targets.openmp.recast import Recasts, brief, idle, nests_of, remade, rules_of


def variants(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Iterator[Candidate]:
    """Yield a function with neighbouring loops fused, and one with nests in another order or in vectors."""
    opened = work(source_, unit, contracts, idioms=IDIOMS, simd=False, opening=True)
    found = list(_variants(opened))
    if any(is_open(item.replacements[0].shown) for item in found):
        found = list(_variants(work(source_, unit, contracts, idioms=IDIOMS, simd=False)))
    yield from found


def _variants(own: Work) -> Iterator[Candidate]:
    joined = _with_fused_loops(own)
    if joined is not None:
        yield joined
    edits, rules = _improved(own, own.choice.parts)
    if rules:
        yield candidate(own, edits, *rules)


def _improved(own: Work, parts: Sequence[Part]) -> tuple[list[Edit[str]], list[str]]:
    """Return the edits that mark loops, some of them in another order or in vectors, and which are used."""
    found: Recasts = {}
    for number, nest in enumerate(nests_of(parts)):
        flag = with_number("reorder", number)
        edit = None if brief(nest) else rewritten(own.setting, nest, flag)
        if edit is not None:
            found[nest] = ("reordered", edit)
    left = [part for part in parts if part.nest not in found]
    waiting = idle(left, marked(own, left)[1])
    busy = {part.nest for part in left if does_enough(part) or is_grid(part)}
    found |= remade(own, [nest for nest in nests_of(left) if nest not in busy and nest not in waiting])
    left = [part for part in left if part.nest not in found]
    plain, _ = marked(own, left)
    edits, _ = marked(own, left, vectors=True)
    rules = [*rules_of(found), *(("vectors",) if edits != plain else ())]
    others = remade(own, waiting)
    rules += rules_of(others) if rules else []
    made = [*found.values(), *others.values()]
    return [*edits, *(edit for _, edit in made)], list(dict.fromkeys(rules))


def _with_fused_loops(own: Work) -> Candidate | None:
    """Return the function with its neighbouring loops fused; None where none can be."""
    joined = fused(own.choice.function.text, own.around)
    if joined is None:
        return None
    choice = formed(joined.text, own.contract, own.around, idioms=IDIOMS)
    rules = dict.fromkeys((*own.choice.rules, *choice.rules))
    new = replace(own, choice=replace(choice, rules=tuple(rules)))
    regions = {item.start: item for item in joined.regions}
    nests = dict.fromkeys(part.nest for part in choice.parts)
    places = [nest for nest in nests if nest.node.start_byte in regions]
    edits = [
        _region(new, nest, regions[nest.node.start_byte], with_number("fuse", number))
        for number, nest in enumerate(places)
    ]
    others = [part for part in choice.parts if part.nest not in places]
    more, improved = _improved(new, others)
    found = [edit for edit in edits if edit is not None]
    return candidate(new, [*found, *more], "fused", *improved) if len(found) == len(edits) else None


def _region(own: Work, nest: Nest, region: Region, flag: str) -> Edit[str] | None:
    """Return fused loops with what runs in parallel marked, with the source's beside them for what overlaps.

    None where nothing runs in parallel, or where it is not known what overlaps.
    """
    function, contract, variables = own.choice.function, own.contract, own.choice.variables
    edits, _ = marked(
        own, [part for part in own.choice.parts if part.nest is nest], vectors=True, asking=False
    )
    try:
        conditions = apart(SequentialNest(nest, ""), contract, variables)
    except Refused:
        return None
    if not edits:
        return None
    text, indent = (
        apply_outermost(function.text, edits, region.start, region.end),
        indentation(function.text, region.start),
    )
    if conditions:
        inner = indent + INDENT
        flag = free_name(function.identifiers, flag)
        kept = reindent(region.before, indent, inner)
        text = beside(inner + reindent(text, indent, inner), conditions, flag, kept, indent).lstrip()
    return Edit(region.start, region.end, text)
