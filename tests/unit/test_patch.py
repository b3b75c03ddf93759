"""A port as a patch of its source: what it changes, adds and removes, byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile import patch
from transpile.errors import UsageError
from transpile.patch import FileChange

TEXTS = st.lists(st.sampled_from([b"a", b"b", b"\xff c", b"", b"d\r", b"\x0c"]), max_size=12).map(b"\n".join)


def _tree(root: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def test_changes_are_those_of_texts(tmp_path: Path) -> None:
    """Texts that a port leaves out of the source count; its lock and page do not."""
    source = _tree(
        tmp_path / "source",
        {"a.cu": b"old\n", "same.h": b"same\n", "built.o": b"\x7fELF\0", "data/x.bin": b"\0"},
    )
    port = _tree(
        tmp_path / "port",
        {
            "a.cpp": b"new\n",
            "same.h": b"same\n",
            "data/x.bin": b"\0",
            "transpile.lock": b"{}",
            "page.html": b"",
        },
    )
    assert patch.changes(source, port, exclude=(), left=("page.html",)) == [
        FileChange(path="a.cpp", before=None, after=b"new\n"),
        FileChange(path="a.cu", before=b"old\n", after=None),
    ]


@given(before=TEXTS, after=TEXTS)
def test_git_makes_the_one_of_the_other(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes
) -> None:
    """The patch applies, whatever bytes and ends of lines there are."""
    root = _tree(tmp_path_factory.mktemp("patched"), {"f.c": before, "gone.c": b"x"})
    made = [
        FileChange(path="f.c", before=before, after=after),
        FileChange(path="gone.c", before=b"x", after=None),
        FileChange(path="in/new.c", before=None, after=b"y\n"),
    ]
    text = patch.unified([item for item in made if item.before != item.after])
    subprocess.run(["git", "apply", "-"], input=text, cwd=root, check=True)
    assert (root / "f.c").read_bytes() == after
    assert not (root / "gone.c").exists() and (root / "in" / "new.c").read_bytes() == b"y\n"


def test_a_change_stays_in_its_directory(tmp_path: Path) -> None:
    """A folder of the source may be a link to elsewhere."""
    outside, source = tmp_path / "outside", _tree(tmp_path / "source", {"a.c": b"old\n"})
    outside.mkdir()
    (source / "link").symlink_to(outside)
    found = [
        FileChange(path="a.c", before=b"old\n", after=b"new\n"),
        FileChange(path="link/b.c", before=None, after=b"b\n"),
    ]
    with pytest.raises(UsageError):
        patch.apply(source, found)
    assert (source / "a.c").read_bytes() == b"old\n" and not any(outside.iterdir())
    (source / "a.c").chmod(0o755)
    patch.apply(source, found[:1])
    assert (source / "a.c").read_bytes() == b"new\n" and (source / "a.c").stat().st_mode & 0o777 == 0o755
