"""Make, asked what it would do: in the sandbox, since a Makefile may run anything while it is read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile.parsers.building.outside import checkout, may_open
from transpile.parsers.building.projects import MAKEFILES
from transpile.parsers.files.discovery import is_code
from transpile.toolchains import sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished

_SECONDS = 30
_MEMORY = 2 << 30
_ROUNDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What make prints, and why it stopped before its end."""

    text: str
    complaint: str = ""
    closed: tuple[Path, ...] = ()
    """Makefiles outside of the root that it would include, and that it may not read."""


def ask(
    root: Path, name: str, targets: Sequence[str], opened: Sequence[Path], place: Path | None = None
) -> Answer:
    """Return what make would do if it found the files outside of the root that it names.

    Args:
        root: Of the source.
        name: Of the Makefile; empty where make or the words that follow say which.
        targets: What it is to make, and other words of its command line.
        opened: Directories outside of the root that it may read.
        place: Where it runs, if not in the root.
    """
    outside: dict[str, Path] = {}
    closed: dict[Path, None] = {}
    for _ in range(_ROUNDS):
        finished = _run(root, name, targets, outside, opened, place)
        if finished.status == 0:
            return Answer(text=finished.stdout.decode("utf-8", "replace"))
        # a pattern whose prerequisites are missing is passed over in silence: the database lists them
        database = _run(root, name, ["-p", *targets], outside, opened, place)
        named = dict(_outside(database.stdout + finished.stderr, root, place or root))
        closed |= dict.fromkeys(path for path in named.values() if not _may_read(path, root, opened))
        more = {word: path for word, path in named.items() if path not in closed}
        if more.keys() <= outside.keys():
            break
        outside |= more
    complaint = _reason(finished.stderr.decode("utf-8", "replace"))
    text = finished.stdout.decode("utf-8", "replace")
    return Answer(text=text, complaint=complaint, closed=tuple(closed))


def _may_read(path: Path, root: Path, opened: Sequence[Path]) -> bool:
    """Tell whether make may have a file; code is not opened for it, only said to be there."""
    return is_code(path.name) or may_open(path, root, opened)


def _run(
    root: Path,
    name: str,
    words: Sequence[str],
    outside: Mapping[str, Path],
    opened: Sequence[Path],
    place: Path | None,
) -> Finished:
    """Run make dry; what it would compile with counts as there, and what it includes is readable.

    What make is told to count as there it does not tell the makes that it calls: these see the checkout.
    """
    assumed = [part for word, path in outside.items() if is_code(path.name) for part in ("-o", word)]
    included = [path for path in outside.values() if not is_code(path.name)]
    return sandbox.execute(
        ["make", "-Bnkw", *(("-f", name) if name else ()), *assumed, *words],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=place or root, readable=[checkout(root), root, *opened, *included]),
        quota=Quota(timeout=_SECONDS, memory=_MEMORY),
    )


def _outside(said: bytes, root: Path, place: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files outside of the root that make names: code, and Makefiles that exist."""
    for word in dict.fromkeys(re.findall(r"[^\s'`\":,%]+", said.decode("utf-8", "replace"))):
        path = Path(os.path.normpath(place / word))
        makefile = path.suffix in (".mk", ".make") or path.name in MAKEFILES
        wanted = is_code(path.name) or (makefile and path.is_file())
        if "/" in word and wanted and not path.is_relative_to(root):
            yield word, path


def _reason(said: str) -> str:
    """Return the line in which make says why it gave up."""
    lines = [line.partition("*** ")[2] or line for line in said.splitlines() if "make" in line]
    return (lines[0] if lines else said.strip() or "it gives no reason").removesuffix("  Stop.")[:200]
