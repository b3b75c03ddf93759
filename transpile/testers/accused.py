"""The lines of a candidate of which a sanitizer's report speaks: what races with what, or leaves an array."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.testers.bench import CandidateBench
from transpile.testers.duel import Failure
from transpile.testers.proposal import Proposal
from transpile.toolchains import sandbox
from transpile.toolchains.build import Built
from transpile.toolchains.workshop import Workshop

_KIND = re.compile(r"Sanitizer: (?P<kind>[\w -]+?)(?: on | \(|$)", re.MULTILINE)
_ACCESS = re.compile(r"^ *(?P<access>(?:previous |atomic )*(?:read|write)) of size \d+", re.IGNORECASE)
_PLACE = re.compile(r"^(?P<path>/.*):(?P<line>\d+)", re.MULTILINE)
_UNDEFINED = re.compile(r"^(?P<place>[^:\n]+:\d+):\d+: runtime error: (?P<what>.*)", re.MULTILINE)
_WIDTH = 120
_SECONDS = 20.0


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
    line = _line("/" + found["place"], texts) if found else ""
    return f"{found['what']} in `{line}`" if found and line else ""


def _of_accesses(workshop: Workshop, library: Built, report: str, texts: Mapping[str, bytes]) -> str:
    """Return what ASan or TSan found in which lines; empty where they are not known."""
    kind = _KIND.search(report)
    accesses = list(_accesses(report, library.path.name))
    if kind is None or not accesses:
        return ""
    places = _places(workshop, library, [frame for access in accesses for frame in access.frames])
    lines: dict[str, list[str]] = {}
    for access in accesses:
        found = (_line(places.get(frame, frame), texts) for frame in access.frames)
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


def _places(workshop: Workshop, library: Built, frames: Sequence[str]) -> Mapping[str, str]:
    """Return where addresses in a library come from: paths and lines, inlined calls first."""
    wanted = [frame for frame in dict.fromkeys(frames) if frame.startswith("0x")]
    if not wanted:
        return {}
    finished = sandbox.execute(
        ["addr2line", "--inlines", "--addresses", f"--exe={library.path}", *wanted],
        profile=sandbox.Profile.BUILD,
        readable=[library.path],
        cwd=library.path.parent,
        timeout=_SECONDS,
        memory=workshop.memory,
        unsafe=workshop.unsafe,
    )
    parts = re.split(r"^0x0*([0-9a-f]+)\n", finished.stdout.decode("utf-8", "replace"), flags=re.MULTILINE)
    return {f"0x{address}": text for address, text in zip(parts[1::2], parts[2::2], strict=True)}


def _line(places: str, texts: Mapping[str, bytes]) -> str:
    """Return the first line of these texts that a place lies in; empty for what is in none of them."""
    for place in _PLACE.finditer(places):
        name = next((path for path in texts if place["path"].endswith("/" + path)), None)
        lines = texts[name].splitlines() if name is not None else []
        if 0 < int(place["line"]) <= len(lines):
            return lines[int(place["line"]) - 1].decode("utf-8", "replace").strip()[:_WIDTH]
    return ""
