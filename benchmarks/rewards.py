"""Answers judged per second and core, in groups of eight, where the unit has been asked about before.

    python benchmarks/rewards.py [FILE ...] [--groups N] [--right N] [--cache DIR]

Each FILE holds one unit; by default they are those of benchmarks/rewards. Its translation by rules is right.
In a group, `--right` answers (3) are that with an idle declaration more, so that no two are alike; one has no
code, one does not compile, and the others are that translation with one fault each. No two groups share a
text, so every candidate is built. Processors' seconds are counted, of this process and of all that it starts.
How much is done in one depends on what else the machine does, so a group is judged as in a port beside them.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from transpile import pipeline, testers, translators
from transpile.core import ByModel, Candidate, Contract, Unit
from transpile.options import PortOptions
from transpile.rewards import Judge, JudgeOptions, Question
from transpile.stages import Work
from transpile.testers import Proposal
from transpile.testers.mutation.operators import mutations, sampled
from transpile.toolchains import build

GROUP = 8
HERE = Path(__file__).parent / "rewards"


def main() -> None:
    """Print a line a unit, then the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--groups", type=int, default=3)
    parser.add_argument("--right", type=int, default=3)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    arguments = parser.parse_args()
    clock = _Clock()
    with Judge(JudgeOptions(cache=arguments.cache.resolve())) as judge:
        for file in arguments.files or sorted(HERE.iterdir()):
            unit = Subject.of(file.resolve(), arguments.cache.resolve())
            judge.judge(Question(source=unit.file), group(unit.text, "first", arguments.right))
            stages = Counter[str]()
            clock.start()
            for number in range(arguments.groups):
                answers = group(unit.text, f"{time.time_ns()}_{number}", arguments.right)
                stages.update(item.stage for item in judge.judge(Question(source=unit.file), answers))
            rate = GROUP * arguments.groups / clock.stop()
            clock.start()
            unit.ported(group(unit.text, f"{time.time_ns()}_port", arguments.right))
            usual = GROUP / clock.stop()
            told = ", ".join(f"{count} {stage}" for stage, count in stages.items())
            print(f"{file.name:16} {rate:5.2f}, as in a port {usual:5.2f} ({rate / usual:.1f} times): {told}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The only unit of a file, and its translation by rules."""

    file: Path
    work: Work
    unit: Unit
    contracts: tuple[Contract, ...]
    candidate: Candidate

    @classmethod
    def of(cls, file: Path, cache: Path) -> Subject:
        """Read a file, learn and translate."""
        options = PortOptions(cache=cache)
        source = pipeline.read(file, options)
        [unit] = pipeline.chosen(source, options, pipeline.judged_kinds(source))
        work = Work(workshop=pipeline.make_workshop(options), source=source, options=options)
        contracts = work.learnt([unit])[unit.id]
        assert isinstance(contracts, tuple), contracts
        found = translators.propose(source, unit, contracts, options.target)
        assert isinstance(found, Candidate), found
        return cls(file=file, work=work, unit=unit, contracts=contracts, candidate=found)

    @property
    def text(self) -> str:
        """Return the translation."""
        return self.candidate.replacements[0].shown

    def ported(self, answers: Sequence[str]) -> None:
        """Judge answers as a port does; one that holds no code needs no judge."""
        testers.judge(
            self.work.workshop,
            self.work.source,
            [
                Proposal(unit=self.unit, contracts=self.contracts, candidate=self._with(answer))
                for answer in answers
                if "{" in answer
            ],
        )

    def _with(self, text: str) -> Candidate:
        own = replace(self.candidate.replacements[0], text=text.encode())
        return replace(self.candidate, replacements=(own,), origin=ByModel())


def group(right: str, mark: str, count: int) -> list[str]:
    """Return the answers of one group."""
    # A fault in front of the loop, such as in a guard against arrays that overlap, may be none.
    first = right.encode()[: right.index("for (")].count(b"\n")
    behind = tuple(item for item in mutations(right.encode()) if item.line >= first)
    faulty = [item.text.decode() for item in sampled(behind, GROUP)]
    texts = [right] * count + [right.replace(";", "", 1)] * (count < GROUP)
    texts += faulty[: GROUP - 1 - len(texts)] + ["I do not know."] * (count < GROUP)
    return [_marked(text, f"spare_{mark}_{number}") for number, text in enumerate(texts)]


def _marked(text: str, name: str) -> str:
    return text.replace("{", f"{{ const int {name} = 0; (void){name};", 1)


class _Clock:
    """Adds up processors' seconds; compilers run below an init process, which nobody waits for."""

    def __init__(self) -> None:
        self._compilers = self._begun = 0.0
        self._run = build._run
        build._run = self._timed

    def start(self) -> None:
        """Begin to count."""
        self._begun = self._now()

    def stop(self) -> float:
        """Return the seconds since the start."""
        return self._now() - self._begun

    def _now(self) -> float:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return self._compilers + sum(item.ru_utime + item.ru_stime for item in used)

    def _timed(self, *arguments: Any, **options: Any) -> Any:
        finished = self._run(*arguments, **options)
        self._compilers += finished.charged
        return finished


if __name__ == "__main__":
    main()
