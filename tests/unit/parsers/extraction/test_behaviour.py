"""A program does the same whichever of its loops are functions."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.unit.parsers.extraction.programs import program
from tests.unit.parsers.extraction.test_extraction import extracted
from transpile.parsers.extraction.restoring import as_written


def _printed(place: Path, text: bytes) -> bytes:
    file, built = place.with_suffix(".c"), place.with_suffix(".out")
    file.write_bytes(text)
    subprocess.run(["gcc", "-w", "-fwrapv", "-o", built, file], check=True)
    return subprocess.run([built], capture_output=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("seed", sampled(range(12), 6))
def test_extracted_loops_do_the_same(tmp_path: Path, seed: int) -> None:
    """The same is printed, and with it all that functions leave in variables and members."""
    text = program(seed, 25)
    (tmp_path / "source").mkdir()
    source = extracted(tmp_path / "source", text)
    assert len(source.extracted) > 5
    assert as_written(source).files["a.c"] == text.encode()
    assert _printed(tmp_path / "after", source.files["a.c"]) == _printed(tmp_path / "before", text.encode())
