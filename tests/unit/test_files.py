"""Files are there whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from transpile import files
from transpile.files import held_directory, write_whole


def test_folders_are_made_and_what_stood_there_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.json"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert [item.name for item in path.parent.iterdir()] == ["b.json"]


def test_on_a_full_disk_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "b.json"
    write_whole(path, b"one")

    def full(aside: Path, data: bytes) -> None:
        aside.write_bytes(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "write_synced", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"two")
    assert path.read_bytes() == b"one"
    assert [item.name for item in tmp_path.iterdir()] == ["b.json"]


def test_many_writers_of_one_name_leave_one_of_their_texts(tmp_path: Path) -> None:
    texts = [bytes([65 + number]) * 100_000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: write_whole(tmp_path / "b", text), texts * 5))
    assert (tmp_path / "b").read_bytes() in texts


HOLDER = """
import os, signal, sys
from pathlib import Path
from transpile.files import held_directory
with held_directory(Path(sys.argv[1]), ".out[1].writing-") as place:
    print(place.name, flush=True)
    sys.stdin.read()
"""


def test_what_killed_processes_left_goes_and_what_others_hold_stays(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

    def holder() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLDER, str(tmp_path)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    with holder() as killed, holder() as lives:
        assert killed.stdout is not None and lives.stdout is not None
        names = {killed.stdout.readline().strip(), (alive := lives.stdout.readline().strip())}
        assert {path.name for path in tmp_path.iterdir()} == names
        killed.kill()
        killed.wait()
        (tmp_path / ".out[1]").mkdir()
        with held_directory(tmp_path, ".out[1].writing-") as own:
            assert {path.name for path in tmp_path.iterdir()} == {alive, own.name, ".out[1]"}
        lives.communicate()
    assert [path.name for path in tmp_path.iterdir()] == [".out[1]"]
