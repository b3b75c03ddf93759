"""Attribute a sanitizer's report to lines of the candidate: what races with what, or leaves an array."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from transpile.testers.differential.differential_run import Failure
from transpile.testers.proposal import Proposal
from transpile.testers.run import sites
from transpile.testers.run.bench import CandidateBench
from transpile.toolchains.build import Built
from transpile.toolchains.workshop import Workshop

_KIND = re.compile(r"Sanitizer: (?P<kind>[\w -]+?)(?: on | \(|$)", re.MULTILINE)
_ACCESS = re.compile(r"^ *(?P<access>(?:previous |atomic )*(?:read|write)) of size \d+", re.IGNORECASE)
_UNDEFINED = re.compile(r"^(?P<place>[^:\n]+:\d+):\d+: runtime error: (?P<what>.*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Access:
    """A read or a write, and the calls that led to it, innermost first."""

    name: str
    frames: tuple[str, ...]
    """Path and line, or an address in the library where the sanitizer knows no more."""


def accused(
    workshop: Workshop, bench: CandidateBench, proposal: Proposal, library: Built, failure: Failure
) -> Failure:
    """Return a failure with the candidate's own lines in place of what a sanitizer says in general."""
    report = failure.difference.report
    if not report:
        return failure
    texts = bench.texts(proposal)
    told = _of_arithmetic(report, texts) or _of_accesses(workshop, library, report, texts)
    return replace(failure, difference=replace(failure.difference, got=told)) if told else failure


def _of_arithmetic(report: str, texts: Mapping[str, bytes]) -> str:
    """Return what UBSan found in which line; empty where it found nothing."""
    found = _UNDEFINED.search(report)
    line = sites.line("/" + found["place"], texts) if found else ""
    return f"{found['what']} in `{line}`" if found and line else ""


def _of_accesses(workshop: Workshop, library: Built, report: str, texts: Mapping[str, bytes]) -> str:
    """Return what ASan or TSan found in which lines; empty where they are not known."""
    kind = _KIND.search(report)
    accesses = list(_accesses(report, library.path.name))
    if kind is None or not accesses:
        return ""
    unknown = [frame for access in accesses for frame in access.frames if frame.startswith("0x")]
    places = sites.places(workshop, library, unknown)
    lines: dict[str, list[str]] = {}
    for access in accesses:
        found = (sites.line(places.get(frame, frame), texts) for frame in access.frames)
        lines.setdefault(next((line for line in found if line), ""), []).append(access.name)
    if "" in lines:
        return ""
    told = (f"{' and '.join(names)} in `{line}`" for line, names in lines.items())
    return f"{kind['kind']}: {', '.join(told)}"


def _accesses(report: str, library: str) -> Iterator[_Access]:
    """Yield the accesses of the first error of a report."""
    place = re.compile(rf"(?<=\s)(/\S+:\d+)$|\b{re.escape(library)}\+(0x[0-9a-f]+)")
    name, frames = "", list[str]()
    for line in report.partition("SUMMARY:")[0].splitlines():
        access = _ACCESS.match(line)
        if access is not None:
            name, frames = access["access"].lower(), []
        elif name and (found := place.search(line)):
            frames.append(found[1] or found[2])
        elif name and not line.strip():
            yield _Access(name, tuple(frames))
            name = ""
