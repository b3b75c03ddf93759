"""The launch law of a kernel, concluded from ladders of launches at several sets of arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from transpile.contracts.launches.constant_guards import constant_cover
from transpile.contracts.launches.launch_families import among, block_of
from transpile.contracts.launches.launch_ladder import MAXIMUM_BLOCK, RUNGS, Split, launch_of
from transpile.contracts.launches.launch_sweep import Climb, climb
from transpile.contracts.launches.memory_bounds import bounded_in_memory, names_no_scalar
from transpile.contracts.launches.saturation import saturates
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.launches.thread_coverage import Cover, Question
from transpile.contracts.probing.probe import (
    Asking,
    Failed,
    Filling,
    Floats,
    Probe,
    Style,
    Values,
    unknown,
)
from transpile.contracts.probing.relations import holds, repaired
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.shared_bounds import stray
from transpile.contracts.probing.subject import Subject
from transpile.contracts.text.launch_bounds import Counted
from transpile.core import Covers, Inconclusive, Invariant, Launch, LaunchLaw, Unbounded

_SPARE = 4
"""An axis is given so many times the threads after which its own ladder settled."""
_LARGEST = 2
"""Rows of the largest scalars under which one thread is compared with many again."""
_FEW = 2
"""Integers up to which these are raised further, ``_MANY`` times: more would make calls long."""
_MANY = 4
_ALONE = 4
"""Integers that are raised one at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A launch law, and what a launch has to respect besides."""

    law: LaunchLaw
    relations: tuple[str, ...] = ()
    scalars: tuple[str, ...] = ()
    """Relations between scalars alone."""
    blocks: tuple[tuple[int, int, int], ...] = ()
    """Shapes that a block may have; any where there are none."""
    grid: Mapping[str, str] = field(default_factory=dict)
    """Blocks needed by axis, where blocks have certain shapes."""
    family: tuple[str, ...] = ()
    """The only launch that is admitted, as expressions of the scalars."""
    families: tuple[tuple[str, ...], ...] = ()
    """Others that are admitted beside it."""
    multiples: Mapping[str, int] = field(default_factory=dict)
    """The numbers that some sizes have to be multiples of."""
    samples: int = 0
    held_out: int = 0

    def multiple_of(self, name: str) -> int:
        """Return what a scalar has to be a multiple of."""
        return self.multiples.get(name, 1)


def stated_law(subject: Subject) -> Law | None:
    """Return the law that the user states, None where the source has to tell."""
    stated = subject.stated
    if stated is None:
        return None
    law = replace(stated, relations=stated.relations or among(stated.launches))
    return Law(law=law, blocks=tuple(block_of(family) for family in stated.launches))


def launch_law(
    subject: Subject, known: Pilot, small: Sequence[Scalars], rows: Sequence[Scalars]
) -> Asking[Law | Inconclusive | None]:
    """Conclude the law from climbs at small scalars, and its thresholds from all rows.

    None where the shape of blocks counts, or the source does not behave under every shape.
    """
    if not subject.launched:
        return Law(law=Invariant())
    if not subject.axes:
        return (yield from _without_axes(subject, known))
    climbs: list[Climb] = []
    for row in small:
        climbs.append((yield from climb(subject, row, known.filling, known.shared)))
    if not all(item.valid for item in climbs):
        return None
    if subject.confined and (yield from _strays(subject, known, climbs[0])):
        return None
    relations = _single_relations(subject, climbs)
    reads = all(_settled_alike(item) for item in climbs)
    if not reads:
        # Threads beyond what is needed may read on and on without writing anything.
        climbs = [item.by_outputs() for item in climbs]
        if (yield from saturates(subject, known, climbs)):
            return Law(law=Unbounded(), relations=relations)
    ample = _ample(subject, climbs)
    if all(_at_once(item) for item in climbs):
        busy = yield from _busy(subject, known, rows)
        climbs = [item if reads else item.by_outputs() for item in busy] or climbs
        ample = _ample(subject, climbs)
    if all(_settled_alike(item) for item in climbs):
        if all(_at_once(item) for item in climbs):
            return Law(law=Invariant() if reads else Unbounded(), relations=relations)
        found = yield from _covering(subject, known, rows, climbs, ample)
        alike = isinstance(found, Inconclusive) or names_no_scalar(found.law)
        if alike and (yield from bounded_in_memory(subject, known, climbs[0])):
            return Law(law=Unbounded(), relations=relations)
        if isinstance(found, Inconclusive):
            return found
        one_sided = (*relations, *_one_sided(subject))
        return replace(found, relations=tuple(dict.fromkeys((*found.relations, *one_sided))))
    constant = yield from constant_cover(subject, known.scalars, known.shared, _fillings(subject, known)[1])
    if constant is not None:
        return Law(law=constant, relations=relations)
    # A constant in the place of `blockDim` says which blocks there are, whatever others leave behind.
    if not subject.told.fixed and all(_grows(item) for item in climbs):
        return Law(law=Unbounded(), relations=relations)
    return None


def _without_axes(subject: Subject, known: Pilot) -> Asking[Law | Inconclusive]:
    """Return the law of a kernel whose threads do all the same: one alone, where several meet or do more.

    There is none where a site launches several of these.
    """
    one = Launch(shared=known.shared)
    several = {
        "blockDim.x == 1": replace(one, block=(2, 1, 1)),
        "gridDim.x == 1": replace(one, grid=(2, 1, 1)),
    }
    alone, *outcomes = yield [
        Probe(scalars=known.scalars, launch=launch, filling=known.filling)
        for launch in (one, *several.values())
    ]
    if isinstance(alone, Failed):
        return Law(law=Invariant())
    relations = tuple(
        text
        for text, outcome in zip(several, outcomes, strict=True)
        if isinstance(outcome, Failed) or not outcome.valid or outcome.outputs != alone.outputs
    )
    broken = [text for text in relations if not all(_is_kept(text, family) for family in subject.families)]
    if broken:
        return unknown(f"all threads do the same and meet, and a launch does not keep to `{broken[0]}`")
    return Law(law=Invariant(), relations=relations)


def _is_kept(relation: str, family: Sequence[str]) -> bool:
    """Tell whether a launch has one thread a block, or one block; an expression may be more than 1."""
    return family[3 if relation.startswith("blockDim") else 0] == "1"


def _busy(subject: Subject, known: Pilot, rows: Sequence[Scalars]) -> Asking[list[Climb]]:
    """Return climbs at larger scalars where one thread does not do all: it may do several elements' work."""
    largest = sorted(rows, key=lambda row: sum(int(row[name]) for name in subject.integers))[-_LARGEST:]
    if len(subject.integers) <= _FEW:
        largest = [{**row, **{name: _MANY * int(row[name]) for name in subject.integers}} for row in largest]
    found: list[Climb] = []
    largest += _beyond_a_block(subject, largest)
    for row in largest:
        item = yield from climb(subject, row, known.filling, known.shared)
        found += [item] if item.valid and not _at_once(item) else []
    return found


def _beyond_a_block(subject: Subject, rows: Sequence[Scalars]) -> list[Scalars]:
    """Return rows whose sizes exceed a constant that the text multiplies the index of a block by."""
    most = max((size for _, size in subject.told.fixed), default=0)
    return [{**row, name: 2 * most + 3} for row in rows[:1] for name in subject.used[:_ALONE] if most > 1]


def _strays(subject: Subject, known: Pilot, item: Climb) -> Asking[bool]:
    """Tell whether some block shape of the ladders is too large for what is declared as shared."""
    ladders = list(item.together.values())
    launches = [launch for ladder in ladders for launch in ladder.launches[-3:]]
    outcomes = [outcome for ladder in ladders for outcome in ladder.outcomes[-3:]]
    probes = [Probe(scalars=item.scalars, launch=launch, filling=known.filling) for launch in launches]
    return any((yield from stray(subject, probes, outcomes)))


def _settled_alike(item: Climb) -> bool:
    """Tell whether all block shapes end with the same result and stay there."""
    ladders = list(item.together.values())
    return (
        all(ladder.settled is not None for ladder in ladders)
        and len({ladder.final for ladder in ladders}) == 1
    )


def _at_once(item: Climb) -> bool:
    """Tell whether a single thread already does all."""
    return all(len(set(ladder.digests)) == 1 for ladder in item.together.values())


def _grows(item: Climb) -> bool:
    """Tell whether more threads do more, whatever the shape of their blocks."""
    return all(item.together[split].settled is None for split in (Split.ONE, Split.SOME))


def _single_relations(subject: Subject, climbs: Sequence[Climb]) -> tuple[str, ...]:
    """Return what has to be 1 since the text does not tell two blocks, or two threads, apart."""
    relations: list[str] = []
    for axis in subject.axes:
        if axis.grid and axis.block:
            continue
        quantity = "blockDim" if axis.grid else "gridDim"
        for item in climbs:
            twice, once = item.repeated[axis.letter], item.together[Split.ONE].outcomes[-1]
            if isinstance(twice, Failed) or isinstance(once, Failed):
                same = False
            else:
                same = twice.valid and twice.outputs == once.outputs
            if not same:
                relations.append(f"{quantity}.{axis.letter} == 1")
                break
    return tuple(relations)


def _one_sided(subject: Subject) -> tuple[str, ...]:
    """Return what has to be 1, unmentioned as it is, for threads to count as blocks times threads."""
    return tuple(
        f"{'blockDim' if axis.grid else 'gridDim'}.{axis.letter} == 1"
        for axis in subject.axes
        if not (axis.grid and axis.block)
    )


def _ample(subject: Subject, climbs: Sequence[Climb]) -> dict[str, int]:
    """Return threads by axis that cover with room to spare, as far as single ladders tell."""
    ample: dict[str, int] = {}
    top = RUNGS[len(subject.axes)][-1]
    for axis in subject.axes:
        settled = [item.solo[axis.letter].settled or 1 for item in climbs] if len(subject.axes) > 1 else [1]
        ample[axis.letter] = max(top if len(subject.axes) > 1 else top // 2, _SPARE * max(settled))
    return ample


def _fillings(subject: Subject, known: Pilot) -> list[tuple[Filling, ...]]:
    """Return what thresholds are asked under: the plain filling, then several that open value guards."""
    base = known.filling
    counting = replace(base, seed=1, integers=Values(Style.COUNTING, 0, 1 << 20))
    several = (base, replace(base, floats=Floats.HIGH), replace(base, floats=Floats.LOW), counting)
    return [(base,), (*several, *(replace(base, level=level) for level in subject.levels))]


def _covering(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], climbs: Sequence[Climb], ample: Mapping[str, int]
) -> Asking[Law | Inconclusive]:
    """Find what a covering launch has to reach, per axis or as a product."""
    letters = [axis.letter for axis in subject.axes]
    reads = climbs[0].together[Split.ONE].reads
    lone = [letter for letter in letters if len(letters) > 1 and _alone_suffices(climbs, letter)]
    if lone and (yield from _does_all(subject, known, rows, lone[0], ample, reads)):
        lead = lone[0]
        question: Question = _Lead(letter=lead, others={}, top=_top(climbs, lead))
        found = yield from _threshold(subject, known, rows, question, reads)
        if found is not None:
            joint = len(lone) > 1
            law = Covers(x=found[0], joint=True) if joint else _covers({lead: found[0]})
            return Law(law=law, samples=found[1], held_out=found[2])
    texts: dict[str, str] = {}
    samples = held_out = 0
    for letter in letters:
        others = {other: ample[other] for other in letters if other != letter}
        question = Question(letter=letter, others=others, top=ample[letter])
        found = yield from _threshold(subject, known, rows, question, reads)
        if found is None:
            missing = f"no expression of the scalars gives the number of threads needed along {letter}"
            return unknown(f"the launch law is unknown: {missing}")
        texts[letter] = found[0]
        samples, held_out = max(samples, found[1]), max(held_out, found[2])
    return Law(law=_covers(texts), samples=samples, held_out=held_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lead(Question):
    """Asks for the threads of one axis that does all the work where the others have a single thread."""

    def told(self, subject: Subject) -> tuple[str, ...]:
        """Return what guards on indices of several axes let through as well."""
        letters = "".join(axis.letter for axis in subject.axes)
        own = Question.told(self, subject)
        return tuple(dict.fromkeys((*subject.told.bounds(letters, Counted.THREADS), *own)))


def _covers(texts: Mapping[str, str]) -> Covers:
    return Covers(x=texts.get("x", "1"), y=texts.get("y", "1"), z=texts.get("z", "1"))


def _alone_suffices(climbs: Sequence[Climb], letter: str) -> bool:
    """Tell whether one axis does all the work where the others have a single thread."""
    return all(
        item.solo[letter].settled is not None and item.solo[letter].final == item.together[Split.ONE].final
        for item in climbs
    )


def _does_all(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], lead: str, ample: Mapping[str, int], reads: bool
) -> Asking[bool]:
    """Tell whether threads on the other axes do no more in any row: climbs were few and small."""
    alone = {**dict.fromkeys(ample, 1), lead: min(prod(ample.values()), MAXIMUM_BLOCK)}
    outcomes = yield [
        Probe(
            scalars=row,
            launch=launch_of(subject, threads, Split.ONE, known.shared),
            filling=known.filling,
        )
        for row in rows
        for threads in (alone, ample)
    ]
    return all(
        isinstance(one, Failed) or isinstance(more, Failed) or one.left(reads=reads) == more.left(reads=reads)
        for one, more in zip(outcomes[::2], outcomes[1::2], strict=True)
    )


def _top(climbs: Sequence[Climb], letter: str) -> int:
    return min(1024, _SPARE * max(item.solo[letter].settled or 1 for item in climbs))


def _threshold(
    subject: Subject, known: Pilot, rows: Sequence[Scalars], question: Question, reads: bool
) -> Asking[tuple[str, int, int] | None]:
    """Return what an axis needs; of rows with smaller integers where products of these ask for too much."""
    for some in (rows, [*rows, *_lowered(known, rows)]):
        for fillings in _fillings(subject, known):
            cover = Cover(
                subject=subject, question=question, fillings=fillings, shared=known.shared, reads=reads
            )
            found = yield from cover.threshold(some)
            if found is not None:
                return found.text, found.samples, found.held_out
    return None


def _lowered(known: Pilot, rows: Sequence[Scalars]) -> list[Scalars]:
    """Return rows of integers that are 3 at most, but for those that follow from others."""
    lowered = [
        {name: min(value, 2 + index % 2) if isinstance(value, int) else value for name, value in row.items()}
        for index, row in enumerate(rows)
    ]
    single = [
        {**lowered[0], name: value} for name in lowered[0] for value in (1, 2, 3, 4) if name in known.scalars
    ]
    made = [repaired(row, known.relations, 0) for row in (*lowered, *single)]
    return [row for row in made if all(holds(text, row) for text in known.relations)]
