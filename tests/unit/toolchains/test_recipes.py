"""Flags of builds."""

from __future__ import annotations

import pytest

from transpile.core import ProgrammingModel, TranslationUnit
from transpile.errors import ToolMissing
from transpile.toolchains import compilers
from transpile.toolchains.compilers import Tool, Toolbox
from transpile.toolchains.recipes import Flavour, libraries, recipe, shared_by, unit_flags


@pytest.mark.parametrize(
    ("flag", "kept"), [("-std=c++11", False), ("--std=gnu++14", False), ("-std=c++20", True)]
)
def test_old_standards_give_way_to_the_emulator(flag: str, kept: bool) -> None:
    unit = TranslationUnit(path="a.cu", flags=("-DX", flag))
    assert (flag in unit_flags(unit, "g++", emulated=True)) == kept
    assert flag in unit_flags(unit, "g++", emulated=False)


def test_directories_share_a_precompiled_header() -> None:
    flags = ("-I", "include", "-Iother", "-DN=1", "-D", "M", "-include", "x.h", "-std=c++20", "-lm")
    assert shared_by(flags, strict=False) == ("-std=c++20",)
    assert shared_by(flags, strict=True) == ("-DN=1", "-D", "M", "-std=c++20")


@pytest.mark.parametrize("strict", [True, False])
def test_a_precompiled_header_sees_the_macros_that_headers_speak_of(strict: bool) -> None:
    flags = ("-U_OPENMP", "-Drestrict=__restrict__")
    assert shared_by(flags, strict=strict) == flags


@pytest.mark.parametrize("flavour", [Flavour.PLAIN, Flavour.TRACE, Flavour.WIDE, Flavour.ADDRESS])
def test_numbers_are_compared_without_contraction(flavour: Flavour) -> None:
    assert "-ffp-contract=off" in recipe(flavour).compile


def test_undefined_behaviour_ends_the_run() -> None:
    assert "-fno-sanitize-recover=all" in recipe(Flavour.ADDRESS).compile


@pytest.mark.parametrize("path", ["/usr/lib/libtbb.so", None])
def test_parallel_algorithms_are_linked_with_what_runs_them(
    path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tbb = Tool(name="tbb", purpose="", path=path, hint="apt-get install libtbb-dev")
    monkeypatch.setattr(compilers, "find", lambda: Toolbox(tools=(tbb,)))
    assert libraries(ProgrammingModel.OPENMP) == ()
    if path is not None:
        assert libraries(ProgrammingModel.STDPAR) == ("-ltbb",)
        return
    with pytest.raises(ToolMissing, match="tbb is missing"):
        libraries(ProgrammingModel.STDPAR)


def test_what_only_one_compiler_knows_is_not_said_to_the_other() -> None:
    unit = TranslationUnit(path="a.cu")
    assert any("split" in flag for flag in unit_flags(unit, "g++", emulated=True))
    assert not any("split" in flag for flag in unit_flags(unit, "clang++", emulated=True))
