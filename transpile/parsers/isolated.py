"""Parse code in a process of its own, in the sandbox: a text that never ends costs no more than its file.

Preprocessors, templates and parsers take as much time and memory as a text makes them take, and may crash on
it. So foreign code meets its first parser there, with limits on each file. What is found comes back as data.
"""

from __future__ import annotations

import io
import os
import pickle
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from transpile import faults, foreign
from transpile.core import Source
from transpile.errors import InternalError, UsageError
from transpile.files import held_directory
from transpile.parsers import isolated_child
from transpile.parsers.building.builds import Build
from transpile.parsers.building.outside import checkout
from transpile.parsers.reading import Request, left_out
from transpile.parsers.types import clang
from transpile.toolchains import anonymous, own_python, sandbox
from transpile.toolchains.anonymous import AnonymousFile
from transpile.toolchains.beside import outside
from transpile.toolchains.confinement import Monitor, Mounts, Profile, Quota
from transpile.toolchains.process import Finished
from transpile.toolchains.workshop import cache_directory

SECONDS = 60.0
"""Of a processor, for one look at one file."""
MEMORY = 4 << 30
MOST_LEFT_OUT = 3
"""Files that are given up on; after them we take it that all the rest is alike."""
_ANSWER = 1 << 30
_SIGNAL = 128
"""An exit status beyond it names a signal."""
_DATA = ("transpile.core.", "pathlib.")


class _Unpickler(pickle.Unpickler):
    """Makes our own data and nothing else: a parser that was taken over cannot have code run here."""

    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.".startswith(_DATA) or (module, name) == ("builtins", "frozenset"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no data of a source")


@dataclass(slots=True)
class _Clock:
    """Watches how long a process is at one file."""

    told: AnonymousFile
    seconds: float
    files: int
    """How many there are: what concerns all of them has the seconds of all."""
    _step: int = 0
    _since: float = 0.0
    path: int = -1
    """The number of the file at which it was last seen; -1 for none."""

    def is_over(self, charged: float) -> bool:
        """Tell whether the file has had its seconds; ``charged`` counts them since the beginning."""
        step, self.path = isolated_child.PROGRESS.unpack(self.told.read(isolated_child.PROGRESS.size))
        if step != self._step:
            self._step, self._since = step, charged
        return charged - self._since > self.seconds * (1 if self.path >= 0 else max(self.files, 1))


@dataclass(frozen=True, slots=True)
class _GivenUp:
    """No answer came: at which file, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Parses the code of a source within limits; see ``reading.Reader``."""

    opened: Sequence[Path] = ()
    """Directories outside of the root that it may read."""
    unsafe: bool = False
    """Go without the sandbox; the limits hold all the same."""
    seconds: float = SECONDS
    memory: int = MEMORY

    def __call__(self, request: Request) -> Source:
        """Return the source; files on which parsers do not end are left out, and told of.

        Raises:
            UsageError: There are too many of them, or it is no single file.
            InternalError: We failed ourselves.
        """
        left: dict[str, str] = {}
        while True:
            texts = {path: data for path, data in request.code.items() if path not in left}
            answer = self._attempt(replace(request, code=texts))
            if isinstance(answer, Source):
                told = tuple(left_out(path, reason) for path, reason in left.items())
                return replace(
                    answer,
                    files={**answer.files, **{path: request.code[path] for path in left}},
                    outside=answer.outside | left.keys(),
                    diagnostics=(*answer.diagnostics, *told),
                )
            left[answer.path] = answer.reason
            if not answer.path or len(left) > MOST_LEFT_OUT:
                names = ", ".join(filter(None, left)) or "all files together"
                raise UsageError(
                    f"parsing {request.root.name} does not end as it should: {names} ({answer.reason})",
                    hint="leave files out with --exclude, or port a folder below",
                )

    def _attempt(self, request: Request) -> Source | _GivenUp:
        code = request.code
        with held_directory(Path(tempfile.gettempdir()), clang.FOLDERS) as place:
            inner = place / "scratch"
            inner.mkdir()
            with (
                anonymous.constant(place, pickle.dumps(replace(request, code=dict(code)))) as given,
                anonymous.sized(isolated_child.PROGRESS.size) as told,
                anonymous.growing(place) as answer,
            ):
                clock = _Clock(told, self.seconds, len(code))
                finished = self._run(request.root, request.build, inner, (given, told, answer), clock)
                clock.is_over(0)
                path = list(code)[clock.path] if 0 <= clock.path < len(code) else ""
                found = self._source(finished, answer, path)
            return found if isinstance(found, _GivenUp) else _with_logs(found, inner)

    def _run(
        self, root: Path, build: Build, scratch: Path, files: Sequence[AnonymousFile], clock: _Clock
    ) -> Finished:
        descriptors = [item.descriptor for item in files]
        flags = tuple(dict.fromkeys(flag for unit in build.translation_units for flag in unit.flags))
        return sandbox.execute(
            [*own_python.command(isolated_child.__name__), *map(str, descriptors)],
            profile=Profile.BUILD,
            mounts=Mounts(
                cwd=scratch,
                readable=[*own_python.readable(), checkout(root), root, *self.opened, *outside(flags)],
                writable=[scratch],
            ),
            quota=Quota(
                timeout=self.seconds * (1 + len(build.translation_units)) * 10,
                memory=self.memory,
                file_size=_ANSWER,
            ),
            environment=own_python.environment(scratch),
            monitor=Monitor(watch=clock.is_over, descriptors=descriptors),
            unsafe=self.unsafe or not sandbox.usable(),
        )

    def _source(self, finished: Finished, answer: AnonymousFile, path: str) -> Source | _GivenUp:
        """Return what a process answered, or why it did not.

        Raises:
            InternalError: It met with a bug of ours.
        """
        if finished.timed_out:
            return _GivenUp(path, f"parsing it takes more than {self.seconds:.0f} seconds of a processor")
        if finished.out_of_memory or finished.status == isolated_child.NO_MEMORY:
            return _GivenUp(path, f"parsing it takes more than {self.memory >> 20} MiB of memory")
        if finished.exceeded:
            return _GivenUp(path, f"parsing it takes {finished.exceeded}")
        if finished.status == isolated_child.UNPARSED:
            return _GivenUp(path, "libclang gives up on it")
        if finished.status > _SIGNAL:
            return _GivenUp(path, f"parsers crash on it, by signal {finished.status - _SIGNAL}")
        said = finished.stderr.decode("utf-8", "replace").strip()
        if finished.status != 0:
            error = InternalError(said.splitlines()[-1] if said else f"exit status {finished.status}")
            error.add_note(said)
            raise error
        source = _Unpickler(io.BytesIO(answer.read(_ANSWER))).load()
        if not isinstance(source, Source):
            raise InternalError("the parser's process answered something else than a source")
        return source


def _with_logs(source: Source, scratch: Path) -> Source:
    """Keep the logs of bugs that the process met with, and name the place where they are then."""
    there, here = scratch / faults.LOGS, cache_directory() / faults.LOGS
    for name in sorted(os.listdir(there)) if there.is_dir() else ():
        with suppress(OSError):
            here.mkdir(parents=True, exist_ok=True)
            (here / name).write_bytes(foreign.read(there, name))
    told = (replace(item, message=item.message.replace(str(there), str(here))) for item in source.diagnostics)
    return replace(source, diagnostics=tuple(told))
