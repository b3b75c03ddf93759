"""Run calls of a source, of its right translation and of a planted one, each call in a process of its own.

Started by ``oracle.py`` with the path of a pickled ``Job``. Arrays end at a page that nobody may touch, and
constant ones cannot be written. Prints what became of each call, up to the first that shows the fault.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import pickle
import resource
import select
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.plants.call import Call
from benchmarks.plants.subject import Function, Parameter

TYPES = {
    "int": "i4",
    "long": "i8",
    "unsigned": "u4",
    "char": "i1",
    "unsigned char": "u1",
    "float": "f4",
    "double": "f8",
}
SCALARS = {
    "int": ctypes.c_int,
    "long": ctypes.c_long,
    "unsigned": ctypes.c_uint,
    "char": ctypes.c_char,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}
CLOSE = {"f4": 1e-5, "f8": 1e-10}
LEAK = 512
"""Bytes a call, on average over many, which are a leak."""
SECONDS = 20.0


class Allocated(ctypes.Structure):
    """The result of ``mallinfo2``."""

    _fields_ = [
        ("others", ctypes.c_size_t * 4),
        ("mapped", ctypes.c_size_t),
        ("reserved", ctypes.c_size_t * 2),
        ("used", ctypes.c_size_t),
        ("free", ctypes.c_size_t * 2),
    ]


_LIBC = ctypes.CDLL(None)
_LIBC.mmap.restype = ctypes.c_void_p
_LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_LIBC.setlocale.restype = ctypes.c_char_p
_LIBC.mallinfo2.restype = Allocated
_OPENMP = ctypes.CDLL("libgomp.so.1")
_MATH = ctypes.CDLL("libm.so.6")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job: the libraries and the calls to make."""

    function: Function
    source: Path
    right: Path
    planted: Path
    calls: tuple[Call, ...]


class Guarded:
    """An array that ends at a page which nobody may touch."""

    def __init__(self, values: np.ndarray, *, constant: bool, shift: int = 0) -> None:
        """Lay the values out."""
        page = mmap.PAGESIZE
        room = (values.nbytes + shift + page - 1) // page * page
        start = _LIBC.mmap(None, room + page, mmap.PROT_READ | mmap.PROT_WRITE,
                           mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)  # fmt: skip
        _LIBC.mprotect(start + room, page, 0)
        self.address = start + room - values.nbytes - shift
        raw = (ctypes.c_char * values.nbytes).from_address(self.address)
        self.values = np.ndarray(values.shape, dtype=values.dtype, buffer=memoryview(raw))
        self.values[:] = values
        if constant and room:
            _LIBC.mprotect(start, room, mmap.PROT_READ)


def drawn(kind: str, count: int, fill: str, random: np.random.Generator) -> np.ndarray:
    """Return values of a type."""
    if kind[0] == "f":
        return _floats(kind, count, fill, random)
    low, high = {"small": (-9, 10), "equal": (7, 8), "negative": (-2_000_000, -1_000_000),
                 "hundreds": (100, 900)}.get(fill, (-(2**31), 2**31))  # fmt: skip
    if kind in ("i1", "u1"):
        return random.integers(0, 256, count, dtype=np.uint8).view(kind)
    return random.integers(low, high, count, dtype=np.int64).astype(kind)


def _floats(kind: str, count: int, fill: str, random: np.random.Generator) -> np.ndarray:
    if fill == "wide":
        powers = random.uniform(-44, 38, count) if kind == "f4" else random.uniform(-320, 308, count)
        values = np.power(10.0, powers) * random.choice((-1.0, 1.0), count)
        special = (np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, 2.5, 0.49999999999999994)
        return np.where(random.random(count) < 0.1, random.choice(special, count), values).astype(kind)
    if fill == "large":
        return (random.uniform(-1, 1, count) * (1e18 if kind == "f4" else 1e150)).astype(kind)
    bounds = {"equal": (7, 8), "negative": (-2_000_000, -1_000_000), "hundreds": (100, 900)}
    return random.integers(*bounds.get(fill, (-9, 10)), count).astype(kind)


def arguments(
    function: Function, call: Call, seed: int
) -> tuple[list[np.ndarray | float | int], dict[str, int]]:
    """Return the arguments of a call, and where arrays stand among them."""
    sizes = dict(call.sizes)
    chosen, pins = dict(call.scalars), dict(call.pins)
    random = np.random.default_rng(seed)
    values: list[np.ndarray | float | int] = []
    for item in function.parameters:
        if item.extent:
            values.append(_array(item, sizes, call, pins, random))
        elif item.size:
            values.append(sizes[item.name])
        else:
            low, high = (97, 122) if item.type == "char" else (2, 7)
            values.append(chosen.get(item.name, int(random.integers(low, high))))
    if function.parameters and {"low", "high"} <= {item.name for item in function.parameters}:
        where = [item.name for item in function.parameters].index("low")
        values[where : where + 2] = sorted(values[where : where + 2])
    return values, {item.name: index for index, item in enumerate(function.parameters) if item.extent}


def _array(
    item: Parameter, sizes: dict[str, int], call: Call, pins: dict[str, float], random: np.random.Generator
) -> np.ndarray:
    factors = {name: max(size, 0) for name, size in sizes.items()}
    count = int(eval(item.extent, {}, factors))
    kind = TYPES[item.type]
    if item.below:
        bound = factors[item.below] if item.below in factors else int(item.below)
        return random.integers(0, max(bound, 1), count).astype(kind)
    values = drawn(kind, count, call.fill, random)
    if item.name in pins and count:
        values[random.integers(0, count, max(1, count // 9))] = pins[item.name]
    return values


def lost(function: Function, values: Sequence[object]) -> float:
    """Return what rounding may take from a sum, whose terms may cancel; nothing where nothing is added up."""
    if "+=" not in function.text:
        return 0.0
    arrays = [
        item for item in values if isinstance(item, np.ndarray) and item.dtype.kind == "f" and item.size
    ]
    if not arrays:
        return 0.0
    most = max(float(np.max(np.abs(item), where=np.isfinite(item), initial=0)) for item in arrays)
    return 64 * float(np.finfo(arrays[0].dtype).eps) * most * max(most, 1.0)


def same(left: np.ndarray, right: np.ndarray, apart: float) -> bool:
    """Tell whether results agree, up to what rounding may do."""
    kind = left.dtype.str[1:]
    if kind not in CLOSE:
        return bool(np.array_equal(left, right))
    if np.array_equal(left, right, equal_nan=True):
        return True
    finite = np.isfinite(left)
    if not np.array_equal(finite, np.isfinite(right)):
        return False
    rest = ~finite
    if not np.array_equal(left[rest], right[rest], equal_nan=True):
        return False
    a, b = left[finite].astype("f8"), right[finite].astype("f8")
    tiny = 4 * float(np.finfo(left.dtype).smallest_subnormal)
    return bool(np.all(np.abs(a - b) <= CLOSE[kind] * np.maximum(np.abs(a), np.abs(b)) + tiny + apart))


def state() -> tuple[object, ...]:
    """Return what a function has to leave as it was."""
    environment = ctypes.create_string_buffer(64)
    _MATH.fegetenv(environment)
    rounding = int.from_bytes(environment.raw[28:32], "little") & ~0x3F
    _LIBC.fflush(None)
    return environment.raw[:2], rounding, _signals(), _files(), _threads(), _surroundings()


def _signals() -> tuple[object, ...]:
    handlers = []
    for number in range(1, 32):
        old = ctypes.create_string_buffer(256)
        _LIBC.sigaction(number, None, old)
        handlers.append(old.raw[:8])
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return tuple(handlers), frozenset(blocked), signal.getitimer(signal.ITIMER_REAL)[0] > 0


def _files() -> tuple[object, ...]:
    mask = os.umask(0)
    os.umask(mask)
    try:
        printed = os.fstat(1).st_size
    except OSError:
        printed = -1
    return printed, sorted(os.listdir("/proc/self/fd")), os.getcwd(), mask


def _threads() -> tuple[int, ...]:
    kind, chunk = ctypes.c_int(), ctypes.c_int()
    _OPENMP.omp_get_schedule(ctypes.byref(kind), ctypes.byref(chunk))
    asked = ("max_threads", "dynamic", "max_active_levels", "max_teams")
    return kind.value, chunk.value, *(getattr(_OPENMP, f"omp_get_{name}")() for name in asked)


def _surroundings() -> tuple[object, ...]:
    variables = ctypes.POINTER(ctypes.c_char_p).in_dll(_LIBC, "environ")
    listed: list[bytes | None] = []
    while variables[len(listed)] is not None:
        listed.append(variables[len(listed)])
    limits = tuple(resource.getrlimit(item) for item in (resource.RLIMIT_NOFILE, resource.RLIMIT_STACK))
    return tuple(listed), limits, os.getpriority(os.PRIO_PROCESS, 0), _LIBC.setlocale(6, None)


def run(library: ctypes.CDLL, job: Job, call: Call, seed: int) -> list[np.ndarray]:
    """Call a library's function and return all arrays, and what it returns."""
    function = job.function
    values, places = arguments(function, call, seed)
    kept: dict[str, Guarded] = {}
    given: list[object] = []
    shared = dict([call.same[::-1]]) if call.same else {}
    for item, value in zip(function.parameters, values, strict=True):
        if not item.extent:
            given.append(_scalar(item, value))
            continue
        if item.name in shared and shared[item.name] in kept:
            kept[item.name] = kept[shared[item.name]]
        else:
            alone = call.same is None or item.name not in call.same
            kept[item.name] = Guarded(np.asarray(value), constant=item.constant and alone, shift=call.shift)
        given.append(ctypes.c_void_p(kept[item.name].address))
    entry = library.oracle_within if call.within else library.oracle_entry
    entry.restype = SCALARS.get(function.returns)
    found = entry(*given)
    returned = [] if function.returns == "void" else [np.asarray([found], dtype=TYPES[function.returns])]
    return [np.array(kept[name].values) for name in places] + returned


def _scalar(item: Parameter, value: Any) -> object:
    return ctypes.c_char(int(value) & 255) if item.type == "char" else SCALARS[item.type](value)


def _held() -> int:
    """Return how many bytes are allocated, mapped ones included."""
    info = _LIBC.mallinfo2()
    return int(info.mapped + info.used)


def _alike(wanted: Sequence[np.ndarray], got: Sequence[np.ndarray], apart: float) -> bool:
    return all(same(left, right, apart) for left, right in zip(wanted, got, strict=True))


def attempt(job: Job, call: Call, libraries: Sequence[ctypes.CDLL], pipe: int) -> None:
    """Make one call of all three and say what became of it."""
    source, right, planted = libraries
    os.dup2(os.memfd_create("printed"), 1)
    _OPENMP.omp_set_num_threads(call.threads)
    held, first = 0, call.sizes
    for time in range(call.times):
        if call.grows:
            call = replace(call, sizes=tuple((name, size * (time + 1)) for name, size in first))
        wanted = run(source, job, call, call.seed + time)
        control = run(right, job, call, call.seed + time)
        before = state()
        apart = lost(job.function, arguments(job.function, call, call.seed + time)[0])
        if not _alike(wanted, control, apart):
            return
        os.write(pipe, b"V")
        grown = _held()
        got = run(planted, job, call, call.seed + time)
        held += _held() - grown if time else 0
        if not _alike(wanted, got, apart):
            os.write(pipe, b"differs\n")
            return
        if state() != before:
            os.write(pipe, b"state\n")
            return
        os.write(pipe, b"S")
    leaks = call.times >= 20 and held > LEAK * call.times
    os.write(pipe, b"leak\n" if leaks else b"agrees\n")


def judged(job: Job, call: Call, libraries: Sequence[ctypes.CDLL]) -> str:
    """Return what became of a call: ``agrees``, ``void``, or how it went wrong."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.close(2)
        try:
            attempt(job, call, libraries, writing)
        finally:
            os._exit(0)
    os.close(writing)
    said = b""
    late = False
    while not said.endswith(b"\n"):
        ready, _, _ = select.select([reading], [], [], SECONDS)
        part = os.read(reading, 4096) if ready else b""
        late = not ready
        if not part:
            break
        said += part
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    if said.endswith(b"\n"):
        return said.strip(b"VS\n").decode() or "agrees"
    if not said.endswith(b"V"):
        return "void"
    return "timeout" if late else "crash"


def main() -> None:
    """Run a job and print an outcome a line."""
    job: Job = pickle.loads(Path(sys.argv[1]).read_bytes())
    libraries = [ctypes.CDLL(str(path)) for path in (job.source, job.right, job.planted)]
    for call in job.calls:
        found = judged(job, call, libraries)
        print(found, flush=True)
        if found not in ("agrees", "void"):
            return


if __name__ == "__main__":
    main()
