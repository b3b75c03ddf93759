"""Atomic functions become OpenMP's, or loops around a swap where it has no form for them."""

from __future__ import annotations

import pytest

from transpile.core import Invariant, ShapeDependent
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.openmp import translate_kernel
from transpile.translators.refusal import Refused

PARAMETERS = "int *h, int *k, unsigned *u, float *f, half *q, __nv_bfloat162 *b, int n"


def translated(statements: str, around: Surroundings | None = None) -> str:
    text = (
        f"__global__ void f({PARAMETERS})\n{{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n) {{\n        {statements}\n    }}\n}}"
    )
    return translate_kernel(text.encode(), Invariant(), around or Surroundings()).text


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


@pytest.mark.parametrize(
    ("statement", "address", "change"),
    [
        ("atomicInc(u, 17);", "u", "wanted = old >= 17 ? 0 : old + 1;"),
        ("atomicInc((unsigned *)&h[7], 17u);", "(unsigned *)&h[7]", "wanted = old >= 17u ? 0 : old + 1;"),
        ("atomicDec(u + i, 5);", "&u[i]", "wanted = (old == 0 || old > 5) ? 5 : old - 1;"),
        ("if (h[i]) atomicDec(u, n);", "u", "wanted = (old == 0 || old > limit) ? limit : old - 1;"),
        ("atomicAdd(&q[i], __float2half(1.0f));", "&q[i]", "wanted = old + value;"),
        ("atomicAdd(b, __float2bfloat162_rn(1.0f));", "b", "wanted = old + value;"),
    ],
)
def test_what_openmp_has_no_form_for_is_tried_until_nobody_comes_between(
    statement: str, address: str, change: str
) -> None:
    found = lines(translated(statement))
    at = found.index(f"__atomic_load({address}, &old, __ATOMIC_RELAXED);")
    assert found[at + 1 : at + 3] == ["do {", change]
    assert found[at + 3].startswith(f"}} while (!__atomic_compare_exchange({address}, &old, &wanted,")


@pytest.mark.parametrize(
    ("statement", "last"),
    [
        ("const unsigned seat = atomicInc(u, 17); k[seat] = i;", "const unsigned seat = old;"),
        ("k[i] = 2 * atomicDec(u, 17);", "k[i] = 2 * old;"),
        ("if (h[i]) k[i] = atomicInc(u, 17);", "k[i] = old;"),
        ("if (atomicInc(u, 17) == 16) k[i] = 1;", "if (old == 16) k[i] = 1;"),
    ],
)
def test_the_old_value_is_at_hand_behind_the_loop(statement: str, last: str) -> None:
    found = lines(translated(statement))
    before = next(index for index, line in enumerate(found) if "__atomic_compare_exchange" in line)
    assert last in found[before + 1 :]


@pytest.mark.parametrize(
    "statement",
    [
        "while (atomicInc(u, 17) < 5) k[i] += 1;",
        "for (unsigned j = atomicInc(u, 17); j < 5; ++j) k[i] += 1;",
        "k[i] = n > 3 ? atomicInc(u, 17) : 0;",
        "k[i] = h[i] > 3 && atomicInc(u, 17) > 2;",
    ],
)
def test_a_loop_is_put_nowhere_but_where_the_call_runs_first_and_once(statement: str) -> None:
    with pytest.raises(Refused, match="TP204"):
        translated(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "atomicMax(&h[k[i]++], 3);",
        "atomicInc(&u[k[i]++], 3);",
        "int old = atomicAdd(&h[k[i]++], 3); k[old] = i;",
    ],
)
def test_a_target_that_changes_with_each_look_is_refused(statement: str) -> None:
    with pytest.raises(Refused, match="computed twice"):
        translated(statement)


@pytest.mark.parametrize(
    ("statement", "captured"),
    [
        ("int s = 3; s = atomicAdd(&h[s], 1); k[i] = s;", "{ old = h[s]; h[s] += 1; }"),
        ("int s = 3; s = atomicAdd(h, s); k[i] = s;", "{ old = *h; *h += s; }"),
    ],
)
def test_a_variable_is_not_overwritten_before_the_update_has_used_it(statement: str, captured: str) -> None:
    found = lines(translated(statement))
    assert found[found.index(captured) + 1] == "s = old;"


def test_memory_that_is_seen_as_another_type_has_that_type() -> None:
    found = lines(translated("atomicMax((int *)&f[i], __float_as_int(f[0]) + 1);"))
    assert "const int value = __builtin_bit_cast(int, (float)f[0]) + 1;" in found


def test_one_thread_counts_plainly_in_shared_memory() -> None:
    text = """__global__ void f(int *k, int n)
{
    __shared__ unsigned come;
    if (threadIdx.x == 0) come = 0;
    __syncthreads();
    atomicInc(&come, 40u);
    __syncthreads();
    k[blockIdx.x * blockDim.x + threadIdx.x] = come;
}"""
    found = translate_kernel(text.encode(), ShapeDependent(relations=()), Surroundings()).text
    assert "come = come >= 40u ? 0 : come + 1;" in found
    assert "__atomic" not in found


@pytest.mark.parametrize(
    ("target", "kind"), [("&done", "int"), ("&counts[i]", "unsigned"), ("&grid[i][0]", "long long")]
)
def test_variables_at_file_scope_have_types(target: str, kind: str) -> None:
    around = Surroundings(types={"done": "int", "counts": "unsigned[]", "grid": "long long[]"})
    assert f"{kind} old;" in lines(translated(f"if (atomicAdd({target}, 0) != 0) return;", around))


def test_an_array_as_a_whole_has_no_type_of_a_number() -> None:
    around = Surroundings(types={"counts": "unsigned[]"})
    with pytest.raises(Refused, match="type of the target"):
        translated("if (atomicAdd(&counts, 0) != 0) return;", around)
