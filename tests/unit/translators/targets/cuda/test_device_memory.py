"""Ports of functions whose arrays are in device memory, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import proposed, text, why_not
from transpile.core import CUDA_ON_DEVICE, Candidate

LOOP = "    for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n"


def test_it_launches_and_copies_nothing(tmp_path: Path) -> None:
    found = proposed(tmp_path, LOOP, CUDA_ON_DEVICE)
    assert isinstance(found, Candidate)
    assert (found.binding.name, set(found.binding.device)) == ("f_device", {"x", "y"})
    shown = found.replacements[0].shown
    assert "void f_device(int n, const float *x, float *y)" in shown
    assert "f_kernel<<<(n + 255) / 256, 256>>>" in shown and "cudaMemcpy" not in shown


def test_arrays_that_overlap_are_gone_through_by_one_thread(tmp_path: Path) -> None:
    shown = text(tmp_path, LOOP, CUDA_ON_DEVICE)
    asked, otherwise = shown[shown.index("if (!(") :].split("} else {")
    assert "y + n <= x" in asked and "f_kernel_sequential<<<1, 1>>>(" in asked
    assert "f_kernel<<<" in otherwise
    assert "f_sequential(" not in shown  # no path of the host reaches such arrays


def test_what_runs_in_order_anyway_is_asked_for_no_overlap(tmp_path: Path) -> None:
    shown = text(tmp_path, "    for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];\n", CUDA_ON_DEVICE)
    assert "f_kernel<<<1, 1>>>" in shown and "if (!" not in shown


def test_what_no_kernel_does_at_once_is_written_once(tmp_path: Path) -> None:
    shown = text(tmp_path, "    for (int i = 0; i < n; i++) y[(int)x[i]] *= 2;\n", CUDA_ON_DEVICE)
    assert "// One thread alone: no atomic operation does `" in shown
    assert shown.count("__global__") == 1


def test_sums_are_brought_back(tmp_path: Path) -> None:
    body = "    float s = 0;\n    for (int i = 0; i < n; i++) s += x[i];\n    *y = s;\n"
    found = proposed(tmp_path, body, CUDA_ON_DEVICE)
    assert isinstance(found, Candidate) and found.binding.device == ("x",)
    shown = found.replacements[0].shown
    assert "check(cudaMemcpy(&s, s_total, sizeof(float), cudaMemcpyDeviceToHost));" in shown
    assert "// Memory of the device: `x`.\n" in shown and "    *y = s;" in shown


def test_a_loop_of_the_host_launches_again_and_again(tmp_path: Path) -> None:
    body = "    for (int t = 0; t < n; t++)\n        for (int i = 0; i < n; i++) y[i] = y[i] / 2 + x[i];\n"
    shown = text(tmp_path, body, CUDA_ON_DEVICE)
    host = shown[shown.index("f_device(") :]
    assert host.index("for (int t = 0") < host.index("if (!(") < host.index("f_kernel<<<")


@pytest.mark.parametrize("done", ["y[0] = 1;", "*y = 1;", "fill(y, n);", "y += 1;", "n += *x > 0;"])
@pytest.mark.parametrize("before", [True, False])
def test_the_host_reaches_nothing_on_the_device(done: str, before: bool, tmp_path: Path) -> None:
    body = f"    {done}\n{LOOP}" if before else f"{LOOP}    {done}\n"
    assert "which is device memory" in why_not(tmp_path, body, CUDA_ON_DEVICE)


def test_whether_there_is_an_array_may_be_asked(tmp_path: Path) -> None:
    body = f"    if (!x || y == 0) return;\n    if (n > 0)\n    {LOOP}"
    shown = text(tmp_path, body, CUDA_ON_DEVICE)
    assert "if (!x || y == 0) return;" in shown and "if (n > 0)\n        {\n" in shown


def test_sums_come_back_from_one_thread_as_well(tmp_path: Path) -> None:
    body = "    float s = 2;\n    for (int i = 0; i < n; i++) { y[i] = s; s += x[i]; }\n    fill(0, s);\n"
    shown = text(tmp_path, body, CUDA_ON_DEVICE)
    assert "    float s = *s_total;\n    for (int i = 0; i < n; i++) {" in shown
    assert "    *s_total = s;\n}\n" in shown and "f_kernel_sequential<<<1, 1>>>(y, x, n, s_total);" in shown
    assert "check(cudaMemcpy(&s, s_total, sizeof(float), cudaMemcpyDeviceToHost));" in shown


def test_what_only_one_thread_does_brings_its_sum_back(tmp_path: Path) -> None:
    body = "    float s = 2;\n    for (int i = 0; i < n; i++) { s = s * s; y[i] = s; }\n    fill(0, s);\n"
    assert "    *s_total = s;\n}\n" in text(tmp_path, body, CUDA_ON_DEVICE)
