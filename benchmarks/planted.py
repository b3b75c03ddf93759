"""Plant faults into right translations and see which of them are kept.

    python -m benchmarks.planted --count 200 --seed 1 --cache DIR

Every candidate is made from a right one (``plants/subjects/``), and counts only if the oracle shows it wrong
on a valid call, by running it beside its source without anything of our judging. Printed is, per class of
faults, how many were planted, shown wrong and kept, and each one that was kept. ``--right`` judges the right
ones instead: all have to be kept. ``--only PLANT --sources SUBJECT --seed N --show`` makes one again. Exit
status 1 if a wrong candidate is kept, or a right one is not.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from random import Random

from benchmarks.plants import catalogue, oracle, subject
from benchmarks.plants.call import Call, common
from benchmarks.plants.oracle import Oracle, Shown, Unbuilt
from benchmarks.plants.plant import CLASSES, Plant
from benchmarks.plants.subject import DIALECTS, SUBJECTS, Subject
from transpile import parsers
from transpile.contracts import infer
from transpile.core import Binding, Candidate, Passed, Replacement, Source, Verdict
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

BATCH = 24
"""Candidates that are judged at once."""
CHUNK = 240
"""Candidates after which counts are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A candidate to be judged: a planted one with what shows it wrong, or a right one."""

    subject: Subject
    text: str
    plant: Plant | None = None
    seed: int = 0
    calls: tuple[Call, ...] = ()
    """Those that may show it wrong."""
    shown: Shown | None = None

    @property
    def named(self) -> str:
        """Return what makes it again."""
        name = self.plant.name if self.plant else "nothing"
        return f"--only '{name}' --sources '{self.subject.id}' --seed {self.seed}"


@dataclass(slots=True)
class Tally:
    """Counts of candidates, by class of fault."""

    planted: Counter[int]
    shown: Counter[int]
    kept: Counter[int]


def drawn(plants: Sequence[Plant], subjects: Sequence[Subject], count: int, seed: int) -> Iterator[Made]:
    """Yield candidates with different texts, the classes in turn."""
    random = Random(seed)
    seen: set[str] = {item.text for item in subjects}
    classes = sorted({item.number for item in plants})
    tries = 0
    made = 0
    while made < count and tries < 60 * count:
        tries += 1
        number = classes[made % len(classes)] if tries % 7 else random.choice(classes)
        plant = random.choice([item for item in plants if item.number == number])
        found = one(plant, random.choice(subjects), random.randrange(10**6))
        if found is not None and found.text not in seen:
            seen.add(found.text)
            made += 1
            yield found


def one(plant: Plant, chosen: Subject, seed: int) -> Made | None:
    """Return the candidate that a plant makes of a subject with a seed; None where it has no place."""
    planted = plant.make(chosen, Random(f"{seed} {plant.name} {chosen.id}"))
    if planted is None:
        return None
    calls = (*planted.calls, *common(chosen.function))
    return Made(subject=chosen, text=planted.text, plant=plant, seed=seed, calls=calls)


def confirmed(ours: Oracle, item: Made) -> Made | None:
    """Return the candidate with a call that shows it wrong; None where no call does."""
    try:
        shown = ours.shown(item.subject, item.text, oracle.headers_of(item.text), item.calls)
    except Unbuilt:
        return None
    return replace(item, shown=shown) if shown else None


class JudgingSession:
    """Sources with what is learnt of them, and the judge."""

    def __init__(self, workshop: Workshop) -> None:
        """Begin with nothing learnt."""
        self.workshop = workshop
        self._sources: dict[str, Source] = {}

    def verdicts(self, items: Sequence[Made]) -> Iterator[tuple[Made, Verdict | str]]:
        """Yield what the judge says of each, those of one source and dialect at once."""
        ordered = sorted(items, key=_batch)
        for (file, _), group in groupby(ordered, key=_batch):
            members = list(group)
            for first in range(0, len(members), BATCH):
                yield from self._judged(file, members[first : first + BATCH])

    def _judged(self, file: str, items: Sequence[Made]) -> Iterator[tuple[Made, Verdict | str]]:
        source = self._source(file)
        names = {item.subject.function.name for item in items}
        units = {unit.name: unit for unit in source.units if unit.name in names}
        learnt = infer(self.workshop, source, list(units.values()))
        proposals: list[Proposal] = []
        owners: list[Made] = []
        for item in items:
            unit = units[item.subject.function.name]
            contracts = learnt[unit.id]
            if not isinstance(contracts, tuple):
                yield item, f"no contract: {contracts}"
                continue
            candidate = Candidate(
                unit=unit.id,
                dialect=DIALECTS[item.subject.dialect],
                replacements=(Replacement(unit=unit.id, text=item.text.encode()),),
                binding=Binding(
                    name=unit.name,
                    arguments=contracts[0].signature.names,
                    kernel=item.subject.dialect == "hip",
                ),
                headers=oracle.headers_of(item.text),
            )
            proposals.append(Proposal(unit=unit, contracts=contracts, candidate=candidate))
            owners.append(item)
        found = judge(self.workshop, source, proposals)
        for item, judged in zip(owners, found, strict=True):
            yield item, judged.verdict

    def _source(self, file: str) -> Source:
        if file not in self._sources:
            with tempfile.TemporaryDirectory() as place:
                shutil.copy(SUBJECTS / file, place)
                self._sources[file] = parsers.read(Path(place))
        return self._sources[file]


def _batch(item: Made) -> tuple[str, str]:
    return item.subject.function.file, item.subject.dialect


def described(item: Made) -> str:
    """Return all that is needed to look into a candidate."""
    call = f"{item.shown.how} on {item.shown.call}" if item.shown else "nothing shows it wrong"
    source = f"{item.subject.function.file}:\n{item.subject.function.text}"
    return f"{item.named}\n{call}\n{source}\n{item.subject.dialect}:\n{item.text}"


def reported(session: JudgingSession, items: Sequence[Made], tally: Tally) -> None:
    """Judge wrong candidates and print those that are kept."""
    for item, verdict in session.verdicts(items):
        if item.plant is not None and isinstance(verdict, Passed):
            tally.kept[item.plant.number] += 1
            print(f"KEPT {described(item)}\n", flush=True)


def right(session: JudgingSession, subjects: Sequence[Subject]) -> int:
    """Judge right candidates, print those that are refused and return how many they are."""
    refused = 0
    for item, verdict in session.verdicts([Made(subject=one, text=one.text) for one in subjects]):
        if not isinstance(verdict, Passed):
            refused += 1
            print(f"REFUSED {item.subject.id}: {verdict}\n", flush=True)
    print(f"{len(subjects)} right, {refused} refused")
    return refused


def table(tally: Tally) -> str:
    """Return the counts as lines."""
    lines = [f"{'class':28}{'planted':>9}{'shown wrong':>13}{'kept':>6}"]
    lines += [
        f"{number} {name:26}{tally.planted[number]:9}{tally.shown[number]:13}{tally.kept[number]:6}"
        for number, name in CLASSES.items()
        if tally.planted[number]
    ]
    sums = (sum(counter.values()) for counter in (tally.planted, tally.shown, tally.kept))
    return "\n".join([*lines, "{:28}{:9}{:13}{:6}".format("all", *sums)])


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="candidates to plant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--classes", type=int, nargs="*", default=list(CLASSES))
    parser.add_argument(
        "--sources", nargs="*", default=[], help="parts of names of subjects or of their files"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cache", type=Path, required=True, help="where builds are kept")
    parser.add_argument("--only", help="a plant, whose candidates are made with the seed itself")
    parser.add_argument("--show", action="store_true", help="print the candidates")
    parser.add_argument("--right", action="store_true", help="judge the right candidates instead")
    return parser.parse_args()


def main() -> int:
    """Run what the command line says and return the exit status."""
    given = options()
    subjects = [
        item
        for item in subject.read()
        if not given.sources or any(part in (item.id, item.function.file) for part in given.sources)
    ]
    session = JudgingSession(Workshop(cache=given.cache, jobs=given.jobs))
    if given.right:
        return int(right(session, subjects) > 0)
    if given.only:
        plants = [item for item in catalogue.PLANTS if item.name == given.only]
        made = iter(
            [found for item in subjects for plant in plants if (found := one(plant, item, given.seed))]
        )
    else:
        plants = [item for item in catalogue.PLANTS if item.number in given.classes]
        made = drawn(plants, subjects, given.count, given.seed)
    tally = Tally(planted=Counter(), shown=Counter(), kept=Counter())
    while some := list(islice(made, CHUNK)):
        _take(some, session, Oracle(given.cache / "oracle"), tally, given)
        print(table(tally), end="\n\n", flush=True)
    return int(bool(tally.kept))


def _take(
    some: Sequence[Made], session: JudgingSession, ours: Oracle, tally: Tally, given: argparse.Namespace
) -> None:
    """Show candidates wrong, and judge those that are."""
    tally.planted.update(_counted(some))
    with ThreadPoolExecutor(given.jobs) as pool:
        wrong = [item for item in pool.map(lambda item: confirmed(ours, item), some) if item is not None]
    tally.shown.update(_counted(wrong))
    for item in wrong if given.show else ():
        print(described(item), end="\n\n", flush=True)
    reported(session, wrong, tally)


def _counted(items: Sequence[Made]) -> Counter[int]:
    return Counter(item.plant.number for item in items if item.plant)


if __name__ == "__main__":
    sys.exit(main())
