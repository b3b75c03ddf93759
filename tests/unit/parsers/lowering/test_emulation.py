"""Lowering: what is rewritten, and above all what is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.parsers.lowering.emulation import MAIN, called_directly, lower_text

NONE: frozenset[str] = frozenset()


def lowered(text: str, templates: frozenset[str] = NONE) -> str:
    return lower_text(text.encode(), templates).data.decode()


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("k<<<g, b>>>(x, 3);", 'simt::launch("k", simt::Configuration(g, b), k, x, 3);'),
        ("return k<<<g, b>>>(x);", 'return (void)simt::launch("k", simt::Configuration(g, b), k, x);'),
        ("returned = k<<<g, b>>>(x);", 'returned = simt::launch("k", simt::Configuration(g, b), k, x);'),
        ("k<<<1, 2, 0, s>>>();", 'simt::launch("k", simt::Configuration(1, 2, 0, s), k);'),
        (
            "n::k <<< dim3(1, 2), 3 >>> (x);",
            'simt::launch("n::k", simt::Configuration( dim3(1, 2), 3 ), n::k, x);',
        ),
        ("k << <g, b >> > (x);", 'simt::launch("k", simt::Configuration(g, b ), k, x);'),
        ("(*p)<<<g, b>>>(x);", 'simt::launch("(*p)", simt::Configuration(g, b), (*p), x);'),
        ("t[i]<<<g, b>>>(x);", 'simt::launch("t[i]", simt::Configuration(g, b), t[i], x);'),
        ("o->k<<<g, b>>>(x);", 'simt::launch("o->k", simt::Configuration(g, b), o->k, x);'),
        ("if (c) (k)<<<g, b>>>(x);", 'if (c) simt::launch("(k)", simt::Configuration(g, b), (k), x);'),
    ],
)
def test_launches_of_functions_pass_the_function(source: str, expected: str) -> None:
    assert squeezed(lowered(source)) == expected


@pytest.mark.parametrize(
    ("source", "callee"),
    [
        ("k<256><<<g, b>>>(x);", "k<256>"),
        ("k<A<int>><<<g, b>>>(x);", "k<A<int>>"),
        ("n::k<T, (a > b)><<<g, b>>>(x);", "n::k<T,(a>b)>"),
        ("(k<T, 3>)<<<g, b>>>(x);", "(k<T,3>)"),
        ("k<1 << 8, A<(2 << 1)>><<<g, b>>>(x);", "k<1<<8,A<(2<<1)>>"),
        ("deduced<<<g, b>>>(x);", "deduced"),
    ],
)
def test_launches_of_templates_pass_a_lambda(source: str, callee: str) -> None:
    passed = f"[&](auto... simt_a) {{ {callee}(simt_a...); }}"
    expected = f'simt::launch("{callee}", simt::Configuration(g, b), {passed}, x);'
    assert squeezed(lowered(source, frozenset({"deduced"}))) == expected


def test_a_template_of_the_same_file_needs_no_telling() -> None:
    text = "template <class T> __global__ void k(T *x) {}\nvoid f() { k<<<1, 1>>>(NULL); }"
    assert "[&](auto... simt_a) { k(simt_a...); }, nullptr)" in lowered(text)


@pytest.mark.parametrize(
    ("beside", "lambda_"),
    [
        ("void k(int n) { k<<<1, 1>>>(x); }", True),
        ("namespace { double k(int n); }", True),
        ("__global__ void k(float *x);", False),
        ("void f() { k(1); }", False),
        ("#define K k(1)\nint y = 0;", False),
    ],
)
def test_a_kernel_that_a_host_function_is_named_like_is_passed_as_a_lambda(
    beside: str, lambda_: bool
) -> None:
    text = f"__global__ void k(float *x) {{}}\n{beside}\nvoid g() {{ k<<<1, 1>>>(x); }}"
    assert ("[&](auto... simt_a) { k(simt_a...); }" in lowered(text)) is lambda_


@pytest.mark.parametrize(
    ("arguments", "taken", "passed"),
    [
        ("x, 0", "auto simt_a0, auto", "simt_a0, 0"),
        ("0, f(x, 1), 0x0L", "auto, auto simt_a1, auto", "0, simt_a1, 0x0L"),
        ("0, NULL", "auto, auto simt_a1", "0, simt_a1"),
        ("x, 10, 0.f", "auto... simt_a", "simt_a..."),
        ("0, x...", "auto... simt_a", "simt_a..."),
        ("0, BOTH", "auto... simt_a", "simt_a..."),
        ("0, ONE", "auto, auto simt_a1", "0, simt_a1"),
        ("0,\n#ifdef A\nx,\n#endif\ny", "auto... simt_a", "simt_a..."),
    ],
)
def test_a_zero_is_spelled_where_a_template_is_called(arguments: str, taken: str, passed: str) -> None:
    text = f"#define BOTH x, y\n#define ONE f(x, y)\nk<int><<<g, b>>>({arguments});"
    assert f"[&]({taken}) {{ k<int>({passed}); }}, {arguments.replace('NULL', 'nullptr')});" in lowered(text)


@pytest.mark.parametrize(
    "text",
    [
        "std::ostream &operator<<<T>(std::ostream &s, T x);",
        "// k<<<1, 1>>>(x);\n",
        'const char *s = "k<<<1, 1>>>(x);";',
        "x = a << b; y = a >> (b);",
        "f<g<h<int>>>(x);",
        "<<<<<<< HEAD\n",
    ],
)
def test_what_only_looks_like_a_launch_stays(text: str) -> None:
    assert lowered(text) == text


def test_launches_in_macros_are_lowered_and_lines_stay_continued() -> None:
    text = "#define RUN(K, n) K<n> \\\n  <<<1, \\\n  n>>>(x)\nint y;\n"
    result = lowered(text)
    assert 'simt::launch("K<n>"' in result
    assert result.split("\n")[-2] == "int y;"
    assert result.count("\\\n") == 2


def test_a_macro_whose_kernel_is_a_template_passes_a_lambda() -> None:
    text = "#define RUN(K) K<<<1, 1>>>(x)\nvoid f() { RUN((k<3>)); }\n"
    assert "[&](auto... simt_a) { K(simt_a...); }" in lowered(text)
    assert "auto..." not in lowered(text.replace("(k<3>)", "k"))


def test_conditionals_within_a_launch_keep_their_lines() -> None:
    text = "void f() {\n  k<<<g,\n#ifdef A\n    1\n#else\n    2\n#endif\n  >>>(x);\n}\n"
    result = lowered(text)
    assert "\n#endif\n" in result
    assert result.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("__shared__ float a[N][M];", "auto &a = simt::shared<float[N][M]>([]{});"),
        (
            "__shared__ int a[2], b;",
            "auto &a = simt::shared<int[2]>([]{}); auto &b = simt::shared<int>([]{});",
        ),
        ("__shared__ volatile float a[3];", "auto &a = simt::shared<volatile float[3]>([]{});"),
        ("static __shared__ unsigned long long a;", "auto &a = simt::shared<unsigned long long>([]{});"),
        ("__shared__ __align__(16) T a[4];", "auto &a = simt::shared<T[4]>([]{});"),
        ("__shared__ float *p;", "auto &p = simt::shared<float *>([]{});"),
        ("float __shared__ a[3];", "auto &a = simt::shared<float[3]>([]{});"),
        ("__shared__ typename B<T, 3>::S t;", "auto &t = simt::shared<typename B<T,3>::S>([]{});"),
        ("__shared__ int a[(X > 2) ? 1 : 2];", "auto &a = simt::shared<int[((X>2)?1:2)]>([]{});"),
        ("extern __shared__ float s[];", "auto *s = simt::dynamic_shared<float>();"),
        ("extern __shared__ __align__(8) char s[];", "auto *s = simt::dynamic_shared<char>();"),
        ("extern __shared__ float s[][32];", "auto *s = simt::dynamic_shared<float[32]>();"),
    ],
)
def test_shared_declarations_in_functions(declaration: str, expected: str) -> None:
    assert lowered(f"__device__ void f() {{ {declaration} }}") == f"__device__ void f() {{ {expected} }}"


def test_shared_declarations_at_file_scope() -> None:
    text = "namespace n {\nextern __shared__ float s[];\n__shared__ int x;\n}\n"
    assert lowered(text) == "namespace n {\nstatic simt::DynamicShared<float> s;\n__shared__ int x;\n}\n"


@pytest.mark.parametrize(
    "text", ["__shared__ struct { int a; } s;", "__shared__ int x = 3;", "__shared__ TYPE(float) x;"]
)
def test_declarations_beyond_us_fall_back_to_the_macro(text: str) -> None:
    assert lowered(f"void f() {{ {text} }}") == f"void f() {{ {text} }}"


def test_a_shared_parameter_loses_the_qualifier() -> None:
    assert lowered("__device__ void f(__shared__ float *x) {}") == "__device__ void f( float *x) {}"


def test_shared_declarations_in_macros_are_lowered() -> None:
    text = "#define TILE(n) __shared__ float t_##n[32]\n"
    assert lowered(text) == "#define TILE(n) auto &t_##n = simt::shared<float[32]>([]{})\n"


def test_only_main_itself_is_renamed() -> None:
    text = b"struct S { int main(int); };\nvoid f() { s.main(1); }\nint main(int argc, char **argv) {}\n"
    assert lower_text(text, NONE, rename_main=True).data == text.replace(
        b"int main(int argc", b"int %s(int argc" % MAIN
    )
    assert lower_text(text, NONE).data == text


def test_device_assembly_becomes_what_it_does_or_a_trap_and_host_assembly_stays() -> None:
    known = '__global__ void k() { asm volatile("mov.u32 %0, %%tid.x;"\n : "=r"(x)); }\n'
    unknown = '__global__ void l() { asm volatile("cp.async.wait_all;"\n :); }\n'
    host = 'void f() { asm volatile("rdtsc" : "=a"(x)); }\n'
    expected = "__global__ void k() { x = threadIdx.x;\n }\n__global__ void l() { __builtin_trap()\n; }\n"
    assert lowered(known + unknown + host) == expected + host


def test_assembly_in_a_macro_is_judged_by_its_instructions() -> None:
    text = '#define BAR asm volatile("bar.sync 0;")\n#define TSC asm volatile("rdtsc")\n'
    assert lowered(text) == '#define BAR __syncthreads()\n#define TSC asm volatile("rdtsc")\n'


def test_a_texture_reference_is_the_emulators_and_a_texture_of_the_program_is_its_own() -> None:
    assert lowered("static texture<float, 2> t;\n") == "static simt::texture<float, 2> t;\n"
    own = "template <class T> class texture {};\ntexture<float> t;\n"
    assert lowered(own) == own


TEXT = st.lists(
    st.sampled_from(
        [
            "int x = 3;",
            "f(a, b);",
            "// k<<<1>>>(x)\n",
            "\n",
            "#if A\n",
            "\n#endif\n",
            "{",
            "}",
            '"__shared__"',
            "a << b",
            "a >> b",
            "/* __shared__ int x; */",
            "\\\n",
            "'\\''",
            "template <class T>",
            "(",
            ")",
            "é",
            "\t",
        ]
    )
).map(" ".join)


@given(TEXT)
def test_text_without_cuda_is_left_alone(text: str) -> None:
    assert lowered(text) == text


CUDA = st.lists(
    st.sampled_from(
        [
            "k<<<1,\n 2>>>(x,\n y);",
            "k<3>\n<<<g, b>>>\n(x);",
            "__shared__ float\n a[3],\n b;",
            "extern __shared__\nint s[];",
            "\n#define M k<<<1, \\\n 2>>>(x)\n",
            "void f() {",
            "}",
            "\n",
            'asm("a.b;"\n);',
            "// c\n",
            "<<<",
            ">>>",
            "(",
            ";",
            "__shared__",
            "#if A\n",
            "\n#else\n",
            "\n#endif\n",
            "texture<float\n, 2> t;",
        ]
    )
).map(" ".join)


@given(CUDA)
def test_no_line_moves(text: str) -> None:
    assert lowered(text).count("\n") == text.count("\n")


@given(CUDA)
def test_direct_calls_keep_every_byte_in_its_place(text: str) -> None:
    data = text.encode()
    result = called_directly(data)
    assert len(result) == len(data)
    assert all(new in (old, 0x20) for old, new in zip(data, result, strict=True))


def test_bytes_that_are_not_utf8_survive() -> None:
    assert lower_text(b'// \xe9\xff\nk<<<1, 1>>>("\xe9");', NONE).data.startswith(
        b"// \xe9\xff\nsimt::launch"
    )
