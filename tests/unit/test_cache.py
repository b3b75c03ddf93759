from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from transpile import cache
from transpile.errors import UsageError
from transpile.toolchains.kept import is_kept, keep
from transpile.toolchains.workshop import Workshop

SIZE = 1 << 20


def build(root: Path, name: str, used: int) -> Path:
    """Keep a library of a megabyte that was used at that time."""
    place, final = root / "new", root / "builds" / "libraries" / name
    place.mkdir(parents=True)
    (place / "library.so").write_bytes(os.urandom(SIZE))
    keep(place, final)
    os.utime(final, (used, used))
    return final


def names(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "builds" / "libraries").iterdir())


@pytest.mark.parametrize(
    ("said", "found"),
    [("", 5 * 10**9), ("5 GB", 5 * 10**9), ("500m", 5 * 10**8), ("1.5 GB", 15 * 10**8), ("12", 12)],
)
def test_the_limit_is_a_size(said: str, found: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.LIMIT, said)
    assert cache.limit() == found


@pytest.mark.parametrize("said", ["much", "-1 GB", "5 parsecs"])
def test_a_limit_that_is_no_size_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.LIMIT, said)
    with pytest.raises(UsageError, match="is no size"):
        cache.limit()


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    for used, name in enumerate(("b", "c", "a"), start=1):
        build(tmp_path, name, used)
    assert is_kept(tmp_path / "builds" / "libraries" / "b")  # which is to use it
    cache.make_room(tmp_path, 10 * SIZE)
    assert names(tmp_path) == ["a", "b", "c"]
    cache.make_room(tmp_path, 5 * SIZE // 2)
    assert names(tmp_path) == ["a", "b"]


def test_verdicts_never_go_by_themselves(tmp_path: Path) -> None:
    build(tmp_path, "a", 1)
    evidence = tmp_path / "evidence" / "0123" / "evidence.json"
    evidence.parent.mkdir(parents=True)
    evidence.write_bytes(bytes(SIZE))
    cache.make_room(tmp_path, 0)
    assert names(tmp_path) == [] and evidence.exists()


def test_what_somebody_builds_in_stays(tmp_path: Path) -> None:
    """A program that uses the package holds the cache as a command does."""
    kept = Workshop(cache=tmp_path / "builds").scratch() / "run-1"
    kept.mkdir()
    cache.use(tmp_path)
    assert kept.exists()


def test_what_killed_runs_left_behind_goes(tmp_path: Path) -> None:
    build(tmp_path, "a", 1)
    (tmp_path / "builds" / "scratch" / "run-1").mkdir(parents=True)
    (tmp_path / "builds" / "libraries" / "new-1").mkdir()
    unfinished = [
        tmp_path / name for name in ("evidence/.writing-1", "builds/native/.writing-2", "native/.writing-3")
    ]
    for place in unfinished:
        place.mkdir(parents=True)
        (place / "part").write_bytes(b"half")
    (tmp_path / "ports").mkdir()
    (tmp_path / "ports" / ".writing-a.json-1-1").write_bytes(b"half")
    cache.make_room(tmp_path, 10 * SIZE)
    assert not list(tmp_path.rglob(".writing-*"))
    assert names(tmp_path) == ["a"] and not (tmp_path / "builds" / "scratch").exists()


HOLDER = "import sys\nfrom pathlib import Path\nfrom transpile import cache\ncache.use(Path(sys.argv[1]))\n"


def test_nothing_goes_while_somebody_works_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, "a", 1)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER + "print(flush=True)\nsys.stdin.read()", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"\n"
        monkeypatch.setenv(cache.LIMIT, "0")
        second = subprocess.run([sys.executable, "-c", HOLDER, str(tmp_path)], env=environment, check=True)
        assert second.returncode == 0 and names(tmp_path) == ["a"]
        with pytest.raises(UsageError, match="another transpile"):
            cache.clear(tmp_path, ["builds"])
        holder.communicate()
    subprocess.run(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        env={**environment, cache.LIMIT: "0"},
        check=True,
    )
    assert names(tmp_path) == []


def test_the_command_shows_and_clears(tmp_path: Path) -> None:
    build(tmp_path, "a", 1)
    (tmp_path / "logs").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])} | {
        "TRANSPILE_CACHE": str(tmp_path)
    }

    def run(*words: str) -> subprocess.CompletedProcess[bytes]:
        line = [sys.executable, "-c", "from transpile.cli.main import main; main()", "cache", *words]
        return subprocess.run(line, env=environment, capture_output=True, check=False)

    found = json.loads(run("--output-format", "json").stdout)
    [built] = [kind for kind in found["kinds"] if kind["name"] == "builds"]
    assert built["size"] >= SIZE and found["size"] >= SIZE and found["limit"] == cache.DEFAULT_LIMIT
    assert run("--clear", "nothing").returncode == 2
    assert b"builds" in run("--clear", "logs").stdout
    assert b"builds" not in run("--clear", "builds").stdout
    assert not (tmp_path / "builds").exists()
