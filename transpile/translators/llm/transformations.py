"""Transformations that models are asked for, from files: those of this package, and the user's own."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from transpile.core import Dialect, Transformation
from transpile.errors import UsageError

ALL = "all"
TARGETS = ("cpp", "openmp", "cuda")
_FOLDER = files("transpile.translators") / "transformations"
_NUMBER = re.compile(r"^\d+-")
_HEADER = re.compile(r"([A-Za-z]+):[ \t]*(.*)")


def chosen(names: Sequence[str], own: Path | None, target: Dialect) -> tuple[Transformation, ...]:
    """Return the transformations of these names; for ``all`` every one of the target, in the files' order.

    Args:
        names: What was asked for.
        own: A directory of the user's; a file there counts instead of ours of the same name.
        target: What was translated to.

    Raises:
        UsageError: A name or a file means nothing, or means nothing in this target.
    """
    known = {item.name: item for item in (*_read(_FOLDER), *(_read(own) if own is not None else ()))}
    fitting = {name: item for name, item in known.items() if target.name in item.targets}
    wanted = [name for asked in names for name in (fitting if asked == ALL else (asked,))]
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no transformation '{name}'", hint=_nearest(name, fitting))
        if name not in fitting:
            raise UsageError(
                f"the transformation '{name}' is for {', '.join(known[name].targets)}, not {target.name}",
                hint=f"For {target.name} there are {', '.join(fitting)}.",
            )
    return tuple(fitting[name] for name in dict.fromkeys(wanted))


def _nearest(name: str, known: Iterable[str]) -> str:
    names = tuple(known)
    match = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"Did you mean '{match[0]}'?" if match else f"There are {', '.join(names)}."


def _read(folder: Traversable) -> Iterator[Transformation]:
    """Yield the descriptions in a directory, in the order of the names of their files."""
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
        for entry in entries:
            if entry.name.endswith(".md"):
                yield parsed(entry.name, entry.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{folder}: transformations cannot be read: {error}") from error


def parsed(file: str, text: str) -> Transformation:
    """Return the transformation that a file describes: lines such as ``targets: openmp``, then the text.

    Raises:
        UsageError: It says nothing, or something that means nothing.
    """
    head, _, body = text.lstrip("\ufeff\n").partition("\n\n")
    given: dict[str, str] = {}
    for line in head.splitlines():
        match = _HEADER.fullmatch(line.strip())
        if match is None or match[1] not in ("targets", "summary"):
            raise UsageError(
                f"{file}: it begins with `targets:`, `summary:` and an empty line, not '{line[:60]}'",
                hint="transpile/translators/transformations/ has examples.",
            )
        given[match[1]] = match[2].strip()
    targets = tuple(word for word in re.split(r"[,\s]+", given.get("targets", "")) if word)
    strange = [word for word in targets if word not in TARGETS]
    if strange:
        raise UsageError(f"{file}: unknown target '{strange[0]}'", hint=_nearest(strange[0], TARGETS))
    if not body.strip():
        raise UsageError(f"{file}: it does not describe anything", hint="The text follows an empty line.")
    name = _NUMBER.sub("", file.removesuffix(".md"))
    return Transformation(
        name=name, summary=given.get("summary", name), targets=targets or TARGETS, text=body.strip()
    )
