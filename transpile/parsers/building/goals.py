"""Targets of a Makefile that compile files which its default target leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from transpile.parsers.building import commands, makefiles
from transpile.parsers.files.discovery import is_source

_RULE = re.compile(r"^([^\s:#=%$.][^:#=%$]*?)[ \t]*:(?![:=])", re.MULTILINE)
"""Targets that are spelled out, in the order of the text. Patterns and variables are not followed."""
_MOST = 40
"""Targets that are asked for."""
_OF_DEVICES = (".cu", ".hip")
_OBJECT = re.compile(r"\.(?:o|obj|a|so|d|ptx|cubin|i|s|h)$")


def left_out(files: Mapping[str, bytes], compiled: frozenset[str]) -> frozenset[str]:
    """Return the files of CUDA that are not compiled; all sources, where none is."""
    sources = {path for path in files if is_source(path)} - compiled
    if not compiled:
        return frozenset(sources)
    return frozenset(path for path in sources if path.endswith(_OF_DEVICES))


def texts(
    root: Path, makefile: str, said: bytes, opened: Sequence[Path], place: Path
) -> Iterator[tuple[str, str]]:
    """Yield targets of a Makefile by name, and what make would do for each.

    Those that delete something or run a program are passed over: they are no part of a build.

    Args:
        root: Of the source.
        makefile: Its name.
        said: Its text.
        opened: Directories outside of the root that make may read.
        place: Where it lies.
    """
    rules = _RULE.finditer(said.decode("utf-8", "replace"))
    names = [name for rule in rules for name in rule[1].split()]
    for name in list(dict.fromkeys(name for name in names if not _OBJECT.search(name)))[:_MOST]:
        answer = makefiles.ask(root, makefile, [name], opened, place)
        if not answer.complaint and not any(map(_does_more, commands.lines(answer.text))):
            yield name, answer.text


def _does_more(line: tuple[str, Sequence[str]]) -> bool:
    return line[1][0].startswith("./") or line[1][0] in ("rm", "install")
