"""What a worker leaves behind is read with suspicion: foreign code has been at its memory."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from transpile.core import Launch
from transpile.toolchains.build import Built, Flavour
from transpile.toolchains.worker import Call, Crashed, Placement, _Batch, unmangled
from transpile.toolchains.workshop import Workshop


@pytest.mark.parametrize("written", [b"", bytes(8), bytes(20)])
@pytest.mark.parametrize("done", [1, 2**40])
def test_results_that_were_spoilt_are_a_crash(tmp_path: Path, written: bytes, done: int) -> None:
    call = Call(entry=0, arguments=(b"1234",), before=(0,), launch=Launch(), seed=0, globals=(), returns=8)
    batch = _Batch(
        place=tmp_path,
        workshop=Workshop(cache=tmp_path),
        library=Built(path=tmp_path, digest="", flavour=Flavour.PLAIN),
        calls=[call],
        placement=Placement.HEAP,
        most_deaths=1,
        most_timeouts=1,
    )
    (tmp_path / "results").write_bytes(written)
    (tmp_path / "progress").write_bytes(struct.pack("<QQQqq", 1, done, 0, -1, 0))
    assert batch._collect() == Crashed(reason="overwritten memory of the worker")
    assert batch.results == []
    assert (tmp_path / "results").read_bytes() == b""


@pytest.mark.parametrize("symbol", ["told", "_Z4toldi", "_Z4toldPKdx"])
def test_functions_are_called_as_the_source_calls_them(symbol: str) -> None:
    assert unmangled(symbol) == "told"
