"""Flags, folders and names of files by which a repository would run programs or read what is not its own."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from transpile import parsers
from transpile.cli import arguments
from transpile.config import Config
from transpile.core import Source, TranslationUnit
from transpile.errors import ConfigurationError, UsageError
from transpile.parsers.building.given import configured
from transpile.parsers.types import clang
from transpile.toolchains.beside import headers_beside

MARKER = "MARKER_0123456789"
WRITES = [
    ["-wrapper", "sh,./w.sh"],
    ["-wrapper=sh,./w.sh"],
    ["-fplugin=./p.so"],
    ["-fplugin-arg-p-x=1"],
    ["-iplugindir=."],
    ["-specs=./s"],
    ["-specs", "./s"],
    ["--specs=./s"],
    ["-B."],
    ["-B", "."],
    ["@options"],
    ["-Xlinker", "-T./script"],
    ["-Wl,-T,./script"],
    ["-Wl,--script=./script"],
    ["-Wl,-plugin,./p.so"],
    ["-Wl,@options"],
    ["-T", "script"],
    ["-Xclang", "-load"],
    ["-mllvm", "-load=./p.so"],
    ["-fmodule-mapper=|sh"],
    ["-save-temps"],
    ["-save-temps=cwd"],
    ["-dumpdir", "/tmp/x"],
    ["-dumpbase", "x"],
    ["-fdump-tree-all=/tmp/x"],
    ["-aux-info", "/tmp/x"],
    ["-imacros", "/etc/passwd"],
    ["-isysroot", "/"],
    ["--sysroot=/"],
    ["--options-file", "x"],
    ["-Xcompiler", "-wrapper,sh"],
    ["-Xcompiler=-fplugin=./p.so"],
]
"""Flags that run, load, read or write something."""
QUIET = [["-o", "/tmp/x"], ["-o/tmp/x"], ["-x", "assembler"], ["-MF", "x"], ["-MD"], ["-E"], ["-D", "1=/"]]
"""Flags that are ordinary in builds, and left out of ours; in a configuration they are refused."""
ODD = [["-l:/tmp/x.a"], ["-L/"], ["-fsanitize=address"], ["x.c"], ["-std=../x"], [""], ["-"], ["-D"]]
NAMED = [*WRITES, *QUIET, *ODD]


def named(words: list[str]) -> str:
    return " ".join(words)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository, beside which lies what is not its own."""
    place = tmp_path / "root"
    (place / "include").mkdir(parents=True)
    (place / "a.c").write_text("int one(void) { return 1; }\n")
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret.h").write_text(f'#define MARKED "{MARKER}"\n')
    (place / "link").symlink_to(tmp_path / "private")
    return place


def commanded(root: Path, words: list[str]) -> Source:
    """Return the source as compile_commands.json has it compiled."""
    entry = {"directory": str(root), "arguments": ["gcc", *words, "-c", "a.c"], "file": "a.c"}
    (root / "compile_commands.json").write_text(json.dumps([entry]))
    return parsers.read(root)


def made(root: Path, words: list[str]) -> Source:
    """Return the source as its Makefile has it compiled."""
    (root / "Makefile").write_text(f"a.o: a.c\n\tgcc {named(words)} -c a.c -o a.o\n")
    return parsers.read(root)


@pytest.mark.parametrize("words", NAMED, ids=named)
def test_a_configuration_may_give_none_of_them(words: list[str], root: Path) -> None:
    with pytest.raises(ConfigurationError, match="may not be given") as caught:
        configured(["-DN=1", *words], root / "transpile.toml", root, ())
    assert "transpile.toml: flags: '" in str(caught.value)
    assert "-I DIR" in caught.value.hint


@pytest.mark.parametrize("words", WRITES, ids=named)
def test_those_of_a_build_are_refused_by_name(words: list[str], root: Path) -> None:
    source = commanded(root, ["-DN=1", *words])
    assert [unit.flags for unit in source.translation_units] == [("-DN=1",)]
    (told,) = [item.message for item in source.diagnostics if item.code == "TP132"]
    assert told.startswith("the flag ")
    assert told.split("`")[1] in named(words)


@pytest.mark.parametrize("words", QUIET, ids=named)
def test_ordinary_ones_of_a_build_are_left_out(words: list[str], root: Path) -> None:
    (unit,) = commanded(root, [*words, "-DN=1"]).translation_units
    assert not {"-o", "-x", "-MF", "-MD", "-E", "-D"} & set(unit.flags)
    assert all(flag.startswith("-D") for flag in unit.flags)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_a_makefile_is_held_to_the_same_list(root: Path) -> None:
    source = made(root, ["-wrapper", "sh,./w.sh", "-DN=1", "-I/"])
    assert [unit.flags for unit in source.translation_units] == [("-DN=1",)]
    assert {item.code for item in source.diagnostics} >= {"TP131", "TP132"}


OUTSIDE = ["/", "/etc", "{home}", "../private", "link", "./include/../link", "/proc/self", "/var/lib"]


@pytest.mark.parametrize("option", ["-I", "-isystem", "-iquote", "-idirafter", "-include"])
@pytest.mark.parametrize("place", OUTSIDE)
def test_nothing_outside_is_opened_by_a_build(place: str, option: str, root: Path) -> None:
    path = place.format(home=Path.home())
    path += "/secret.h" if option == "-include" else ""
    source = commanded(root, [option, path])
    assert [unit.flags for unit in source.translation_units] == [()]
    assert {item.code for item in source.diagnostics if item.path != "link"} <= {"TP131", "TP102"}
    assert source.diagnostics


@pytest.mark.parametrize("place", OUTSIDE)
def test_nothing_outside_is_opened_by_a_configuration(place: str, root: Path) -> None:
    path = place.format(home=Path.home())
    with pytest.raises(ConfigurationError, match="lies outside the repository") as caught:
        configured([f"-I{path}"], root / "transpile.toml", root, ())
    assert "--allow-read" in caught.value.hint


def test_what_the_user_opens_is_opened(root: Path, tmp_path: Path) -> None:
    private = tmp_path / "private"
    (root / "compile_commands.json").write_text(
        json.dumps([{"directory": str(root), "command": "gcc -I../private -Ilink -c a.c", "file": "a.c"}])
    )
    source = parsers.read(root, opened=[private])
    assert source.translation_units[0].flags[0] == f"-I{private}"
    assert [item.path for item in source.diagnostics] == ["link"]
    flags = configured(["-I../private", "-Iinclude"], root / "transpile.toml", root, [private])
    assert flags == (f"-I{private}", "-Iinclude")


@pytest.mark.parametrize(
    "place", ["/usr/include", "/usr/local/cuda-12.4/include", "/opt/rocm/include", "include"]
)
def test_what_packages_install_is_open(place: str, root: Path) -> None:
    assert commanded(root, [f"-I{place}"]).translation_units[0].flags == (f"-I{place}",)


def test_a_link_to_a_private_folder_is_not_followed_for_the_user_either(root: Path, tmp_path: Path) -> None:
    def flags(allowed: list[Path]) -> tuple[str, ...]:
        place = str(root / "link")
        return arguments.compile_flags(Config(), [place], None, root, allowed, trusted=False)

    with pytest.raises(UsageError, match="a symbolic link of the repository leads to"):
        flags([])
    assert flags([tmp_path / "private"]) == (f"-I{tmp_path / 'private'}",)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_a_makefile_includes_nothing_from_outside(root: Path, tmp_path: Path) -> None:
    (tmp_path / "private" / "keys.mk").write_text(f"KEY = {MARKER}\n")
    (root / "Makefile").write_text("include ../private/keys.mk\na.o: a.c\n\tgcc -DK=$(KEY) -c a.c -o a.o\n")
    closed = parsers.read(root)
    assert MARKER not in repr(closed.translation_units)
    assert any(item.code == "TP131" and "keys.mk" in item.message for item in closed.diagnostics)
    opened = parsers.read(root, opened=[tmp_path / "private"])
    assert MARKER in repr(opened.translation_units)


def test_headers_beside_the_source_are_those_of_the_opened_folders(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret.h").write_text(MARKER)
    (tmp_path / "open" / "link.h").symlink_to(tmp_path / "private" / "secret.h")
    (tmp_path / "open" / "plain.h").write_text("")
    text = b'#include "../private/secret.h"\n#include "link.h"\n#include "plain.h"\n'
    found = headers_beside(
        {"a.c": text + f'#include "{tmp_path}/private/secret.h"\n'.encode()}, [f"-I{tmp_path}/open"]
    )
    assert list(found) == [str(tmp_path / "open" / "plain.h")]


def test_libclang_gets_paths_and_macros_alone(root: Path) -> None:
    unit = TranslationUnit(
        path="a.c", flags=("-DN=1", "-Iinclude", "-wrapper", "sh,./w.sh", "-fplugin=./p.so")
    )
    given = clang._flags(root, unit)
    assert given == ["-DN=1", "-I", str(root / "include"), "-I", str(root)]
    assert os.fspath(root / "link") not in given
