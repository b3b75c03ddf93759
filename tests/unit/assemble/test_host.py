"""Host rewriting, read from a folder of cases: what goes in, and what a person would have written."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import Style, probes
from transpile.assemble.host import rewritten
from transpile.assemble.host_code import memory
from transpile.assemble.host_code.definitions import Definitions

CASES = sorted((Path(__file__).parents[2] / "cases" / "host").glob("*.cu"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_case(case: Path) -> None:
    assert ported(case) == case.with_suffix(".cpp").read_text()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_second_time_changes_nothing(case: Path, tmp_path: Path) -> None:
    again = tmp_path / case.name
    again.write_text(ported(case))
    assert ported(again) == again.read_text()


def test_every_way_back_from_the_device_is_probed() -> None:
    case = next(case for case in CASES if case.stem == "copied_in_a_loop")
    source = parsers.read(case)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE).files[case.name]
    assert found.count(b"transpile_probe(") == 2


def test_emulated_style_leaves_the_text_alone() -> None:
    source = parsers.read(CASES[0])
    assert rewritten(dict(source.files), source, {}, Style.EMULATED).files == dict(source.files)


def ported(case: Path) -> str:
    """Return the case after the host passes, kernels and launches as they were, without probes."""
    source = parsers.read(case)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE).files[case.name]
    return probes.without(found).decode()


@pytest.mark.parametrize(
    ("call", "obstacle"),
    [
        ("cudaMallocPitch(&a, &pitch, width, height);", False),
        ("cudaMallocPitch(&a, &pitch, pitch, height);", True),
        ("cudaMallocPitch(&a, &pitch, next(), height);", True),
        ("cudaMallocPitch(&a, pitches + 1, width, height);", True),
        ("cudaMemcpy2D(a, pitch, b, width, width, height, cudaMemcpyHostToDevice);", False),
        ("cudaMemcpy2D(a, pitch, next(), width, width, height, cudaMemcpyHostToDevice);", True),
        ("cudaMemcpy2D(a, pitch, b++, width, width, height, cudaMemcpyHostToDevice);", True),
        ("cudaMemset2D(a, pitch, 0, width, next());", True),
        ("cudaMemcpyToSymbol(weights, b, width);", False),
        ("const void *symbol = pick(); cudaMemcpyToSymbol(symbol, b, width);", True),
        ("void *symbol = pick(); cudaMemcpyFromSymbol(b, symbol, width);", True),
    ],
)
def test_memory_is_rewritten_where_what_it_is_given_is_understood(call: str, obstacle: bool) -> None:
    text = f"void go(float *a, float *b, size_t pitch, size_t *pitches, int width, int height) {{ {call} }}"
    assert (memory.obstacle({"a.cu": text.encode()}, Definitions.of([text.encode()])) is not None) is obstacle
