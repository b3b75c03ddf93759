"""An oracle that shares nothing with the product's judging: a C function beside its port to CUDA.

The sequential source runs under AddressSanitizer and UBSan, the port's text with a small CUDA of its own
(``oracle_native/``), each in a process of its own. The caller's arrays are exactly as long as a call says:
every other byte is poisoned. Host code does not see memory of the device, kernels do not see the caller's,
and copies are checked on both sides. A call that the source does not bear is invalid, and says nothing.

``truths.py`` asks it about ports of generated functions, ``oracle_items.py`` about those of an item file.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

import numpy as np

NATIVE = Path(__file__).parent / "oracle_native"
SANITIZED = ("-O1", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0:allow_user_poisoning=1:symbolize=0",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=0:symbolize=0",
    "PATH": os.environ.get("PATH", ""),
}
_BARRIERS = re.compile(r"\b(?:__syncthreads|__syncwarp|__shfl\w*|__ballot\w*|__any\w*|__all\w*_sync)\b")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.MULTILINE)
_DYNAMIC = re.compile(r"extern\s+__shared__\s+([\w\s]+?)\s*(\w+)\s*\[\s*\]\s*;")
_LAUNCHED = re.compile(r"([A-Za-z_][\w:]*(?:\s*<[^<>;(){}]*>)?)\s*<<<")

_BUILDING = Lock()

Value = np.ndarray | np.generic | bytes
"""An array is passed by its address, all else by value; bytes are a struct."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A C function and its port."""

    name: str
    source: str
    """C text that defines the function, with all that it needs."""
    declaration: str
    """Of the function, with the types that it needs, as C and C++ read it."""
    port: str = ""
    """CUDA text; empty where the source alone is run."""
    entry: str = ""
    """Name of the port's host function."""
    headers: tuple[str, ...] = ()
    types: str = ""
    """Structs and macros that the port's text needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a function."""

    function: int
    """Which of the pairs."""
    arguments: tuple[Value, ...]
    returned: str = ""
    """``f`` or ``d`` for floating numbers, ``b`` for others, empty for nothing."""
    seed: int = 0
    """The order of arrays in memory, and that of threads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of a call."""

    kind: str
    """``ok``, ``differs``, ``fault``, ``source`` (the call is not valid) or ``skipped``."""
    launches: int
    detail: str

    @property
    def valid(self) -> bool:
        """Tell whether the source bore the call."""
        return self.kind in ("ok", "differs", "fault")

    @property
    def wrong(self) -> bool:
        """Tell whether the port is wrong."""
        return self.kind in ("differs", "fault")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Pairs in one executable."""

    path: Path
    failed: tuple[tuple[int, str], ...]
    """Pairs that do not build, with what the compiler says."""

    def run(self, calls: Sequence[Call], *, timeout: float = 600) -> list[Outcome]:
        """Run calls, each in a process of its own."""
        file = self.path.with_suffix(".calls")
        write(calls, file)
        finished = subprocess.run(
            [self.path, file], env=ENVIRONMENT, capture_output=True, timeout=timeout, check=False
        )
        file.unlink()
        found = [_outcome(line) for line in finished.stdout.decode("utf-8", "replace").splitlines()]
        if len(found) != len(calls):
            raise RuntimeError(f"the runner ended early: {finished.stderr.decode('utf-8', 'replace')[-600:]}")
        return found


def build(pairs: Sequence[Pair], place: Path, *, shared: Path | None = None) -> Program:
    """Build sources and ports into one program; ports that do not compile are left out and named.

    What is the same in all programs is built once in the ``shared`` directory.
    """
    place.mkdir(parents=True, exist_ok=True)
    with _BUILDING:
        runner = _runner(shared or place)
    bad: dict[int, str] = {}
    objects: list[Path] = []
    for number, pair in enumerate(pairs):
        text = f"{pair.source}\n"
        made = _compile("gcc", f"source_{number}.c", text, place, "-std=gnu11")
        if isinstance(made, str):
            bad[number] = f"source: {made}"
        else:
            objects.append(made)
    ported = [number for number, pair in enumerate(pairs) if pair.port and number not in bad]
    together = _compile("g++", "ports.cpp", _ports(pairs, ported), place, "-std=gnu++20")
    if isinstance(together, str):
        for number in tuple(ported):
            made = _compile("g++", f"port_{number}.cpp", _ports(pairs, [number]), place, "-std=gnu++20")
            if isinstance(made, str):
                bad[number] = f"port: {made}"
                ported.remove(number)
            else:
                objects.append(made)
    else:
        objects.append(together)
    table = _compile("g++", "table.cpp", _table(pairs, ported, bad), place, "-std=gnu++20")
    if isinstance(table, str):
        raise RuntimeError(table)
    program = place / "program"
    command = ["g++", *SANITIZED, "-o", str(program), str(runner), str(table), *map(str, objects), "-lm"]
    linked = subprocess.run(command, capture_output=True, check=False)
    if linked.returncode:
        raise RuntimeError(linked.stderr.decode("utf-8", "replace"))
    return Program(path=program, failed=tuple(sorted(bad.items())))


def bundle(pair: Pair, calls: Sequence[Call], place: Path) -> None:
    """Write what ``oracle_native/run.py`` builds and runs on a machine with a device."""
    place.mkdir(parents=True)
    (place / "source.c").write_text(f"{pair.source}\n")
    (place / "port.cu").write_text(_ports([pair], [0], device=True))
    (place / "table.cpp").write_text(_table([pair], [0], {}))
    write(calls, place / "calls")


def write(calls: Sequence[Call], file: Path) -> None:
    """Write calls into a file that the runner reads."""
    file.write_bytes(struct.pack("<I", len(calls)) + b"".join(map(_packed, calls)))


def usable() -> bool:
    """Tell whether this machine has the compilers."""
    return shutil.which("gcc") is not None and shutil.which("g++") is not None


def lowered(text: str) -> str:
    """Return CUDA text without what C++ has no words for."""
    text = _DYNAMIC.sub(r"\1 *\2 = (\1 *)::oracle::dynamic_shared();", text)
    while found := _LAUNCHED.search(text):
        end = text.index(">>>", found.end())
        opened = text.index("(", end)
        given = text[opened + 1 :].lstrip()
        comma = "" if given.startswith(")") else ", "
        launch = f"::oracle::launch(::oracle::config({text[found.end() : end]}), {found[1]}{comma}"
        text = text[: found.start()] + launch + text[opened + 1 :]
    return text


def _ports(pairs: Sequence[Pair], numbers: Sequence[int], *, device: bool = False) -> str:
    headers = sorted({header for number in numbers for header in pairs[number].headers})
    own = "arguments.h" if device else "shim.h"
    lines = [*(f"#include {header}" for header in headers), f'#include "{own}"', "#include <cfloat>"]
    lines += ["#include <cstdio>", "#include <cstdlib>"]
    for number in numbers:
        pair = pairs[number]
        text = _INCLUDE.sub("", f"{pair.types}\n{pair.port}")
        if not device:
            text = lowered(text)
        defined = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE)
        lines += [f"namespace port_{number} {{", text, "}"]
        lines.append(f"void port_entry_{number}(void **a, void *r) {{")
        lines.append(f"    ::oracle::invoke(port_{number}::{pair.entry}, a, r);\n}}")
        lines += [f"#undef {name}" for name in defined]
    return "\n".join(lines) + "\n"


def _table(pairs: Sequence[Pair], ported: Sequence[int], bad: dict[int, str]) -> str:
    lines = [
        *(f"#include <{name}>" for name in ("climits", "cstdint", "cstdlib", "stdexcept")),
        '#include "arguments.h"',
        '#include "entry.h"',
    ]
    rows = []
    for number, pair in enumerate(pairs):
        if number in bad and number not in ported and bad[number].startswith("source"):
            rows.append("{nullptr, nullptr, false}")
            continue
        # Structs of one name may differ from pair to pair.
        lines.append(
            f'namespace source_{number} {{ extern "C" {{\n{_INCLUDE.sub("", pair.declaration)}\n}} }}'
        )
        lines.append(f"static void source_entry_{number}(void **a, void *r) {{")
        lines.append(f"    ::oracle::invoke(source_{number}::{pair.name}, a, r);\n}}")
        port = f"port_entry_{number}" if number in ported else "nullptr"
        if number in ported:
            lines.append(f"void {port}(void **, void *);")
        rows.append(f"{{source_entry_{number}, {port}, {str(bool(_BARRIERS.search(pair.port))).lower()}}}")
    lines.append("extern const Entry entries[] = {" + ",\n    ".join(rows) + "};")
    return "\n".join(lines) + "\n"


def _compile(compiler: str, name: str, text: str, place: Path, standard: str) -> Path | str:
    file = place / name
    file.write_text(text)
    made = file.with_suffix(".o")
    command = [compiler, standard, *SANITIZED, "-I", str(NATIVE), "-c", str(file), "-o", str(made)]
    finished = subprocess.run(command, capture_output=True, check=False)
    return finished.stderr.decode("utf-8", "replace")[:800] if finished.returncode else made


def _runner(place: Path) -> Path:
    made = place / "runner.o"
    sources = (NATIVE / "runner.cpp", *NATIVE.glob("*.h"))
    if not made.exists() or made.stat().st_mtime < max(item.stat().st_mtime for item in sources):
        command = ["g++", "-std=gnu++20", "-O1", "-g1", "-fsanitize=address", "-c", str(sources[0]), "-o"]
        subprocess.run([*command, str(made)], check=True)
    return made


def _packed(call: Call) -> bytes:
    parts = []
    for value in call.arguments:
        raw = value if isinstance(value, bytes) else value.tobytes()
        leaf = "b" if isinstance(value, bytes) else {"f4": "f", "f8": "d"}.get(value.dtype.str[1:], "b")
        parts.append(struct.pack("<BcQ", isinstance(value, np.ndarray), leaf.encode(), len(raw)) + raw)
    returned = ord(call.returned) if call.returned else 0
    head = struct.pack("<IIIBI", call.function, call.seed, call.seed & 3, returned, len(parts))
    return head + b"".join(parts)


def _outcome(line: str) -> Outcome:
    _, kind, launches, detail = line.split(" ", 3)
    return Outcome(kind=kind, launches=int(launches), detail=detail)


def longer(call: Call, random: np.random.Generator, *, by: int = 100) -> Call:
    """Return a call whose arrays go on behind what it needs, with numbers that no call would mean."""
    return replace(call, arguments=tuple(_extended(value, random, by) for value in call.arguments))


def _extended(value: Value, random: np.random.Generator, by: int) -> Value:
    if not isinstance(value, np.ndarray):
        return value
    more = random.integers(0, 256, size=by * value.dtype.itemsize, dtype=np.uint8).view(value.dtype)
    if value.dtype.kind == "f":
        more = (random.integers(-900, 900, size=by) / 8).astype(value.dtype)
    return np.concatenate([value.ravel(), more])
