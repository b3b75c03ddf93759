"""Results of a worker are read with suspicion: foreign code has been at its memory."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from transpile.core import Launch
from transpile.toolchains.build import Built, Flavour
from transpile.toolchains.exchange import Exchange, exchange
from transpile.toolchains.worker import Call, Crashed, Placement, _Batch, unmangled
from transpile.toolchains.workshop import Workshop


def batch_of(call: Call, files: Exchange, place: Path) -> _Batch:
    return _Batch(
        place=place,
        files=files,
        workshop=Workshop(cache=place),
        library=Built(path=place, digest="", flavour=Flavour.PLAIN),
        calls=[call],
        placement=Placement.HEAP,
    )


CALL = Call(entry=0, arguments=(b"1234",), before=(0,), launch=Launch(), seed=0, globals=(), returns=8)
HEAD = bytes(56)
ENDLESS = HEAD + struct.pack("<q", 8) + struct.pack("<qqqqq", 2**62, 0, 0, 0, -32)
"""Regions without number, each of which ends where it begins."""


@pytest.mark.parametrize("written", [b"", bytes(8), bytes(20), ENDLESS])
@pytest.mark.parametrize("done", [1, 2**40])
def test_results_that_were_spoilt_are_a_crash(tmp_path: Path, written: bytes, done: int) -> None:
    with exchange(tmp_path, b"") as files:
        batch = batch_of(CALL, files, tmp_path)
        os.write(files.results.descriptor, written)
        os.pwrite(files.told.descriptor, struct.pack("<QQQqq", 1, done, 0, -1, 0), 0)
        assert batch._collect() == Crashed(reason="overwritten memory of the worker")
        assert batch.results == []


@pytest.mark.parametrize("symbol", ["told", "_Z4toldi", "_Z4toldPKdx"])
def test_functions_are_called_as_the_source_calls_them(symbol: str) -> None:
    assert unmangled(symbol) == "told"


def test_functions_of_classes_and_namespaces_have_their_whole_names() -> None:
    assert unmangled("_ZN4Rule6weightEPKdS1_i") == "Rule::weight"
    assert unmangled("_ZN5outer5inner4ruleIiEEvT_") == "outer::inner::rule"
