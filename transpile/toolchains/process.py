"""Run a command to its end, with its output, time and memory bounded."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from transpile.toolchains.charges import Charges
from transpile.toolchains.limits import Limits

OUTPUT_LIMIT = 16 << 20
_INTERVAL = 0.05
_interrupted = threading.Event()


def interrupt() -> None:
    """End all commands that run, in whichever thread, and let none begin: these raise KeyboardInterrupt."""
    _interrupted.set()


def resume() -> None:
    """Let commands run again."""
    _interrupted.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a command ended. Output beyond 16 MiB is dropped."""

    status: int
    """Exit status; 128 + signal where a signal ended it."""
    signal: int | None
    timed_out: bool
    out_of_memory: bool
    """Ended by us, since it held more memory than it may."""
    stdout: bytes
    stderr: bytes
    exceeded: str = ""
    """The limit for which we ended it, in words; empty where there is none (see ``limits``)."""
    seconds: float
    """By the clock on the wall."""
    charged: float = 0.0
    """Of processors, and asleep; 0 where it ended at once."""


def supervise(
    command: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    timeout: float,
    limits: Limits | None = None,
    watch: Callable[[float], bool] | None = None,
    descriptors: Sequence[int] = (),
    stdin: int = subprocess.DEVNULL,
) -> Finished:
    """Run the command in a process group of its own, all of which is dead on return.

    Raises KeyboardInterrupt where commands are interrupted (see ``interrupt``).

    Args:
        command: Absolute path and arguments.
        cwd: Directory to run in.
        environment: The whole environment.
        timeout: Seconds until the group is killed: of processors and asleep (see ``charges``).
        limits: What it may use beside time.
        watch: Asked every 50 ms with these seconds; the group is killed when it returns true.
        descriptors: Open files that the command inherits.
        stdin: The open file that it reads as its input; nothing to read by default.
    """
    _go_on()
    start = time.monotonic()
    process = subprocess.Popen(
        list(command),
        cwd=cwd,
        env=dict(environment),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        pass_fds=tuple(descriptors),
    )
    limits = Limits() if limits is None else limits
    charges = Charges(process.pid) if limits.tasks is None else Charges(process.pid, limits.tasks)
    timed_out = out_of_memory = False
    exceeded = ""
    outputs: dict[int, bytearray] = {}
    try:
        with selectors.DefaultSelector() as selector, _ending(process.pid, selector):
            for stream in (process.stdout, process.stderr):
                assert stream is not None
                outputs[stream.fileno()] = bytearray()
                selector.register(stream.fileno(), selectors.EVENT_READ)
            while process.poll() is None:
                _go_on()
                charged = charges.look()
                timed_out = charged > timeout or (watch is not None and watch(charged))
                out_of_memory = limits.exceeds_memory(charges)
                exceeded = limits.exceeded(charges)
                if timed_out or out_of_memory or exceeded:
                    break
                if selector.get_map():
                    _collect(selector, outputs, _INTERVAL)
                else:  # It has closed its output, and goes on.
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_INTERVAL)
            _kill_group(process.pid)
            process.wait()
            exceeded = exceeded or limits.exceeded(charges, ended=True)
            _drain(selector, outputs)
    finally:
        _kill_group(process.pid)
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    stdout, stderr = (bytes(data) for data in outputs.values())
    code = process.returncode
    return Finished(
        status=code if code >= 0 else 128 - code,
        signal=-code if code < 0 else None,
        timed_out=timed_out,
        out_of_memory=out_of_memory,
        exceeded=exceeded,
        stdout=stdout,
        stderr=stderr,
        seconds=time.monotonic() - start,
        charged=charges.seconds,
    )


def _go_on() -> None:
    if _interrupted.is_set():
        raise KeyboardInterrupt


@contextmanager
def _ending(process: int, selector: selectors.BaseSelector) -> Iterator[None]:
    """Let a selector wake up once a process has ended, where the kernel tells.

    To wait with a limit is to look again and again, at intervals that grow to 50 ms.
    """
    try:
        descriptor = os.pidfd_open(process)
    except OSError:
        yield
        return
    try:
        selector.register(descriptor, selectors.EVENT_READ)
        yield
    finally:
        os.close(descriptor)


def _collect(selector: selectors.BaseSelector, outputs: dict[int, bytearray], wait: float) -> bool:
    """Read what is there; false where nothing came."""
    events = [key for key, _ in selector.select(wait) if key.fd in outputs]
    for key in events:
        data = os.read(key.fd, 1 << 16)
        if not data:
            selector.unregister(key.fd)
        outputs[key.fd] += data[: OUTPUT_LIMIT - len(outputs[key.fd])]
    return bool(events)


def _drain(selector: selectors.BaseSelector, outputs: dict[int, bytearray]) -> None:
    """Read what a dead group left in its pipes.

    A process that escaped the group could keep a pipe open, so an empty pipe is the end.
    """
    while selector.get_map() and _collect(selector, outputs, 0):
        pass


def _kill_group(process: int) -> None:
    try:
        os.killpg(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
