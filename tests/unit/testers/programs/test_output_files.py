"""Files of two runs that count as the same."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from transpile.testers.programs.output_files import Incomparable, Written, compared, difference, written


def files(root: Path, **contents: bytes) -> dict[str, Written]:
    root.mkdir(parents=True)
    for name, data in contents.items():
        (root / name).write_bytes(data)
    return dict(written(root, {}))


@pytest.mark.parametrize(
    ("source", "port"),
    [
        (b"1.2345 7\n", b"1.2346 7\n"),
        (b"step 1\nelapsed 3.1 s\n", b"step 1\nelapsed 88.2 s\n"),
        (b"", b""),
        (np.array([1e-9, 3.5, 0.0]).tobytes(), np.array([2e-9, 3.5001, 1e-9]).tobytes()),
        (np.array([1.5, 2.5, 4.0], np.float32).tobytes(), np.array([1.5, 2.5002, 4.0], np.float32).tobytes()),
    ],
    ids=["rounding", "time", "empty", "doubles", "floats"],
)
def test_alike(tmp_path: Path, source: bytes, port: bytes) -> None:
    ours, theirs = files(tmp_path / "a", out=source), files(tmp_path / "b", out=port)
    assert difference([ours, ours], theirs) is None


@pytest.mark.parametrize(
    ("source", "port", "where"),
    [
        (b"1\n2\n3\n", b"1\n2\n4\n", "out, line 3"),
        (b"1.5\n" * 12_000 + b"7\n", b"1.5\n" * 12_000 + b"8\n", "out, line 12001"),
        (b"1\n2\n", b"1\n", "out"),
        (b"1\n", b"", "out"),
        (b"", b"1\n", "out"),
        (np.array([1.5, 2.5]).tobytes(), np.array([1.5, 2.6]).tobytes(), "out, number 1"),
        (np.array([1.5, 2.5]).tobytes(), np.array([1.5, np.nan]).tobytes(), "out, number 1"),
        (np.array([1, 2]).tobytes(), np.array([1]).tobytes(), "out"),
    ],
    ids=["integer", "far down", "fewer lines", "emptied", "filled", "double", "nan", "shorter"],
)
def test_not_alike(tmp_path: Path, source: bytes, port: bytes, where: str) -> None:
    ours, theirs = files(tmp_path / "a", out=source), files(tmp_path / "b", out=port)
    found = difference([ours, ours], theirs)
    assert found is not None and found[0] == where


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_integers_are_not_taken_for_rounded_numbers(tmp_path: Path, kind: type[np.integer]) -> None:
    ours = files(tmp_path / "a", out=np.array([1, 2, 3, 100, 120, 5, 6, 7], kind).tobytes())
    theirs = files(tmp_path / "b", out=np.array([1, 2, 3, 100, 121, 5, 6, 7], kind).tobytes())
    with pytest.raises(Incomparable, match="out differs from byte"):
        difference([ours, ours], theirs)


def test_files_that_are_missing_or_too_many(tmp_path: Path) -> None:
    ours, other = files(tmp_path / "a", out=b"1"), files(tmp_path / "b", out=b"1", more=b"2")
    assert difference([other, other], ours) == ("more", "a file", "none")
    assert difference([ours, ours], other) == ("more", "none", "a file")
    assert difference([ours, other], other) is None, "the source itself writes it at times"
    assert list(compared([other, ours])) == ["out"]


def test_what_runs_of_the_source_do_not_share_is_not_compared(tmp_path: Path) -> None:
    runs = [files(tmp_path / name, out=f"best 7 of thread {name}\n".encode()) for name in "12"]
    assert difference(runs, files(tmp_path / "3", out=b"best 7 of thread 3\n")) is None
    assert difference(runs, files(tmp_path / "4", out=b"best 8 of thread 4\n")) is not None
    longer = files(tmp_path / "5", out=b"best 7\nof thread 5\n")
    with pytest.raises(Incomparable, match="different ways"):
        difference([*runs, longer], files(tmp_path / "6", out=b"best 7 of thread 6\n"))


def test_inputs_are_no_output_unless_they_are_changed(tmp_path: Path) -> None:
    (tmp_path / "mesh").write_bytes(b"1 2")
    (tmp_path / "deck").write_bytes(b"3")
    assert list(written(tmp_path, {"mesh": b"1 2", "deck": b"4"})) == ["deck"]


def test_links_and_pipes_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("key")
    tree = tmp_path / "tree"
    (tree / "below").mkdir(parents=True)
    (tree / "link").symlink_to(secret)
    (tree / "folder").symlink_to(tmp_path)
    os.mkfifo(tree / "below" / "pipe")
    found = written(tree, {})
    assert sorted(found) == ["below/pipe", "folder", "link"]
    assert all(item.kind and item.data is None for item in found.values())
    assert difference([found, found], found) is None
    (tree / "link").unlink()
    (tree / "link").write_text("key")
    assert difference([found, found], written(tree, {})) == ("link", "no regular file", "a file")
