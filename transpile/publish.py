"""A settled port onto disk, with its lock. The source tree is never written."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from transpile import foreign, lock, origin
from transpile.assemble import Assembly
from transpile.core import BuildOutcome, OwnBuild, Port, ProgramVerdict, Source, Spent
from transpile.errors import InternalError, TranspileError, UsageError
from transpile.files import UNFINISHED, held_directory
from transpile.options import PortOptions
from transpile.parsers.files.data import data_of
from transpile.settle import Settled
from transpile.store import Ports

PORTS = "ports"
"""Below the cache: what ``transpile report`` shows again."""


def publish(
    source: Source,
    settled: Settled,
    own_build: OwnBuild,
    programs: tuple[ProgramVerdict, ...],
    options: PortOptions,
    spent: Spent | None = None,
) -> Port:
    """Write the port where the options say, and return what was made of the repository."""
    assembly = settled.assembly
    files = delivered(source, assembly)
    port = Port(
        source=source.root,
        out=options.out or Path(),
        dialect=options.target,
        required=options.required,
        evidence=settled.evidence,
        programs=programs,
        build_command="; ".join(filter(None, (assembly.build_command, assembly.built_otherwise))),
        in_part=bool(settled.assembly.excerpts),
        lacking=settled.lacking,
        built=settled.built and own_build.outcome is not BuildOutcome.FAILS,
        built_by=settled.built_by,
        own_build=own_build,
        diagnostics=(*source.diagnostics, *assembly.diagnostics, *settled.notes),
        places=lock.places(settled.evidence, assembly.paths, options.required),
        store=options.cache / "evidence",
        spent=spent,
    )
    if options.out is not None:
        agreed = lock.make(
            source=source,
            evidence=settled.evidence,
            files=files,
            paths=assembly.paths,
            place=origin.of(source.root, options.out, exclude=options.exclude_files, unsafe=options.unsafe),
            target=options.target.name,
            required=options.required,
        )
        text = lock.dump(agreed)
        write(options.out, {**files, lock.FILE: text}, source.root, data_of(source))
        Ports(options.cache / PORTS).save(text, port)
    return port


def delivered(source: Source, assembly: Assembly) -> dict[str, bytes]:
    """Return the files of a port without those that its build writes."""
    written = {assembly.paths[path]: source.files[path] for path in source.generated}
    return {path: data for path, data in assembly.files.items() if written.get(path) != data}


def write(out: Path, files: Mapping[str, bytes], source: Path, copied: Iterable[str] = ()) -> None:
    """Put files into a directory: all at once where it is new, one by one over an earlier port.

    Files that an earlier port's lock names and this one lacks are removed; what else lies there stays.

    Args:
        out: The directory.
        files: Texts by path.
        source: Root of the source, whose scripts stay executable.
        copied: Paths below the source that are copied.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with held_directory(out.parent, f".{out.name}{UNFINISHED}") as scratch:
        staged = scratch / "port"
        for path, data in files.items():
            _write_file(_inside(staged, path), data, source / path)
        for path in copied:
            _copy_file(_inside(staged, path), source, path)
        if not out.exists():
            staged.rename(out)
            return
        earlier = _earlier_files(out) - files.keys()
        for path in (*earlier, *files, *copied):
            refuse_links(out, path)
        for path in earlier:
            _inside(out, path).unlink(missing_ok=True)
        # The lock last: until it is there, the earlier one tells that the port is not what it says.
        for path in sorted({*files, *copied}, key=lambda path: (path == lock.FILE, path)):
            target = _inside(out, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            (staged / path).replace(target)


def _write_file(target: Path, data: bytes, original: Path) -> None:
    """Write one file, executable where the source's file of that path is."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    if original.is_file() and os.access(original, os.X_OK):
        shutil.copymode(original, target)


def _copy_file(target: Path, source: Path, path: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with foreign.opened(source, path) as original, target.open("wb") as copy:
        shutil.copyfileobj(original, copy)
        os.fchmod(copy.fileno(), stat.S_IMODE(os.fstat(original.fileno()).st_mode))


def _inside(root: Path, path: str) -> Path:
    target = Path(os.path.normpath(root / path))
    if not target.is_relative_to(root):
        raise InternalError(f"a port tried to write {path} outside of {root}")
    return target


def refuse_links(out: Path, path: str) -> None:
    """Raise UsageError where a folder of an earlier port is a link that leads out of it."""
    folder = _inside(out, path).parent
    if not folder.resolve().is_relative_to(out.resolve()):
        raise UsageError(
            f"nothing is written to {out}: its folder {folder.relative_to(out)} leads out of it",
            hint="Remove that link, or choose another --out.",
        )


def _earlier_files(out: Path) -> set[str]:
    try:
        return set(lock.load(out / lock.FILE).port_files)
    except TranspileError:
        return set()
