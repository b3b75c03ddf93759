"""HIP for loops of C and C++: no name of CUDA's, and shuffles among 32 lanes only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import proposed, why_not
from tests.unit.translators.targets.cuda import tiled
from transpile.core import HIP, HIP_ON_DEVICE, ByRules, Candidate, Dialect

EACH = "    for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n"
SUM = "    float s = 0;\n    for (int i = 0; i < n; i++) s += x[i];\n    *y = s;\n"
RUNNING = "    float s = 0;\n    for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }\n"
PLACE = """    float best = x[0];
    int at = 0;
    for (int i = 0; i < n; i++) if (x[i] > best) { best = x[i]; at = i; }
    *y = at;
"""
OF_CUDA = re.compile(r"cuda|CUDA|_sync\b|0xffffffff")
HANDED_ON = re.compile(r"__shfl_\w+\((?P<arguments>[^;]*)\)[;,]")


def ported(place: Path, body: str, target: Dialect = HIP) -> Candidate:
    found = proposed(place, body, target)
    assert isinstance(found, Candidate)
    return found


@pytest.mark.parametrize(("body", "handing"), [(EACH, 0), (SUM, 1), (RUNNING, 2), (PLACE, 2)])
def test_nothing_of_cuda_is_left_and_halves_of_a_warp_keep_to_themselves(
    body: str, handing: int, tmp_path: Path
) -> None:
    found = ported(tmp_path, body)
    assert found.dialect == HIP and found.headers[0] == "<hip/hip_runtime.h>"
    shown = found.replacements[0].shown
    assert "hipMalloc(&x_device, x_size)" in shown and "f_kernel<<<" in shown
    assert not OF_CUDA.search(shown)
    handed = [call["arguments"].rsplit(", ", 1)[-1] for call in HANDED_ON.finditer(shown)]
    assert handed == ["32"] * handing == ["32"] * shown.count("__shfl")


def test_the_rules_say_that_it_was_written_in_cuda_first(tmp_path: Path) -> None:
    origin = ported(tmp_path, EACH).origin
    assert isinstance(origin, ByRules) and origin.proof is not None
    assert origin.rules == ("loops", "cuda", "hip")


def test_what_is_called_with_memory_of_the_device_is_in_hip_as_well(tmp_path: Path) -> None:
    found = ported(tmp_path, EACH, HIP_ON_DEVICE)
    assert (found.dialect, found.binding.name) == (HIP_ON_DEVICE, "f_device")
    assert set(found.binding.device) == {"x", "y"} and "hipGetLastError" in found.replacements[0].shown


def test_tiles_are_proposed_beside_it(tmp_path: Path) -> None:
    product = "for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];"
    body = f"{{ float s = 0; {product} c[i * n + j] = s; }}"
    head = "void f(int n, const float *a, const float *b, float *c)"
    loops = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
    found = tiled.variant(tmp_path, f"{head} {{ {loops} {body} }}\n", HIP)
    assert found is not None and found.dialect == HIP
    assert "__shared__ float a_tile[16][16];" in found.replacements[0].shown
    assert not OF_CUDA.search(found.replacements[0].shown)


@pytest.mark.parametrize(
    ("body", "name"), [(EACH.replace("2", "warpSize"), "warpSize"), (f"    cuInit(0);\n{EACH}", "cuInit")]
)
def test_what_has_names_of_cudas_itself_is_refused(body: str, name: str, tmp_path: Path) -> None:
    assert why_not(tmp_path, body, HIP) == f"`f` is plain C or C++, and uses names of CUDA: `{name}`"
