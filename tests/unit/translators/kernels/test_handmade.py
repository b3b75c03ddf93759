"""Loops around a compare-and-swap become the one update that they make."""

from __future__ import annotations

import pytest

from transpile.assemble.host_code.vocabulary import Level, level
from transpile.core import Invariant
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.openmp import translate_device, translate_kernel
from transpile.translators.refusal import Refused

INTEGER = """\
    int old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, NEW);
    } while (assumed != old);
"""
FLOATING = """\
    int *bits = (int *)p;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(NEW));
    } while (assumed != old);
"""
OLD = "__int_as_float(assumed)"


def device(
    body: str, head: str = "__device__ void f(float *p, float v)", around: Surroundings | None = None
) -> str:
    return translate_device(f"{head}\n{{\n{body}}}".encode(), around or Surroundings()).text


def update(new: str, head: str) -> list[str]:
    """Return the lines of a translated body."""
    text = device((FLOATING if "float" in head else INTEGER).replace("NEW", new), head)
    return [line.strip() for line in text.split("{", 1)[1].strip()[:-1].splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("new", "line"),
    [
        ("v + OLD", "*p += v;"),
        ("OLD + v", "*p += v;"),
        ("OLD - v", "*p -= v;"),
        ("OLD * (v + 1)", "*p *= (v + 1);"),
        ("OLD / v", "*p /= v;"),
    ],
)
def test_operations_of_floating_numbers(new: str, line: str) -> None:
    found = update(new.replace("OLD", OLD), "__device__ void f(float *p, float v)")
    assert found == ["#pragma omp atomic", line]


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        ("assumed & v", ["#pragma omp atomic", "*p &= v;"]),
        ("v ^ assumed", ["#pragma omp atomic", "*p ^= v;"]),
        ("min(assumed, v)", ["#pragma omp atomic compare", "if (*p > v) { *p = v; }"]),
        ("v > assumed ? v : assumed", ["#pragma omp atomic compare", "if (*p < v) { *p = v; }"]),
        ("v > assumed ? assumed : v", ["#pragma omp atomic compare", "if (*p > v) { *p = v; }"]),
        ("assumed <= v ? assumed : v", ["#pragma omp atomic compare", "if (*p > v) { *p = v; }"]),
    ],
)
def test_operations_of_whole_numbers(new: str, lines: list[str]) -> None:
    assert update(new, "__device__ void f(int *p, int v)") == lines


@pytest.mark.parametrize(
    "new", ["v - OLD", "fmaxf(v, OLD)", "OLD < v ? v : OLD", "OLD * OLD", "OLD + v * OLD"]
)
def test_what_no_directive_says_is_a_loop(new: str) -> None:
    found = update(new.replace("OLD", OLD), "__device__ void f(float *p, float v)")
    assert found == [
        "float old, wanted;",
        "__atomic_load(p, &old, __ATOMIC_RELAXED);",
        "do {",
        f"wanted = {new.replace('OLD', 'old')};",
        "} while (!__atomic_compare_exchange(p, &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));",
    ]


def test_the_old_value_is_captured_where_it_is_returned() -> None:
    head = "__device__ float f(float *p, float v)"
    text = device(FLOATING.replace("NEW", f"v + {OLD}") + "    return __int_as_float(old);\n", head)
    assert "{ old = *p; *p += v; }\n    return old;" in text
    assert "#pragma omp atomic capture" in text
    assert "bits" not in text


@pytest.mark.parametrize(
    "loop",
    [
        "float old = *p, assumed; do { assumed = old; old = __int_as_float(atomicCAS((int *)p,"
        " __float_as_int(assumed), __float_as_int(v + assumed))); }"
        " while (__float_as_int(assumed) != __float_as_int(old));\n",
        "int *bits = (int *)p; int old = *bits; int assumed; while (true) { assumed = old;"
        " old = atomicCAS(bits, assumed, __float_as_int(v + __int_as_float(assumed)));"
        " if (old == assumed) break; }\n",
        "int *bits = (int *)p; int old = *bits, assumed; do { assumed = old; }"
        " while ((old = atomicCAS(bits, assumed, __float_as_int(v + __int_as_float(assumed))))"
        " != assumed);\n",
        "int *bits = (int *)p; int old = *bits, assumed; do { assumed = old;"
        " float sum = v + __int_as_float(assumed);"
        " old = ::atomicCAS(bits, assumed, __float_as_int(sum)); } while (assumed != old);\n",
    ],
)
def test_forms_of_one_loop(loop: str) -> None:
    assert "*p += v;" in device(loop)


@pytest.mark.parametrize(
    ("loop", "kept"),
    [
        # the element is another one than is read
        (FLOATING.replace("NEW", f"v + {OLD}").replace("*bits,", "bits[1],"), "atomic_compare_exchange_n"),
        # another value is expected
        (INTEGER.replace("NEW", "assumed + 1").replace("(p, assumed,", "(p, 0,"), "int old = *p"),
        # what ends the loop is something else
        (
            INTEGER.replace("NEW", "assumed + 1").replace("assumed != old", "assumed < old"),
            "compare_exchange_n",
        ),
        # the loop does more
        (
            INTEGER.replace("NEW", "assumed + 1").replace("assumed = old;", "assumed = old; n++;"),
            "compare_exchange_n",
        ),
        # the new value depends on how often it was tried
        (INTEGER.replace("NEW", "assumed + n++"), "compare_exchange_n"),
    ],
)
def test_what_looks_like_an_update_and_is_none(loop: str, kept: str) -> None:
    head = (
        "__device__ void f(int *p, int n)"
        if "int *bits" not in loop
        else "__device__ void f(float *p, float v)"
    )
    text = device(loop, head)
    assert kept in text
    assert "pragma" not in text
    assert "wanted" not in text


def test_the_old_value_of_an_extreme() -> None:
    body = INTEGER.replace("NEW", "max(assumed, v + 1)") + "    return old;\n"
    text = device(body, "__device__ int f(int *p, int v)")
    assert "#pragma omp atomic compare capture\n    { old = *p; if (*p < value) { *p = value; } }" in text
    assert "const int value = v + 1;" in text


def test_reads_that_stay_become_loads() -> None:
    body = INTEGER.replace("NEW", "assumed + 1").replace("= old;", "= old; if (assumed >= n) return;")
    text = device(body, "__device__ void f(int *p, int n)")
    assert "int old = __atomic_load_n(p, __ATOMIC_RELAXED), assumed;" in text


def test_a_swap_in_a_condition() -> None:
    body = "int old; do { old = *p; } while (atomicCAS(p, old, old + n) != old);\n"
    text = device(body, "__device__ void f(int *p, int n)")
    assert "while (__sync_val_compare_and_swap(p, old, old + n) != old);" in text
    assert "old = __atomic_load_n(p, __ATOMIC_RELAXED);" in text


def test_a_swap_whose_new_value_is_made_of_its_target() -> None:
    text = device(
        "int was = n; was = atomicCAS(p, 0, was + 1); p[1] = was;\n", "__device__ void f(int *p, int n)"
    )
    assert "was = __sync_val_compare_and_swap(p, 0, was + 1);" in text


OWN = Surroundings(
    functions={
        "atomicMin": ("__device__ float atomicMin(float *p, float v) { return v; }",),
        "atomicMaxFloat": ("__device__ void atomicMaxFloat(float *p, float v) {}",),
        "atomicAdd": ("template <class T> __device__ T atomicAdd(T *p, T v) { return v; }",),
    }
)


def kernel(statement: str) -> str:
    text = (
        "__global__ void f(float *x, int *k, Pair *q, long n)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n) {{\n        {statement}\n    }}\n}}"
    )
    return translate_kernel(text.encode(), Invariant(), OWN).text


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("atomicMin(&x[0], 1.0f);", "atomicMin(&x[0], 1.0f);"),
        ("atomicMin(&k[0], 1);", "#pragma omp atomic compare"),
        ("atomicMaxFloat(&x[0], 1.0f);", "atomicMaxFloat(&x[0], 1.0f);"),
        ("atomicAdd(&x[0], 1.0f);", "x[0] += 1.0f;"),
        ("atomicAdd(q, Pair());", "atomicAdd(q, Pair());"),
    ],
)
def test_functions_of_the_source_and_of_cuda(statement: str, line: str) -> None:
    assert line in kernel(statement)


def test_unknown_atomic_functions_are_refused() -> None:
    with pytest.raises(Refused, match="TP203"):
        kernel("atomicFetchAdd(&k[0], 1);")


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        (
            "float atomicMin(float *p, float v) { return v; }\nvoid f(float *x) { atomicMin(x, 1); }",
            Level.NONE,
        ),
        ("void f(int *x) { int old = atomicMin(x, 1); }", Level.ALL),
        ("int f(int *x) { return atomicMin(x, 1); }", Level.ALL),
        ("float atomicMin(float *p, float v);\nint f(int *x) { return atomicAdd(x, 1); }", Level.ALL),
    ],
)
def test_own_atomic_functions_ask_for_no_emulator(text: str, needed: Level) -> None:
    assert level(text.encode()) is needed
