"""Code that takes more than its share of memory, processes, files or disk is ended and leaves nothing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.adversarial import enclosed, needs
from tests.sampling import sampled
from transpile.toolchains import limits, sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished

pytestmark = needs.JUDGING

REFUSED = 3
MEMORY = 64 << 20
NO_LIMIT = 1 << 60
TASKS = [("threads", 200), ("processes", 200), ("orphans", 200)]
FILES = [(name, 2000) for name in ("files", "folders", "links", "names", "dark files", "depth")]
DISK = [("disk", 64), ("one file", 64), ("reserved disk", 64), ("unnamed disk", 64)]
HIDDEN = [("hidden pages", 16), ("memory files", 256), ("tables of pages", 64), ("memory in silence", 256)]
CHANGING = ("links", "names", "unnamed disk")
"""Attempts that the profile of calls refuses outright."""
STARTING = ("processes", "orphans")


@pytest.fixture(scope="module")
def swamps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return enclosed.built("swamps.cpp", tmp_path_factory.mktemp("swamps"))


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set limits that are soon met."""
    monkeypatch.setattr(limits, "TASKS", 50)
    monkeypatch.setattr(limits, "FILES", 500)
    monkeypatch.setattr(limits, "DISK", 16 << 20)


def take(
    program: Path,
    what: tuple[str, int],
    own: Path,
    profile: Profile,
    *,
    timeout: float = 120,
    memory: int = MEMORY,
    by_resident: bool = True,
) -> Finished:
    own.mkdir()
    return sandbox.execute(
        [str(program), what[0], str(what[1])],
        profile=profile,
        mounts=Mounts(cwd=own, readable=[program.parent], writable=[own]),
        quota=Quota(timeout=timeout, memory=memory, resident=by_resident),
    )


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("layers", enclosed.LAYERS)
@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("what", sampled([*TASKS, *FILES, *DISK], 3), ids=lambda what: what[0])
def test_too_much_is_ended(
    what: tuple[str, int],
    profile: Profile,
    layers: str,
    swamps: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enclosed.let_it_find(layers, monkeypatch)
    finished = take(swamps, what, tmp_path / "own", profile, memory=4 << 30)
    assert not finished.timed_out
    refused = (what[0] in CHANGING and profile is Profile.CALL) or (
        what[0] in STARTING and profile is not Profile.BUILD
    )
    if refused:
        assert finished.status == REFUSED
    else:
        assert finished.exceeded.startswith("more than ")
        assert finished.status != 0
    shutil.rmtree(tmp_path / "own")


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("what", sampled([*TASKS, *FILES, *DISK], 3), ids=lambda what: what[0])
def test_it_would_go_on_without_limits(
    what: tuple[str, int], profile: Profile, swamps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that reach their amount wait; nothing ends them but their time."""
    for name in ("TASKS", "FILES", "DISK"):
        monkeypatch.setattr(limits, name, NO_LIMIT)
    monkeypatch.setattr(limits.holdings, "DEEPEST", 250)
    few = (what[0], what[1] if what[0] != "depth" else 200)
    finished = take(swamps, few, tmp_path / "own", profile, timeout=0.5, memory=4 << 30)
    assert finished.exceeded == ""
    assert finished.timed_out or finished.status == REFUSED


@pytest.mark.parametrize("layers", enclosed.LAYERS)
@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("what", HIDDEN, ids=lambda what: what[0])
def test_memory_that_no_limit_of_the_kernel_counts(
    what: tuple[str, int],
    profile: Profile,
    layers: str,
    swamps: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enclosed.let_it_find(layers, monkeypatch)
    finished = take(
        swamps, what, tmp_path / "own", profile, by_resident=profile is not Profile.BUILD, timeout=300
    )
    assert finished.out_of_memory or finished.status == REFUSED
    assert not finished.timed_out


def test_open_files_have_a_limit(swamps: Path, tmp_path: Path) -> None:
    assert take(swamps, ("descriptors", 2000), tmp_path / "own", Profile.RUN).status == REFUSED


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("profile", list(Profile))
def test_what_ended_by_itself_is_counted_too(profile: Profile, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for number in range(600):
        (own / str(number)).touch()
    finished = sandbox.execute(
        ["true"],
        profile=profile,
        mounts=Mounts(cwd=own, writable=[own]),
        quota=Quota(timeout=60, memory=1 << 30),
    )
    assert finished.exceeded == "more than 500 files"
    assert finished.status == 1


@pytest.mark.usefixtures("narrow")
def test_a_bomb_of_make_is_ended(tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (tmp_path / "Makefile").write_text("all:\n\t@$(MAKE) all & $(MAKE) all & wait\n")
    finished = sandbox.execute(
        ["make"],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=tmp_path, writable=[tmp_path]),
        quota=Quota(timeout=300, memory=1 << 30),
    )
    assert finished.exceeded == "more than 50 processes and threads"
    left = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, check=False).stdout
    assert left == b""
