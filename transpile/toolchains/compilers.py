"""The programs that the work needs: where they are, which version, how to get them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from transpile.errors import ToolMissing

_CLANG_VERSIONS = (19, 20, 21, 18)
"""In order of preference: the first is the one that the race checks were measured with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A program or library, found or not."""

    name: str
    purpose: str
    path: str | None
    version: str = ""
    hint: str = ""
    """How to get it on Debian and Ubuntu."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """All tools that were looked for."""

    tools: tuple[Tool, ...]

    def get(self, name: str) -> Tool:
        """Return the tool of that name, found or not; KeyError where nobody looks for it."""
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise KeyError(name)

    def require(self, name: str) -> Tool:
        """Return the tool of that name; ToolMissing where it was not found."""
        tool = self.get(name)
        if tool.path is None:
            raise ToolMissing(f"{name} is missing ({tool.purpose})", hint=tool.hint)
        return tool


@cache
def find() -> Toolbox:
    """Look for all tools, once a process."""
    clang = _clang()
    library = _clang_library(clang)
    return Toolbox(
        tools=(
            _program("g++", "compiles sources and ports", "apt-get install g++"),
            _program("objcopy", "hides what a library shall not see", "apt-get install binutils"),
            _program("nm", "tells what a library lacks", "apt-get install binutils"),
            _program("gcov", "counts the branches of the source", "apt-get install g++"),
            _program("nvcc", "compiles ports to CUDA for real", "see developer.nvidia.com/cuda-downloads"),
            _program(
                "hipcc",
                "compiles ports to HIP for AMD's devices",
                "apt-get install hipcc libamdhip64-dev rocm-device-libs",
            ),
            _program("perf", "counts what timed calls do", "apt-get install linux-perf"),
            _program("make", "reads the flags of a Makefile", "apt-get install make"),
            Tool(
                name="clang++",
                purpose="race checks of OpenMP code",
                path=clang,
                version=_version(clang),
                hint="apt-get install clang-19 libclang-rt-19-dev",
            ),
            _library("libomp", "OpenMP for race checks", library, "libomp.so"),
            _library("libarcher", "tells the race checker about OpenMP", library, "libarcher.so"),
            _offloading(library),
            _parallel_library(),
            _program("bwrap", "second layer of the sandbox", "apt-get install bubblewrap"),
        )
    )


def versions() -> tuple[tuple[str, str], ...]:
    """Return the version of each tool that was found, by name."""
    return tuple((tool.name, tool.version) for tool in find().tools if tool.path is not None)


def _program(name: str, purpose: str, hint: str) -> Tool:
    path = shutil.which(name)
    return Tool(name=name, purpose=purpose, path=path, version=_version(path), hint=hint)


def _library(name: str, purpose: str, directory: Path | None, file: str) -> Tool:
    path = directory / file if directory else None
    found = str(path) if path and path.exists() else None
    version = directory.parent.name.removeprefix("llvm-") if directory and found else ""
    return Tool(name=name, purpose=purpose, path=found, version=version, hint="apt-get install libomp-19-dev")


def _offloading(directory: Path | None) -> Tool:
    """Return the runtime of target regions, found where clang's linker for devices is there as well."""
    tool = _library("libomptarget", "runs target regions on a device", directory, "libomptarget.so")
    linker = directory and directory.parent / "bin" / "clang-linker-wrapper"
    path = tool.path if linker and linker.exists() else None
    return replace(tool, path=path, hint="apt-get install libomp-19-dev clang-tools-19")


def _parallel_library() -> Tool:
    """Return the library on which libstdc++ runs parallel algorithms; g++ knows where one would be."""
    found = _answer(["g++", "-print-file-name=libtbb.so"]).strip()
    path = Path(found).resolve() if "/" in found else None
    return Tool(
        name="tbb",
        purpose="runs parallel algorithms of C++",
        path=str(path) if path else None,
        version=path.name.partition(".so.")[2] if path else "",
        hint="apt-get install libtbb-dev",
    )


def _clang() -> str | None:
    for version in _CLANG_VERSIONS:
        if path := shutil.which(f"clang++-{version}"):
            return path
    path = shutil.which("clang++")
    major = _version(path).split(".")[0]
    return path if major.isdigit() and int(major) >= min(_CLANG_VERSIONS) else None


def _clang_library(clang: str | None) -> Path | None:
    """Return the directory that holds clang's own runtime libraries, ``…/lib`` beside its ``bin``."""
    return Path(clang).resolve().parent.parent / "lib" if clang else None


def _version(path: str | None) -> str:
    if path is None:
        return ""
    first = _answer([path, "--version"]).partition("\n")[0]
    match = re.search(r"\d+(\.\d+)+", re.sub(r"\(.*?\)", "", first))
    return match.group() if match else ""


@cache
def header_directories() -> tuple[Path, ...]:
    """Return where g++ looks for headers without being told; nothing where it is not here."""
    said = _answer(["sh", "-c", "LC_ALL=C g++ -xc++ -E -v /dev/null 2>&1"])
    listed = said.partition(" search starts here:\n#include <...> search starts here:\n")[2]
    return tuple(Path(line.strip()) for line in listed.partition("End of search list")[0].splitlines())


def _answer(command: Sequence[str]) -> str:
    """Return what a program says; empty where it is not there."""
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace")
