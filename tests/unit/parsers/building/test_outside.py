from pathlib import Path

import pytest

from transpile.parsers.building.outside import checkout, may_open


@pytest.mark.parametrize("nested", ["", "a", "a/b"])
def test_a_part_of_a_repository_may_read_all_of_it(nested: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    root = whole / nested
    root.mkdir(parents=True)
    (whole / ".git").mkdir()
    assert checkout(root) == whole
    assert may_open(whole / "include", root, ())
    assert not may_open(tmp_path / "other", root, ())
    assert not may_open(root / ("../" * 9 + "etc"), root, ())


def test_a_repository_within_another_is_its_own(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    for place in (tmp_path, inner):
        (place / ".git").mkdir(parents=True)
    assert not may_open(tmp_path / "secret", inner, ())


def test_a_home_directory_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "home" / "cloned"
    root.mkdir(parents=True)
    for place in (tmp_path, tmp_path / "home"):
        (place / ".git").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert checkout(root) == root
    assert not may_open(tmp_path / "home" / ".ssh", root, ())
