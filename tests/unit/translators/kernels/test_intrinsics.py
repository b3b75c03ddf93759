"""Device functions become the standard functions of the same precision."""

from __future__ import annotations

import pytest

from transpile.assemble.host_code.vocabulary import Level, level
from transpile.core import Invariant
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.openmp import translate_device, translate_kernel
from transpile.translators.refusal import Refused

HEAD = (
    "__device__ void f(float x, double d, int i, unsigned u, const float *p, unsigned char *c, long long l)"
)


def expression(text: str, around: Surroundings | None = None) -> str:
    draft = translate_device(f"{HEAD}\n{{\n    auto r = {text};\n}}".encode(), around or Surroundings())
    return draft.text.split("auto r = ")[1].split(";")[0]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("sqrt(x)", "std::sqrt(x)"),
        ("abs(x)", "std::abs(x)"),
        ("__expf(x)", "expf(x)"),
        ("__ldg(&p[i])", "p[i]"),
        ("__ldg(p + i)", "p[i]"),
        ("rsqrtf(x) * 2", "(1.0f / sqrtf(x)) * 2"),
        ("max(x, 0.0f)", "std::max(0.0f, x)"),
        ("min(i, 3)", "std::min(i, 3)"),
        ("min(i, u)", "std::min<unsigned>(i, u)"),
        ("max(c[0], i)", "std::max<int>(c[0], i)"),
        ("min(l, i)", "std::min<long long>(l, i)"),
        ("__mul24(i, i + 1)", "i * (i + 1)"),
        ("min(max(i, 0), 9)", "std::min(std::max(i, 0), 9)"),
        ("__popc(u)", "__builtin_popcount(u)"),
        ("__clz(u ^ i) - 1", "((u ^ i) == 0 ? 32 : __builtin_clz(u ^ i)) - 1"),
        ("__clz(u)", "u == 0 ? 32 : __builtin_clz(u)"),
        ("__sad(i, 0, u) * 2", "(unsigned)(u + std::llabs((long long)i - 0)) * 2"),
        ("__sad(u, i, 1)", "(unsigned)((unsigned)1 + std::llabs((long long)(int)u - i))"),
        ("__umulhi(i, u)", "(unsigned)(((unsigned long long)(unsigned)i * u) >> 32)"),
        (
            "__umul64hi(i, 3ull)",
            "(unsigned long long)(((unsigned __int128)(unsigned long long)i * 3ull) >> 64)",
        ),
        ("-__float2int_rz(x) + __float2int_rz(x)", "-((int)x) + (int)x"),
        ("__isnan(x)", "std::isnan(x)"),
        ("__ldlu(p + i)", "p[i]"),
        ("__drcp_rn(d)", "1.0 / d"),
        ("__ull2float_rn(l)", "(float)l"),
        ("__float_as_int(x)", "__builtin_bit_cast(int, (float)x)"),
    ],
)
def test_expression(source: str, target: str) -> None:
    assert expression(source) == target


@pytest.mark.parametrize(
    "call", ["__vmaxs4(u, 0)", "__vabsdiffu2(u, i)", "__vaddss4(u, u)", "__vabs2(u)", "__vcmpgeu4(u, i)"]
)
def test_operations_on_parts_of_a_word_are_those_of_the_emulator(call: str) -> None:
    assert expression(call) == call
    assert expression(f"max({call}, u)") == f"std::max({call}, u)"
    assert level(f"unsigned f(unsigned u, int i) {{ return {call}; }}".encode()) is Level.ALL


@pytest.mark.parametrize(
    "call",
    [
        "__brev(u)",
        "__funnelshift_lc(u, u, 3)",
        "__double2hiint(d)",
        "__hiloint2double(i, i)",
        "__float2ull_ru(x)",
        "__int2float_rz(i)",
        "__fmaf_rd(x, x, x)",
    ],
)
def test_operations_on_bits_and_other_roundings_are_those_of_the_emulator(call: str) -> None:
    assert expression(call) == call
    assert level(f"double f(unsigned u, int i, double d, float x) {{ return {call}; }}".encode()) is Level.ALL


@pytest.mark.parametrize("name", ["__fmaf_rq", "__hiloint2float", "__vmaxs3", "__viaddmax_s32", "__vadd"])
def test_names_like_theirs_are_refused(name: str) -> None:
    with pytest.raises(Refused, match="TP203"):
        expression(f"{name}(u, u)")


def test_function_of_the_source_hides_a_built_in() -> None:
    around = Surroundings(functions={"max": ("__device__ int max(int a, int b) { return a > b ? a : b; }",)})
    assert expression("max(i, 3)", around) == "max(i, 3)"


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("max(a, T(0))", "std::max(T(0), a)"),
        ("min(a, (T)1)", "std::min((T)1, a)"),
        ("max((T)0, min(a, (T)1))", "std::max((T)0, std::min((T)1, a))"),
        ("max(a, b)", "std::max(a, b)"),
    ],
)
def test_of_a_type_that_may_be_floating_the_constant_comes_first(source: str, target: str) -> None:
    text = f"template <class T> __device__ T f(T a, T b)\n{{\n    T r = {source};\n    return r;\n}}"
    assert f"T r = {target};" in translate_device(text.encode(), Surroundings()).text


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("atomicAdd(&h[k[i]], 1);", ["#pragma omp atomic", "h[k[i]] += 1;"]),
        ("atomicSub(h + i, 2);", ["#pragma omp atomic", "h[i] -= 2;"]),
        ("atomicMax(&h[0], k[i]);", ["#pragma omp atomic compare", "if (h[0] < k[i]) { h[0] = k[i]; }"]),
        (
            "int old = atomicAdd(h, 1); k[old] = i;",
            ["int old;", "#pragma omp atomic capture", "{ old = *h; *h += 1; }"],
        ),
        ("k[atomicAdd(h, 1)] = i;", ["int old;", "{ old = *h; *h += 1; }", "k[old] = i;"]),
        ("atomicExch(&h[0], 5);", ["#pragma omp atomic write", "h[0] = 5;"]),
        ("int was = atomicCAS(&h[0], 1, i); k[i] = was;", ["int was;", "was = 1;"]),
    ],
)
def test_atomic(statement: str, lines: list[str]) -> None:
    text = (
        "__global__ void f(int *h, int *k, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n) {{\n        {statement}\n    }}\n}}"
    )
    result = translate_kernel(text.encode(), Invariant(), Surroundings()).text
    place = 0
    for line in lines:
        place = result.index(line, place)
    assert "atomicAdd" not in result


def test_float_exchange_in_an_expression_is_refused() -> None:
    text = "__global__ void f(unsigned *h, int n)\n{\n    h[1] = n > 0 ? atomicInc(h, 7u) : 0;\n}"
    with pytest.raises(Refused, match="TP204"):
        translate_kernel(text.encode(), Invariant(), Surroundings())
