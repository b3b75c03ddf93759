"""Block shapes that a kernel requires, and how many blocks of them are needed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from transpile.contracts.launches.exact_launches import behaves, exact_law
from transpile.contracts.launches.launch_families import block_of, equalities, launch_by
from transpile.contracts.launches.launch_ladder import MAXIMUM_BLOCK
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.launches.spare_items import with_spare_items
from transpile.contracts.launches.thread_coverage import Cover, Question
from transpile.contracts.probing.probe import Asking, Failed, Observed, Outcome, Probe, unknown
from transpile.contracts.probing.relations import holds, repaired
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.shared_bounds import stray
from transpile.contracts.probing.subject import Subject
from transpile.contracts.text.launch_bounds import Counted
from transpile.contracts.text.sites import Site
from transpile.contracts.text.steps import stepped, steps
from transpile.core import Inconclusive, Launch, ShapeDependent, Unbounded
from transpile.expressions import ceil_div
from transpile.expressions import names as names_of

Block = tuple[int, int, int]

_LINEAR = (1, 2, 3, 4, 8, 16, 32, 33, 64, 96, 128, 256, 512, 1024)
_SQUARE = ((1, 1), (2, 2), (4, 4), (8, 8), (16, 16), (32, 32), (32, 1), (1, 32), (32, 8), (16, 4), (5, 3))
_CUBIC = ((1, 1, 1), (2, 2, 2), (4, 4, 4), (8, 8, 8), (32, 1, 1), (8, 8, 1))
_STEPS = (32, 16, 8, 4, 2)
"""Numbers that sizes of blocks may be multiples of."""
_DIVISOR = re.compile(r"/ (\d+)\b")
_GRIDS = (1, 2, 3, 5, 8, 16, 32)
_THREADS = 1 << 14
_SHARED = "16384"
_LONG = 256
_SPANNED = 96
"""Threads on each of several axes of a grid that are more than any size that is tried there."""
"""Elements of a shared array, beyond which sizes that go with it take too long to trace."""
_ANY = ((1, 1, 1), (2, 3, 2), (5, 2, 3))
"""Blocks of a grid on each axis where any number of them will do: others on one axis than on the next."""
_TRIED = 4
"""Admissible blocks that are looked at closely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What a block shape led to over rising grids."""

    block: Block
    grids: tuple[int, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def valid(self) -> bool:
        return all(isinstance(item, Observed) and item.valid for item in self.outcomes)

    @property
    def final(self) -> str | None:
        """Return what further blocks no longer change, None where they do."""
        digests = [item.state for item in self.outcomes if isinstance(item, Observed)]
        return digests[-1] if len(digests) >= 3 and len(set(digests[-2:])) == 1 else None

    @property
    def trouble(self) -> str:
        for item in self.outcomes:
            if isinstance(item, Failed):
                return item.reason
            if item.race:
                return item.race
            if item.poison:
                return "shared memory is read before it is written"
        return ""


def shape_law(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], hints: Sequence[Block], *, related: bool = False
) -> Asking[Law | Inconclusive]:
    """Conclude which launches are admissible for a kernel whose results depend on the shape of its blocks.

    Args:
        subject: The kernel.
        known: What the pilot found.
        rows: Scalars to call it with.
        hints: Shapes of blocks that are tried first.
        related: The rows keep to relations between scalars: they tell too little for a launch to be guessed.
    """
    by_site = yield from _family_law(subject, known, rows)
    if by_site is not None:
        return by_site
    blocks = _blocks(subject, rows, hints)
    seen: list[list[_Seen]] = []
    for row in (*rows[:2], *_roomy(subject, known, rows[0])):
        seen.append((yield from _over_grids(subject, known, row, blocks)))
    admissible = [block for index, block in enumerate(blocks) if all(group[index].valid for group in seen)]
    admissible = yield from _without_strays(subject, known, rows[0], admissible)
    alike = all([item.valid for item in group] == [item.valid for item in seen[0]] for group in seen)
    told = _told_block(subject) in admissible
    if not related and not told and not (admissible and alike):
        # Where other sizes bear other blocks, no constant is the reason.
        exact = yield from exact_law(subject, known, rows)
        if exact is not None:
            return exact
    if not admissible:
        return unknown(f"the source misbehaves with every block shape that was tried{_trouble(seen, blocks)}")
    launched = {site.fixed_block for site in subject.sites}
    if launched and launched <= set(blocks) - set(admissible):
        trouble = _trouble(seen, [block for block in blocks if block in launched])
        return unknown(f"the source misbehaves with the block shape of its own launches{trouble}")
    admissible = _as_told(subject, admissible, hints, [item for group in seen for item in group])
    relation = _block_relation(subject, blocks, admissible)
    chosen = tuple(
        sorted(admissible, key=lambda block: _habit(block, [*hints, *subject.told.blocks]))[:_TRIED]
    )
    relations = (relation,) if relation else ()
    settled = [item.final is not None for group in seen for item in group if item.block in chosen]
    if not any(settled):
        if not relations:
            return Law(law=Unbounded())
        grids = list(_any_grids([axis.letter for axis in subject.axes if axis.grid]))
        launches = tuple(_family(block, *grid) for block in chosen for grid in grids)
        law = ShapeDependent(relations=relations, launches=launches)
        return Law(law=law, blocks=chosen)
    if not all(settled):
        growing = next(i.block for group in seen for i in group if i.block in chosen and i.final is None)
        further = f"with blocks of shape {growing}, results change with every further block"
        return unknown(f"the launch law is unknown: {further}")
    return (yield from _grid_law(subject, known, rows, chosen, relations))


def _trouble(seen: Sequence[Sequence[_Seen]], blocks: Sequence[Block]) -> str:
    """Return the first thing that was wrong with some blocks, behind a colon; nothing where none was told."""
    found = (item.trouble for group in seen for item in group if item.block in blocks and item.trouble)
    return next((f": {item}" for item in found), "")


def _roomy(subject: Subject, known: Pilot, row: Scalars) -> list[Scalars]:
    """Return the row with sizes that need more threads than the longest shared array has elements."""
    longest = max((max(block) for block in subject.told.blocks), default=0)
    limits = [guard.most for guard in subject.told.guards if names_of(guard.most)]
    limits = limits or list(subject.used if len(subject.used) == 1 else ())
    if not (subject.shared or subject.told.fixed) or not limits or longest > _LONG:
        return []
    larger = dict(row)
    for limit in limits:
        larger |= _raised(limit, larger, 2 * longest + 3)
    return [repaired(larger, known.relations, 0)]


def _raised(limit: str, row: Scalars, wanted: int) -> Scalars:
    """Return the one size with which a limit is barely so much; all of its sizes where no one will do.

    A product of sizes is soon more than the grids that are tried have threads.
    """
    own = {name: int(row[name]) for name in sorted(names_of(limit))}
    for name, least in own.items():
        for size in range(least, max(wanted, least) + 1):
            if holds(f"{limit} >= {wanted}", {**row, name: size}):
                return {name: size}
    return {name: max(wanted, least) for name, least in own.items()}


def _told_block(subject: Subject) -> Block | None:
    """Return the block by which constants of the text multiply that of an index; None where none is whole."""
    fixed = dict(subject.told.fixed)
    letters = {axis.letter for axis in subject.axes if axis.block}
    return _placed(fixed) if fixed and letters == set(fixed) else None


def _as_told(
    subject: Subject, admissible: list[Block], hints: Sequence[Block], seen: Sequence[_Seen]
) -> list[Block]:
    """Keep to the block by which constants of the text multiply an index, where others do other things.

    Smaller ones may behave as well, and leave out what lies between.
    """
    told = _told_block(subject)
    if told is None or told not in admissible or (hints and told not in hints):
        return admissible
    left = {
        block: [
            [getattr(item, "state", "") for item in one.outcomes[:3]] for one in seen if one.block == block
        ]
        for block in admissible
    }
    return [told] if any(left[block] != left[told] for block in admissible) else admissible


def _without_strays(
    subject: Subject, known: Pilot, row: Scalars, blocks: Sequence[Block]
) -> Asking[list[Block]]:
    """Drop the blocks that are too large for what the kernel declares as shared."""
    grid = _grid(subject, 2)
    probes = [
        Probe(
            scalars=row,
            launch=Launch(grid=grid, block=block, shared=known.shared),
            filling=known.filling,
        )
        for block in blocks
    ]
    if not subject.confined:
        return list(blocks)
    traced = yield probes
    strays = yield from stray(subject, probes, traced)
    return [block for block, bad in zip(blocks, strays, strict=True) if not bad]


def _habit(block: Block, hints: Sequence[Block]) -> tuple[bool, bool, int]:
    """Order blocks: those of launch sites first, then powers of two about 128."""
    size = prod(block)
    return (block not in hints, size & (size - 1) != 0, abs(size - 128))


def _blocks(subject: Subject, rows: Sequence[Scalars], hints: Sequence[Block]) -> list[Block]:
    """Return block shapes to try on the axes that have threads, those of launch sites first."""
    letters = [axis.letter for axis in subject.axes if axis.block]
    sizes = {int(rows[0][name]) for name in subject.integers}
    shapes: list[tuple[int, ...]] = []
    match len(letters):
        case 0:
            shapes = [()]
        case 1:
            shapes = [(size,) for size in sorted({*_LINEAR, *(s for s in sizes if 0 < s <= MAXIMUM_BLOCK)})]
        case 2:
            shapes = list(_SQUARE)
        case _:
            shapes = list(_CUBIC)
    made = [_placed(dict(zip(letters, shape, strict=True))) for shape in shapes]
    used = [axis.letter for axis in subject.axes if axis.block]
    told = [
        block
        for block in subject.told.blocks
        if all(block["xyz".index(a)] == 1 for a in "xyz" if a not in used)
    ]
    fitting = [block for block in (*hints, *told) if prod(block) <= MAXIMUM_BLOCK]
    return list(dict.fromkeys([*fitting, *made]))


def _placed(sizes: Mapping[str, int]) -> Block:
    return (sizes.get("x", 1), sizes.get("y", 1), sizes.get("z", 1))


def _grid(subject: Subject, count: int) -> Block:
    return _placed({axis.letter: count for axis in subject.axes if axis.grid})


def _over_grids(subject: Subject, known: Pilot, row: Scalars, blocks: Sequence[Block]) -> Asking[list[_Seen]]:
    plans: list[tuple[Block, tuple[int, ...]]] = []
    for block in blocks:
        fitting = [count for count in _GRIDS if prod(_grid(subject, count)) * prod(block) <= _THREADS]
        plans.append((block, tuple(fitting or [1])))
    outcomes = yield [
        Probe(
            scalars=row,
            launch=Launch(grid=_grid(subject, count), block=block, shared=known.shared),
            filling=known.filling,
        )
        for block, grids in plans
        for count in grids
    ]
    result: list[_Seen] = []
    position = 0
    for block, grids in plans:
        part = tuple(outcomes[position : position + len(grids)])
        result.append(_Seen(block=block, grids=grids, outcomes=part))
        position += len(grids)
    return result


def _block_relation(subject: Subject, tried: Sequence[Block], admissible: Sequence[Block]) -> str:
    """Return a condition that holds for the admissible blocks and for no other that was tried."""
    letters = [axis.letter for axis in subject.axes if axis.block]
    if len(tried) == len(admissible):
        return ""
    if len(letters) == 1:
        index = "xyz".index(letters[0])
        good = {block[index] for block in admissible}
        told = _row_of_sizes(good, {block[index] for block in tried}) if len(good) > 1 else []
        if told:
            return " && ".join(f"blockDim.{letters[0]} {condition}" for condition in told)
    shapes = [
        " && ".join(f"blockDim.{letter} == {block['xyz'.index(letter)]}" for letter in letters)
        for block in admissible[:8]
    ]
    return (
        shapes[0]
        if len(shapes) == 1
        else " || ".join(f"({shape})" if "&&" in shape else shape for shape in shapes)
    )


def _row_of_sizes(good: Collection[int], tried: Collection[int]) -> list[str]:
    """Return what good sizes have in common, and no others that were tried; nothing if there is no such."""
    ranges = [(1, 0, max(good)), (1, min(good), MAXIMUM_BLOCK)]
    ranges += [(step, 0, most) for most in (MAXIMUM_BLOCK, max(good)) for step in _STEPS]
    for step, least, most in ranges:
        if all((size % step == 0 and least <= size <= most) == (size in good) for size in tried):
            ends = [f">= {least}"] * (least > 0) + [f"<= {most}"] * (most < MAXIMUM_BLOCK)
            return [f"% {step} == 0"] * (step > 1) + ends
    return []


def _family(block: Block, *grid: str) -> tuple[str, ...]:
    counts = [*grid, "1", "1"][:3]
    return (*counts, *(str(size) for size in block), _SHARED)


def _any_grids(letters: Sequence[str]) -> Iterator[list[str]]:
    """Yield grids of several sizes on these axes."""
    for counts in _ANY:
        yield [str(count) if letter in letters else "1" for letter, count in zip("xyz", counts, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grids(Question):
    """Asks for blocks on an axis, while their shape is fixed."""

    block: Block = (1, 1, 1)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the sizes of the blocks that are counted."""
        return self.block

    def told(self, subject: Subject) -> tuple[str, ...]:
        """Return as many blocks as have the threads that the guards of the text let through."""
        size = self.block["xyz".index(self.letter)]
        threads = subject.told.bounds(self.letter, Counted.THREADS)
        return (
            *subject.told.bounds(self.letter, Counted.BLOCKS),
            *(ceil_div(text, str(dict(subject.told.fixed).get(self.letter, size))) for text in threads),
        )

    def launch(self, subject: Subject, threads: int, shared: int) -> Launch:
        counts = _placed({**self.others, self.letter: threads})
        return Launch(grid=counts, block=self.block, shared=shared)


def _grid_law(
    subject: Subject,
    known: Pilot,
    rows: Sequence[Scalars],
    blocks: Sequence[Block],
    relations: tuple[str, ...],
) -> Asking[Law | Inconclusive]:
    """Find how many blocks are needed on each axis, for every admissible shape that is looked at."""
    letters = [axis.letter for axis in subject.axes if axis.grid]
    texts: dict[Block, dict[str, str]] = {block: {} for block in blocks}
    samples = held_out = 0
    for block in blocks:
        ample = _ample(letters, block)
        enlarged = [*rows, *_enlarged(subject, rows[0], block)]
        for letter in letters:
            others = {other: ample[other] for other in letters if other != letter}
            question = _Grids(letter=letter, others=others, top=ample[letter], block=block)
            cover = Cover(subject=subject, question=question, fillings=(known.filling,), shared=known.shared)
            found = yield from cover.threshold(enlarged)
            if found is None:
                missing = f"no expression gives the number of blocks of shape {block} needed along {letter}"
                return unknown(f"the launch law is unknown: {missing}")
            texts[block][letter] = found.text
            samples, held_out = max(samples, found.samples), max(held_out, found.held_out)
    needs = _common(subject, texts)
    launches = _launches(letters, texts, blocks)
    conditions = [f"gridDim.{letter} >= {text}" for letter, text in needs.items() if text != "1"]
    if len(needs) < len(letters):
        # No one expression serves all shapes: keep to the one that launch sites, or habit, prefer.
        block = blocks[0]
        conditions = [f"blockDim.{letter} == {block['xyz'.index(letter)]}" for letter in "xyz"]
        conditions += [f"gridDim.{letter} >= {text}" for letter, text in texts[block].items() if text != "1"]
        relations, launches, blocks = (), launches[:1], blocks[:1]
        needs = texts[block]
    law = ShapeDependent(relations=(*relations, *conditions), launches=launches)
    return Law(law=law, blocks=tuple(blocks), grid=needs, samples=samples, held_out=held_out)


def _ample(letters: Sequence[str], block: Block) -> dict[str, int]:
    """Return numbers of blocks on each axis of a grid that certainly suffice for the sizes that are tried."""
    top = max(min(48, _THREADS // prod(block) // 2), 4)
    if len(letters) == 1:
        return dict.fromkeys(letters, top)
    # Their product counts here: each block may loop over all others.
    sides = zip("xyz", block, strict=True)
    return {letter: min(top, 16, max(6, _SPANNED // side)) for letter, side in sides if letter in letters}


def _launches(
    letters: Sequence[str], texts: Mapping[Block, Mapping[str, str]], blocks: Sequence[Block]
) -> tuple[tuple[str, ...], ...]:
    """Return a launch of each shape with the blocks that it needs; several where any number will do."""
    any_number = letters and all(text == "1" for by_letter in texts.values() for text in by_letter.values())
    if any_number:
        return tuple(_family(block, *grid) for grid in _any_grids(letters) for block in blocks)
    return tuple(_family(block, *(texts[block].get(letter, "1") for letter in "xyz")) for block in blocks)


def _common(subject: Subject, texts: Mapping[Block, Mapping[str, str]]) -> dict[str, str]:
    """Return expressions that hold for every shape, with ``blockDim`` where the shape counts."""
    common: dict[str, str] = {}
    letters = [axis.letter for axis in subject.axes if axis.grid]
    for letter in letters:
        given = {block: by_letter[letter] for block, by_letter in texts.items()}
        if len(set(given.values())) == 1:
            common[letter] = next(iter(given.values()))
            continue
        size = f"blockDim.{letter}"
        index = "xyz".index(letter)
        generic = {
            text.replace(f"/ {block[index]}", f"/ {size}").replace(f"+ {block[index] - 1})", f"+ {size} - 1)")
            if block[index] > 1
            else f"({text} + {size} - 1) / {size}"
            for block, text in given.items()
        }
        if len(generic) == 1:
            common[letter] = generic.pop()
    return common


def _enlarged(subject: Subject, base: Scalars, block: Block) -> list[Scalars]:
    """Return rows whose sizes go beyond one block, one scalar at a time."""
    size = max(block)
    rows: list[Scalars] = []
    if size > 8:
        for name in subject.integers:
            rows += [{**base, name: value} for value in (size, size + 1, 2 * size + 3, 3 * size)]
    return rows


def _family_law(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[Law | None]:
    """Take the launch of one of the source's own sites for the law, where the source behaves under it."""
    for site in subject.sites:
        family = site.family
        if family not in subject.families or family is None:
            continue
        for relations, multiples in _conditions(subject, site, family, rows):
            law = Law(
                law=ShapeDependent(relations=_telling(family), launches=(family,)),
                scalars=relations,
                family=family,
                multiples=multiples,
            )
            tried = [_suited(row, law) for row in rows]
            if (yield from behaves(subject, known, family, tried)):
                return (yield from with_spare_items(subject, known, law, tried))
    return None


def _conditions(
    subject: Subject, site: Site, family: tuple[str, ...], rows: Sequence[Scalars]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, int]]]:
    """Yield relations, with numbers that sizes are multiples of: what asks for least goes first."""
    for relations in dict.fromkeys((*_lifted(subject, family, rows), (), site.relations)):
        for multiples in _multiples(subject, family):
            yield relations, multiples
            if not relations and not multiples and subject.floors:
                yield subject.floors, multiples


def _lifted(subject: Subject, family: tuple[str, ...], rows: Sequence[Scalars]) -> Iterator[tuple[str, ...]]:
    """Yield that sizes exceed a tile, where a site launches no block at all unless they do."""
    if any(launch_by(family, subject, row) is not None for row in rows):
        return
    for part in family[:3]:
        sizes = names_of(part) & frozenset(subject.integers)
        for tile in map(int, _DIVISOR.findall(part)):
            if sizes:
                yield tuple(f"{name} >= {tile + 1}" for name in sorted(sizes))


def _multiples(subject: Subject, family: tuple[str, ...]) -> Iterator[Mapping[str, int]]:
    """Yield numbers that sizes may have to be multiples of; the first asks for nothing.

    A tile is what a launch counts its blocks by (``(n + 63) / 64``), or as wide as a block; another is what
    a loop goes ahead by.
    """
    yield {}
    own = steps(subject.text)
    counted = frozenset(name for part in family[:6] for name in names_of(part))
    tiles = (int(size) for part in family[:3] for size in _DIVISOR.findall(part))
    for size in dict.fromkeys((*tiles, max(block_of(family)))):
        for names in dict.fromkeys((counted | stepped(subject.text, size), frozenset(subject.integers))):
            if size > 1 and names:
                yield dict.fromkeys(names, size)
                if names == counted and own.keys() - counted:
                    yield own | dict.fromkeys(names, size)


def _suited(row: Scalars, law: Law) -> Scalars:
    """Return the row with the multiples and the relations that a law asks for."""
    scaled = {name: number * (1 + int(row[name]) % 3) for name, number in law.multiples.items()}
    return repaired({**row, **scaled}, law.scalars, 0)


def _telling(family: tuple[str, ...]) -> tuple[str, ...]:
    """Return the relations of a site's launches; an axis of one is left out."""
    return tuple(relation for relation in equalities(family) if not relation.endswith("== 1"))
