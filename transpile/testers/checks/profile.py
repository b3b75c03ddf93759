"""Profile of a translation: counts of perf, and remarks of the compiler on its loops."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import CandidateBench, Entry, call
from transpile.testers.speed.benchmark_inputs import configuration
from transpile.testers.trials.materialise import POISONS, Prepared
from transpile.toolchains import profiler
from transpile.toolchains.workshop import Workshop

_REMARK = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+):\d+: (?:optimized|missed): +(?P<said>.*)$", re.MULTILINE
)
_VECTORISED = re.compile(r"loop vectorized using (\d+) byte vectors")
_REFUSED = re.compile(r"not vectorized: (.*)")
_LOOP = re.compile(r"\b(?:for|while|do)\b")
_MOST = 6
"""Loops that are told of."""
_WIDTH = 100


def counted(workshop: Workshop, entry: Entry, calls: Sequence[Prepared]) -> tuple[str, ...]:
    """Return what perf counts of a process that makes these calls; nothing where it may not count."""
    if not profiler.here():
        return ()
    with tempfile.TemporaryDirectory(dir=workshop.scratch(), prefix="counts-") as directory:
        out = Path(directory) / "counts"
        call(workshop, entry, calls, configuration(POISONS[0]), observer=profiler.observer(out))
        counts = profiler.parsed(out.read_text()) if out.exists() else {}
    return tuple(rates(counts, len(calls)))


def rates(counts: Mapping[str, float], calls: int) -> Iterator[str]:
    """Yield counts in words: rates where the machine counts both sides of one."""
    for part, whole, words in (
        ("instructions", "cycles", "{:.2f} instructions a cycle"),
        ("cache-misses", "cache-references", "{:.1%} of the references to caches miss the last one"),
        ("branch-misses", "branches", "{:.1%} of the branches are predicted wrongly"),
    ):
        if counts.get(whole) and part in counts:
            yield words.format(counts[part] / counts[whole])
    for event in ("page-faults", "context-switches"):
        if counts.get(event):
            yield f"{counts[event] / calls:.0f} {event.replace('-', ' ')} a call, its data's included"


def loops(bench: CandidateBench, proposal: Proposal) -> tuple[str, ...]:
    """Return what the compiler made of the loops in a translation's own text."""
    own = {line.strip() for item in proposal.candidate.replacements for line in item.shown.splitlines()}
    texts = bench.texts(proposal)
    return tuple(told(bench.remarks(proposal), texts, own))[:_MOST]


def told(remarks: str, texts: Mapping[str, bytes], own: frozenset[str] | set[str]) -> Iterator[str]:
    """Yield a sentence for each loop that remarks of g++ speak of.

    Args:
        remarks: What ``-fopt-info-vec`` writes: where a loop's body begins, or its head.
        texts: The files that were compiled.
        own: Lines that are spoken of.
    """
    fates: dict[str, str] = {}
    for found in _REMARK.finditer(remarks):
        line = _head(texts.get(found["path"], b""), int(found["line"]))
        if line not in own or fates.get(line, "").startswith("vectorised"):
            continue
        if width := _VECTORISED.search(found["said"]):
            fates[line] = f"vectorised, {width[1]} bytes at a time"
        elif (reason := _REFUSED.search(found["said"])) and line not in fates:
            fates[line] = f"not vectorised: {reason[1].strip()}"
    for line, fate in fates.items():
        yield f"loop `{line[:_WIDTH]}`: {fate}"


def _head(text: bytes, number: int) -> str:
    """Return the line that a loop begins in, which is the one named or a little above it."""
    lines = text.split(b"\n")
    for at in range(min(number, len(lines)) - 1, max(number - 4, -1), -1):
        line = lines[at].decode("utf-8", "replace").strip()
        if _LOOP.search(line) and not line.startswith("#"):
            return line
    return ""
