from dataclasses import replace
from pathlib import Path

import pytest

from transpile.core import (
    CUDA,
    HIP,
    OPENMP,
    Binding,
    Candidate,
    Dialect,
    Replacement,
    Source,
    Span,
    Unit,
    UnitKind,
)
from transpile.testers.run.policy import refusal


def refused(
    text: str,
    source: str = "__global__ void k(float *y) {}",
    dialect: Dialect = OPENMP,
    kind: UnitKind = UnitKind.KERNEL,
    *,
    launched: bool = False,
):
    unit = Unit(
        id="a.cu::k",
        kind=kind,
        path="a.cu",
        name="k",
        span=Span(start=0, end=1),
        line=7,
        text=source.encode(),
        translation_unit="a.cu",
    )
    binding = Binding(name="k", arguments=("y",), kernel=launched)
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=binding,
        dialect=dialect,
    )
    files = {unit.path: source.encode()}
    made = Source(
        root=Path(),
        files=files,
        dialect=CUDA,
        translation_units=(),
        units=(unit,),
        signatures={},
        launches=(),
    )
    return refusal(made, unit, candidate)


@pytest.mark.parametrize(
    "text",
    [
        "std::thread(f).detach();",
        "using namespace std; thread t(f);",
        "pthread_create(&t, 0, f, 0);",
        "if (fork()) {}",
        'system("true");',
        "#pragma omp parallel\n{\n#pragma omp cancel parallel\n}",
        "#pragma omp for\nfor (;;) {\n# pragma omp cancellation point for\n}",
        'open("x", 1);',
        'std::ofstream out("x");',
        "int s = socket(2, 1, 0);",
        'asm("nop");',
        "#define CALL(a, b) a##b",
        "auto f = &fork;",
        "k<<<1, 1>>>(y);",
        "  #  define float double",
        '#include "/etc/passwd"',
        "} } namespace other { void k(float *) {",
        'simt::launch("k", c, k, y);',
        "float *__restrict__ z = y;",
        '#pragma GCC target("avx2")',
        "  # pragma  pack(1)",
        '#pragma GCC optimize("Ofast")',
        '_Pragma("GCC ivdep") for (;;) {}',
        '__attribute__((noinline, target("avx512f"))) static int f();',
        '[[gnu::optimize("fast-math")]] static int f();',
        "%:define float double",
        "%:  include <thread>",
        "#include_next <thread>",
        "#import <thread>",
        '# 1 "a.cu"',
        "#ident x",
        "sys\\\ntem(y);",
        "sys\\  \ntem(y);",
        "sys\\\r\ntem(y);",
        "as\\\nm (y);",
        "a = 5'0; system(y); b = 1'0;",
        'a = R"(")"; system(y); b = "";',
        'a = u8R"x()x";',
        "a = '\"'; system(y); b = '\"';",
        "// a \\\n comment\nsystem(y);",
        "??=define float double",
        "\\u0073ystem(y);",
        '__attribute__((no_sanitize("thread"))) static void f();',
        "__attribute__((no_sanitize_thread)) static void f();",
        "__attribute__((__no_sanitize_address__)) static void f();",
        "[[clang::disable_sanitizer_instrumentation]] static void f();",
        "#ifdef __clang__\n#endif",
        "#if defined(__SANITIZE_THREAD__)\n#endif",
        "%:if __has_feature(thread_sanitizer)\n#endif",
        "#ifndef __OPTIMIZE__\n#endif",
        "#if _OPENMP > 201511\n#endif",
        "#if FAST\n#endif",
        "if (_OPENMP > 201511) y[0] = 1;",
        "AnnotateHappensBefore(y);",
        "__tsan_acquire(y);",
        "__gcov_dump();",
        "if (__builtin_constant_p(y[0])) {}",
        "static int calls; if (time(0) > 5) {}",
        "y[0] = omp_get_num_procs();",
        "y[0] = std::rand();",
        'static int quiet(const char *) __attribute__((weakref("system")));',
        "__attribute__((__constructor__)) static void first() {}",
        "int (*say)(const char *) = system;",
        '(system)("echo");',
        "auto f = &time;",
        "y[0] = __expf(y[1]);",
        "y[0] = __fdividef(y[1], y[2]) + __fadd_rz(y[0], y[1]);",
    ],
)
def test_what_a_kernel_has_no_business_with_is_refused(text) -> None:
    found = refused("void k(float *y) {\n  " + text + "\n}")
    assert found is not None and found.stage == "policy"
    assert found.diagnostics[0].code == "TP410"
    assert any(f"line {line}" in found.diagnostics[0].message for line in range(2, text.count("\n") + 3))


@pytest.mark.parametrize(
    "text",
    [
        "for (int thread = 0; thread < n; thread++) y[thread] = open[thread] + kill;",
        "// fork(), then system()",
        '/* socket(1) */ const char *s = "pthread_create";',
        "float signal = 1.0f; y[0] = signal;",
        "#pragma omp parallel for\nfor (;;) { int cancel = 1; }",
        "# pragma unroll\nfor (;;) {}\n#pragma omp target\n{}",
        "std::vector<::Type> a; int b<:3:>;",
        "// time() and rand()\nfloat time = 1, rand = 2;",
        "int n = 1'000'000; char c = '\\'';",
        "int target = 1, optimize = target; __attribute__((aligned(32))) float tile[8];",
    ],
)
def test_names_comments_and_strings_are_not(text) -> None:
    assert refused("void k(float *y) {\n" + text + "\n}") is None


@pytest.mark.parametrize("asked", ["#ifdef _OPENMP", "#if defined(_OPENMP) && !defined _OPENMP"])
def test_only_builds_with_openmp_may_be_asked_for_it(asked: str) -> None:
    """Those of a kernel have none: its file is one of CUDA as long as it is judged."""
    text = f"void k(float *y) {{\n{asked}\n#pragma omp parallel for\n#endif\nfor (;;) {{}}\n}}"
    assert refused(text, kind=UnitKind.FUNCTION) is None
    assert refused(text, dialect=CUDA, kind=UnitKind.FUNCTION) is not None
    assert refused(text) is not None


def test_no_trigraph_ends_a_literal() -> None:
    assert refused('void k(float *y) { const char *a = "??/"b" system(y); ""; }') is not None


def test_what_the_source_does_itself_is_not_held_against_its_translation() -> None:
    assert refused("void k(float *y) { listen(y); }", "__global__ void k(float *y) { listen(y); }") is None


def test_what_the_source_prints_is_not_dropped() -> None:
    source = '__global__ void k(float *y) { printf("%f", y[0]); }'
    assert refused('void k(float *y) { printf("%f", y[0]); }', source) is None
    found = refused("void k(float *y) { /* printf(y[0]) */ }", source)
    assert found is not None and "prints nothing" in found.diagnostics[0].message


@pytest.mark.parametrize(("setting", "compiled"), [("0", False), ("1", True), ("(3)", True)])
def test_what_a_setting_leaves_out_is_not_printed(setting: str, compiled: bool) -> None:
    source = (
        f'#define LOUD {setting}\n__global__ void k(float *y) {{\n#if LOUD\nprintf("%f", *y);\n#endif\n}}'
    )
    assert (refused("void k(float *y) {}", source) is not None) is compiled


def test_an_error_may_guard_a_translation() -> None:
    guarded = '#if (LOUD)\n#error "k was ported for builds without (LOUD)"\n#endif\nvoid k(float *y) {}'
    assert refused(guarded, "__global__ void k(float *y) {\n#if (LOUD)\n*y = 1;\n#endif\n}") is None
    assert refused("#warning no\nvoid k(float *y) {}") is not None


BOUNDED = "__global__ void __launch_bounds__({}) k(float *y) {{}}"


@pytest.mark.parametrize(
    ("own", "source", "fine"),
    [
        ("128", "128", True),
        ("128", "128, 4", True),
        ("2 * 64", "2*64", True),
        ("128", "256", False),
        ("128, 4", "256, 4", False),
    ],
)
def test_blocks_are_bounded_as_in_the_source(own: str, source: str, fine: bool) -> None:
    found = refused(BOUNDED.format(own), BOUNDED.format(source), HIP, launched=True)
    assert (found is None) == fine
    assert refused(BOUNDED.format(own), dialect=HIP, launched=True) is not None
    assert refused(BOUNDED.format(own), dialect=CUDA, kind=UnitKind.FUNCTION) is None, (
        "it launches them itself"
    )


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("\n#pragma omp simd aligned(y : 64)\nfor (;;) {}", False),
        ("y = __builtin_assume_aligned(y, 64);", False),
        ("cudaDeviceReset();", False),
        ("int aligned = 3; __attribute__((aligned(16))) float t[4];", True),
    ],
)
def test_promises_for_callers_are_refused(text: str, fine: bool) -> None:
    assert (refused(f"void k(float *y) {{ {text} }}", kind=UnitKind.FUNCTION) is None) == fine


def test_what_is_much_longer_than_its_source_is_refused_unread() -> None:
    text = "".join(f"static int f{i}(int x) {{ return x; }}\n" for i in range(1000))
    assert refused(text) is None
    longer = refused(40 * text)
    assert longer is not None and "bytes long" in longer.diagnostics[0].message
    assert refused(40 * text, source=text * 20) is None


SORTED = "{head} {{\n#define SWAP(i, j) \\\n  sort(y[i], y[j])\nSWAP(0, 1);\n#undef SWAP\n}}"


def with_helper(text: str):
    """Return what tells whether a kernel and a rewritten device function of this text are let through."""
    unit = Unit(
        id="a.cu::k",
        kind=UnitKind.KERNEL,
        path="a.cu",
        name="k",
        span=Span(start=0, end=1),
        line=7,
        text=b"__global__ void k(float *y) { helper(y); }",
        translation_unit="a.cu",
    )
    helper = replace(unit, id="a.cu::helper", kind=UnitKind.DEVICE, name="helper", text=text.encode())
    source = Source(
        root=Path(),
        files={"a.cu": unit.text + helper.text},
        dialect=CUDA,
        translation_units=(),
        units=(unit, helper),
        signatures={},
        launches=(),
    )

    def judged(written: str, kernel: str = "void k(float *y) { helper(y); }") -> bool:
        parts = (
            Replacement(unit=unit.id, text=kernel.encode()),
            Replacement(unit=helper.id, text=written.encode()),
        )
        binding = Binding(name="k", arguments=("y",))
        return refusal(source, unit, Candidate(unit=unit.id, replacements=parts, binding=binding)) is None

    return judged


def test_macros_of_a_device_function_stay_as_they_were() -> None:
    judged = with_helper(SORTED.format(head="__device__ void helper(float *y)"))
    own = SORTED.format(head="void helper(float *y)")
    assert judged(own)
    assert not judged(own.replace("#undef SWAP\n", ""))
    assert not judged(own.replace("sort(y[i]", "fork(y[i]"))
    assert not judged(own.replace("SWAP(0, 1)", "fork()"))


def test_a_device_function_asks_about_the_build_what_it_asked_before() -> None:
    asking = "{}void helper(float *y) {{\n#if {}\ny[0] = 1;\n#endif\n}}"
    judged = with_helper(asking.format("__device__ ", "TRACED"))
    assert judged(asking.format("", "TRACED"))
    assert not judged(asking.format("", "OTHER"))
    assert not judged(asking.format("", "TRACED").replace("y[0] = 1;", "y[0] = 2;"))
    assert not judged(asking.format("", "TRACED").replace("#endif", "#else\ny[0] = 2;\n#endif"))
    assert not judged(asking.format("", "TRACED").replace("#if TRACED", "#if !TRACED"))
    assert not judged("void helper(float *y) {}", "void k(float *y) {\n#if TRACED\ny[0] = 1;\n#endif\n}")
    telling = with_helper(asking.format("__device__ ", "__OPTIMIZE__"))
    assert not telling(asking.format("", "__OPTIMIZE__"))
