"""The process in which code is parsed: the same source as here, and limits that hold."""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path
from typing import NoReturn

import pytest

from transpile import parsers
from transpile.core import Source
from transpile.errors import InternalError, UsageError
from transpile.parsers import isolated
from transpile.parsers.building.builds import Build
from transpile.parsers.isolated import MOST_LEFT_OUT, Reader
from transpile.parsers.reading import Request
from transpile.toolchains import own_python
from transpile.toolchains.confinement import Mounts

EXAMPLE = Path(__file__).parents[3] / "examples" / "heatflow"
GOOD = "void good(int n, float *x) { for (int i = 0; i < n; ++i) x[i] = 2 * x[i]; }\n"
ENDLESS = "\n".join(
    ("#define A0 x", *(f"#define A{i} {f'A{i - 1} ' * 8}" for i in range(1, 14)), "int y[] = { A13 };")
)


def source_of(folder: Path, files: dict[str, str], reader: Reader) -> Source:
    """Return the source that a reader makes of files."""
    for name, text in files.items():
        (folder / name).write_text(text)
    return parsers.read(folder, reader=reader)


def planted(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Have the process run a line before it begins."""
    start = own_python._START.replace("sys.exit(", f"{line}\nsys.exit(")
    monkeypatch.setattr(own_python, "_START", start)


def test_the_source_is_the_same_as_without_a_process() -> None:
    """Whatever a source holds survives the way."""
    assert parsers.read(EXAMPLE, reader=Reader()) == parsers.read(EXAMPLE)


def test_files_that_do_not_end_are_left_out(tmp_path: Path) -> None:
    """The rest is read, and the diagnostic names the file."""
    files = {"good.c": GOOD, "bad.c": GOOD.replace("good", "bad") + ENDLESS}
    source = source_of(tmp_path, files, Reader(seconds=1.0, memory=1 << 30))
    assert [unit.name for unit in source.units] == ["good"]
    assert source.outside == {"bad.c"}
    assert [(item.code, item.path) for item in source.diagnostics] == [("TP103", "bad.c")]


def test_no_file_at_all_has_its_seconds_as_well(tmp_path: Path) -> None:
    """The search for the files on which we fail begins with none."""
    request = Request(root=tmp_path, code={}, build=Build(translation_units=(), programs=()))
    assert Reader()(request).units == ()


def test_the_next_files_are_not_tried_for_ever(tmp_path: Path) -> None:
    """A source full of such files ends with an error that names them."""
    files = {f"bad{i}.c": f"void bad{i}(int *x) {{ *x = 1; }}\n{ENDLESS}" for i in range(MOST_LEFT_OUT + 2)}
    with pytest.raises(UsageError, match=r"bad0\.c, bad1\.c"):
        source_of(tmp_path, files, Reader(seconds=0.5, memory=1 << 30))


def test_a_bug_of_ours_is_told_with_its_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is raised here, with what the process said of it."""
    planted(monkeypatch, "import transpile.parsers.isolated_child as child; child.cut = lambda *_: 1 / 0")
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "source").mkdir()
    with pytest.raises(InternalError, match="ZeroDivisionError") as caught:
        source_of(tmp_path / "source", {"good.c": GOOD}, Reader())
    assert "isolated_child" in caught.value.__notes__[0]


def test_the_log_of_a_bug_on_one_unit_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other units are read."""
    planted(
        monkeypatch,
        "from transpile.parsers.signatures import _Reading as reading; known = reading.signatures\n"
        "reading.signatures = lambda self, unit: {}[unit.name] if unit.name == 'bad' else known(self, unit)",
    )
    monkeypatch.setenv("TRANSPILE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "source").mkdir()
    files = {"both.c": GOOD + GOOD.replace("good", "bad")}
    source = source_of(tmp_path / "source", files, Reader())
    assert {key.rpartition("::")[2]: bool(found) for key, found in source.signatures.items()} == {
        "good(int,float*)": True,
        "bad(int,float*)": False,
    }
    (log,) = (tmp_path / "cache" / "logs").iterdir()
    assert "KeyError" in log.read_text()
    assert any(str(log) in item.message for item in source.diagnostics)


def test_answers_hold_data_alone() -> None:
    """A process that was taken over cannot have us call anything."""

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, ("true",)

    with pytest.raises(pickle.UnpicklingError, match="is no data"):
        isolated._Unpickler(io.BytesIO(pickle.dumps(Evil()))).load()


def test_a_home_that_is_a_repository_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may read the work tree around the source, unless the user's whole home is one."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "source").mkdir()
    opened: list[Path] = []

    def execute(*_: object, mounts: Mounts, **__: object) -> NoReturn:
        opened.extend(mounts.readable)
        raise UsageError("seen")

    monkeypatch.setattr(isolated.sandbox, "execute", execute)
    for home, expected in ((tmp_path.parent / "elsewhere", True), (tmp_path, False)):
        opened.clear()
        monkeypatch.setenv("HOME", str(home))
        with pytest.raises(UsageError, match="seen"):
            source_of(tmp_path / "source", {"good.c": GOOD}, Reader())
        assert (tmp_path in opened) == expected
        assert tmp_path / "source" in opened
