"""Code under test must not do these things, tried in earnest, however the sandbox is put together.

Every attack is also made with the sandbox off, where it has to succeed: what cannot succeed shows nothing.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adversarial import enclosed, needs
from transpile.errors import ToolMissing
from transpile.toolchains import sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import OUTPUT_LIMIT, Finished
from transpile.toolchains.sandbox import Layer

pytestmark = needs.JUDGING

SUCCEEDED, REFUSED = 0, 3
MEMORY = 256 << 20

FILES = ("write", "read", "link", "list", "truncate", "truncate by opening", "unlink", "chmod")
PROCESSES = ("fork", "vfork", "clone3", "spawn", "exec", "exec own", "outlive")
OTHERS = ("connect", "socket", "local socket", "signal", "signal thread", "trace", "namespace", "ring")
ONCE_MORE = ("shared segment", "environment")


@pytest.fixture(scope="module")
def attacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program that attacks, readable by everybody."""
    return enclosed.built("attacks.cpp", tmp_path_factory.mktemp("attacks"))


@pytest.fixture(params=enclosed.LAYERS)
def combination(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the sandbox find fewer layers than there are."""
    enclosed.let_it_find(request.param, monkeypatch)
    return str(request.param)


@pytest.fixture
def listener() -> Iterator[int]:
    """Return a port on which somebody answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def attack(
    program: Path, what: str, place: Path, port: int = 0, profile: Profile = Profile.RUN, unsafe: bool = False
) -> Finished:
    own = place / "own"
    own.mkdir(exist_ok=True)
    secret = place / "secret"
    secret.write_text("a key\n")
    secret.chmod(0o600)
    target = {
        "write": str(place / "planted"),
        "outlive": str(own / "late"),
        "list": str(place),
        "connect": str(port),
        "signal": str(os.getpid()),
        "signal thread": str(os.getpid()),
        "trace": str(os.getpid()),
    }.get(what, str(secret))
    # Which of a user's processes may be traced is a setting of the machine; this one need not be our parent.
    subject = subprocess.Popen(["sleep", "60"]) if what == "trace" else None
    try:
        return sandbox.execute(
            [str(program), what, str(subject.pid) if subject else target],
            profile=profile,
            mounts=Mounts(cwd=own, readable=[program.parent], writable=[own]),
            quota=Quota(timeout=5, memory=MEMORY),
            unsafe=unsafe,
        )
    finally:
        if subject is not None:
            subject.kill()
            subject.wait()


@pytest.mark.parametrize("what", [*FILES, *PROCESSES, *OTHERS, *ONCE_MORE])
def test_run_refuses(
    what: str, attacks: Path, tmp_path: Path, listener: int, combination: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "list" and combination == "without landlock":
        pytest.skip("an empty directory stands there")
    monkeypatch.setenv("TRANSPILE_SECRET", "a key")
    assert attack(attacks, what, tmp_path, listener).status == REFUSED
    assert (tmp_path / "secret").read_text() == "a key\n"
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "planted").exists()


@pytest.mark.parametrize(
    "what", [*FILES, "connect", "socket", "local socket", "signal", "trace", "namespace", "ring", *ONCE_MORE]
)
def test_build_refuses(
    what: str, attacks: Path, tmp_path: Path, listener: int, combination: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "list" and combination == "without landlock":
        pytest.skip("an empty directory stands there")
    monkeypatch.setenv("TRANSPILE_SECRET", "a key")
    status = attack(attacks, what, tmp_path, listener, Profile.BUILD).status
    if what == "chmod" and combination == "without bubblewrap":
        assert status == SUCCEEDED, "builds are told that it worked"
    else:
        assert status == REFUSED
    assert (tmp_path / "secret").read_text() == "a key\n"
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "planted").exists()


@pytest.mark.parametrize("what", [*FILES, *PROCESSES, *OTHERS, *ONCE_MORE])
def test_the_attack_succeeds_without_a_sandbox(
    what: str, attacks: Path, tmp_path: Path, listener: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "_environment", lambda *_: {**os.environ, "TRANSPILE_SECRET": "a key"})
    finished = attack(attacks, what, tmp_path, listener, unsafe=True)
    if finished.status == REFUSED and what in ("namespace", "ring", "trace"):
        pytest.skip("this machine refuses it to everybody")
    assert finished.status == SUCCEEDED


@pytest.mark.parametrize("what", ["fork", "vfork", "clone3", "spawn", "exec", "thread"])
def test_build_may_start_processes(what: str, attacks: Path, tmp_path: Path, combination: str) -> None:
    del combination
    refused = what == "clone3"  # Its flags cannot be examined; the C library uses clone instead.
    assert attack(attacks, what, tmp_path, profile=Profile.BUILD).status == (
        REFUSED if refused else SUCCEEDED
    )


def appears(path: Path, seconds: float) -> bool:
    """Wait until the file is there, as a busy machine may start its writer late."""
    end = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    return path.exists()


def test_run_may_start_threads(attacks: Path, tmp_path: Path, combination: str) -> None:
    del combination
    assert attack(attacks, "thread", tmp_path).status == SUCCEEDED


def test_nothing_outlives_a_build(attacks: Path, tmp_path: Path, combination: str) -> None:
    del combination
    assert attack(attacks, "outlive", tmp_path, profile=Profile.BUILD).status == SUCCEEDED
    assert not appears(tmp_path / "own" / "late", 1.5)


def test_what_outlives_would_be_seen(attacks: Path, tmp_path: Path) -> None:
    assert attack(attacks, "outlive", tmp_path, unsafe=True).status == SUCCEEDED
    assert appears(tmp_path / "own" / "late", 60)


@pytest.mark.parametrize("what", ["loop", "close and loop"])
def test_what_does_not_end_is_ended(what: str, attacks: Path, tmp_path: Path, combination: str) -> None:
    del combination
    own = tmp_path / "own"
    own.mkdir()
    finished = sandbox.execute(
        [str(attacks), what],
        profile=Profile.RUN,
        mounts=Mounts(cwd=own, readable=[attacks.parent], writable=[own]),
        quota=Quota(timeout=0.5, memory=MEMORY),
    )
    assert finished.timed_out


@pytest.mark.parametrize("by_resident", [False, True])
def test_memory_is_bounded(by_resident: bool, attacks: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    finished = sandbox.execute(
        [str(attacks), "eat"],
        profile=Profile.RUN,
        mounts=Mounts(cwd=own, readable=[attacks.parent], writable=[own]),
        quota=Quota(timeout=20, memory=MEMORY, resident=by_resident),
    )
    refused = not by_resident and finished.status == REFUSED
    assert refused or finished.out_of_memory
    assert not finished.timed_out


def test_output_is_bounded(attacks: Path, tmp_path: Path) -> None:
    finished = attack(attacks, "flood", tmp_path)
    assert finished.status == SUCCEEDED
    assert len(finished.stdout) == OUTPUT_LIMIT


def test_files_are_bounded(attacks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "FILE_LIMIT", 8 << 20)
    assert attack(attacks, "fill", tmp_path).status != SUCCEEDED
    assert (tmp_path / "own" / "big").stat().st_size <= 8 << 20


STEALING = (
    '#include "{secret}"\n',
    'asm(".incbin \\"{secret}\\"");\n',
    '#define __HAS 1\n#if !__has_include("{secret}")\n#error refused\n#endif\n',
)


@pytest.mark.parametrize("text", STEALING)
def test_a_compile_reads_no_secret(text: str, tmp_path: Path, combination: str) -> None:
    del combination
    assert compile_with(text, tmp_path).status != 0


@pytest.mark.parametrize("text", STEALING)
def test_a_compile_would_read_the_secret(text: str, tmp_path: Path) -> None:
    assert compile_with(text, tmp_path, unsafe=True).status == 0


def compile_with(text: str, place: Path, unsafe: bool = False) -> Finished:
    secret = place / "secret"
    secret.write_text("int key = 42;\n")
    secret.chmod(0o600)
    own = place / "own"
    own.mkdir()
    (own / "thief.cpp").write_text(text.format(secret=secret))
    return sandbox.execute(
        ["g++", "-c", "thief.cpp", "-o", "thief.o"],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=own, writable=[own]),
        quota=Quota(timeout=60, memory=4 << 30),
        unsafe=unsafe,
    )


def test_a_build_with_make_and_archives_works(tmp_path: Path, combination: str) -> None:
    del combination
    (tmp_path / "a.cpp").write_text("int answer() { return 42; }\n")
    (tmp_path / "main.cpp").write_text("int answer();\nint main() { return answer() - 42; }\n")
    (tmp_path / "Makefile").write_text(
        "prog: main.o liba.a\n\tg++ -o $@ main.o -L. -la\n"
        "liba.a: a.o\n\tar rcs $@ $^\n%.o: %.cpp\n\tg++ -c -o $@ $<\n"
    )
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    finished = sandbox.execute(
        ["make", "-j2", "prog"],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=tmp_path, writable=[tmp_path]),
        quota=Quota(timeout=60, memory=4 << 30),
    )
    assert finished.status == 0, finished.stderr
    program = str(tmp_path / "prog")
    finished = sandbox.execute(
        [program],
        profile=Profile.RUN,
        mounts=Mounts(cwd=tmp_path, writable=[tmp_path]),
        quota=Quota(timeout=5, memory=MEMORY),
    )
    assert finished.status == 0


def test_without_any_layer_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    none = tuple(Layer(name=layer.name, usable=False, detail="") for layer in sandbox.layers())
    monkeypatch.setattr(sandbox, "layers", lambda: none)
    with pytest.raises(ToolMissing, match="no usable sandbox"):
        sandbox.execute(
            ["true"],
            profile=Profile.RUN,
            mounts=Mounts(cwd=tmp_path),
            quota=Quota(timeout=5, memory=MEMORY),
        )
    finished = sandbox.execute(
        ["true"],
        profile=Profile.RUN,
        mounts=Mounts(cwd=tmp_path),
        quota=Quota(timeout=5, memory=MEMORY),
        unsafe=True,
    )
    assert finished.status == 0


def test_a_program_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolMissing, match="no-such-program"):
        sandbox.execute(
            ["no-such-program"],
            profile=Profile.RUN,
            mounts=Mounts(cwd=tmp_path),
            quota=Quota(timeout=5, memory=MEMORY),
        )
