"""Collectives of a block by CUB: what is written in their place, and which are refused."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.block_primitives import block_primitives
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.refusal import Refused

REDUCE = "using R = cub::BlockReduce<float, 64>;\n__shared__ R::TempStorage s;\nfloat v = x[threadIdx.x];\n"
SCAN = "using S = cub::BlockScan<int, 64>;\n__shared__ S::TempStorage s;\nint v = x[threadIdx.x], r, all;\n"


def draft(statements: str, **functions: str) -> Draft:
    text = f"__global__ void kernel(float *x, int n)\n{{\n{statements}\n}}"
    around = Surroundings(functions={name: (text,) for name, text in functions.items()})
    return Draft(text=text, law=None, surroundings=around)


def lines(statements: str) -> list[str]:
    return [line.strip() for line in block_primitives(draft(statements)).text.splitlines()[2:-1]]


def test_a_sum_is_added_by_the_first_thread_in_the_order_of_the_threads() -> None:
    assert lines(f"{REDUCE}float a = R(s).Sum(v);")[2:] == [
        "s[threadIdx.x] = v;",
        "__syncthreads();",
        "if (threadIdx.x == 0) {",
        "for (int k = 1; k < 64; ++k) s[0] += s[k];",
        "}",
        "__syncthreads();",
        "float a = s[0];",
    ]


@pytest.mark.parametrize(
    ("call", "step"),
    [
        ("Reduce(v, cub::Max())", "s[0] = s[k] > s[0] ? s[k] : s[0];"),
        ("Reduce(v, cub::Min{})", "s[0] = s[k] < s[0] ? s[k] : s[0];"),
        ("Reduce(v, cuda::maximum<float>())", "s[0] = s[k] > s[0] ? s[k] : s[0];"),
        ("Reduce(v, Own())", "s[0] = Own()(s[0], s[k]);"),
        ("Reduce(v, cub::Sum())", "s[0] += s[k];"),
    ],
)
def test_an_operation_is_called_or_written(call: str, step: str) -> None:
    assert f"for (int k = 1; k < 64; ++k) {step}" in lines(f"{REDUCE}v = R(s).{call};")


def test_only_so_many_threads_count_as_are_said_to_be_valid() -> None:
    assert "for (int k = 1; k < n - 1; ++k) s[0] += s[k];" in lines(f"{REDUCE}v = R(s).Sum(v, n - 1);")


def test_a_branch_of_one_statement_gets_braces() -> None:
    text = "\n".join(lines(f"{REDUCE}if (n > 3) v = R(s).Sum(v);"))
    assert "if (n > 3) {\ns[threadIdx.x] = v;" in text
    assert text.endswith("v = s[0];\n}")


def test_what_a_function_returns_is_still_returned() -> None:
    assert lines(f"{REDUCE}return R(s).Sum(v);")[-2:] == ["__syncthreads();", "return s[0];"]


def test_a_result_that_nobody_takes_leaves_no_statement() -> None:
    assert lines(f"{REDUCE}R(s).Sum(v);")[-1] == "__syncthreads();"


@pytest.mark.parametrize(
    ("call", "last"),
    [
        ("InclusiveSum(v, r)", ["r = s[threadIdx.x];"]),
        ("ExclusiveSum(v, r)", ["r = threadIdx.x == 0 ? 0 : s[threadIdx.x - 1];"]),
        ("InclusiveSum(v, r, all)", ["r = s[threadIdx.x];", "all = s[64 - 1];"]),
        ("ExclusiveScan(v, r, 7, Own())", ["r = threadIdx.x == 0 ? 7 : Own()(7, s[threadIdx.x - 1]);"]),
        ("InclusiveScan(v, r, cub::Max(), all)", ["r = s[threadIdx.x];", "all = s[64 - 1];"]),
    ],
)
def test_a_scan_gives_each_thread_its_part(call: str, last: list[str]) -> None:
    assert lines(f"{SCAN}S(s).{call};")[-len(last) :] == last


@pytest.mark.parametrize(
    "statements",
    [
        "using R = cub::BlockReduce<float, 8, cub::BLOCK_REDUCE_RAKING, 8>;\n__shared__ R::TempStorage s;\n"
        "x[0] = R(s).Sum(x[1]);",
        f"{REDUCE}float w[2] = {{v, v}};\nv = R(s).Sum(w);",
        f"{REDUCE}v = 1 + R(s).Sum(v);",
        f"{REDUCE}v = R(s).Sum(v, n--);",
        f"{REDUCE}v = R(s).Sum(v, count(x));",
        f"{REDUCE}v = R(s).Reduce(v);",
        f"{REDUCE}v = R(other).Sum(v);",
        f"{SCAN}S(s).ExclusiveScan(v, r, cub::Sum());",
        f"{SCAN}S(s).InclusiveSum(v, x[r++]);",
        "using R = cub::BlockReduce<float, 64>;\nR::TempStorage s;\nx[0] = R(s).Sum(x[1]);",
    ],
)
def test_what_is_not_known_for_certain_is_refused(statements: str) -> None:
    with pytest.raises(Refused) as caught:
        block_primitives(draft(statements))
    assert caught.value.code == "TP203"


def test_a_function_that_is_not_understood_is_left_for_who_calls_it() -> None:
    other = "__device__ void f(float *x) { typedef cub::BlockReduce<float, 8, cub::A, 8> R; }"
    assert block_primitives(draft("x[0] = 1;", f=other)).surroundings.functions["f"] == (other,)
