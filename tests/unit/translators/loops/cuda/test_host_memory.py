"""The host's part of a port: copies of arrays."""

from __future__ import annotations

from pathlib import Path

from tests.unit.translators.loops.test_texts import text
from transpile.core import CUDA


def test_copies_have_no_name_of_the_functions(tmp_path: Path) -> None:
    body = "    int x_size = n, y_device = 2;\n    for (int i = 0; i < x_size; i++) y[i] = y_device * x[i];\n"
    shown = text(tmp_path, body, CUDA)
    assert "check(cudaMalloc(&x_device, x_size2));" in shown
    assert "check(cudaMemcpy(x_device, x, x_size2, cudaMemcpyHostToDevice));" in shown
    assert "check(cudaMemcpy(y, y_device2, y_size, cudaMemcpyDeviceToHost));" in shown
    assert "(y_device2, x_device, " in shown
