"""Charges of a command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from transpile.toolchains import charges
from transpile.toolchains.charges import Charges
from transpile.toolchains.process import Finished, supervise

SPIN = "import time\nwhile time.process_time() < {}: pass\n"


def run(script: str, timeout: float) -> Finished:
    return supervise([sys.executable, "-c", script], cwd=Path("/"), environment={}, timeout=timeout)


@contextmanager
def crowd(count: int) -> Iterator[None]:
    """Keep every processor busy for as many others as that."""
    line = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(line) for _ in range(count * len(os.sched_getaffinity(0)))]
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.wait()


def test_waiting_for_a_processor_is_free() -> None:
    with crowd(4):
        finished = run(SPIN.format(0.6), timeout=1.5)
    assert not finished.timed_out
    assert finished.charged < 1.5


def test_work_is_charged_whoever_does_it() -> None:
    child = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', '''{SPIN.format(30)}'''])\n"
    assert run(SPIN.format(30), timeout=0.5).timed_out
    assert run(child, timeout=0.5).timed_out


def test_sleep_is_charged() -> None:
    assert run("import time\ntime.sleep(30)\n", timeout=0.5).timed_out


def test_no_look_charges_more_than_a_look_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a processor ourselves must not blame that on what sleeps beside us."""
    monkeypatch.setattr(charges, "_family", lambda process: iter(()))
    found = Charges(0)
    found._seen -= 1000.0
    assert found.look() == pytest.approx(0.1)
