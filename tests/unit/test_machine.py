from __future__ import annotations

import errno
import os
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from transpile import machine
from transpile.errors import InternalError, MachineFault, UsageError


@pytest.mark.parametrize("number", sorted(machine.HINTS))
def test_what_the_system_refuses_is_the_machines(number: int) -> None:
    found = machine.fault_of(OSError(number, "refused", "/some/where"))
    assert isinstance(found, MachineFault)
    assert str(found) == f"/some/where: {os.strerror(number)}" and found.hint


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOENT, "gone"), ValueError("null byte"), RecursionError(), UsageError("x")]
)
def test_what_is_our_own_is_not(error: Exception) -> None:
    assert machine.fault_of(error) is None


def test_memory_is_the_machines_unless_nobody_could_have_it() -> None:
    assert isinstance(machine.fault_of(MemoryError()), MachineFault)
    with pytest.raises(MemoryError) as caught:
        np.zeros(1 << 59)
    assert machine.fault_of(caught.value) is None


def test_a_machine_without_threads_is_told_from_other_errors() -> None:
    assert isinstance(machine.fault_of(RuntimeError("can't start new thread")), MachineFault)
    assert machine.fault_of(RuntimeError("dictionary changed size during iteration")) is None


def with_room(monkeypatch: pytest.MonkeyPatch, **changed: int) -> None:
    room = {"f_bavail": 1 << 20, "f_frsize": 4096, "f_files": 1 << 20, "f_favail": 1 << 20, **changed}
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(**room))


def test_places_that_take_files_lack_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_room(monkeypatch)
    assert machine.shortage(tmp_path / "not" / "there") is None
    assert not list(tmp_path.iterdir())


def test_memory_of_arrays_goes_back_to_the_system() -> None:
    resident = partial(machine._number, Path("/proc/self/status"), "VmRSS:")
    machine.release_memory()
    before = resident()
    ring: list[object] = [np.ones(1 << 15) for _ in range(1000)]
    ring.append(ring)
    # What lies above keeps the allocator from giving back what is below.
    above = np.ones(1 << 10)
    held = resident()
    assert held - before > 200 << 10
    del ring
    machine.release_memory()
    assert resident() < held - (200 << 10)
    assert above.size


@pytest.mark.parametrize("changed", [{"f_bavail": 100}, {"f_favail": 3}])
def test_full_disks_are_told(
    changed: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_room(monkeypatch, **changed)
    found = machine.shortage(tmp_path)
    assert found is not None and str(tmp_path) in str(found) and "TRANSPILE_CACHE" in found.hint


def test_places_that_take_nothing_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert machine.shortage(tmp_path / "file" / "cache") is not None
    assert machine.shortage(Path("/proc/cache")) is not None


def test_a_tool_that_failed_on_a_full_disk_is_no_bug_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_room(monkeypatch, f_bavail=100)
    assert isinstance(machine.behind(InternalError("gcov: "), tmp_path), MachineFault)
    assert machine.behind(ZeroDivisionError(), tmp_path) is None
    with_room(monkeypatch)
    assert machine.behind(InternalError("gcov: "), tmp_path) is None
