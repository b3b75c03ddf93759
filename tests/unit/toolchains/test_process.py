"""Commands run to their end."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from transpile.toolchains.limits import Limits
from transpile.toolchains.process import Finished, interrupt, resume, supervise


def run(script: str, timeout: float = 20, watch: object = None) -> Finished:
    return supervise(
        ["/bin/sh", "-c", script],
        cwd=Path("/"),
        environment={"PATH": os.defpath},
        timeout=timeout,
        watch=watch,  # type: ignore[arg-type]
    )


def test_output_and_status() -> None:
    finished = run("echo out; echo err >&2; exit 3")
    assert (finished.status, finished.signal, finished.timed_out) == (3, None, False)
    assert (finished.stdout, finished.stderr) == (b"out\n", b"err\n")


def test_a_signal_is_a_status_too() -> None:
    finished = run("kill -9 $$")
    assert (finished.status, finished.signal) == (137, 9)


def is_alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2]
    except OSError:
        return False


def test_time_is_up_for_the_whole_group() -> None:
    finished = run("sleep 30 & echo $!; sleep 30", timeout=0.5)
    assert finished.timed_out
    assert finished.seconds < 30
    child = int(finished.stdout)
    while is_alive(child):  # a kill takes effect when the machine has time for it
        time.sleep(0.01)


def test_what_is_left_behind_does_not_delay() -> None:
    finished = run("sleep 30 & exit 0")
    assert finished.status == 0
    assert finished.seconds < 30


def test_a_watch_ends_it() -> None:
    finished = run("sleep 30", watch=lambda charged: charged >= 0)
    assert finished.timed_out
    assert finished.seconds < 30


def test_too_much_memory_ends_it() -> None:
    finished = supervise(
        [
            sys.executable,
            "-c",
            "x = b'x' * (300 << 20)\nimport time; time.sleep(60)",
        ],
        cwd=Path("/"),
        environment={},
        timeout=60,
        limits=Limits(memory=100 << 20),
        watch=None,
    )
    assert finished.out_of_memory
    assert finished.seconds < 60


@pytest.mark.parametrize("script", ["echo; sleep 30", "exec >&- 2>&-; sleep 30"])
def test_an_interruption_ends_what_other_threads_run(script: str) -> None:
    with ThreadPoolExecutor() as pool:
        running = pool.submit(run, script)
        time.sleep(0.3)
        interrupt()
        try:
            assert isinstance(running.exception(timeout=10), KeyboardInterrupt)
            with pytest.raises(KeyboardInterrupt):
                run("echo")
        finally:
            resume()
    assert run("echo").stdout == b"\n"
