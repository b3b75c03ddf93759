"""Plain reads that only say what a compare-and-swap expects, and all those that look like one."""

from __future__ import annotations

import pytest

from transpile.parsers.swaps import expected_reads, unused_results

CANONICAL = """
    int *bits = (int *)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value * __int_as_float(assumed)));
    } while (assumed != old);
"""


def exempt(text: str, unused: bool = False) -> list[str]:
    data = text.encode()
    names = unused_results([data]) if unused else frozenset[str]()
    return [data[span.start : span.end].decode() for span in expected_reads(data, names)]


def device(body: str, head: str = "float f(float *address, float value)") -> str:
    return f"__device__ {head} {{ {body} }}\n"


EXEMPT = {
    "programming guide": (CANONICAL + "return __int_as_float(old);", ["*bits"]),
    "global qualifier": (CANONICAL.replace("atomicCAS", "::atomicCAS"), ["*bits"]),
    "float variables": (
        "float old = *address, assumed; do { assumed = old; old = __int_as_float(atomicCAS((int *)address,"
        " __float_as_int(assumed), __float_as_int(value + assumed))); }"
        " while (__float_as_int(assumed) != __float_as_int(old)); return old;",
        ["*address"],
    ),
    "read again": (
        "int *b = (int *)address; int old, wanted; do { old = *b;"
        " wanted = __float_as_int(__int_as_float(old) + value); } while (atomicCAS(b, old, wanted) != old);",
        ["*b"],
    ),
    "left where it succeeds": (
        "unsigned *b = (unsigned *)address, seen = *b; while (true) { unsigned was = atomicCAS(b, seen,"
        " __float_as_uint(fmaxf(__uint_as_float(seen), value))); if (was == seen) break; seen = was; }",
        ["*b"],
    ),
    "success as a variable's value": (
        "int *b = (int *)address; int old = *b, assumed; do { assumed = old;"
        " float wanted = value > __int_as_float(assumed) ? value : __int_as_float(assumed);"
        " old = atomicCAS(b, assumed, __float_as_int(wanted)); } while (old != assumed);"
        " return __int_as_float(old);",
        ["*b"],
    ),
    "by branches": (
        "int *b = (int *)address; int old = *b, assumed, wanted; do { assumed = old;"
        " if (value > __int_as_float(assumed)) wanted = __float_as_int(value); else wanted = assumed;"
        " old = atomicCAS(b, assumed, wanted); } while (assumed != old);",
        ["*b"],
    ),
    "in the condition": (
        "int *b = (int *)address; int old = *b, assumed; do { assumed = old; }"
        " while ((old = atomicCAS(b, assumed, assumed + 1)) != assumed); return old;",
        ["*b"],
    ),
    "viewed through a pointer": (
        "int *b = (int *)address; int old = *b, assumed; do { assumed = old;"
        " float x = *(float *)&assumed + value; old = atomicCAS(b, assumed, *(int *)&x); }"
        " while (assumed != old);",
        ["*b"],
    ),
    "a union": (
        "union { float f; int i; } old, assumed, wanted; old.f = *address; do { assumed.i = old.i;"
        " wanted.f = assumed.f + value; old.i = atomicCAS((int *)address, assumed.i, wanted.i); }"
        " while (assumed.i != old.i); return old.f;",
        ["*address"],
    ),
    "an element": (
        "int i = (int)value; int *a = (int *)address; int old = a[i], assumed; do { assumed = old;"
        " old = atomicCAS(&a[i], assumed, assumed * 3); } while (assumed != old);",
        ["a[i]"],
    ),
    "by an offset": (
        "int i = (int)value; int *a = (int *)address; int old = a[i], assumed; do { assumed = old;"
        " old = atomicCAS(a + i, assumed, assumed * 3); } while (assumed != old);",
        ["a[i]"],
    ),
    "one element after the other": (
        "int *a = (int *)address; for (int i = 0; i < 3; ++i) { int old = a[i], assumed; do { assumed = old;"
        " old = atomicCAS(&a[i], assumed, assumed * 3); } while (assumed != old); }",
        ["a[i]"],
    ),
    "compiled one way or the other": (
        "unsigned *b = (unsigned *)address;\n#if CUDA_VERSION >= 12080\n"
        "unsigned seen = __nv_atomic_load_n(b, 0);\n#else\nunsigned seen = *b;\n#endif\n"
        "while (value > __uint_as_float(seen)) { unsigned old = seen;"
        " if ((seen = atomicCAS(b, old, __float_as_uint(value))) == old) break; }",
        ["*b"],
    ),
    "compiled or not": (
        CANONICAL.replace("assumed = old;", "assumed = old;\n#ifdef LOUD\n  int n = 1;\n#endif\n"),
        ["*bits"],
    ),
    "once": ("int *b = (int *)address; int old = *b; atomicCAS(b, old, old + 1);", ["*b"]),
}


@pytest.mark.parametrize("name", EXEMPT)
def test_reads_that_only_feed_a_compare_and_swap(name: str) -> None:
    body, expected = EXEMPT[name]
    assert exempt(device(body)) == expected


def loop(extra: str = "", expected: str = "assumed", wanted: str = "assumed + 1", end: str = "") -> str:
    return (
        f"int *b = (int *)address; int old = *b, assumed; do {{ assumed = old; {extra}"
        f" old = atomicCAS(b, {expected}, {wanted}); }} while (assumed != old); {end}"
    )


LEAKS = {
    "stored before": loop("out[0] = assumed;"),
    "stored as the loop's first value": "int *b = (int *)address; int first = *b; "
    + loop(end="out[0] = first;")[24:],
    "decides about another write": loop("if (assumed > 3) out[0] = 1;"),
    "decides about what follows": loop("if (assumed > 3) return 0;", end="out[0] = 1;"),
    "decides how often something is written": loop("if (assumed > 3) break; out[0] = 1;"),
    "decides what is returned": loop("if (assumed > 3) return 1;", end="return 2;"),
    "returned": loop("if (assumed > 3) return assumed;"),
    "kept by another way out": loop("if (assumed > 3) break;", end="out[0] = old;"),
    "kept by the number of turns": loop(
        "turns = turns + 1; if (assumed > 3) break;", end="out[0] = turns;"
    ).replace("int *b", "int turns = 0; int *b", 1),
    "another value is expected": loop(expected="0"),
    "part of the value is expected": loop(expected="assumed & 255"),
    "the value of another turn": (
        "int *b = (int *)address; int old = 0, last = 0; do { last = old; old = *b; }"
        " while (atomicCAS(b, last, old + 1) != last);"
    ),
    "made of another read": loop(wanted="*b + 1"),
    "two reads": "int *b = (int *)address; while (atomicCAS(b, *b, *b + 1) != 0) ;",
    "another address is swapped": loop().replace("atomicCAS(b,", "atomicCAS(b + 1,"),
    "another element is swapped": (
        "int *a = (int *)address; int i = 0; int old = a[i], assumed; do { assumed = old; i = i + 1;"
        " old = atomicCAS(&a[i], assumed, assumed * 3); } while (assumed != old);"
    ),
    "the pointer has moved": loop("++b;"),
    "passed on": loop("keep(assumed);"),
    "passed on by address": loop("keep(&assumed);"),
    "shuffled": loop("int other = __shfl_sync(~0u, assumed, 0); out[0] = other;"),
    "an index of what is written": loop("out[assumed] = 1;"),
    "in a loop's condition": loop("while (assumed > n) { out[0] = 1; }"),
    "a plain update": "int *b = (int *)address; *b += 1; atomicCAS(b, 1, 2);",
    "copied by reference": "int &cell = *(int *)address; out[0] = cell; atomicCAS(&cell, 1, 2);",
    "chosen by one": loop("out[0] = assumed > 3 ? 1 : 2;"),
    "jumps": loop("again: if (n) goto again;"),
    "stored where it is compiled": loop("\n#ifdef LOUD\n out[0] = assumed;\n#endif\n"),
    "stored where other text is compiled": loop(
        "\n#if LOUD\n n = 1;\n#elif n\n n = 2;\n#else\n out[0] = assumed;\n#endif\n"
    ),
    "of one type or another": (
        "int *b = (int *)address;\n#if LOUD\nint old = *b;\n#else\nlong old = *b;\n#endif\n"
        "atomicCAS(b, old, old + 1);"
    ),
    "in a closure": loop("auto keep = [&] { out[0] = assumed; }; keep();"),
}


@pytest.mark.parametrize("name", LEAKS)
@pytest.mark.parametrize("unused", [False, True])
def test_reads_that_go_elsewhere(name: str, unused: bool) -> None:
    text = device(LEAKS[name], "int f(float *address, int *out, int n)")
    if unused:  # that nobody uses what is returned excuses what is returned, and no more
        text += "__global__ void k(float *a, int *o) { f(a, o, 1); }"
    excused = unused and name in ("decides what is returned", "returned")
    assert bool(exempt(text, unused)) is excused


def test_a_loop_without_what_is_wrong_is_exempt() -> None:
    assert exempt(device(loop(), "void f(float *address, int *out, int n)")) == ["*b"]


@pytest.mark.parametrize(
    ("use", "free"),
    [
        ("f(a, 1.f);", True),
        ("", True),
        ("(void)0; f(a, 2.f); f(a, 3.f);", True),
        ("a[1] = f(a, 1.f);", False),
        ("if (f(a, 1.f) > 0) a[1] = 0;", False),
        ("auto g = f; g(a, 1.f);", False),
        ("KEEP(a);", False),
    ],
)
def test_results_that_nobody_uses(use: str, free: bool) -> None:
    text = ("#define KEEP(a) a[1] = f(a, 1.f)\n" if "KEEP" in use else "") + device(
        "int old = *(int *)address; if (old > 7) return 0; atomicCAS((int *)address, old, 8); return 1;"
    )
    assert bool(exempt(text + f"__global__ void k(float *a) {{ {use} }}", unused=True)) is free


def test_a_function_of_the_user_that_only_computes() -> None:
    pure = "__device__ int next(int x) { int y = x; y += 1; return y; }\n"
    stores = "__device__ int last; __device__ int next(int x) { last = x; return x + 1; }\n"
    assert exempt(pure + device(loop(wanted="next(assumed)"))) == ["*b"]
    assert exempt(stores + device(loop(wanted="next(assumed)"))) == []
    assert exempt(device(loop(wanted="next(assumed)"))) == []
