"""Which files a source has: text below a root, read once, never written."""

from __future__ import annotations

import codecs
import errno
import fnmatch
import os
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from transpile import foreign, machine
from transpile.core import Diagnostic, Severity
from transpile.errors import UsageError
from transpile.toolchains.beside import INCLUDE
from transpile.visible import has_controls, one_line

SOURCES = frozenset((".cu", ".hip", ".c", ".cc", ".cpp", ".cxx"))
HEADERS = frozenset((".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tpp"))
_BUILD_DIRECTORIES = frozenset(("build", "CMakeFiles", "node_modules", "__pycache__", "cmake-build-debug"))
_HINT = "nothing in it is ported: correct it, or leave it out with --exclude"
_HINTS = {errno.EXDEV: "it is neither read nor copied: port the folder that holds both, or put the file here"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The text files of a root by relative path, and what could not be read."""

    root: Path
    texts: dict[str, bytes]
    alone: bool = False
    """One file was asked for, and nothing else of its folder but what it includes."""
    diagnostics: tuple[Diagnostic, ...]


def is_code(path: str) -> bool:
    """Tell whether the name is that of C, C++ or CUDA text."""
    return PurePosixPath(path).suffix.lower() in SOURCES | HEADERS


def is_source(path: str) -> bool:
    """Tell whether the name is that of a file which compilers are given (no header)."""
    return PurePosixPath(path).suffix.lower() in SOURCES


def read_files(root: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Files:
    """Read the text files below a directory, or one file with what it includes from beside or below.

    Globs in ``include`` and ``exclude`` choose among the code files; other text (Makefiles, data, licences)
    comes along unless it is excluded. UsageError where there is nothing to read.
    """
    if not root.exists():
        raise UsageError(f"{root} does not exist")
    home, place = root, root.resolve()  # What is named by hand may be a link that leads anywhere.
    if root.is_file():
        if not is_code(root.name):
            raise UsageError(
                f"{root} is not a C, C++ or CUDA file", hint="give a directory, or a .cu, .cpp or .c file"
            )
        names, home, directory = {root.name: place.name}, root.parent, place.parent
    elif root.is_dir():
        names, directory = {name: name for name in sorted(file_names(root))}, place
    else:
        raise UsageError(f"{root} is neither a file nor a directory")
    texts: dict[str, bytes] = {}
    diagnostics: list[Diagnostic] = []
    waiting = list(names.items())
    for name, real in waiting:
        if _matches(name, exclude) or (include and is_code(name) and not _matches(name, include)):
            continue
        content = _misnamed(name) if has_controls(name) else _content(directory, real, name)
        if isinstance(content, Diagnostic):
            diagnostics.append(content)
        elif content is not None:
            texts[name] = content
            if root.is_file():
                waiting += ((path, path) for path in _included(name, content) if (path, path) not in waiting)
    if not any(is_code(name) for name in texts) and not diagnostics:
        raise UsageError(f"{root} holds no C, C++ or CUDA file", hint="is it the root of the repository?")
    return Files(root=home.resolve(), texts=texts, alone=root.is_file(), diagnostics=tuple(diagnostics))


def _included(name: str, text: bytes) -> Iterator[str]:
    """Yield what a file includes in quotes from its own folder or below."""
    for quoted, _ in INCLUDE.findall(text):
        path = posixpath.join(posixpath.dirname(name), quoted.decode("utf-8", "surrogateescape"))
        path = posixpath.normpath(path)
        if not path.startswith(("../", "/")) and is_code(path) and path != name:
            yield path


def file_names(root: Path) -> Iterator[str]:
    """Yield the paths of files and links below a directory, without those in hidden and build directories."""
    for directory, inner, files in os.walk(root):
        here = Path(directory)
        inner[:] = sorted(name for name in inner if not _skipped(here / name))
        linked = [name for name in inner if (here / name).is_symlink()]
        for name in (*files, *linked):
            yield (here / name).relative_to(root).as_posix()


def _skipped(path: Path) -> bool:
    """Tell whether a directory holds no source: hidden, or made by a build."""
    return path.name.startswith(".") or path.name in _BUILD_DIRECTORIES or (path / "CMakeCache.txt").exists()


def _matches(name: str, globs: Sequence[str]) -> bool:
    return any(
        fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(name, f"{glob.rstrip('/')}/*") for glob in globs
    )


def _content(root: Path, real: str, name: str) -> bytes | Diagnostic | None:
    """Return a text's bytes, None for what is no text, or why it could not be read."""
    try:
        data = foreign.read(root, real)
    except foreign.Refused as error:
        silent = error.errno in (errno.EFBIG, errno.EISDIR) and not is_code(name)
        return None if silent else _unread(name, f"{error.strerror}", _HINTS.get(error.errno or 0, _HINT))
    except FileNotFoundError:
        return None  # a link to nothing
    except OSError as error:
        machine.raise_shortage(error)
        return _unread(name, f"cannot be read: {error.strerror}")
    if b"\0" in data:
        return _unread(name, "is not text: it holds null bytes") if is_code(name) else None
    # A mark of the encoding stands at the beginning of a file or not at all: lines go before texts.
    return data.removeprefix(codecs.BOM_UTF8)


def _misnamed(name: str) -> Diagnostic:
    """Refuse what would be other lines in a Makefile, a list or a log."""
    return _unread(one_line(name), "has control characters in its name")


def _unread(name: str, reason: str, hint: str = _HINT) -> Diagnostic:
    return Diagnostic(
        code="TP101",
        severity=Severity.WARNING,
        path=name,
        line=1,
        message=f"the file {reason}",
        hint=hint,
    )
