"""Repositories, and builds of theirs, that put links, pipes and devices where we read and write."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from transpile import parsers, publish
from transpile.core import Source, TranslationUnit
from transpile.errors import ConfigurationError, UsageError
from transpile.lock import load
from transpile.parsers.files.data import data_of
from transpile.parsers.types import clang
from transpile.testers.programs.buffers import read_recording
from transpile.toolchains import build
from transpile.toolchains.build import Beside, BuildFailed, Flavour, build_library, build_program
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.workshop import Workshop

SECRET = "-----BEGIN PRIVATE KEY----- 0123\n"
CODE = "void scale(int n, double *x) { for (int i = 0; i < n; i++) x[i] *= 2; }\n"
PLANTED = ("notes.h", "scale.c", "data.txt", "Makefile", "CMakeLists.txt", "compile_commands.json")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    place = tmp_path / "id_rsa"
    place.write_text(SECRET)
    return place


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "include").mkdir(parents=True)
    (root / "honest.c").write_text(CODE.replace("scale", "honest"))
    (root / "include" / "own.h").write_text("#define OWN 1\n")
    (root / "linked.h").symlink_to("include/own.h")
    return root


def said(source: Source, path: str) -> str:
    """Return what is said of a file."""
    return " ".join(item.message for item in source.diagnostics if item.path == path)


def copied(source: Source, out: Path) -> dict[str, bytes]:
    """Return a port of the source's files as they are, by path."""
    publish.write(out, dict(source.files), source.root, data_of(source))
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", PLANTED)
def test_a_link_to_a_key_is_neither_read_nor_copied(
    repository: Path, key: Path, tmp_path: Path, name: str
) -> None:
    (repository / name).symlink_to(key)
    source = parsers.read(repository)
    assert "is a link that leads out of repository" in said(source, name)
    assert name not in copied(source, tmp_path / "out")
    assert SECRET not in repr(source)


def test_a_file_that_is_ported_alone_takes_nothing_else_of_its_folder_along(
    repository: Path, key: Path, tmp_path: Path
) -> None:
    (repository / "main.c").write_text(f'#include "include/own.h"\n{CODE}')
    (repository / "key.bin").write_bytes(b"\0" + SECRET.encode())
    (repository / "id_rsa").write_text(SECRET)
    source = parsers.read(repository / "main.c")
    assert set(copied(source, tmp_path / "out")) == {"main.c", "include/own.h"}


def test_a_linked_folder_is_neither_read_nor_copied(repository: Path, key: Path, tmp_path: Path) -> None:
    (repository / "keys").symlink_to(key.parent)
    source = parsers.read(repository)
    assert "leads out of repository" in said(source, "keys")
    assert not any("id_rsa" in path for path in copied(source, tmp_path / "out"))


@pytest.mark.parametrize("name", PLANTED)
def test_a_pipe_is_said_and_waited_for_by_nobody(repository: Path, tmp_path: Path, name: str) -> None:
    os.mkfifo(repository / name)
    source = parsers.read(repository)
    assert "is a pipe" in said(source, name)
    assert name not in copied(source, tmp_path / "out")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/stdin", "/proc/self/environ"])
def test_a_device_is_not_read(repository: Path, tmp_path: Path, device: str) -> None:
    (repository / "endless.h").symlink_to(device)
    source = parsers.read(repository)
    assert "leads out of repository" in said(source, "endless.h")
    assert "endless.h" not in copied(source, tmp_path / "out")


@pytest.mark.parametrize("quotes", ['"{}"', "<{}>"])
@pytest.mark.parametrize(
    "name", ["pipe.h", "../repository/pipe.h", "/dev/zero", "endless.h", "{key}", "key.h"]
)
def test_an_include_of_what_is_no_file_of_the_source_is_not_opened(
    repository: Path, key: Path, name: str, quotes: str
) -> None:
    os.mkfifo(repository / "pipe.h")
    (repository / "endless.h").symlink_to("/dev/zero")
    (repository / "key.h").symlink_to(key)
    key.write_text("#define KEY int\n" if name == "key.h" else SECRET)
    include = "#include " + quotes.format(name.format(key=key))
    (repository / "Makefile").write_text("all:\n\tgcc -I. honest.c -o honest\n")
    text = f"{include}\n#ifdef KEY\nKEY stolen(int n, double *x) {{ return n; }}\n#endif\n" + CODE
    (repository / "honest.c").write_text(text)
    source = parsers.read(repository)
    parsed = clang.parse(repository, source.files, source.translation_units[0], plain=True)
    names = {item.spelling for item in parsed.cursor.get_children()}
    assert "scale" in names
    assert "stolen" not in names


def test_links_within_a_repository_are_as_good_as_files(repository: Path, tmp_path: Path) -> None:
    source = parsers.read(repository)
    assert source.files["linked.h"] == b"#define OWN 1\n"
    assert copied(source, tmp_path / "out")["linked.h"] == b"#define OWN 1\n"


def test_what_is_named_by_hand_may_be_a_link(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "named.c").symlink_to(repository / "honest.c")
    assert list(parsers.read(tmp_path / "named.c").files) == ["named.c"]


def test_an_earlier_port_has_nothing_written_through_its_links(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "a.c").write_text(SECRET)
    out = tmp_path / "out"
    out.mkdir()
    (out / "src").symlink_to(victim)
    with pytest.raises(UsageError, match="src leads out of it"):
        publish.write(out, {"src/a.c": b"new"}, tmp_path)
    assert (victim / "a.c").read_text() == SECRET


def test_a_lock_that_is_a_pipe_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "transpile.lock")
    with pytest.raises(ConfigurationError, match="is a pipe"):
        load(tmp_path / "transpile.lock")


@pytest.mark.parametrize("planted", ["link", "pipe"])
def test_a_recording_that_is_none_is_empty(tmp_path: Path, key: Path, planted: str) -> None:
    place = tmp_path / "run"
    place.mkdir()
    for name in ("recorded", "recorded.bytes"):
        (place / name).symlink_to(key) if planted == "link" else os.mkfifo(place / name)
    assert read_recording(place, "recorded").launches == ()


class Planting:
    """Runs the commands of builds, and puts things into their trees as a hostile command could."""

    def __init__(self, key: Path, kind: str) -> None:
        self._run = build._run
        self._key = key
        self._kind = kind

    def __call__(self, workshop: Workshop, tree: Path, *words: Any) -> Any:
        done = self._run(workshop, tree, *words)
        for name in ("hidden", "variables", "beside-0.o"):
            if not os.path.lexists(tree / name):
                self._plant(tree / name)
        return done

    def _plant(self, place: Path) -> None:
        match self._kind:
            case "link":
                place.symlink_to(self._key)
            case "pipe":
                os.mkfifo(place)
            case "folder":
                place.mkdir()


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_nothing_is_written_through_what_a_build_planted(
    workshop: Workshop, tmp_path: Path, key: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"work.c": b"extern int lacking; int used(void); int work(void) { return used() + lacking; }\n"}
    other = {"used.c": b"int used(void) { return 1; } int more(void) { return 2; }\n"}
    fresh = Workshop(cache=tmp_path / "cache", unsafe=workshop.unsafe)
    plain = build.build_object(fresh, other, TranslationUnit(path="used.c"), ("used",), Flavour.PLAIN)
    assert not isinstance(plain, BuildFailed)
    monkeypatch.setattr(build, "_run", Planting(key, kind))
    unit = TranslationUnit(path="used.c", flags=("-DAGAIN",))
    hidden = build.build_object(fresh, other, unit, ("used",), Flavour.PLAIN)
    beside = Beside(objects=(plain,), variables=("lacking",))
    work = Compilation(files=files, unit=TranslationUnit(path="work.c"), emulated=False)
    linked = build_library(fresh, work, Flavour.PLAIN, beside=beside)
    assert key.read_text() == SECRET
    for built in (hidden, linked):
        if kind == "folder":
            assert isinstance(built, BuildFailed)
            assert "is a directory" in built.output
        else:
            assert not isinstance(built, BuildFailed), built.output


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_a_program_that_is_a_link_is_not_kept(
    tmp_path: Path, key: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    planting = Planting(key, kind)

    def run(workshop: Workshop, tree: Path, *words: Any) -> Any:
        done = planting._run(workshop, tree, *words)
        if (tree / "program").exists():
            (tree / "program").unlink()
            planting._plant(tree / "program")
        return done

    monkeypatch.setattr(build, "_run", run)
    key.chmod(0o600)
    fresh = Workshop(cache=tmp_path / "cache")
    unit = TranslationUnit(path="main.c")
    built = build_program(fresh, {"main.c": b"int main(void) { return 0; }\n"}, [unit], emulated=False)
    assert isinstance(built, BuildFailed)
    assert key.stat().st_mode & 0o777 == 0o600
