"""Groups of answers to one question, judged together: what is known of it is kept between groups."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from transpile import pipeline
from transpile.core import OPENMP, Dialect, Level, digest
from transpile.errors import UsageError
from transpile.files import write_whole
from transpile.options import PortOptions
from transpile.parsers.files.discovery import is_code
from transpile.rewards.bench import Bench
from transpile.rewards.reward import USUAL, Reward, Scale
from transpile.toolchains.workshop import cache_directory
from transpile.translators.models import Message

MOST = 12
"""Units whose trials are held in memory: what was asked for longest ago is learnt again."""
ALIKE = 4096
"""Candidates of one group: who asks for more has another question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """How candidates are judged, and what they are worth."""

    cache: Path = field(default_factory=cache_directory)
    required: Level = Level.TESTED
    scale: Scale = USUAL
    seed: int = 0
    jobs: int = 1
    """Groups that are judged side by side."""
    unsafe: bool = False
    """Run without the sandbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One unit and what it is to become."""

    source: Path | str
    """A file or a repository, or the text of one file."""
    unit: str = ""
    """Its id or name; empty where there is but one."""
    target: Dialect = OPENMP
    suffix: str = ".cu"
    """Of a text: .cu, .c or .cpp."""


class Judge:
    """Judges groups of answers; what it learns of a unit serves all later groups. Any thread may use it."""

    def __init__(self, options: JudgeOptions | None = None) -> None:
        """Learn nothing yet.

        Raises:
            ToolMissing: There is no compiler.
            MachineFault: Nothing can be kept where the cache is.
        """
        self._options = options or JudgeOptions()
        self._port = PortOptions(
            cache=self._options.cache, required=self._options.required, prove=0, unsafe=self._options.unsafe
        )
        self._workshop = pipeline.make_workshop(self._port)
        self._benches: OrderedDict[tuple[str, str, Dialect], Bench] = OrderedDict()
        self._lock = Lock()

    def judge(self, question: Question, candidates: Sequence[str]) -> list[Reward]:
        """Return what each answer is worth, in order.

        Args:
            question: What was asked for.
            candidates: Answers as models give them: with the code in a fenced block, or nothing but code.

        Raises:
            UsageError: There is no such source or unit, or nothing leads to the target.
        """
        if isinstance(candidates, str):
            raise UsageError("candidates are a list of texts", hint="Put a single one into brackets.")
        if len(candidates) > ALIKE:
            raise UsageError(f"a group holds {ALIKE} candidates at most, and these are {len(candidates)}")
        return self._bench(question).judge(candidates) if candidates else []

    def judge_all(self, groups: Sequence[tuple[Question, Sequence[str]]]) -> list[list[Reward]]:
        """Return the rewards of several groups, judged side by side."""
        with ThreadPoolExecutor(max_workers=self._options.jobs) as pool:
            return list(pool.map(lambda group: self.judge(*group), groups))

    def messages(self, question: Question) -> tuple[Message, ...]:
        """Return the prompt by which models are asked, contract and all.

        Raises:
            UsageError: Nothing can be asked: the contract is not known, or the declaration cannot be read.
        """
        return self._bench(question).messages()

    def close(self) -> None:
        """Forget all units."""
        with self._lock:
            while self._benches:
                self._benches.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def _bench(self, question: Question) -> Bench:
        """Return where the candidates of a unit are judged; the first who asks makes it."""
        root = self._root(question)
        key = (f"{root}:{_version(root)}", question.unit, question.target)
        with self._lock:
            known = self._benches.get(key)
            if known is None:
                known = self._benches[key] = Bench(
                    self._workshop, root, question.unit, question.target, self._port, self._options.scale
                )
            self._benches.move_to_end(key)
            old = [self._benches.popitem(last=False)[1] for _ in range(len(self._benches) - MOST)]
        for item in old:
            item.close()
        return known

    def _root(self, question: Question) -> Path:
        """Return where a source lies; a text is put into the cache."""
        source = question.source
        if isinstance(source, Path):
            if not source.exists():
                raise UsageError(f"{source} does not exist")
            return source.absolute()
        if not is_code(f"unit{question.suffix}"):
            raise UsageError(f"'{question.suffix}' is no suffix of code", hint="Say .cu, .c or .cpp.")
        if "\n" not in source and len(source) < 1024 and "{" not in source:
            raise UsageError("the source is no code", hint="Give a file as a pathlib.Path, or its text.")
        data = source.encode("utf-8", "surrogateescape")
        place = self._options.cache / "sources" / digest(data)[:24] / f"unit{question.suffix}"
        if not place.exists():
            write_whole(place, data)
        return place


def _version(root: Path) -> str:
    """Return what tells a file from what stood there before; a repository is read once."""
    return digest(root.read_bytes()) if root.is_file() else ""


def judge(
    source: Path | str,
    unit: str,
    candidates: Sequence[str],
    *,
    target: Dialect = OPENMP,
    suffix: str = ".cu",
    options: JudgeOptions | None = None,
) -> list[Reward]:
    """Return what each answer is worth that translates a unit; for many groups, keep a ``Judge``.

    Args:
        source: A file or a repository, or the text of one file.
        unit: Its id or name; empty where there is but one.
        candidates: Answers as models give them: with the code in a fenced block, or nothing but code.
        target: What the unit is to become.
        suffix: Of a text: .cu, .c or .cpp.
        options: How candidates are judged, and what they are worth.
    """
    with Judge(options) as found:
        return found.judge(Question(source=source, unit=unit, target=target, suffix=suffix), candidates)
