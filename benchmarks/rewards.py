"""Answers judged per second and core, in groups of eight, where the unit has been asked about before.

    python benchmarks/rewards.py [FILE ...] [--groups N] [--right N] [--cache DIR]

Each FILE holds one unit; by default they are those of benchmarks/rewards. Its translation by rules is right.
In a group, `--right` answers (3) are that with an idle declaration more, so that no two are alike; one has no
code, one does not compile, and the others are that translation with one fault each. No two groups share a
text, so every candidate is built. Processors' seconds are counted, of this process and of all that it starts.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from pathlib import Path
from typing import Any

from transpile import pipeline, translators
from transpile.core import Candidate
from transpile.options import PortOptions
from transpile.rewards import Judge, JudgeOptions, Question
from transpile.stages import Work
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
    compilers = _Compilers()
    answers = spent = waited = 0.0
    with Judge(JudgeOptions(cache=arguments.cache.resolve())) as judge:
        for file in arguments.files or sorted(HERE.iterdir()):
            text = translation(file, arguments.cache.resolve())
            question = Question(source=file.resolve())
            judge.judge(question, group(text, "first", arguments.right))
            before, begun, stages = compilers.seconds + processor(), time.monotonic(), Counter[str]()
            for number in range(arguments.groups):
                rewards = judge.judge(question, group(text, f"{time.time_ns()}_{number}", arguments.right))
                stages.update(item.stage for item in rewards)
            taken = compilers.seconds + processor() - before
            count = GROUP * arguments.groups
            answers, spent, waited = answers + count, spent + taken, waited + time.monotonic() - begun
            print(
                f"{file.name:20} {count / taken:5.2f} answers a second and core, {dict(stages)}", flush=True
            )
    rate, here = answers / spent, answers / waited
    print(f"{answers:.0f} answers: {rate:.2f} a second and core, {here:.2f} a second on this machine now")


def translation(file: Path, cache: Path) -> str:
    """Return the translation by rules of the only unit of a file."""
    options = PortOptions(cache=cache)
    source = pipeline.read(file.resolve(), options)
    [unit] = pipeline.chosen(source, options, pipeline.judged_kinds(source))
    work = Work(workshop=pipeline.make_workshop(options), source=source, options=options)
    contracts = work.learnt([unit])[unit.id]
    assert isinstance(contracts, tuple), contracts
    found = translators.propose(source, unit, contracts, options.target)
    assert isinstance(found, Candidate), found
    return found.replacements[0].shown


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


def processor() -> float:
    """Return the seconds of processors of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in used)


class _Compilers:
    """Adds up what compilers take: they run below an init process of their own, which nobody waits for."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._run = build._run
        build._run = self._timed

    def _timed(self, *arguments: Any, **options: Any) -> Any:
        finished = self._run(*arguments, **options)
        self.seconds += finished.charged
        return finished


if __name__ == "__main__":
    main()
