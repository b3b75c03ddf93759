"""A CMakeLists.txt for CUDA becomes one for C++ with OpenMP, command by command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from transpile.assemble.cmake_globs import narrowed
from transpile.assemble.makefile import GXX, with_options
from transpile.assemble.names import mentioned
from transpile.code.cmake import Command, commands
from transpile.code.edits import Edit, apply_outermost

_OF_CUDA_ALONE = re.compile(r"\$<\$<COMPILE_LANG(?:UAGE|_AND_ID):CUDA\b")
_TOOLKIT = re.compile(r"CUDA(?:Toolkit)?$")
_SETTING = re.compile(
    r"(?:CMAKE_)?CUDA_(?:ARCH\w*|SEPARABLE_COMPILATION|COMPILER|TOOLKIT_ROOT_DIR|HOST_COMPILER|PROPAGATE\w*"
    r"|RUNTIME_LIBRARY|RESOLVE_DEVICE_SYMBOLS|USE_STATIC\w*|VERBOSE_BUILD|NVCC_FLAGS\w*)$"
)
"""Variables that nvcc alone reads."""
_DEVICE_PROPERTY = re.compile(r"CUDA_(?:SEPARABLE|ARCH|RESOLVE|RUNTIME|PTX|CUBIN|FATBIN|OPTIX)\w*$")
_LIBRARY = re.compile(
    r"CUDA::\w+$|\$\{CUDA(?:_\w+)?_LIBRAR(?:Y|IES)\}$|\$\{CUDAToolkit_LIBRARY\w*\}$"
    r"|(?:-l)?(?:cu(?:da|dart|dart_static|dadevrt|blas|blas_static|blasLt|rand|fft|sparse)|nvToolsExt|nvtx3)$"
)
_DIRECTORY = re.compile(
    r"\"?\$\{CUDA(?:Toolkit|_TOOLKIT|_SDK)?_(?:INCLUDE_DIRS?|ROOT_DIR|LIBRARY_DIR)\}[^\"\s]*\"?$"
)
_RENAMED = (
    (re.compile(r"\bCMAKE_CUDA_(STANDARD\w*|FLAGS\w*|EXTENSIONS|COMPILER\w*)\b"), r"CMAKE_CXX_\1"),
    (re.compile(r"\bCUDA_(STANDARD\w*|EXTENSIONS)\b"), r"CXX_\1"),
    (re.compile(r"\bcuda_std_\d+\b"), "cxx_std_17"),
    (re.compile(r"\bcxx_std_(?:98|11|14)\b"), "cxx_std_17"),
    (re.compile(r"\bCUDA(?:Toolkit)?_FOUND\b"), "OpenMP_FOUND"),
    (re.compile(r"(?<=[*/])\.cu\b(?!h)"), ".cpp"),
)
_LANGUAGES = frozenset(("project", "enable_language", "check_language"))
_OPTIONS = frozenset(
    ("target_compile_options", "add_compile_options", "target_link_options", "add_link_options")
)
_LINKS = frozenset(("target_link_libraries", "link_libraries"))
_DIRECTORIES = frozenset(
    ("include_directories", "target_include_directories", "link_directories", "target_link_directories")
)
_SETS = frozenset(("set", "list", "string", "unset", "option"))
_PROPERTIES = frozenset(("set_target_properties", "set_property", "set_source_files_properties"))
_WHO = frozenset(("PRIVATE", "PUBLIC", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"))
OF_OLD_MODULE = {"cuda_add_executable": "add_executable", "cuda_add_library": "add_library"}
"""Commands of FindCUDA, which is no part of CMake any more, and those that take their place."""
_STANDARD = re.compile(r"(?:CMAKE_)?(?:CUDA|CXX)_STANDARD$")
_OLDER = frozenset(("98", "03", "11", "14"))
_OLDEST = "17"
"""The standard of C++ that the port is written in."""


def ported(
    text: str,
    names: Mapping[str, str],
    *,
    include: Sequence[str],
    more: Sequence[str] = (),
    folder: str | None = None,
) -> str:
    """Return the CMakeLists.txt of the port.

    Args:
        text: The source's CMakeLists.txt, or a file that one includes.
        names: The port's path of each file.
        include: Directories that the ported files need.
        more: Flags that they need besides.
        folder: That the text speaks of; None for a file that others include.
    """
    top = any(command.name == "project" for command in commands(text))
    edits: list[Edit[str]] = []
    for command in commands(text):
        narrow = narrowed(command, names, folder, top=top) if folder is not None else []
        edits += narrow or _edits(text, command, names)
    return with_openmp(apply_outermost(text, edits), include, more)


def without_old_module(text: str) -> str:
    """Return a text with CMake's own commands in place of those of FindCUDA."""
    old = (command for command in commands(text) if command.name in OF_OLD_MODULE)
    return apply_outermost(text, [edit for command in old for edit in _of_old_module(command)])


def with_openmp(
    text: str, include: Sequence[str] = (), more: Sequence[str] = (), languages: Sequence[str] = ("CXX",)
) -> str:
    """Link OpenMP to all targets of a project, and give them the headers and flags that the port needs.

    A text in which no project begins stays as it is: what a project links is linked below it.
    """
    targets = " ".join(f"OpenMP::OpenMP_{language}" for language in languages)
    lines = ["find_package(OpenMP REQUIRED)", f"link_libraries({targets})"]
    lines += [f"include_directories({' '.join(include)})"] if include else []
    lines += [f"add_compile_options({' '.join(more)})"] if more else []
    begins = any(command.name == "project" for command in commands(text))
    return behind_project(text, "".join(f"{line}\n" for line in lines)) if begins else text


def behind_project(text: str, lines: str) -> str:
    """Return a text with lines behind its ``project()``, or before all where it has none."""
    project = next((command for command in commands(text) if command.name == "project"), None)
    if project is None:
        return lines + text
    end = text.find("\n", project.end) + 1
    return text[:end] + lines + text[end:] if end else f"{text}\n{lines}"


def _edits(text: str, command: Command, names: Mapping[str, str]) -> Iterator[Edit[str]]:
    """Yield what changes in a command."""
    words = command.words
    drop = partial(_without_command, text, command)
    if _is_for_nvcc(command):
        yield drop()
    elif command.name in _LANGUAGES:
        yield from _of_languages(command)
    elif command.name in _PROPERTIES:
        gone = list(_without_properties(command))
        yield from [drop()] if len(gone) == len(words) - _before_properties(command) else gone
    elif command.name in _OPTIONS | _LINKS | _DIRECTORIES:
        gone = list(_without_options(command))
        left = len(words) - len(gone) - sum(word in _WHO for word in words)
        own = 1 if command.name.startswith("target_") else 0
        yield from [drop()] if gone and left <= own else gone
    elif command.name in OF_OLD_MODULE:
        yield from _of_old_module(command)
    for item in command.arguments:
        new = _renamed(item.text, names, flags=any("FLAGS" in word for word in words[:2]))
        if new != item.text:
            yield Edit(item.start, item.end, new)
    yield from _newer_standard(command)


def _is_for_nvcc(command: Command) -> bool:
    """Tell whether a command says nothing that concerns another compiler."""
    words = command.words
    match command.name:
        case "find_package":
            return bool(words and _TOOLKIT.match(words[0]))
        case "include":
            return words[:1] == ("FindCUDA",)
        case _:
            return command.name in _SETS and any(map(_SETTING.match, words[:2]))


def _renamed(written: str, names: Mapping[str, str], *, flags: bool) -> str:
    """Return an argument as the port has it."""
    new = mentioned(written, names)
    for pattern, text in _RENAMED:
        new = pattern.sub(text, new)
    return with_options(f" {new}", GXX)[1:] if flags else new


def _newer_standard(command: Command) -> Iterator[Edit[str]]:
    """Raise the standard of C++ to the one that the port is written in."""
    for name, value in zip(command.arguments, command.arguments[1:], strict=False):
        if _STANDARD.match(name.text) and value.text in _OLDER:
            yield Edit(value.start, value.end, _OLDEST)


def _without_command(text: str, command: Command) -> Edit[str]:
    """Remove a command, with its line where nothing else stands there."""
    start = text.rfind("\n", 0, command.start) + 1
    end = text.find("\n", command.end) + 1 or len(text)
    alone = not text[start : command.start].strip() and not text[command.end : end].strip()
    return Edit(start, end, "") if alone else Edit(command.start, command.end, "")


def _dropped(command: Command, gone: Sequence[int]) -> Iterator[Edit[str]]:
    """Remove arguments with the blanks before them; the first with those behind it."""
    items = command.arguments
    for at in gone:
        if at:
            yield Edit(items[at - 1].end, items[at].end, "")
        else:
            yield Edit(items[0].start, items[1].start if len(items) > 1 else items[0].end, "")


def _of_languages(command: Command) -> Iterator[Edit[str]]:
    """Name C++ in place of CUDA."""
    others = [word for word in command.words if word == "CXX"]
    places = [at for at, word in enumerate(command.words) if word == "CUDA"]
    # What is called CUDA is a project, and no language.
    places = [at for at in places if at or command.name != "project"]
    for at in places:
        item = command.arguments[at]
        yield from _dropped(command, [at]) if others else [Edit(item.start, item.end, "CXX")]


def _before_properties(command: Command) -> int:
    """Return how many arguments stand before the first property, its keyword among them."""
    return next(
        (at + 1 for at, word in enumerate(command.words) if word in ("PROPERTIES", "PROPERTY")),
        len(command.arguments),
    )


def _without_properties(command: Command) -> Iterator[Edit[str]]:
    words, start = command.words, _before_properties(command)
    one = start and words[start - 1] == "PROPERTY"
    for at in range(start, len(words), 2):
        if _DEVICE_PROPERTY.match(words[at]):
            yield from _dropped(command, range(at, len(words) if one else min(at + 2, len(words))))
        elif words[at] == "LANGUAGE" and at + 1 < len(words) and words[at + 1] == "CUDA":
            item = command.arguments[at + 1]
            yield Edit(item.start, item.end, "CXX")


def _without_options(command: Command) -> Iterator[Edit[str]]:
    """Drop what is for nvcc alone; an expression may go on over several arguments."""
    open_brackets = 0
    gone: list[int] = []
    for at, item in enumerate(command.arguments):
        begins = _OF_CUDA_ALONE.search(item.text)
        if open_brackets or begins:
            open_brackets += item.text.count("$<") - item.text.replace("->", "").count(">")
            gone.append(at)
        elif _LIBRARY.match(item.text) or _DIRECTORY.match(item.text):
            gone.append(at)
    return _dropped(command, gone)


def _of_old_module(command: Command) -> Iterator[Edit[str]]:
    """Name CMake's own command, without what is for nvcc."""
    yield Edit(command.start, command.name_end, OF_OLD_MODULE[command.name])
    words = command.words
    if "OPTIONS" in words:
        yield from _dropped(command, range(words.index("OPTIONS"), len(words)))
