"""Conditions on the compiler of devices go, with all but the branch that is judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import transpile
from transpile import parsers
from transpile.core import ProgrammingModel
from transpile.translators.kernels.compiler_conditions import VALUES, without_compiler_conditions

KERNEL = "__global__ void f(int n, float *x) {{\n    int i = threadIdx.x;\n{}    x[i] += 3;\n}}\n"
CONDITIONS = {
    "#if __CUDA_ARCH__ >= 700\n    a();\n#else\n    b();\n#endif\n": "    b();\n",
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600 // old\n    a();\n#endif\n": "",
    "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n    a();\n#else\n    b();\n#endif\n": "    a();\n",
    "#ifndef __CUDA_ARCH__\n    a();\n#endif\n": "    a();\n",
    "#if CUDART_VERSION >= 9000\n    a();\n#else\n    b();\n#endif\n": "    a();\n",
    "#if __CUDA_ARCH__\n    a();\n#elif CUDA_VERSION\n    b();\n#else\n    c();\n#endif\n": "    b();\n",
    "#ifdef __HIPCC__\n    a();\n#else\n    b();\n#endif\n": "    b();\n",
    "#if __CUDA_ARCH__ > 1\n#ifdef FAST\n    a();\n#endif\n#else\n#ifdef FAST\n    b();\n#endif\n#endif\n": (
        "#ifdef FAST\n    b();\n#endif\n"
    ),
    "#ifdef FAST\n#ifdef __CUDACC__\n    a();\n#else\n    b();\n#endif\n#endif\n": (
        "#ifdef FAST\n    a();\n#endif\n"
    ),
}
OTHERS = (
    "#ifdef FAST\n    a();\n#endif\n",
    "#if FAST && __CUDA_ARCH__ >= 700\n    a();\n#endif\n",
    "#if __CUDA_ARCH__ >= 700\n    a();\n#elif FAST\n    b();\n#endif\n",
    "#if __CUDA_ARCH__ >= NEWEST\n    a();\n#endif\n",
    "#pragma unroll\n",
)
CALLED = "__device__ void a();\n__device__ void b();\n__device__ void c();\n"


def left(place: Path, body: str, before: str = "") -> str:
    """Return what is left of a kernel with the text in its body."""
    (place / "a.cu").write_text(before + CALLED + KERNEL.format(body))
    source = without_compiler_conditions(parsers.read(place))
    [kernel] = [unit for unit in source.units if unit.name == "f"]
    assert kernel.text == kernel.span.of(source.files["a.cu"])
    return kernel.text.decode() + "\n"


@pytest.mark.parametrize(("body", "expected"), CONDITIONS.items())
def test_the_branch_of_the_emulator_is_left(body: str, expected: str, tmp_path: Path) -> None:
    assert left(tmp_path, body) == KERNEL.format(expected)


@pytest.mark.parametrize("body", OTHERS)
def test_what_other_names_decide_stays(body: str, tmp_path: Path) -> None:
    assert left(tmp_path, body) == KERNEL.format(body)


def test_a_name_that_the_source_defines_stays(tmp_path: Path) -> None:
    body = "#if CUDART_VERSION >= 9000\n    a();\n#endif\n"
    assert left(tmp_path, body, "#define CUDART_VERSION 8000\n") == KERNEL.format(body)


@pytest.mark.parametrize("model", VALUES)
def test_values_are_those_of_the_emulator(model: ProgrammingModel) -> None:
    text = (Path(transpile.__file__).parent / "simt/include/simt/qualifiers.h").read_text()
    hip, _, rest = text.partition("#ifdef SIMT_HIP\n")[2].partition("#else\n")
    written = hip if model is ProgrammingModel.HIP else rest.partition("#endif\n")[0]
    found = {name: int(value) for name, value in re.findall(r"#define (\w+) (\d+)", written)}
    assert found == VALUES[model]
