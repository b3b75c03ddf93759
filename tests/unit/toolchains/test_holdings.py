"""Folders that a killed command has filled are emptied, whatever still writes to them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from transpile.toolchains import holdings


def test_deep_and_dark_folders_are_removed(tmp_path: Path) -> None:
    place = tmp_path / "dark"
    for number in range(holdings.DEEPEST + 5):
        place = place / str(number)
    place.mkdir(parents=True)
    (place / "file").write_text("text")
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "dark").chmod(0o300)
    holdings.remove_all(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("writes", "removed"), [(1, True), (30, True), (1_000, False)])
def test_what_is_still_written_is_removed_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, removed: bool
) -> None:
    """A process that was killed ends its last call of the system first."""
    (tmp_path / "folder").mkdir()
    left = list(range(writes))
    remove = os.rmdir

    def late(name: str, *, dir_fd: int) -> None:
        if left:
            (tmp_path / name / str(left.pop())).touch()
        remove(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "rmdir", late)
    if removed:
        holdings.remove_all(tmp_path)
        assert not list(tmp_path.iterdir())
    else:
        with pytest.raises(OSError, match="not empty"):
            holdings.remove_all(tmp_path)
