"""Files that cannot be read: a fault of the file is told, one of the machine ends it all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from transpile import foreign
from transpile.errors import MachineFault
from transpile.parsers import read
from transpile.parsers.files.discovery import read_files
from transpile.publish import carried


def failing(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), "a.c")

    monkeypatch.setattr(foreign, "opened", opened)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO])
def test_a_shortage_of_the_machine_says_nothing_of_a_file(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.c").write_text("void f(void) { }\n")
    (tmp_path / "b.c").write_text("void g(void) { }\n")
    (tmp_path / "notes.bin").write_bytes(b"\0data")
    source = read(tmp_path)
    failing(number, monkeypatch)
    with pytest.raises(MachineFault, match=os.strerror(number)):
        read_files(tmp_path)
    with pytest.raises(MachineFault, match=os.strerror(number)):
        carried(source)


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.c").write_text("void f(void) { }\n")
    failing(errno.EACCES, monkeypatch)
    (told,) = read_files(tmp_path).diagnostics
    assert told.code == "TP101" and "Permission denied" in told.message
