"""Units that leave a port that does not build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from transpile import settle
from transpile.assemble import Assembly
from transpile.core import CUDA, Dialect, TranslationUnit
from transpile.prune import prune
from transpile.settle import build_failure
from transpile.testers.programs.device_build import DeviceBuild
from transpile.toolchains.build import BuildFailed

REFUSED = BuildFailed(command="nvcc -c a.cu", output="error: no")


def assembly(text: bytes, device: Mapping[str, bytes]) -> Assembly:
    unit = TranslationUnit(path="a.cu")
    return Assembly(
        files={"a.cu": text},
        probed={"a.cu": text},
        build_command="make",
        translation_units=(unit,),
        programs=(),
        paths={"a.cu": "a.cu"},
        emulated=frozenset(("a.cu",)),
        device=device,
    )


@pytest.fixture
def picky(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler of devices that refuses files with ``bad`` in them, where the emulator takes all."""

    def refuse(_workshop: Any, _port: Assembly, _target: Dialect, files: Mapping[str, bytes]) -> DeviceBuild:
        return DeviceBuild(failures={path: REFUSED for path, text in files.items() if b"bad" in text})

    monkeypatch.setattr(settle, "device_build", refuse)
    monkeypatch.setattr(settle, "build_program", lambda *_, **__: None)


@pytest.mark.usefixtures("picky")
def test_one_unit_that_a_device_compiler_refuses_goes_alone(workshop: Any) -> None:
    def builds(units: tuple[str, ...]) -> bool:
        return build_failure(workshop, assembly(" ".join(units).encode(), {}), CUDA) is None

    assert prune(("good", "bad", "fine"), builds) == ("good", "fine")


def test_where_no_file_is_left_there_is_nothing_to_build(workshop: Any) -> None:
    nothing = replace(assembly(b"", {}), translation_units=(), emulated=frozenset())
    assert build_failure(workshop, nothing, CUDA) is None


@pytest.mark.usefixtures("picky")
def test_files_that_hold_every_translation_are_judged_unit_by_unit(workshop: Any) -> None:
    assert build_failure(workshop, assembly(b"bad", {"a.cu": b"bad"}), CUDA) is None
