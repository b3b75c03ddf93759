"""Files that others may have put there: nothing but regular files below the root is opened."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from transpile import foreign
from transpile.foreign import Refused


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "root"
    (place / "inner").mkdir(parents=True)
    (place / "inner" / "file").write_bytes(b"own")
    (tmp_path / "key").write_bytes(b"secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "key").write_bytes(b"secret")
    return place


@pytest.mark.parametrize("target", ["inner/file", "./inner/../inner/file", "other"])
def test_links_that_stay_below_the_root_are_as_good_as_files(root: Path, target: str) -> None:
    (root / "other").symlink_to("inner/file")
    (root / "link").symlink_to(target)
    (root / "folder").symlink_to("inner")
    assert foreign.read(root, "link") == foreign.read(root, "folder/file") == b"own"


def test_the_root_itself_may_be_a_link(root: Path) -> None:
    (root.parent / "named").symlink_to(root)
    assert foreign.read(root.parent / "named", "inner/file") == b"own"


@pytest.mark.parametrize("target", ["../key", "{root}/../key", "over", "/dev/zero", "/proc/self/environ"])
def test_links_that_leave_the_root_are_refused(root: Path, target: str) -> None:
    (root / "over").symlink_to("../key")
    (root / "link").symlink_to(target.format(root=root))
    with pytest.raises(Refused, match="leads out of root"):
        foreign.read(root, "link")
    with pytest.raises(Refused, match="leads out of root"):
        foreign.move(root, "link", root.parent / "moved")


@pytest.mark.parametrize("name", ["../key", "folder/key", "inner/../../key"])
def test_names_that_leave_the_root_are_refused(root: Path, name: str) -> None:
    (root / "folder").symlink_to("../outside")
    with pytest.raises(Refused):
        foreign.read(root, name)


@pytest.mark.parametrize("kind", ["pipe", "socket", "directory"])
def test_what_is_no_file_is_named_and_not_opened(
    root: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)  # names of sockets are short
    match kind:
        case "pipe":
            os.mkfifo("thing")
        case "socket":
            with socket.socket(socket.AF_UNIX) as own:
                own.bind("thing")
        case _:
            os.mkdir("thing")
    for take in (foreign.read, lambda root, name: foreign.move(root, name, root / "moved")):
        with pytest.raises(Refused, match=f"is a {kind}"):
            take(root, "thing")


def test_a_large_file_is_refused_and_never_read(root: Path) -> None:
    with (root / "large").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(Refused, match="is larger than 64 MiB"):
        foreign.read(root, "large")


@pytest.mark.parametrize("planted", ["link", "hard link", "pipe", "nothing"])
def test_writing_takes_the_place_of_what_was_planted(root: Path, planted: str) -> None:
    key = root.parent / "key"
    match planted:
        case "link":
            (root / "name").symlink_to(key)
        case "hard link":
            (root / "name").hardlink_to(key)
        case "pipe":
            os.mkfifo(root / "name")
    foreign.write(root, "name", b"data")
    assert foreign.read(root, "name") == b"data"
    assert key.read_bytes() == b"secret"


def test_writing_follows_no_folder_that_is_a_link(root: Path) -> None:
    (root / "folder").symlink_to("../outside")
    with pytest.raises(OSError, match="folder"):
        foreign.write(root, "folder/key", b"data")
    assert (root.parent / "outside" / "key").read_bytes() == b"secret"


def test_a_folder_is_no_place_for_a_file(root: Path) -> None:
    with pytest.raises(Refused, match="is a directory"):
        foreign.write(root, "inner", b"data")
