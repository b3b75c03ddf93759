from __future__ import annotations

from pathlib import Path

import pytest

from transpile.cli.places import existing_source, writable_out
from transpile.errors import UsageError


@pytest.fixture
def source(tmp_path: Path) -> Path:
    root = tmp_path / "source"
    root.mkdir()
    (root / "a.cu").write_text("")
    return root


def test_source_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        existing_source(tmp_path / "nothing")


def test_a_new_directory_is_fine_and_is_not_made(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    assert writable_out(out, source, force=False) == out
    assert not out.parent.exists()


@pytest.mark.parametrize("out", ["source", "source/port", "source/../source/x/y", "."])
@pytest.mark.parametrize("force", [False, True])
def test_source_and_port_must_lie_apart(source: Path, tmp_path: Path, out: str, force: bool) -> None:
    with pytest.raises(UsageError, match="source"):
        writable_out(tmp_path / out, source, force=force)


def test_a_link_into_the_source_is_seen_through(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(source)
    with pytest.raises(UsageError, match="inside the source"):
        writable_out(tmp_path / "link" / "port", source, force=True)


def test_a_single_file_may_be_ported_beside_itself(source: Path) -> None:
    assert writable_out(source / "out", source / "a.cu", force=False) == source / "out"
    with pytest.raises(UsageError, match="contains the source"):
        writable_out(source, source / "a.cu", force=True)


def test_what_is_not_empty_needs_force(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert writable_out(out, source, force=False) == out
    (out / "mine").write_text("keep")
    with pytest.raises(UsageError, match="not empty"):
        writable_out(out, source, force=False)
    assert writable_out(out, source, force=True) == out
    assert (out / "mine").read_text() == "keep"


def test_a_file_is_no_directory(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError):
            writable_out(out, source, force=True)
