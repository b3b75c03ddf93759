"""Names of files, and words of builds, that a terminal would obey or that look like lines of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile import parsers
from transpile.cli import render

RED = "\x1b[31mred"
TITLE = "\x1b]0;title\x07"
BACK = "\b\b\b\b"
LINE = "\na.c:1: TP000 all is well"
RETURN = "\rall is well"
C1 = "\x9b31m"
RAW = os.fsdecode(b"\x9b31m")
TURNED = "\u202ec.h\u2066"
CONTROLS = [RED, TITLE, BACK, LINE, RETURN, C1]
HOSTILE = [*CONTROLS, RAW, TURNED]
CODE = "void scale(int n, double *x) { for (int i = 0; i < n; i++) x[i] *= 2; }\n"


def harmless(said: bytes) -> bool:
    """Tell whether a terminal shows all of it, line by line."""
    text = said.decode("utf-8", "surrogateescape")
    return not any(
        ord(character) < 32 or 0x7F <= ord(character) < 0xA0 or 0xDC80 <= ord(character) < 0xDCA0
        for character in text.replace("\n", "")
    ) and not set(text) & set("\u202e\u2066")


def transpile(cache: Path, *words: str | Path) -> subprocess.CompletedProcess[bytes]:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HOME": str(cache),
        "TRANSPILE_CACHE": str(cache),
    }
    line = [sys.executable, "-c", "from transpile.cli.main import main; main()", *map(str, words)]
    return subprocess.run(line, capture_output=True, env=environment, timeout=300, check=False)


@pytest.mark.parametrize("hostile", CONTROLS, ids=ascii)
def test_a_file_whose_name_a_terminal_obeys_is_left_out(hostile: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(CODE)
    (tmp_path / f"b{hostile}.c").write_text(CODE)
    (tmp_path / f"folder{hostile}").mkdir()
    (tmp_path / f"folder{hostile}" / "c.h").write_text("")
    source = parsers.read(tmp_path)
    assert list(source.files) == ["a.c"]
    told = [item for item in source.diagnostics if item.code == "TP101"]
    assert {item.message for item in told} == {"the file has control characters in its name"}
    assert len(told) == 2
    assert harmless("".join(item.path for item in told).encode())


@pytest.mark.parametrize("form", sampled(["full", "concise", "json", "jsonl", "github", "sarif"], 6))
def test_no_command_prints_what_a_terminal_obeys(form: str, tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for number, hostile in enumerate(HOSTILE):
        (root / f"{number}{hostile}.c").write_text(CODE.replace("scale", f"scale{number}"))
    entries = [
        {
            "directory": str(root),
            "arguments": ["gcc", f"-wrapper={hostile}", "-c", "a.c"],
            "file": f"{hostile}.c",
        }
        for hostile in CONTROLS
    ]
    (root / "compile_commands.json").write_text(json.dumps(entries))
    (root / "Makefile").write_bytes(b"$(error \x1b[31mred)\n")
    for words in (["units", root], ["port", root, "--to", "openmp", "--plan"]):
        done = transpile(cache, *words, "--output-format", form)
        assert harmless(done.stdout), done.stdout
        assert harmless(done.stderr), done.stderr


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
def test_a_configuration_has_nothing_obeyed(hostile: str, tmp_path: Path, cache: Path) -> None:
    (tmp_path / "a.c").write_text(CODE)
    quoted = json.dumps(hostile) if hostile != RAW else '"\\u009b31m"'
    (tmp_path / "transpile.toml").write_text(
        f"flags = [{quoted}]\n[units.{quoted}]\nranges = {{ {quoted} = 1 }}\n"
    )
    done = transpile(cache, "units", tmp_path)
    assert harmless(done.stdout + done.stderr), done.stderr


@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
@pytest.mark.parametrize("way", ["line", "table", "item", "failure", "warning", "hint", "heading"])
def test_whatever_is_printed_is_shown(
    way: str, hostile: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    match way:
        case "line":
            render.data_line(hostile)
        case "table":
            render.table([hostile], [[hostile]])
        case "item":
            render.item(render.Text(hostile), hostile)
        case "failure":
            render.failure(hostile, hostile)
        case "warning":
            render.warning(hostile)
        case "hint":
            render.hint(hostile)
        case "heading":
            render.heading(hostile)
    said = capsysbinary.readouterr()
    assert harmless(said.out + said.err)
    assert way != "line" or said.out.count(b"\n") == 1
