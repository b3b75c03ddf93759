"""libclang at work on lowered text: translation units parsed with the emulator's header, precompiled once."""

from __future__ import annotations

import atexit
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from ctypes import POINTER, Structure, byref, c_uint, c_void_p, cast
from functools import cache
from pathlib import Path
from typing import Any

from clang import cindex

from transpile.core import Span, TranslationUnit, digest
from transpile.files import held_directory
from transpile.parsers.files.barred import barred
from transpile.parsers.text.hosts import is_c
from transpile.simt import include_directory, samples_directory
from transpile.toolchains.beside import include_directories

# libclang's cursors are typed as Any by their module's lack of annotations.
Cursor = Any
Type = Any

_KEEP_GOING = 0x200  # CXTranslationUnit_KeepGoing: a missing header is no reason to stop
_OPTIONS = cindex.TranslationUnit.PARSE_INCOMPLETE | _KEEP_GOING
_RECORD = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD  # without it nothing tells what #if removes
ERROR = 3  # CXDiagnostic_Error
REFERENCES = (cindex.TypeKind.LVALUEREFERENCE, cindex.TypeKind.RVALUEREFERENCE)
_NEXT = 1  # CXChildVisit_Continue
FOLDERS = "transpile-libclang-"
"""The beginning of the names of our temporary folders; those of killed processes go when the next is made."""
_PRELUDE = "#include <simt/simt.h>\n"
_FUNCTIONS = frozenset(
    {
        cindex.CursorKind.FUNCTION_DECL,
        cindex.CursorKind.FUNCTION_TEMPLATE,
        cindex.CursorKind.CXX_METHOD,
        cindex.CursorKind.CONSTRUCTOR,
        cindex.CursorKind.DESTRUCTOR,
        cindex.CursorKind.CONVERSION_FUNCTION,
    }
)
_SCOPES = frozenset(
    {
        cindex.CursorKind.NAMESPACE,
        cindex.CursorKind.LINKAGE_SPEC,
        cindex.CursorKind.UNEXPOSED_DECL,
        cindex.CursorKind.FRIEND_DECL,
        cindex.CursorKind.CLASS_DECL,
        cindex.CursorKind.STRUCT_DECL,
        cindex.CursorKind.UNION_DECL,
        cindex.CursorKind.CLASS_TEMPLATE,
        cindex.CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    }
)
_WRAPPERS = (cindex.CursorKind.PAREN_EXPR, cindex.CursorKind.UNEXPOSED_EXPR)
_OF_OPENMP = "-D_OPENMP=201511"
"""The macro of ``-fopenmp``, whose directives are left alone."""


def parse(root: Path, files: Mapping[str, bytes], unit: TranslationUnit, *, plain: bool = False) -> Any:
    """Parse a translation unit whose files are in memory; errors in it are tolerated.

    Args:
        root: Where the files lie in name; relative include directories count from here.
        files: Lowered texts by path.
        unit: What to parse, with its flags.
        plain: Without the emulator, as C where that is what it is.
    """
    emulated = (*_common(), "-include-pch", str(_precompiled()), "-Xclang", "-fno-validate-pch")
    emulated += (_OF_OPENMP,) if "-fopenmp" in unit.flags else ()
    directories = (*include_directories(unit.flags), str(Path(unit.path).parent))
    written = [word for place in _unmade(root, files, directories) for word in ("-I", str(place))]
    arguments = [*(_plain(unit) if plain else emulated), *_flags(root, unit), *written]
    unsaved = [(str(root / path), data) for path, data in files.items()]
    # It would wait for a pipe, and read a device, for ever.
    unsaved += [(place, b"") for place in barred(root, files, unit.path, directories)]
    return _index().parse(
        str(root / unit.path), args=arguments, unsaved_files=unsaved, options=_KEEP_GOING | _RECORD
    )


def _unmade(root: Path, files: Mapping[str, bytes], directories: Sequence[str]) -> Iterator[Path]:
    """Yield copies of directories that only a build makes: the parser looks into none that is not there."""
    for directory in directories:
        inside = {path: data for path, data in files.items() if path.startswith(f"{directory}/")}
        if not inside or (root / directory).is_dir():
            continue
        place = _scratch() / digest(directory, *map(str, inside), *inside.values())[:16]
        for path, data in inside.items():
            copy = place / path.removeprefix(f"{directory}/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(data)
        yield place


def declarations(parsed: Any, wanted: Callable[[str], bool]) -> list[Cursor]:
    """Return the outermost declarations of a translation unit that lie in files of wanted names.

    Most are of headers of the system, thousands of them: a file is asked about once.
    """
    library = cindex.conf.lib
    known: dict[int | None, bool] = {None: False}
    found: list[Cursor] = []

    def visit(cursor: Cursor, _parent: Cursor, _data: object) -> int:
        handle = cindex.c_object_p()
        place = library.clang_getCursorLocation(cursor)
        library.clang_getInstantiationLocation(place, byref(handle), None, None, None)
        number = cast(handle, c_void_p).value
        if number not in known:
            known[number] = wanted(cindex.File(handle).name)
        if known[number]:
            cursor._tu = parsed  # as the bindings keep what a cursor is of
            found.append(cursor)
        return _NEXT

    library.clang_visitChildren(parsed.cursor, cindex.callbacks["cursor_visit"](visit), None)
    return found


class _Ranges(Structure):
    """``CXSourceRangeList``, which the bindings leave out."""

    _fields_ = (("count", c_uint), ("ranges", POINTER(cindex.SourceRange)))


def skipped(parsed: Any, names: Sequence[str]) -> dict[str, tuple[Span, ...]]:
    """Return the bytes that ``#if`` removed, for those of the named files that were read."""
    library = cindex.conf.lib
    library.clang_getSkippedRanges.restype = POINTER(_Ranges)
    library.clang_disposeSourceRangeList.argtypes = (POINTER(_Ranges),)
    library.clang_disposeSourceRangeList.restype = None
    read = {str(item.include.name) for item in parsed.get_includes()} | {parsed.spelling}
    found: dict[str, tuple[Span, ...]] = {}
    for name in names:
        if name in read:
            listed = library.clang_getSkippedRanges(parsed, parsed.get_file(name))
            ranges = [listed.contents.ranges[index] for index in range(listed.contents.count)]
            found[name] = tuple(Span(start=item.start.offset, end=item.end.offset) for item in ranges)
            library.clang_disposeSourceRangeList(listed)
    return found


def is_expression(cursor: Cursor) -> bool:
    """Tell whether a node is an expression; libclang has ``__builtin_bit_cast`` among statements."""
    return bool(cursor.kind.is_expression()) or cursor.kind is cindex.CursorKind.BUILTIN_BIT_CAST_EXPR


def expressions(cursor: Cursor) -> list[Cursor]:
    """Return the children of a node that are expressions."""
    return [item for item in cursor.get_children() if is_expression(item)]


def bare(cursor: Cursor) -> Cursor:
    """Return an expression without parentheses and the conversions that nobody wrote."""
    while cursor.kind in _WRAPPERS:
        inner = expressions(cursor)
        if len(inner) != 1:
            return cursor
        cursor = inner[0]
    return cursor


def descend(cursor: Cursor) -> Iterator[Cursor]:
    """Yield all cursors below, parents first."""
    for child in cursor.get_children():
        yield child
        yield from descend(child)


def functions(parsed: Any) -> Iterator[Cursor]:
    """Yield the definitions of functions in a translation unit.

    Left out are those in the body of another, and those that a header of the system has in a namespace or
    class.
    """
    waiting = [parsed.cursor]
    while waiting:
        for child in waiting.pop().get_children():
            kind = child.kind
            if kind in _SCOPES:
                if not in_system_header(child):
                    waiting.append(child)
            elif kind in _FUNCTIONS and child.is_definition():
                yield child


def in_system_header(cursor: Cursor) -> bool:
    """Tell whether a header of the system says something: one found by ``-isystem`` or by default."""
    return bool(cindex.conf.lib.clang_Location_isInSystemHeader(cursor.location))


def _flags(root: Path, unit: TranslationUnit) -> list[str]:
    flags: list[str] = []
    words = iter(unit.flags)
    for word in words:
        if word in ("-I", "-isystem", "-iquote"):
            flags += ["-I", str(root / next(words, "."))]
        elif word.startswith("-I"):
            flags += ["-I", str(root / word[2:])]
        elif word == "-include":
            flags += ["-include", str(root / next(words, ""))]
        elif word in ("-D", "-U"):
            flags.append(word + next(words, ""))
        elif word.startswith(("-D", "-U")):
            flags.append(word)
    return [*flags, "-I", str(root / Path(unit.path).parent)]


@cache
def _index() -> Any:
    return cindex.Index.create()


@cache
def _common() -> tuple[str, ...]:
    own = ("-I", str(include_directory()), "-idirafter", str(samples_directory()))
    return ("-x", "c++", "-std=gnu++17", "-w", "-ferror-limit=0", "-nostdinc++", *_system(), *own)


def _plain(unit: TranslationUnit) -> tuple[str, ...]:
    standard = tuple(flag for flag in unit.flags if flag.startswith("-std="))
    language = ("-x", "c", *(standard or ("-std=gnu17",))) if is_c(unit.path) else ("-x", "c++", *standard)
    return (*language, "-w", "-ferror-limit=0", "-nostdinc++", *_system())


@cache
def _system() -> tuple[str, ...]:
    """Return the include directories of g++: the package brings no headers of its own."""
    done = subprocess.run(
        ["g++", "-E", "-v", "-x", "c++", "/dev/null"], capture_output=True, text=True, check=False
    )
    listed = re.search(
        r"#include <\.\.\.> search starts here:\n(.*?)End of search list", done.stderr, re.DOTALL
    )
    directories = listed.group(1).split() if listed else []
    return tuple(flag for directory in directories for flag in ("-isystem", directory))


@cache
def _scratch() -> Path:
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(held_directory(Path(tempfile.gettempdir()), FOLDERS))


@cache
def _precompiled() -> Path:
    """Parse the emulator's header once a process."""
    place = _scratch() / f"{digest(*_common())[:16]}.pch"
    prelude = place.with_suffix(".h")
    prelude.write_text(_PRELUDE)
    options = _OPTIONS
    unit = _index().parse(str(prelude), args=[*_replaced(_common())], options=options)
    unit.save(str(place))
    return place


def _replaced(arguments: Sequence[str]) -> list[str]:
    return ["c++-header" if word == "c++" else word for word in arguments]
