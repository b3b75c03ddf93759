"""Texts of a corpus on disk, translated by rules and judged: evidence for ``transpile pairs``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from transpile import faults, pipeline
from transpile.core import Evidence
from transpile.corpus.texts import Made, made
from transpile.files import write_whole
from transpile.options import PortOptions, Silent
from transpile.report.findings import reason_of
from transpile.stages import Work
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What became of one text."""

    path: str
    kind: str
    kept: bool
    why: str = ""
    """Why it is not kept."""
    known: bool = False
    """An earlier run had decided it."""
    seconds: float = 0.0


def written(out: Path, *, seed: int, first: int, count: int, dialect: str) -> Iterator[tuple[Path, Made]]:
    """Write the texts of some numbers, each to a file of its own; what stands there already stays.

    A text that an earlier number has as well is left out.
    """
    seen: set[str] = set()
    for index in range(first + count):
        text = made(seed, index, dialect)
        if text.text in seen:
            continue
        seen.add(text.text)
        if index < first:
            continue
        path = out / f"{text.kind}-{seed}-{index:06}{text.suffix}"
        if not path.exists():
            write_whole(path, text.text.encode())
        yield path, text


def judge(
    texts: list[tuple[Path, Made]], options: PortOptions, told: Callable[[Judged], None]
) -> list[Judged]:
    """Return what becomes of each text, several side by side; every verdict is on disk before it is told."""
    workshop = pipeline.make_workshop(options)

    def one(item: tuple[Path, Made]) -> Judged:
        found = _judged(workshop, *item, options)
        told(found)
        return found

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        return list(pool.map(one, texts))


def _judged(workshop: Workshop, path: Path, text: Made, options: PortOptions) -> Judged:
    begun = time.monotonic()
    try:
        source = pipeline.read(path, options)
        pipeline.refuse_without_translator(source, options)
        units = pipeline.chosen(source, options, pipeline.judged_kinds(source))
        work = Work(workshop=workshop, source=source, options=options)
        seen = _Known()
        evidence = list(pipeline.judged_units(work, units, seen))
    except Exception as error:
        why = reason_of(faults.own(error, f"judging {path.name}"))
        return Judged(path=path.name, kind=text.kind, kept=False, why=why)
    kept = bool(evidence) and all(item.kept(options.required) for item in evidence)
    why = "" if kept else reason_of(evidence[-1].verdict) if evidence else "it holds no unit that is judged"
    taken = time.monotonic() - begun
    return Judged(path=path.name, kind=text.kind, kept=kept, why=why, known=seen.known, seconds=taken)


class _Known(Silent):
    """Hears whether an earlier run had decided."""

    known = False

    def decided(self, evidence: Evidence, *, known: bool) -> None:
        """Keep what is said."""
        self.known = known
