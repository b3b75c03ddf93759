"""Translation units become shared objects and programs, in the sandbox, kept by content."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from transpile import foreign
from transpile.core import TranslationUnit, digest
from transpile.errors import UsageError
from transpile.toolchains import compilers, sandbox, starved
from transpile.toolchains.beside import headers_beside, outside
from transpile.toolchains.bindings import bound_at_once
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.devices import DeviceCompiler
from transpile.toolchains.headers import Headers, headers
from transpile.toolchains.kept import is_kept, keep
from transpile.toolchains.needed import needed
from transpile.toolchains.process import Finished
from transpile.toolchains.recipes import (
    CHECKED,
    WIDENED,
    Flavour,
    Recipe,
    argument,
    recipe,
    unit_flags,
    version,
)
from transpile.toolchains.workshop import Workshop

__all__ = ["BuildFailed", "Built", "Flavour", "build_library", "build_object", "build_program"]

_TIMEOUT = 300.0
_DIAGNOSTICS = 8000
_LONGEST = 300
"""Characters of an error in a message."""
_LISTING = 256 << 20
"""Bytes of a listing or of remarks that a compiler writes."""
_DEFINED = ("--extern-only", "--defined-only")
_SHARED = ("W", "V", "u")
"""Kinds of symbols, by ``nm``, that several objects may define: inline functions, instances of templates."""
_MANGLED = re.compile(r"_Z(?P<nested>N)?")
_PART = re.compile(r"\d+")
ABSENT_LIBRARY = re.compile(r"cannot find -l([\w.+-]+)")
_HEADER_SUFFIXES = (".h", ".hpp", ".cuh", ".hh", ".hxx", ".inl", ".inc", ".ipp", ".tpp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A library or program in the cache."""

    path: Path
    digest: str
    flavour: Flavour


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a library's translation unit names and others define."""

    objects: tuple[Built, ...] = ()
    variables: tuple[str, ...] = ()
    """What crashes that use it where no object has it, and nothing else."""


NOTHING_BESIDE = Beside()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildFailed:
    """A command that failed, and its diagnostics."""

    command: str
    output: str
    """Diagnostics, the last of them cut where there are many."""
    whole: str = ""
    """All of them, of compilers that ran here."""

    @property
    def complaint(self) -> str:
        """Return the first error in one line; of a linker's, what it says before it gives up."""
        lines = self.output.strip().splitlines() or ["no message"]
        of_cmake = re.search(r"^(CMake Error.*)\n\s*(.*)", self.output, re.MULTILINE)
        if of_cmake is not None:
            return " ".join(of_cmake.groups())[:_LONGEST]
        first = next((at for at, line in enumerate(lines) if "error" in line), 0)
        told = max(first - 1, 0) if lines[first].startswith("collect2: error") else first
        return lines[told].strip()[:_LONGEST]


@dataclass
class _Failure(Exception):  # not frozen: raising sets attributes
    """Carries the first failing command out of a build, with all that it printed."""

    command: str
    output: str

    def told(self) -> BuildFailed:
        """Return the failure as callers hear of it."""
        return BuildFailed(command=self.command, output=shortened(self.output), whole=self.output)


def build_library(
    workshop: Workshop,
    compilation: Compilation,
    flavour: Flavour,
    *,
    libraries: Sequence[str] = (),
    beside: Beside = NOTHING_BESIDE,
) -> Built | BuildFailed:
    """Compile one translation unit into a shared object.

    Args:
        workshop: Where and how far.
        compilation: The unit, and what it needs.
        flavour: What the build is for.
        libraries: Flags of the linker for what the text calls; under checkers, headers of ours do that.
        beside: What other translation units define.
    """
    how, emulated = with_defines(recipe(flavour), compilation.defines), compilation.emulated
    checked = bool(libraries) and flavour in CHECKED
    if not checked:
        how = replace(how, link=(*how.link, *libraries))
    unit = _compiled_unit(compilation, how)
    texts = needed(compilation.texts, [unit])
    fixed = _prelude(workshop, how, unit, flavour, emulated=emulated, checked=checked)
    extra = (flavour, str(emulated), str(checked), "weak", *beside.variables)
    extra += tuple(item.digest for item in beside.objects)
    key = _key(texts, [unit], how, fixed, extra)
    final = workshop.cache / "libraries" / key[:40]
    if not is_kept(final):
        try:
            with _tree(workshop, texts) as tree:
                _compile(workshop, tree, unit, how, fixed, "library.o", emulated=emulated)
                others = _linked(workshop, tree, beside, fixed, unit)
                link = [how.compiler, "-shared", "library.o", *others, "-o", "library.so", *how.link]
                _run(workshop, tree, link, fixed, unit)
                _keep(tree, final, "library.so", "library.gcno")
        except _Failure as failure:
            return failure.told()
    return Built(path=final / "library.so", digest=key, flavour=flavour)


def build_object(
    workshop: Workshop,
    files: Mapping[str, bytes],
    unit: TranslationUnit,
    symbols: Sequence[str],
    flavour: Flavour,
    *,
    emulated: bool = False,
    defines: Sequence[str] = (),
) -> Built | BuildFailed:
    """Compile one translation unit for libraries of others, which see parts of it.

    Args:
        workshop: Where and how far.
        files: The whole tree, by path relative to its root.
        unit: The file to compile and its flags.
        symbols: Functions and variables that the libraries see, by the names that the linker knows.
        flavour: What the libraries are for; branches are counted in none of these functions.
        emulated: Compile CUDA with the emulator's headers.
        defines: Macros on top of the unit's own, without ``-D``.
    """
    base = with_defines(recipe(flavour), defines)
    unit = _with_flags(unit, base, emulated=True) if emulated else _by_itself(unit, emulated=False)
    files = needed(files, [unit])
    how = replace(base, compile=tuple(flag for flag in base.compile if flag != "--coverage"))
    fixed = _prelude(workshop, how, unit, flavour, emulated=emulated)
    key = _key(files, [unit], how, fixed, ("object", flavour, str(emulated), *symbols))
    final = workshop.cache / "objects" / key[:40]
    if not is_kept(final):
        try:
            with _tree(workshop, files) as tree:
                _compile(workshop, tree, unit, how, fixed, "object.o", emulated=emulated)
                seen = _Names(symbols, loosely=flavour in WIDENED)
                _hide_all_but(seen, workshop, tree, fixed, unit)
                _keep(tree, final, "object.o")
        except _Failure as failure:
            return failure.told()
    return Built(path=final / "object.o", digest=key, flavour=flavour)


def assembly(workshop: Workshop, compilation: Compilation, flavour: Flavour) -> str | BuildFailed:
    """Return the assembly text of a translation unit.

    Functions that are alike are not merged, so that each can be read.
    """
    how = with_defines(recipe(flavour), compilation.defines)
    how = replace(how, compile=(*how.compile, "-fno-ipa-icf", "-fno-asynchronous-unwind-tables"))
    return _written(workshop, compilation, how, flavour, "library.s", stop="-S")


def remarks(workshop: Workshop, compilation: Compilation) -> str | BuildFailed:
    """Return what g++ says of the loops of a translation unit as it would be shipped: vectorised or not."""
    flavour, name = Flavour.SHIPPED, "remarks"
    how = with_defines(recipe(flavour), compilation.defines)
    how = replace(how, compile=(*how.compile, f"-fopt-info-vec-optimized-missed={name}"))
    return _written(workshop, compilation, how, flavour, name, output="library.o")


def _written(
    workshop: Workshop,
    compilation: Compilation,
    how: Recipe,
    flavour: Flavour,
    name: str,
    *,
    output: str = "",
    stop: str = "-c",
) -> str | BuildFailed:
    """Return the text of a file that a compilation writes: its output where no other is named."""
    unit, emulated = _compiled_unit(compilation, how), compilation.emulated
    fixed = _prelude(workshop, how, unit, flavour, emulated=emulated)
    try:
        with _tree(workshop, needed(compilation.texts, [unit])) as tree:
            _compile(workshop, tree, unit, how, fixed, output or name, emulated=emulated, stop=stop)
            return _read(tree, name).decode("utf-8", "surrogateescape")
    except _Failure as failure:
        return failure.told()


def build_program(
    workshop: Workshop,
    files: Mapping[str, bytes],
    units: Sequence[TranslationUnit],
    *,
    link_flags: Sequence[str] = (),
    emulated: bool | Collection[str],
    flavour: Flavour = Flavour.PLAIN,
    compiler: str = "g++",
    defines: Sequence[str] = (),
) -> Built | BuildFailed:
    """Compile and link a program.

    Args:
        workshop: Where and how far.
        files: The whole tree, by path relative to its root.
        units: The files to compile and their flags.
        link_flags: Such as ``-lm``.
        emulated: Compile CUDA with the emulator's headers; or the paths of the units that are CUDA.
        flavour: What the build is for.
        compiler: Name of the tool.
        defines: Macros on top of the units' own, without ``-D``.
    """
    base = recipe(flavour)
    how = Recipe(compiler=compiler, compile=base.compile, link=base.link, defines=tuple(defines))
    device = [emulated if isinstance(emulated, bool) else unit.path in emulated for unit in units]
    units = [_with_flags(unit, how, emulated=own) for unit, own in zip(units, device, strict=True)]
    files = needed(files, units)
    fixed = [
        headers(workshop, how, unit.flags, None, emulated=own)
        for unit, own in zip(units, device, strict=True)
    ]
    key = _key(files, units, how, fixed[device.index(max(device))], ("program", str(device), *link_flags))
    final = workshop.cache / "programs" / key[:40]
    if not is_kept(final):
        try:
            with _tree(workshop, files) as tree:
                objects = []
                for index, (unit, given, own) in enumerate(zip(units, fixed, device, strict=True)):
                    objects.append(f"{tree.name}-{index}.o")
                    _compile(workshop, tree, unit, how, given, objects[-1], emulated=own)
                _link(workshop, tree, [how.compiler, *objects, *how.link], link_flags, fixed[0], units[0])
                _keep(tree, final, "program")
        except _Failure as failure:
            return failure.told()
    return Built(path=final / "program", digest=key, flavour=flavour)


def _link(
    workshop: Workshop,
    tree: Path,
    command: Sequence[str],
    flags: Sequence[str],
    fixed: Headers,
    unit: TranslationUnit,
) -> None:
    """Link a program, without the libraries that are not here where it needs none of them."""
    try:
        _run(workshop, tree, [*command, *flags, "-o", "program"], fixed, unit)
    except _Failure as failure:
        absent = {f"-l{name}" for name in absent_libraries(failure.output)}
        if absent.isdisjoint(flags):
            raise
        present = [flag for flag in flags if flag not in absent]
        with suppress(_Failure):
            _run(workshop, tree, [*command, *present, "-o", "program"], fixed, unit)
            return
        raise


def absent_libraries(output: str) -> list[str]:
    """Return the libraries that a linker says it did not find, without ``-l``."""
    return list(dict.fromkeys(ABSENT_LIBRARY.findall(output)))


def _prelude(
    workshop: Workshop,
    how: Recipe,
    unit: TranslationUnit,
    flavour: Flavour,
    *,
    emulated: bool,
    checked: bool = False,
) -> Headers:
    """Return our headers as a library's unit includes them; C reads their text, which is short there."""
    if _is_c(unit, emulated=emulated):
        how = replace(how, precompiled=False)
    return headers(workshop, how, unit.flags, flavour, emulated=emulated, checked=checked)


def _compiled_unit(compilation: Compilation, how: Recipe) -> TranslationUnit:
    """Return the unit of a library with all flags that it is compiled by."""
    unit = _with_flags(compilation.unit, how, emulated=compilation.emulated)
    return _by_itself(unit, emulated=compilation.emulated)


def _with_flags(unit: TranslationUnit, how: Recipe, *, emulated: bool) -> TranslationUnit:
    """Return a unit with all flags that it is compiled by."""
    return replace(unit, flags=unit_flags(unit, how.compiler, emulated=emulated))


def _is_c(unit: TranslationUnit, *, emulated: bool) -> bool:
    """Tell whether a unit is compiled as C."""
    return unit.path.endswith(".c") and not emulated


def _by_itself(unit: TranslationUnit, *, emulated: bool) -> TranslationUnit:
    """Return a unit that needs no other one for its inline functions, which C may leave to that one.

    Nothing else of the library defines them: what companions define is theirs alone.
    """
    return replace(unit, flags=(*unit.flags, "-Dinline=")) if _is_c(unit, emulated=emulated) else unit


def with_defines(how: Recipe, defines: Sequence[str]) -> Recipe:
    """Return a recipe with more macros, without ``-D``."""
    return replace(how, defines=(*how.defines, *defines))


def refused_by(
    workshop: Workshop, device: DeviceCompiler, files: Mapping[str, bytes], unit: TranslationUnit
) -> BuildFailed | None:
    """Return what the compiler of devices objects to in a file; None where it takes it, or is not here."""
    if not device.here:
        return None
    how = Recipe(compiler=device.name, compile=device.flags, link=())
    files = needed(files, [unit])
    given = Headers(flags=(), readable=(), digest="")
    key = _key(files, [unit], how, given, (device.name,))
    final = workshop.cache / "objects" / key[:40]
    if is_kept(final):
        return None
    try:
        with _tree(workshop, files) as tree:
            command = [device.name, *device.flags, *unit.flags, "-c", argument(unit.path), "-o", "object.o"]
            _run(workshop, tree, command, given, unit, device.environment)
            _keep(tree, final, "object.o")
    except _Failure as failure:
        return failure.told()
    return None


def _key(
    files: Mapping[str, bytes],
    units: Sequence[TranslationUnit],
    how: Recipe,
    fixed: Headers,
    extra: Sequence[str],
) -> str:
    parts: list[bytes | str] = [version(how.compiler), *how.compile, "|", *how.link, "|", *how.defines, "|"]
    parts += [fixed.digest, *extra]
    for unit in units:
        parts += [unit.path, *unit.flags, "|"]
    texts = dict(files)
    for unit in units:
        texts |= headers_beside(files, unit.flags)
    for path in sorted(texts):
        parts += [path, texts[path]]
    return digest(*parts)


@contextmanager
def _tree(workshop: Workshop, files: Mapping[str, bytes]) -> Iterator[Path]:
    """Write the files to a directory of their own, gone afterwards."""
    scratch = workshop.scratch()
    with tempfile.TemporaryDirectory(dir=scratch, prefix="build-", ignore_cleanup_errors=True) as directory:
        root = Path(directory)
        for path, data in files.items():
            place = root / path
            if not place.resolve().is_relative_to(root.resolve()):
                raise UsageError(f"{path} lies outside the source")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        yield root


def _compile(
    workshop: Workshop,
    tree: Path,
    unit: TranslationUnit,
    how: Recipe,
    fixed: Headers,
    output: str,
    *,
    emulated: bool,
    stop: str = "-c",
) -> None:
    language = ["-x", "c" if _is_c(unit, emulated=emulated) else "c++"]
    defines = [f"-D{name}" for name in how.defines]
    command = [how.compiler, *how.compile, *defines, *fixed.flags, *unit.flags]
    _run(workshop, tree, [*command, stop, *language, argument(unit.path), "-o", output], fixed, unit)


class _Names:
    """Names of the linker; ``loosely`` whatever their parameters are, which other types of numbers change."""

    def __init__(self, names: Sequence[str], *, loosely: bool) -> None:
        self._loosely = loosely
        self._names = frozenset(map(self._stem, names))

    def __contains__(self, name: str) -> bool:
        return self._stem(name) in self._names

    def _stem(self, name: str) -> str:
        mangled = _MANGLED.match(name) if self._loosely else None
        if mangled is None:
            return name
        at, inner = mangled.end(), mangled["nested"] is not None
        while (part := _PART.match(name, at)) is not None:
            at = part.end() + int(part[0])
            if not inner:
                break
        return name[:at]


def _hide_all_but(
    symbols: _Names, workshop: Workshop, tree: Path, fixed: Headers, unit: TranslationUnit
) -> None:
    """Make what an object defines its own; other objects may have what several files may define, as well."""
    listed = _run(workshop, tree, ["nm", "--format=posix", *_DEFINED, "object.o"], fixed, unit)
    defined = [line.split()[:2] for line in listed.stdout.decode().splitlines()]
    hidden = [name for name, kind in defined if kind not in _SHARED and name not in symbols]
    if hidden:
        _write(tree, "hidden", "\n".join(hidden).encode())
        _run(workshop, tree, ["objcopy", "--localize-symbols=hidden", "object.o"], fixed, unit)


def _linked(
    workshop: Workshop, tree: Path, beside: Beside, fixed: Headers, unit: TranslationUnit
) -> list[str]:
    """Copy objects beside a library's own and return what links them; variables may be in none of them.

    Nor need there be what no call names: the loader wants it at once, whoever uses it.

    A C file that is compiled as C++ calls functions of C by names that C++ makes of theirs.
    """
    wanting = (*beside.variables, *bound_at_once(_read(tree, "library.o")))
    if wanting:
        _write(tree, "wanting", "\n".join(wanting).encode())
        _run(workshop, tree, ["objcopy", "--weaken-symbols=wanting", "library.o"], fixed, unit)
    if not beside.objects:
        return []
    names = [f"beside-{index}.o" for index in range(len(beside.objects))]
    for name, item in zip(names, beside.objects, strict=True):
        _write(tree, name, item.path.read_bytes())
    lacking = _run(workshop, tree, ["nm", "--undefined-only", "--just-symbols", "library.o"], fixed, unit)
    there = _run(workshop, tree, ["nm", *_DEFINED, "--just-symbols", *names], fixed, unit)
    aliases = [
        f"-Wl,--defsym={other}={name}"
        for name in dict.fromkeys(there.stdout.decode().split())
        for other in lacking.stdout.decode().split()
        if re.match(rf"_Z{len(name)}{re.escape(name)}(?!\d)", other)
    ]
    return [*names, *aliases]


def _run(
    workshop: Workshop,
    tree: Path,
    command: Sequence[str],
    fixed: Headers,
    unit: TranslationUnit,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    tool = compilers.find().require(command[0])

    def attempt() -> Finished:
        return sandbox.execute(
            [tool.path or command[0], *command[1:]],
            profile=Profile.BUILD,
            mounts=Mounts(cwd=tree, readable=[*fixed.readable, *outside(unit.flags)], writable=[tree]),
            quota=Quota(timeout=_TIMEOUT, memory=workshop.memory),
            environment=environment,
            unsafe=workshop.unsafe,
        )

    finished = attempt()
    if starved.wants(finished):
        # What was lacking may be there again: others of our builds have ended since.
        finished = attempt()
        if said := starved.wants(finished):
            starved.examine(workshop, command[0], said)
    if finished.status != 0:
        raise _Failure(" ".join(command), _output(finished, tree))
    return finished


def _output(finished: Finished, tree: Path) -> str:
    text = printed(finished, tree)
    if finished.timed_out:
        text += f"\nthe compiler took more than {_TIMEOUT:.0f} seconds"
    if finished.out_of_memory:
        text += "\nthe compiler needs too much memory"
    if finished.exceeded:
        text += f"\nthe compiler was ended: it made {finished.exceeded}"
    return text


def printed(finished: Finished, tree: Path) -> str:
    """Return all that a command printed, errors first, with paths as its tree has them."""
    return (finished.stderr + finished.stdout).decode("utf-8", "replace").replace(f"{tree}/", "")


def shortened(text: str) -> str:
    """Return as much of diagnostics as a person would read."""
    return text if len(text) <= _DIAGNOSTICS else text[:_DIAGNOSTICS] + "\n…"


def _read(tree: Path, name: str) -> bytes:
    """Return what a command left under a name; _Failure where that is no regular file."""
    try:
        return foreign.read(tree, name, most=_LISTING)
    except OSError as error:
        raise _spoilt(name, error) from error


def _write(tree: Path, name: str, data: bytes) -> None:
    """Write a file among those that commands may have put there; _Failure where a folder is in its place."""
    try:
        foreign.write(tree, name, data)
    except foreign.Refused as error:
        raise _spoilt(name, error) from error


def _spoilt(name: str, error: OSError) -> _Failure:
    return _Failure("the build", f"{name}, as the commands of the build left it: {error.strerror}")


def _keep(tree: Path, final: Path, name: str, *others: str) -> None:
    """Move what was built into the cache, and what else there may be. Whoever comes first wins.

    Raises _Failure where the commands that succeeded left no regular file.
    """
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=final.parent, prefix="new-", ignore_cleanup_errors=True
    ) as directory:
        place = Path(directory) / "kept"
        place.mkdir()
        try:
            foreign.move(tree, name, place / name)
            for other in others:
                with suppress(FileNotFoundError):
                    foreign.move(tree, other, place / other)
        except (foreign.Refused, FileNotFoundError) as error:
            raise _spoilt(name, error) from error
        keep(place, final)
