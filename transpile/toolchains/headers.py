"""Our own headers as builds see them: a copy in the cache, precompiled for the flags at hand."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from transpile.core import digest
from transpile.simt import include_directory, samples_directory
from transpile.toolchains import compilers, native, sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.kept import is_kept, keep
from transpile.toolchains.recipes import WIDENED, Flavour, Recipe, shared_by, version
from transpile.toolchains.workshop import Workshop

_SAMPLES = "samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Headers:
    """What a compilation needs in order to find our headers."""

    flags: tuple[str, ...]
    readable: tuple[Path, ...]
    digest: str


def headers(
    workshop: Workshop,
    how: Recipe,
    flags: Sequence[str],
    flavour: Flavour | None,
    *,
    emulated: bool,
    checked: bool = False,
) -> Headers:
    """Return the flags that include our headers before any source.

    Args:
        workshop: Where the copies are kept.
        how: The compiler and its flags.
        flags: Those of the unit.
        flavour: What a library is built for; None for a program, which has no entries.
        emulated: With the emulator.
        checked: With those that take the place of the standard library's under checkers.
    """
    if not emulated and flavour is None:
        return Headers(flags=(), readable=(), digest="")
    copy, key = _copy(workshop.cache)
    lines = ["#include <simt/simt.h>"] if emulated else []
    if flavour is not None:
        lines += (["#define TRANSPILE_EMULATED"] if emulated else []) + ["#include <entry.h>"]
    if flavour is Flavour.WIDE:
        lines.append("#define TRANSPILE_WIDER_DOUBLES")
    if flavour in WIDENED:
        lines.append("#include <wide.h>")
    text = "\n".join([*lines, ""])
    ahead = ("-I", str(copy / native.CHECKED)) if checked else ()
    name = _precompiled(workshop, how, flags, copy, text, digest(key, text))
    behind = ("-idirafter", str(copy / _SAMPLES)) if emulated else ()
    return Headers(
        flags=("-I", str(name.parent), "-include", name.name, "-I", str(copy), *ahead, *behind),
        readable=(name.parent, copy),
        digest=digest(key, text),
    )


def _copy(directory: Path) -> tuple[Path, str]:
    """Keep our headers by content, so that a build sees one state of them, wherever they are installed."""
    key = _contents()
    final = directory / "headers" / key[:32]
    if not is_kept(final):
        final.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=final.parent, ignore_cleanup_errors=True) as scratch:
            place = Path(scratch) / "include"
            shutil.copytree(include_directory(), place)
            shutil.copytree(samples_directory(), place / _SAMPLES)
            for path in native.SOURCES.glob("*.h"):
                shutil.copy(path, place / path.name)
            shutil.copytree(native.SOURCES / native.CHECKED, place / native.CHECKED)
            keep(place, final)
    return final, key


@cache
def _contents() -> str:
    own = (*sorted(native.SOURCES.glob("*.h")), *native.checked_headers())
    paths = [*sorted(include_directory().rglob("*")), *sorted(samples_directory().rglob("*")), *own]
    files = [path for path in paths if path.is_file()]
    return digest(*(part for path in files for part in (str(path), path.read_bytes())))


def _precompiled(
    workshop: Workshop, how: Recipe, flags: Sequence[str], copy: Path, text: str, key: str
) -> Path:
    """Return a header of that text, beside which lies its precompiled form."""
    strict = how.compiler != "g++"
    shared = shared_by(flags, strict=strict)
    defines = [f"-D{name}" for name in how.defines]
    made = (str(how.precompiled), version(how.compiler), *how.compile)
    whole = digest(key, *made, *defines, "|", *shared)
    final = workshop.cache / "precompiled" / whole[:32]
    if not is_kept(final):
        final.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=final.parent, ignore_cleanup_errors=True) as scratch:
            place = Path(scratch) / "include"
            place.mkdir()
            (place / "transpile_prelude.h").write_text(text)
            if how.precompiled:
                _precompile(workshop, how, [*defines, *shared, "-I", str(copy)], copy, place)
            keep(place, final)
    return final / "transpile_prelude.h"


def _precompile(workshop: Workshop, how: Recipe, flags: Sequence[str], copy: Path, place: Path) -> None:
    """Compile the prelude there. Where this fails, so will every build with these flags, and say why."""
    suffix = ".gch" if how.compiler == "g++" else ".pch"
    tool = compilers.find().require(how.compiler)
    command = [tool.path or how.compiler, *how.compile, *flags]
    command += ["-x", "c++-header", "transpile_prelude.h", "-o", "transpile_prelude.h" + suffix]
    finished = sandbox.execute(
        command,
        profile=Profile.BUILD,
        mounts=Mounts(cwd=place, readable=[copy], writable=[place]),
        quota=Quota(timeout=120, memory=workshop.memory),
        unsafe=workshop.unsafe,
    )
    if finished.status != 0:
        (place / f"transpile_prelude.h{suffix}").unlink(missing_ok=True)
