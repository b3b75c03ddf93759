"""A whole Fortran program as C++: built and run beside its source, kept only where both print the same.

This is less than what trials show of a function: only runs without input are compared, and only what is
printed and the exit status. So nothing is said of a level.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile.core import Diagnostic
from transpile.fortran.translation import NOT_TRANSLATED, Translated, told, translated
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished
from transpile.toolchains.sandbox import execute
from transpile.translators.fortran.headers import HEADERS

DIFFERENT = "TP601"
UNDECIDED = "TP602"
_THREADS = (1, 2, 4)
_FLAGS = ("-O0", "-ffp-contract=off")
_BUILD_SECONDS, _RUN_SECONDS, _MEMORY = 300.0, 60.0, 4 << 30
_MAKEFILE = """CXX = g++
CXXFLAGS = -std=c++17 -O2{openmp}

program: program.cpp
\t$(CXX) $(CXXFLAGS) -I. program.cpp -o program
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPort:
    """The files of a program that was kept, or diagnostics that say why it was not."""

    files: dict[str, bytes]
    runs: int
    """Runs in which both printed the same."""
    diagnostics: tuple[Diagnostic, ...]

    @property
    def kept(self) -> bool:
        """Tell whether the program was kept."""
        return bool(self.files)


def port(root: Path, names: Sequence[str], *, unsafe: bool = False) -> ProgramPort:
    """Return a program's translation if it prints what its source prints.

    Raises:
        ToolMissing: There is no gfortran, no g++ or no sandbox on this machine.
    """
    found = translated(root, names, unsafe=unsafe)
    if isinstance(found, Diagnostic):
        return ProgramPort(files={}, runs=0, diagnostics=(found,))
    return judged(found, unsafe=unsafe)


def judged(program: Translated, *, unsafe: bool = False) -> ProgramPort:
    """Return a translation if it prints what its source prints; raises ToolMissing as `port` does."""
    with tempfile.TemporaryDirectory() as name:
        return _judged(Path(name).resolve(), program, unsafe=unsafe)


def _judged(folder: Path, program: Translated, *, unsafe: bool) -> ProgramPort:
    """Build both programs in a folder, run them, and compare."""
    text = program.text
    ordered = [f"source{index}{Path(name).suffix}" for index, name in enumerate(program.sources)]
    for name, source_text in zip(ordered, program.sources.values(), strict=True):
        (folder / name).write_bytes(source_text.encode("latin-1"))
    (folder / "program.cpp").write_bytes(text.encode("latin-1", "replace"))
    parallel = "#pragma omp" in text or "omp_" in text
    flags = [*_FLAGS, *(["-fopenmp"] if parallel else [])]
    source = ["gfortran", "-w", "-ffree-line-length-none", *flags, f"-I{folder}", *ordered, "-o", "source"]
    target = ["g++", "-std=c++17", *flags, f"-I{HEADERS}", "program.cpp", "-o", "program"]
    first = next(iter(program.sources))
    for command, code, who in (
        (source, UNDECIDED, "the source"),
        (target, NOT_TRANSLATED, "the translation"),
    ):
        done = _build(folder, command, unsafe=unsafe)
        if done.status != 0:
            said = done.stderr.decode(errors="replace").splitlines()
            complaint = next((line for line in said if "rror" in line), "")
            return _not_kept(first, 0, code, f"{who} does not build: {complaint.strip()}")
    runs = 0
    for threads in _THREADS if parallel else _THREADS[:1]:
        expected = [_run(folder, "source", threads, unsafe=unsafe) for _ in range(2)]
        if expected[0].timed_out:
            return _not_kept(first, 0, UNDECIDED, "the source does not end by itself, without input")
        if _said(expected[0]) != _said(expected[1]):
            return _not_kept(first, 0, UNDECIDED, f"runs of the source with {threads} threads differ")
        if _said(_run(folder, "program", threads, unsafe=unsafe)) != _said(expected[0]):
            return _not_kept(first, 0, DIFFERENT, f"it prints something else with {threads} threads")
        runs += 1
    return ProgramPort(files=_files(text, parallel=parallel), runs=runs, diagnostics=())


def _said(done: Finished) -> tuple[int, bytes]:
    return done.status, done.stdout


def _build(folder: Path, command: list[str], *, unsafe: bool) -> Finished:
    return execute(
        command,
        profile=Profile.BUILD,
        mounts=Mounts(cwd=folder, readable=[HEADERS], writable=[folder]),
        quota=Quota(timeout=_BUILD_SECONDS, memory=_MEMORY),
        unsafe=unsafe,
    )


def _run(folder: Path, program: str, threads: int, *, unsafe: bool) -> Finished:
    """Run a program in a folder of its own, so that neither finds what the other has written."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        return execute(
            [str(folder / program)],
            profile=Profile.RUN,
            mounts=Mounts(cwd=Path(name), readable=[folder / program], writable=[Path(name)]),
            quota=Quota(timeout=_RUN_SECONDS, memory=_MEMORY),
            environment={"OMP_NUM_THREADS": str(threads)},
            unsafe=unsafe,
        )


def _files(text: str, *, parallel: bool) -> dict[str, bytes]:
    """Return the files of a port: the program, the headers that it includes, and how it is built."""
    files = {"program.cpp": text.encode("latin-1", "replace")}
    files["Makefile"] = _MAKEFILE.format(openmp=" -fopenmp" if parallel else "").encode()
    return files | headers()


def headers() -> dict[str, bytes]:
    """Return the headers that translations include."""
    return {str(item.relative_to(HEADERS)): item.read_bytes() for item in sorted(HEADERS.rglob("*.h"))}


def _not_kept(file: str, line: int, code: str, message: str) -> ProgramPort:
    return ProgramPort(files={}, runs=0, diagnostics=(told(file, line, code, message),))
