"""Equality of outputs and of buffers."""

from __future__ import annotations

import numpy as np
import pytest

from transpile.testers.programs import buffers, output
from transpile.testers.programs.buffers import Buffer, Recording


@pytest.mark.parametrize(
    ("source", "port"),
    [
        ("sum 12.3456", "sum 12.3459"),
        ("kernel time: 3.1 ms", "kernel time: 88 ms"),
        ("Data transfers : 0.1 ms (12.5%)", "Data transfers : 0.2 ms (43.0 %)"),
        ("Average time of kernels: 3.1 (us)", "Average time of kernels: 12 (us)"),
        ("bandwidth 120.5 GB/s\nPASS", "bandwidth 2.5 GB/s\nPASS"),
        ("residual 1e-06", "residual 1.1e-06"),
        ("0.2 0.4 0.6", "0.2 0.3 0.6"),
        ("-0 2", "0 2.0001"),
        ("CPU 184 ms | GPU 636 ms | speed-up 0x", "CPU 182 ms | GPU 90 ms | speed-up 2x"),
        ("Speedup: 12.5x", "Speedup: 0.8x"),
        ("GPU is 12.5x faster than the CPU", "GPU is 0.8x faster than the CPU"),
        ("3 times faster", "7 times faster"),
        ("ratio 1.2745x", "ratio 1.2746x"),
    ],
)
def test_alike(source: str, port: str) -> None:
    assert output.difference([source.encode()] * 2, port.encode()) is None


@pytest.mark.parametrize(
    ("source", "port"),
    [
        ("Kernel.time 3", "no value"),
        ("1e5", "1.e"),
        ("PASS", "FAIL"),
        ("count 12", "count 13"),
        ("sum 12.3456", "sum 12.4456"),
        ("hash 0x1f", "hash 0x1e"),
        ("one two", "one"),
        ("time 3 ms, errors 0", "time 4 ms, errors 2"),
        ("3 ms, 93% right", "3 ms, 51% right"),
        ("93% right in 3 ms", "51% right in 3 ms"),
        ("x nan", "x 1.0"),
        ("ratio 1.27x", "ratio 1.57x"),
        ("scaled 2x", "scaled 3x"),
        ("a 4x4 block", "a 4x8 block"),
        ("3x faster, errors 0", "4x faster, errors 1"),
        ("mask 0x", "mask 1x"),
        ("x nan", "x inf"),
        ("id 9007199254740993", "id 9007199254740992"),
        ("0.2 0.4 0.6", "0.1 0.3 0.6"),
    ],
)
def test_not_alike(source: str, port: str) -> None:
    assert output.difference([source.encode()] * 2, port.encode()) is not None


def test_what_the_source_does_not_determine_is_not_compared() -> None:
    assert output.difference([b"winner 3", b"winner 5"], b"winner 8") is None
    assert output.difference([b"winner 3", b"winner 3"], b"winner 8") == ("stdout, line 1", "3", "8")


def recording(data: bytes, label: str = "main.cu:1") -> Recording:
    return Recording((), (Buffer(label, len(data), str(hash(data)), data),))


def test_floats_are_compared_with_tolerance_integers_are_not() -> None:
    floats = np.array([1.0, 2.0], np.float32)
    near = (floats * np.float32(1.00001)).tobytes()
    assert buffers.difference([recording(floats.tobytes())], recording(near, "main.cu:1 float")) is None
    assert buffers.difference([recording(floats.tobytes())], recording(near)) is None
    found = buffers.difference([recording(floats.tobytes())], recording(near, "main.cu:1 int"))
    assert found is not None and "main.cu:1" in found[0]


@pytest.mark.parametrize("label", ["m:1", "m:1 int", "m:1 float"])
def test_a_wrong_element_is_found(label: str) -> None:
    ours, theirs = np.array([5, 6, 7], np.int32), np.array([5, 6, 8], np.int32)
    if label.endswith("float"):
        ours, theirs = ours.astype(np.float32), theirs.astype(np.float32)
    assert buffers.difference([recording(ours.tobytes())], recording(theirs.tobytes(), label)) is not None


def test_memory_that_the_source_never_wrote_is_not_compared() -> None:
    ours = b"\xff" * 4 + np.float32(2.0).tobytes()
    theirs = np.array([9.0, 2.0], np.float32).tobytes()
    assert buffers.difference([recording(ours)], recording(theirs, "main.cu:1 float")) is None


def test_a_missing_copy_is_found() -> None:
    assert buffers.difference([recording(b"abcd")], Recording((), ())) is not None


def test_lines_of_threads_have_no_order() -> None:
    runs = [b"a 1\nb 2\nc 3.0001\n", b"b 2\na 1\nc 3.0001\n"]
    assert output.reordered(runs)
    assert output.unordered_difference(runs, b"c 3.0002\nb 2\na 1\n") is None
    found = output.unordered_difference(runs, b"c 3.0001\nb 2\nb 2\n")
    assert found == ("stdout, line 1 of the sorted lines", "a", "b")


@pytest.mark.parametrize("runs", [[b"a\nb\n"] * 2, [b"a\nb\n", b"a\nc\n"], [b"a\na\nb", b"a\nb\nb"]])
def test_other_lines_keep_theirs(runs: list[bytes]) -> None:
    assert not output.reordered(runs)
