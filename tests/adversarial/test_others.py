"""Other processes, lines to others, the kernel: nothing of it is within reach of code in the sandbox."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adversarial import enclosed, needs
from transpile.toolchains import sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished

pytestmark = needs.JUDGING

SUCCEEDED = 0
ATTEMPTS = re.findall(r'^    \{"(.+?)", ', Path(__file__).with_name("others.cpp").read_text(), re.MULTILINE)
NAMES = [name for name in ATTEMPTS if "name" in name.split()]
"""Programs and builds may change what their folders hold; a call has no use for that."""
SELDOM = ("cipher socket", "virtual machine socket", "its pages", "type for the user", "other architecture")


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return enclosed.built("others.cpp", tmp_path_factory.mktemp("others"))


@pytest.fixture
def subject() -> Iterator[subprocess.Popen[bytes]]:
    """Return another process of the user's."""
    process = subprocess.Popen(["sleep", "600"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


def attempt(
    program: Path, what: str, subject: int, place: Path, profile: Profile, unsafe: bool = False
) -> Finished:
    own = place / "own"
    own.mkdir(exist_ok=True)
    return sandbox.execute(
        [str(program), what, str(subject)],
        profile=profile,
        mounts=Mounts(cwd=own, readable=[program.parent], writable=[own]),
        quota=Quota(timeout=20, memory=256 << 20),
        unsafe=unsafe,
    )


@pytest.mark.parametrize("layers", enclosed.LAYERS)
@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("what", ATTEMPTS)
def test_is_out_of_reach(
    what: str,
    profile: Profile,
    layers: str,
    others: Path,
    subject: subprocess.Popen[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enclosed.let_it_find(layers, monkeypatch)
    finished = attempt(others, what, subject.pid, tmp_path, profile)
    if what not in NAMES or profile is Profile.CALL:
        assert finished.status != SUCCEEDED
    assert not finished.timed_out
    assert subject.poll() is None


@pytest.mark.parametrize("what", ATTEMPTS)
def test_is_within_reach_without_a_sandbox(
    what: str, others: Path, subject: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    finished = attempt(others, what, subject.pid, tmp_path, Profile.CALL, unsafe=True)
    if finished.status != SUCCEEDED and (what in SELDOM or not needs.is_root()):
        pytest.skip("this machine refuses it to everybody")
    assert finished.status == SUCCEEDED
    if what.startswith("signal by a file"):
        assert subject.wait(60) == -9
