"""Files that cannot be read: a fault of the file is told, one of the machine ends it all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from transpile import foreign
from transpile.errors import MachineFault
from transpile.parsers import read
from transpile.parsers.files.data import data_of
from transpile.parsers.files.discovery import read_files


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
        data_of(source)


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.c").write_text("void f(void) { }\n")
    failing(errno.EACCES, monkeypatch)
    (told,) = read_files(tmp_path).diagnostics
    assert told.code == "TP101" and "Permission denied" in told.message


def test_a_file_comes_with_what_it_includes_from_beside_or_below(tmp_path: Path) -> None:
    place = tmp_path / "source"
    (place / "inner").mkdir(parents=True)
    texts = {
        "main.c": '#include "inner/a.h"\n#include "../above.h"\n#include <system.h>\n#include "missing.h"\n',
        "inner/a.h": '#include "b.h"\n#include "../beside.h"\n#include "a.h"\n',
        "inner/b.h": '#include "../../above.h"\n#include "../main.c"\n',
        "beside.h": "int beside;\n",
        "other.c": "int other;\n",
        "system.h": "int system;\n",
    }
    for name, text in texts.items():
        (place / name).write_text(text)
    (tmp_path / "above.h").write_text("int above;\n")
    found = read_files(place / "main.c")
    assert set(found.texts) == {"main.c", "inner/a.h", "inner/b.h", "beside.h"}
    assert found.diagnostics == () and found.texts["beside.h"] == b"int beside;\n"


def test_what_a_file_includes_by_a_link_out_of_its_folder_is_not_read(tmp_path: Path) -> None:
    place = tmp_path / "source"
    place.mkdir()
    (tmp_path / "secret.h").write_text("int secret;\n")
    (place / "key.h").symlink_to(tmp_path / "secret.h")
    (place / "main.c").write_text('#include "key.h"\n')
    found = read_files(place / "main.c")
    assert set(found.texts) == {"main.c"} and [told.code for told in found.diagnostics] == ["TP101"]
