"""Of several functions with one name, that which a kernel calls is put in its place."""

from __future__ import annotations

import pytest

from transpile.core import Covers
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.openmp import translate_kernel
from transpile.translators.kernels.refusal import Refused

KERNEL = """__global__ void k(float *x, Range r, count_t n)
{{
    __shared__ float tile[32];
    tile[threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    {call};
    x[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}}"""
COUNTED = (
    "template <int step>\n__device__ void turn(float *tile, count_t n)\n"
    "{ __syncthreads(); tile[threadIdx.x] += step; __syncthreads(); }"
)
RANGED = (
    "template <int step>\n__device__ void turn(float *tile, Range r)\n"
    "{ __syncthreads(); tile[threadIdx.x] -= step; __syncthreads(); }"
)
PLAIN = "__device__ void turn(float *tile, count_t n)\n{ __syncthreads(); tile[0] = 7; __syncthreads(); }"
WIDER = RANGED.replace("<int step>", "<int step, int other>")
OPEN = COUNTED.replace("<int step>", "<class T>").replace("float", "T").replace("step", "9")
SPECIAL = COUNTED.replace("<int step>", "<>").replace("step", "11")


def translated(call: str, *functions: str) -> str:
    around = Surroundings(functions={"turn": functions})
    return translate_kernel(KERNEL.format(call=call).encode(), Covers(x="n"), around).text


@pytest.mark.parametrize(
    ("call", "functions", "expected"),
    [
        ("turn<4>(tile, n)", (COUNTED, RANGED), "+= 4"),
        ("turn<4>(tile, r)", (COUNTED, RANGED), "-= 4"),
        ("turn<4, 5>(tile, r)", (COUNTED, WIDER), "-= 4"),
        ("turn(tile, n)", (PLAIN, RANGED), "tile[0] = 7"),
        ("turn(tile, n)", (PLAIN, OPEN), None),
        ("turn<4>(tile, 3)", (COUNTED, RANGED), None),
        ("turn(tile, n)", (OPEN, SPECIAL), None),
        ("turn<4>(tile, n)", (COUNTED, PLAIN.replace("count_t", "unsigned")), "+= 4"),
    ],
)
def test_the_one_whose_types_the_arguments_have_is_meant(
    call: str, functions: tuple[str, ...], expected: str | None
) -> None:
    if expected is None:
        with pytest.raises(Refused):
            translated(call, *functions)
    else:
        assert expected in translated(call, *functions)


def test_a_functor_that_is_made_in_the_call_gives_a_template_its_type() -> None:
    reduce = (
        "template <class Op>\n__device__ float turn(float *tile, Op op)\n"
        "{ __syncthreads(); float r = op(tile[0], tile[1]); __syncthreads(); return r; }"
    )
    text = translated("float sum = turn(tile, Sum{}); tile[0] = sum", reduce)
    assert "Sum op = Sum{};" in text


def test_a_result_that_auto_holds_is_declared_with_its_type() -> None:
    sum_of = (
        "template <class T>\n__device__ T turn(T *tile)\n{ __syncthreads(); tile[0] += 1; return tile[0]; }"
    )
    text = translated("auto sum = turn(tile); tile[threadIdx.x] = sum", sum_of)
    assert "float sum" in text and "auto" not in text
    with pytest.raises(Refused):
        translated("auto sum = turn(tile); tile[0] = sum", sum_of.replace("T turn", "auto turn"))
