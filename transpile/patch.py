"""A port as a change of its source: the patch that makes the one of the other, and that change on disk."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile import foreign, lock
from transpile.files import write_whole
from transpile.parsers.files.discovery import read_files
from transpile.publish import refuse_links

_NO_END = b"\\ No newline at end of file\n"
_NOTHING = b"/dev/null"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file that a port has otherwise than its source."""

    path: str
    before: bytes | None
    """None where the source has no such file."""
    after: bytes | None
    """None where the port has none."""


def changes(root: Path, port: Path, *, exclude: Sequence[str], left: Collection[str]) -> list[FileChange]:
    """Return the differences of a port from its source, by path.

    Args:
        root: The source; of one file, the file.
        port: The directory of the port.
        exclude: Patterns of files of the source that the port was made without.
        left: Files of the port that say something of it and are no part of it; its lock is one, too.
    """
    found = read_files(root, exclude=exclude)
    others = {lock.FILE, *left}
    made = {path: foreign.read(port, path) for path in _files(port) if path not in others}
    here = {path: foreign.found(found.root, path) for path in made} | dict(found.texts)
    return [
        FileChange(path=path, before=here.get(path), after=made.get(path))
        for path in sorted(made.keys() | found.texts.keys())
        if here.get(path) != made.get(path)
    ]


def _files(top: Path) -> Iterator[str]:
    for place, _, names in os.walk(top):
        for name in names:
            yield os.path.relpath(os.path.join(place, name), top)


def unified(found: Sequence[FileChange]) -> bytes:
    """Return changes as a patch that ``git apply`` and ``patch -p1`` take."""
    return b"".join(map(_unified, found))


def _unified(change: FileChange) -> bytes:
    path = os.fsencode(change.path)
    parts = [b"diff --git a/%b b/%b\n" % (path, path)]
    if change.before is None:
        parts.append(b"new file mode 100644\n")
    if change.after is None:
        parts.append(b"deleted file mode 100644\n")
    if b"\0" in (change.before or b"") + (change.after or b""):
        return b"".join((*parts, b"Binary files a/%b and b/%b differ\n" % (path, path)))
    parts.append(b"--- %b\n" % (_NOTHING if change.before is None else b"a/" + path))
    parts.append(b"+++ %b\n" % (_NOTHING if change.after is None else b"b/" + path))
    before, after = _lines(change.before or b""), _lines(change.after or b"")
    for line in list(difflib.unified_diff(before, after))[2:]:
        text = line.encode("latin-1")
        parts.append(text if text.endswith(b"\n") else text + b"\n" + _NO_END)
    return b"".join(parts)


def _lines(data: bytes) -> list[str]:
    """Return the lines with their ends; nothing but a line feed ends one for ``patch``."""
    return [f"{line}\n" for line in data.decode("latin-1").split("\n")[:-1]] + [
        last for last in (data.decode("latin-1").rpartition("\n")[2],) if last
    ]


def apply(root: Path, found: Sequence[FileChange]) -> None:
    """Make changes in a directory, each file whole or not at all.

    Raises:
        UsageError: A path leads out of the directory; nothing was changed.
    """
    top = root.resolve()
    for change in found:
        refuse_links(top, change.path)
    for change in found:
        place = top / change.path
        if change.after is None:
            place.unlink()
            continue
        mode = place.stat().st_mode & 0o777 if place.is_file() else 0o644
        write_whole(place, change.after)
        place.chmod(mode)
