from __future__ import annotations

from pathlib import Path

import pytest

from transpile.toolchains.kept import is_kept, keep


@pytest.fixture
def final(tmp_path: Path) -> Path:
    place = tmp_path / "scratch"
    (place / "inner").mkdir(parents=True)
    (place / "program").write_bytes(b"\x7fELF")
    (place / "inner" / "header.h").write_bytes(b"#pragma once\n")
    keep(place, tmp_path / "kept" / "key")
    return tmp_path / "kept" / "key"


def test_what_was_kept_is_there(final: Path) -> None:
    assert is_kept(final) and is_kept(final)
    assert (final / "program").read_bytes() == b"\x7fELF"
    assert not is_kept(final.with_name("other"))


@pytest.mark.parametrize("name", ["program", "inner/header.h", "digests.json"])
@pytest.mark.parametrize("data", [b"", b"{}", b"\x7fELG", None])
def test_what_was_changed_since_is_thrown_away(name: str, data: bytes | None, final: Path) -> None:
    assert is_kept(final)
    if data is None:
        (final / name).unlink()
    else:
        (final / name).write_bytes(data)
    assert not is_kept(final)
    assert not final.exists()
    assert not list(final.parent.iterdir())


def test_whoever_comes_first_wins(final: Path, tmp_path: Path) -> None:
    place = tmp_path / "scratch"
    place.mkdir()
    (place / "program").write_bytes(b"another")
    keep(place, final)
    assert (final / "program").read_bytes() == b"\x7fELF"
