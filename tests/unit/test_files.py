"""Files are there whole or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from transpile import files
from transpile.files import write_whole


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
