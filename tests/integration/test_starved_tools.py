"""Compilers that fail since the machine lacks something, and texts that make them say so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from transpile.core import TranslationUnit
from transpile.errors import InternalError, MachineFault
from transpile.toolchains import build, compilers, sandbox, starved
from transpile.toolchains.build import BuildFailed, Built, build_program
from transpile.toolchains.compilers import Toolbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

MAIN = b"int main() { return 0; }\n"
SAYING = "echo 'main.c: {}' >&2; exit 1"
KILLED = "kill -9 $$"
WORDS = (
    "error: error writing to /tmp/ccX.s: No space left on device",
    "cc1plus: out of memory allocating 65536 bytes",
    "ld: final link failed: Disk quota exceeded",
    "g++: fatal error: Killed signal terminated program cc1plus",
    "fatal error: cannot open: Too many open files",
)


def with_compiler(script: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have g++ be a script of the shell."""
    real = compilers.find()
    fake = place / "g++"
    fake.write_text(f"#!/bin/sh\nreal={real.require('g++').path}\n{script}\n")
    fake.chmod(0o755)
    tools = tuple(replace(tool, path=str(fake)) if tool.name == "g++" else tool for tool in real.tools)
    monkeypatch.setattr(compilers, "find", lambda: Toolbox(tools=tools))


def built(workshop: Workshop, text: bytes) -> Built | BuildFailed:
    return build_program(workshop, {"main.c": text}, [TranslationUnit(path="main.c")], emulated=False)


@pytest.fixture
def own(workshop: Workshop, tmp_path: Path) -> Workshop:
    """Return a workshop in which nothing is built yet but our own programs."""
    assert sandbox._launcher().exists()
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "native").symlink_to(workshop.cache / "native")
    return replace(workshop, cache=tmp_path / "cache")


@pytest.mark.parametrize("script", [*(SAYING.format(words) for words in WORDS), KILLED])
def test_a_compiler_that_fails_on_any_text_is_the_machines(
    script: str, own: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_compiler(script, tmp_path, monkeypatch)
    with pytest.raises(MachineFault, match=r"^g\+\+ fails on this machine: "):
        built(own, MAIN)


def test_what_was_lacking_once_may_be_there_again(
    own: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = '[ -e $HOME/seen ] && exec $real "$@"; touch $HOME/seen; kill -9 $$'
    with_compiler(once, tmp_path, monkeypatch)
    assert isinstance(built(own, MAIN), Built)


@pytest.mark.parametrize("words", WORDS[:1] + WORDS[2:])
def test_a_text_that_says_so_is_no_fault_of_the_machine_and_nothing_is_shown(
    words: str, own: Workshop
) -> None:
    with pytest.raises(InternalError, match="failed twice on a text"):
        built(own, f"#error {words}\n".encode() + MAIN)


def test_a_text_that_takes_more_memory_than_a_build_may_have_does_not_build(
    own: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"#error cc1: out of memory allocating 65536 bytes\n"
    monkeypatch.setattr(starved.machine, "available_memory", lambda: own.memory + 1)
    assert isinstance(built(own, text), BuildFailed)
    monkeypatch.setattr(starved.machine, "available_memory", lambda: own.memory - 1)
    with pytest.raises(InternalError, match="out of memory"):
        built(own, text)


def test_an_error_of_the_text_is_what_it_was(own: Workshop) -> None:
    found = built(own, b"int main() { return y; }\n")
    assert isinstance(found, BuildFailed) and "undeclared" in found.output


@pytest.mark.parametrize("data", [b"", b"\x7fELF and no more"])
def test_a_program_that_was_changed_in_the_cache_is_built_again(data: bytes, own: Workshop) -> None:
    first = built(own, MAIN)
    assert isinstance(first, Built)
    text = first.path.read_bytes()
    first.path.write_bytes(data)
    second = built(own, MAIN)
    assert isinstance(second, Built) and second.path == first.path
    assert second.path.read_bytes() == text


def test_our_own_programs_are_built_again_as_well(own: Workshop, tmp_path: Path) -> None:
    gauge = ("gauge", ("gauge.cpp",), "g++", ("-std=c++17", "-O2"))
    path = build.sandbox.native.executable(tmp_path, *gauge)
    path.write_bytes(b"")
    assert build.sandbox.native.executable(tmp_path, *gauge).read_bytes().startswith(b"\x7fELF")
