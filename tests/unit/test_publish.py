from __future__ import annotations

import os
from pathlib import Path

import pytest

from transpile import lock
from transpile.core import CUDA, Level, Source
from transpile.errors import InternalError
from transpile.parsers.files.data import data_of
from transpile.publish import write


def files_of(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def a_lock(*files: str) -> bytes:
    return lock.dump(
        lock.Lock(
            target="openmp",
            require=Level.TESTED,
            source=lock.SourcePlace(path="../source"),
            units={},
            source_files={},
            port_files=dict.fromkeys(files, "0"),
        )
    )


def test_a_new_directory_appears_whole(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    write(out, {"a.cpp": b"\xff", "sub/b.h": b""}, tmp_path / "source")
    assert files_of(out) == {"a.cpp": b"\xff", "sub/b.h": b""}
    assert list(out.parent.iterdir()) == [out]


def test_over_an_earlier_port(tmp_path: Path) -> None:
    out, source = tmp_path / "out", tmp_path / "source"
    write(out, {"a.cpp": b"1", "old.cpp": b"1", lock.FILE: a_lock("a.cpp", "old.cpp")}, source)
    (out / "mine.txt").write_bytes(b"keep")
    write(out, {"a.cpp": b"2", "sub/b.h": b"2", lock.FILE: a_lock("a.cpp", "sub/b.h")}, source)
    found = files_of(out)
    assert found.pop(lock.FILE) == a_lock("a.cpp", "sub/b.h")
    assert found == {"a.cpp": b"2", "sub/b.h": b"2", "mine.txt": b"keep"}


def test_scripts_stay_executable(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "run.sh").write_bytes(b"")
    (source / "run.sh").chmod(0o755)
    write(tmp_path / "out", {"run.sh": b"x", "a.cpp": b""}, source)
    assert os.access(tmp_path / "out" / "run.sh", os.X_OK)
    assert not os.access(tmp_path / "out" / "a.cpp", os.X_OK)


@pytest.mark.parametrize("path", ["../escape", "sub/../../escape", "/etc/escape"])
def test_nothing_is_written_outside(tmp_path: Path, path: str) -> None:
    with pytest.raises(InternalError, match="outside"):
        write(tmp_path / "out", {path: b""}, tmp_path / "source")
    assert not (tmp_path / "escape").exists()
    assert not (tmp_path / "out").exists()


def test_data_comes_along_and_built_things_stay_behind(tmp_path: Path) -> None:
    root = tmp_path / "source"
    (root / "data").mkdir(parents=True)
    (tmp_path / "secret").write_bytes(b"secret")
    texts = {"a.cu": b"", "Makefile": b""}
    for path, data in {**texts, "data/in.bin": b"\0\1", "a.o": b"\x7fELF...", "l.a": b"!<arch>\n"}.items():
        (root / path).write_bytes(data)
    (root / "link").symlink_to(tmp_path / "secret")
    source = Source(
        root=root,
        files=texts,
        dialect=CUDA,
        translation_units=(),
        units=(),
        signatures={},
        launches=(),
    )
    assert data_of(source) == ("data/in.bin",)
    write(tmp_path / "out", {"a.cpp": b""}, root, data_of(source))
    assert files_of(tmp_path / "out") == {"a.cpp": b"", "data/in.bin": b"\0\1"}
