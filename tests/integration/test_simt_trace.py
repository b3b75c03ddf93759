"""Traces of the emulator: ordered accesses are ordered, unordered ones are races."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from transpile.core import ElementType, Launch, Leaf, Parameter, Scalar, Signature, TranslationUnit
from transpile.parsers.lowering.emulation import lower_text
from transpile.toolchains.build import Built, Flavour, build_library
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.entry import source_entries
from transpile.toolchains.worker import Call, Completed, Placement, run
from transpile.toolchains.workshop import Workshop

if shutil.which("g++") is None:
    pytest.skip("g++ is not installed", allow_module_level=True)

KERNELS = ("reduction", "neighbours", "histogram", "sums", "tiles", "copied", "small")
INPUT = np.arange(64, dtype=np.int32)
INTEGER = ElementType(spelling="int", size=4, leaves=(Leaf(offset=0, scalar=Scalar.INT32),))
PARAMETERS = (
    Parameter(name="in", spelling="const int *", element=INTEGER, pointer=True, const=True),
    Parameter(name="out", spelling="int *", element=INTEGER, pointer=True),
)


def traced(workshop: Workshop, defines: bytes) -> list[Completed]:
    """Return every kernel's call, forward and shuffled."""
    case = Path(__file__).parent.parent / "cases" / "simt" / "traced.cuh"
    text = lower_text(defines + case.read_bytes(), frozenset()).data
    made = Compilation(
        files={"traced.cu": text},
        unit=TranslationUnit(path="traced.cu"),
        entries=source_entries([Signature(name=name, parameters=PARAMETERS) for name in KERNELS]),
    )
    library = build_library(workshop, made, Flavour.TRACE)
    assert isinstance(library, Built), library
    calls = [
        Call(
            entry=entry,
            arguments=(INPUT.view(np.uint8).copy(), np.zeros(256, np.uint8)),
            before=(0, 0),
            launch=Launch(block=(64, 1, 1), shared=256),
            seed=seed,
        )
        for entry in range(len(KERNELS))
        for seed in (0, 7)
    ]
    done = run(workshop, library, calls, placement=Placement.ARENA)
    assert all(isinstance(item, Completed) for item in done), done
    return [item for item in done if isinstance(item, Completed)]


def test_synchronised_kernels_have_no_race_and_are_exact(workshop: Workshop) -> None:
    expected = {
        "reduction": [2016],
        "neighbours": (INPUT ^ 1).tolist(),
        "histogram": [16, 16, 16, 16],
        "sums": [2016, 63],
        "tiles": INPUT.reshape(8, 8).sum(axis=1).tolist(),
        "copied": INPUT[::-1].tolist(),
        "small": [0x41004100] * 4,  # of numbers that are 8
    }
    results = traced(workshop, b"")
    for index, result in enumerate(results):
        kernel = KERNELS[index // 2]
        out = result.arguments[1].view(np.int32)
        assert out[: len(expected[kernel])].tolist() == expected[kernel], kernel
        assert result.trace is not None
        assert result.trace.races == (), kernel
        assert result.trace.poisoned == (), kernel
        assert not result.inexact, kernel


def test_a_missing_synchronisation_is_a_race(workshop: Workshop) -> None:
    results = traced(workshop, b"#define LEFT_OUT\n")
    for index, result in enumerate(results):
        assert result.trace is not None
        assert result.trace.races != (), KERNELS[index // 2]
