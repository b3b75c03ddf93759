"""Make calls into a library, in a sandboxed process of our own, and bring back what they left behind.

A batch is one process as long as nothing dies. A call that does is reported, and a new process goes on
with the next one.
"""

from __future__ import annotations

import re
import struct
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from transpile.errors import InternalError
from transpile.toolchains import compilers, native, sandbox, speed
from transpile.toolchains.build import Built, Flavour
from transpile.toolchains.calls import (
    Altered,
    ArrayTrace,
    Call,
    Completed,
    Crashed,
    Placement,
    Race,
    Trace,
)
from transpile.toolchains.confinement import Monitor, Mounts, Profile, Quota
from transpile.toolchains.exchange import Exchange, exchange
from transpile.toolchains.process import Finished
from transpile.toolchains.wire import Reader, encode, read_sites, read_trace
from transpile.toolchains.workshop import Workshop

__all__ = [
    "ArrayTrace",
    "Call",
    "Completed",
    "Crashed",
    "Instrumentation",
    "Placement",
    "Race",
    "RestartPolicy",
    "Trace",
    "run",
]

_TRACED = 10
"""Times the usual limit that a traced call has: what counts there is its work."""
_FEWEST_TURNS = 3
_FAULT = 97
_SANITIZER = 66
_DETAIL = 4000
_BESIDE = 64 << 20
"""Bytes that a worker writes beside the data of its calls: what it says of regions, counts of branches."""
_SPAN = 72 << 20
"""The same for each array of a traced call: ``most_span`` in ``native/trace.cpp``."""
_MISUSED = 1000
"""Status of ``native/entry.h`` for a call that copied beyond what it had allocated."""
_REASONS = (
    "",
    "segmentation fault",
    "bus error",
    "arithmetic fault",
    "illegal instruction",
    "timeout",
    "stack overflow",
    "sanitizer",
    "library does not load",
    "wild access",
    "memory of the host reached by a kernel",
    "memory of the device reached by the host",
    "misaligned or impossible address",
    "write beside an array",
    "write to an array that the source only reads",
    "results that cannot be written",
    "the worker gave up",
)
_OURS = _REASONS.index("the worker gave up")
_GIVEN_UP = 98
"""Exit status of a worker that cannot go on; calls may end with it as well."""
_MISALIGNED = _REASONS.index("misaligned or impossible address")
_ALIGNED = 16
"""Alignment that malloc promises and cudaMalloc exceeds: most sizes break it in front of a guard page."""
_PERTURBED = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"
"""A thread's own cache would hand out again what it freed, with what it held."""
LACKS = "which this file lacks"
_UNDEFINED = re.compile(rb"undefined symbol: (\w+)")
"""Message of the loader for a function that no file of a library has."""
_SIGNALS = {6: "abort", 11: "segmentation fault", 31: "forbidden system call"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartPolicy:
    """When a new process goes on with a batch that has ended its worker."""

    deaths: int = 24
    """Calls that end a worker before the rest is given up."""
    timeouts: int = 2
    """Of these calls, those that may exceed their time."""
    afresh: bool = False
    """A call that dies behind others is made again: they may have overwritten what it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrumentation:
    """What is counted of calls beside their results."""

    coverage: Path | None = None
    """Directory where a build that counts branches adds its counts to those that lie there."""
    observer: Sequence[str] = ()
    """A program of ours that watches the worker (see ``confinement.Monitor``)."""


USUAL_RESTARTS = RestartPolicy()
UNINSTRUMENTED = Instrumentation()


def run(
    workshop: Workshop,
    library: Built,
    calls: Sequence[Call],
    *,
    placement: Placement,
    threads: int = 1,
    environment: Mapping[str, str] | None = None,
    instrumentation: Instrumentation = UNINSTRUMENTED,
    restarts: RestartPolicy = USUAL_RESTARTS,
) -> list[Completed | Crashed]:
    """Make the calls in order, each on fresh copies of its data.

    Args:
        workshop: Where and how long.
        library: What to call; its flavour chooses the worker.
        calls: What to call it with.
        placement: Where the buffers lie.
        threads: Of OpenMP.
        environment: Variables on top of a clean environment.
        instrumentation: What is counted of them.
        restarts: When others are made after one that has ended the worker.
    """
    if not calls:
        return []
    scratch = workshop.scratch()
    with (
        tempfile.TemporaryDirectory(dir=scratch, prefix="run-", ignore_cleanup_errors=True) as directory,
        exchange(scratch, encode(calls)) as files,
    ):
        place = Path(directory)
        batch = _Batch(
            place=place,
            files=files,
            workshop=workshop,
            library=library,
            calls=calls,
            placement=placement,
            restarts=restarts,
            observer=instrumentation.observer,
        )
        variables = _environment(library.flavour, threads) | dict(environment or {})
        coverage = instrumentation.coverage
        if coverage is not None:
            coverage.mkdir(parents=True, exist_ok=True)
            variables |= {"GCOV_PREFIX": str(coverage), "GCOV_PREFIX_STRIP": "99"}
        elif library.flavour is Flavour.TRACE:
            variables |= {"GCOV_PREFIX": str(place), "GCOV_PREFIX_STRIP": "99"}
        return batch.run(variables, [place, *([coverage] if coverage else [])], threads)


def _environment(flavour: Flavour, threads: int) -> dict[str, str]:
    variables = {
        "OMP_NUM_THREADS": str(threads),
        "OMP_THREAD_LIMIT": str(threads),
        "OMP_DYNAMIC": "false",
        "OMP_WAIT_POLICY": "passive",
        "OMP_TARGET_OFFLOAD": "MANDATORY" if flavour is Flavour.OFFLOAD else "DISABLED",
    }
    if flavour is Flavour.PLAIN:
        # Memory of the heap holds a pattern until it is set, as variables do; in a traced build it does not.
        variables["GLIBC_TUNABLES"] = _PERTURBED
    if flavour is Flavour.ADDRESS:
        common = f"exitcode={_SANITIZER}:halt_on_error=1:abort_on_error=0"
        variables["ASAN_OPTIONS"] = f"{common}:detect_leaks=0:allow_user_segv_handler=0"
        variables["UBSAN_OPTIONS"] = f"{common}:print_stacktrace=0"
    if flavour is Flavour.THREAD:
        variables["TSAN_OPTIONS"] = (
            f"exitcode={_SANITIZER}:halt_on_error=1:ignore_noninstrumented_modules=1:report_signal_unsafe=0:atexit_sleep_ms=20"
        )
        archer = compilers.find().get("libarcher").path
        if archer:
            variables["OMP_TOOL_LIBRARIES"] = archer
    if flavour is Flavour.OFFLOAD:
        runtime = compilers.find().require("libomptarget").path or ""
        variables["LD_LIBRARY_PATH"] = str(Path(runtime).parent)
        # Memory of the device holds a pattern until something is copied there.
        variables["GLIBC_TUNABLES"] = _PERTURBED
    return variables


def worker(workshop: Workshop, flavour: Flavour) -> Path:
    """Return the program that loads libraries of the flavour."""
    common = ("-std=c++17", "-O2", "-w", "-rdynamic", "-ldl")
    compiler, name = "g++", "worker"
    others: tuple[str, ...] = ("no_trace.cpp",)
    extra: tuple[str, ...] = ()
    match flavour:
        case Flavour.TRACE:
            # Its memcpy must not be compiled into a call of memcpy.
            name, others, extra = "tracer", ("trace.cpp",), ("-fno-tree-loop-distribute-patterns",)
        case Flavour.ADDRESS:
            extra = ("-fsanitize=address,undefined", "-DTRANSPILE_SANITIZED", "-DTRANSPILE_ADDRESS")
        case Flavour.THREAD:
            compiler, others = "clang++", ("no_trace.cpp", "tasks.cpp", "interleave.cpp")
            extra = ("-fsanitize=thread", "-fopenmp", "-DTRANSPILE_SANITIZED")
        case Flavour.OFFLOAD:
            compiler, name, others = "clang++", "offloader", ("no_trace.cpp", "offload.cpp")
        case (
            Flavour.PLAIN
            | Flavour.WIDE
            | Flavour.WIDER_FLOATS
            | Flavour.COVER
            | Flavour.SHIPPED
            | Flavour.CARVE
        ):
            pass
    sources = ("worker.cpp", *others)
    return native.executable(workshop.cache, name, sources, compiler, (*common, *extra))


@dataclass(slots=True, kw_only=True)
class _Batch:
    """One batch, and the processes that work it off."""

    place: Path
    """The directory that calls may write in: nothing there is read again."""
    files: Exchange
    workshop: Workshop
    library: Built
    calls: Sequence[Call]
    placement: Placement
    restarts: RestartPolicy = USUAL_RESTARTS
    observer: Sequence[str] = ()
    results: list[Completed | Crashed] = field(default_factory=list)

    def run(
        self, variables: Mapping[str, str], writable: Sequence[Path], threads: int
    ) -> list[Completed | Crashed]:
        """Start workers until every call has its result.

        Behind guards an array touches its guard to the byte, and so begins where no allocation would: a call
        that cannot bear that is made again, and with it all of the same function, with arrays as aligned as
        malloc makes them.
        """
        program = worker(self.workshop, self.library.flavour)
        deaths = timeouts = 0
        while True:
            first = len(self.results)
            self.files.begin()
            finished = self._start(program, variables, writable, threads)
            broken = self._collect()
            if len(self.results) == len(self.calls):
                break
            if broken is None and self._realigns(finished):
                continue
            crash = broken or self._crash(finished)
            if self.restarts.afresh and len(self.results) > first and crash.reason != "timeout":
                continue
            self.results.append(crash)
            timeouts += crash.reason == "timeout"
            deaths += 1
            given_up = timeouts > self.restarts.timeouts or deaths >= self.restarts.deaths
            if len(self.results) == len(self.calls) or given_up:
                break
        reason = "timeout" if timeouts > self.restarts.timeouts else "not called: too many calls died"
        left = Crashed(reason=reason, called=False)
        self.results += [left] * (len(self.calls) - len(self.results))
        return self.results

    def _realigns(self, finished: Finished) -> bool:
        """Tell whether the last call is to be made again: its function has aligned arrays from now on."""
        reason = self.files.progress().reason
        guarded = self.placement in (Placement.GUARD_HIGH, Placement.GUARD_LOW)
        died = self.calls[len(self.results)]
        if finished.status != _FAULT or reason != _MISALIGNED or not guarded or died.alignment == _ALIGNED:
            return False
        self.calls = [
            replace(call, alignment=_ALIGNED) if call.entry == died.entry else call for call in self.calls
        ]
        self.files.give(encode(self.calls))
        return True

    def _start(
        self, program: Path, variables: Mapping[str, str], writable: Sequence[Path], threads: int
    ) -> Finished:
        sanitized = self.library.flavour in (Flavour.ADDRESS, Flavour.THREAD)
        slow = sanitized or self.library.flavour is Flavour.OFFLOAD
        traced = self.library.flavour is Flavour.TRACE
        limit = self.workshop.timeout * (3 if slow else _TRACED if traced else 1)
        limit *= speed.slowdown(self.workshop.cache)
        # Where the worker cannot end a call itself: it sleeps, or holds our signals back.
        patience = limit * max(threads, _FEWEST_TURNS) + 2
        finished = sandbox.execute(
            [
                str(program),
                str(self.library.path),
                *(str(descriptor) for descriptor in self.files.descriptors),
                str(len(self.results)),
                str(int(self.placement)),
                str(int(limit * 1000)),
                str(int(self.workshop.timeout * speed.WORK_A_SECOND)),
            ],
            profile=Profile.CALL,
            mounts=Mounts(
                cwd=self.place, readable=[self.library.path.parent, program.parent], writable=writable
            ),
            quota=Quota(
                timeout=patience * (len(self.calls) + 1),
                memory=self.workshop.memory,
                resident=sanitized or self.placement is Placement.ARENA,
                file_size=self._most_written(),
            ),
            environment=variables,
            monitor=Monitor(
                watch=_Stuck(self.files, patience), observer=self.observer, descriptors=self.files.descriptors
            ),
            fixed_addresses=self.library.flavour is Flavour.THREAD,
            unsafe=self.workshop.unsafe,
        )
        return replace(finished, stderr=finished.stderr + self.files.complaints.end(_DETAIL))

    def _most_written(self) -> int:
        """Return the most bytes that a file of the worker has to hold: results are memory of ours, too."""
        traced = _SPAN if self.library.flavour is Flavour.TRACE else 0
        held = sum(len(item) + traced for call in self.calls for item in call.arguments)
        held += sum(len(data) for call in self.calls for _, data in call.globals)
        returned = sum(call.returns for call in self.calls)
        return min(held + returned + _BESIDE, sandbox.FILE_LIMIT)

    def _collect(self) -> Crashed | None:
        """Decode the results that are complete; Crashed where a call has spoilt what the worker wrote."""
        data = self.files.results.read(self._most_written())
        done = self.files.progress().done
        reader = Reader(data, 0)
        while len(self.results) < min(done, len(self.calls)):
            try:
                result = self._decode(reader, self.calls[len(self.results)])
            except (struct.error, AssertionError):
                return Crashed(reason="overwritten memory of the worker")
            if reader.position > len(data):
                return Crashed(reason="overwritten memory of the worker")
            self.results.append(result)
        return None

    def _decode(self, reader: Reader, call: Call) -> Completed | Crashed:
        status, inexact = reader.number(), reader.number()
        seconds, elapsed = struct.unpack("<dd", reader.take(16))
        held, work, altered = reader.numbers(3)
        buffers = tuple(
            np.frombuffer(reader.take(len(item)), dtype=np.uint8)
            if isinstance(item, np.ndarray)
            else np.zeros(0, dtype=np.uint8)
            for item in call.arguments
        )
        variables = tuple((name, bytes(reader.take(len(data)))) for name, data in call.globals)
        returned = bytes(reader.take(call.returns))
        sites = read_sites(reader)
        trace = read_trace(reader, len(call.arguments)) if self.library.flavour is Flavour.TRACE else None
        if status == _MISUSED:
            return Crashed(reason="copy or fill beyond an allocation")
        if status != 0:
            return Crashed(reason=f"launch refused with error {status}")
        if isinstance(trace, Crashed):
            return trace
        return Completed(
            arguments=buffers,
            globals=variables,
            returned=returned,
            inexact=bool(inexact),
            seconds=seconds,
            elapsed=elapsed,
            work=work,
            sites=sites,
            held=held,
            altered=Altered(altered),
            alignment=call.alignment,
            trace=trace,
        )

    def _crash(self, finished: Finished) -> Crashed:
        """Say how the worker ended during the call after the last complete one."""
        told = self.files.progress()
        near = told.argument >= 0
        detail = finished.stderr.decode("utf-8", "replace")
        if finished.status == _GIVEN_UP and (told.reason == _OURS or not told.begun):
            raise InternalError(f"the worker gave up: {detail[-500:]}")
        return Crashed(
            reason=self._reason(finished, told.reason),
            argument=told.argument if near else None,
            offset=told.offset if near else None,
            detail=detail[-_DETAIL:],
        )

    def _reason(self, finished: Finished, reason: int) -> str:
        if finished.timed_out:
            return "timeout"
        if finished.out_of_memory:
            return "out of memory"
        if finished.exceeded:
            return finished.exceeded
        if finished.status == _SANITIZER and self.library.flavour in (Flavour.ADDRESS, Flavour.THREAD):
            return "sanitizer"
        missing = _UNDEFINED.findall(finished.stderr)  # of earlier calls, too
        lacking = f"`{unmangled(missing[-1].decode())}`, {LACKS}" if missing else ""
        if finished.status == _FAULT and 0 < reason < len(_REASONS):
            return f"{_REASONS[reason]}: it names {lacking}" if lacking else _REASONS[reason]
        if finished.signal is not None or finished.status > 128:
            number = finished.signal or finished.status - 128
            return _SIGNALS.get(number, f"signal {number}")
        if lacking:
            return f"it calls {lacking}: only functions that keep no state are linked"
        return f"exit {finished.status}"


def unmangled(symbol: str) -> str:
    """Return the name of a function of C or C++ that is no template, else the symbol."""
    names: list[str] = []
    rest = re.sub(r"^_ZN?K?", "", symbol) if symbol.startswith("_Z") else ""
    while (found := re.match(r"(\d+)(\w+)", rest)) is not None:
        names.append(found[2][: int(found[1])])
        rest = found[2][int(found[1]) :]
        if not symbol.startswith("_ZN"):
            break
    return "::".join(names) if names else symbol


class _Stuck:
    """Tells when no call has been begun or done for too long: a call may have blocked the alarm."""

    def __init__(self, files: Exchange, patience: float) -> None:
        self._files = files
        self._patience = patience
        self._seen = (0, 0)
        self._since = 0.0

    def __call__(self, charged: float) -> bool:
        """Look at the progress once more, after so many seconds that the worker is charged for."""
        told = self._files.progress()
        if told[:2] != self._seen:
            self._seen, self._since = told[:2], charged
        return charged - self._since > self._patience
