"""Names of a source's files in its port."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

CPP_SUFFIXES: Mapping[str, tuple[str, ...]] = {".cuh": (".hpp", ".h"), ".cu": (".cpp",)}
HIP_SUFFIXES: Mapping[str, tuple[str, ...]] = {".cu": (".hip",)}
_INCLUDE = re.compile(rb'^([ \t]*#[ \t]*include[ \t]*)(["<])([^">\n]+)([">])', re.MULTILINE)


def renamed(paths: Iterable[str], suffixes: Mapping[str, tuple[str, ...]] = CPP_SUFFIXES) -> dict[str, str]:
    """Return the port's path for each path: for C++, ``.cu`` becomes ``.cpp``, ``.cuh`` ``.hpp``."""
    taken = set(paths)
    names: dict[str, str] = {}
    for path in sorted(taken):
        stem, suffix = posixpath.splitext(path)
        names[path] = _free(stem, suffixes[suffix], taken) if suffix in suffixes else path
        taken.add(names[path])
    return names


def _free(stem: str, suffixes: tuple[str, ...], taken: set[str]) -> str:
    choices = [stem + suffix for suffix in suffixes] + [f"{stem}_port{suffix}" for suffix in suffixes]
    return next((choice for choice in choices if choice not in taken), f"{stem}_ported{suffixes[0]}")


def mentioned(text: str, names: Mapping[str, str]) -> str:
    """Return a build file's text with the files that it names under their new names."""
    for old, new in names.items():
        if old != new:
            name = posixpath.basename(old)
            text = re.sub(rf"(?<![\w.\-]){re.escape(name)}(?![\w.])", posixpath.basename(new), text)
    return text


def with_new_includes(data: bytes, names: Mapping[str, str]) -> bytes:
    """Return the text whose ``#include`` lines name the renamed files."""
    changed = {old: new for old, new in names.items() if old != new}

    def replaced(match: re.Match[bytes]) -> bytes:
        written = match.group(3).decode("utf-8", "surrogateescape")
        new = _renamed_include(written, changed)
        return match.group(1) + match.group(2) + new.encode("utf-8", "surrogateescape") + match.group(4)

    return _INCLUDE.sub(replaced, data)


def _renamed_include(written: str, changed: Mapping[str, str]) -> str:
    """Return the new name of an include, known by the tail of a renamed path."""
    plain = posixpath.normpath(written).lstrip("./")
    for old, new in changed.items():
        if old == plain or old.endswith("/" + plain) or posixpath.basename(old) == posixpath.basename(plain):
            return posixpath.join(posixpath.dirname(written), posixpath.basename(new))
    return written
