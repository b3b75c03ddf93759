"""Signatures: layouts of parameters, instances of templates, variables and shared memory."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile.core import Scalar, Signature, Source
from transpile.parsers import read

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")


def source(place: Path, text: str) -> Source:
    (place / "a.cu").write_text(text)
    return read(place)


def signatures(place: Path, text: str) -> dict[str, Signature]:
    """Return the signatures of a file by the expression that calls them."""
    found = source(place, text)
    return {item.callable: item for items in found.signatures.values() for item in items}


def test_scalars_vectors_structs_and_enums_have_layouts(tmp_path: Path) -> None:
    text = """
    #include <cuda_fp16.h>
    typedef float *vector;
    enum class Color : unsigned char { RED };
    struct Inner { short a; double b[2]; };
    struct Outer { Inner in; float4 v; bool c; };
    struct Holder { float *data; int n; };
    union Either { int a; float b; };
    struct Table { virtual int f(); int a; };
    __global__ void k(const float *__restrict__ a, vector b, float4 *c, Outer *d, const Color e, __half *f,
                      Holder g, unsigned long long h, const volatile int *i, double j[3][4],
                      Either *u, Table *t, void *w) {}
    """
    parameters = {item.name: item for item in signatures(tmp_path, text)["k"].parameters}

    def leaves(name: str) -> list[tuple[int, Scalar, str]]:
        element = parameters[name].element
        assert element is not None
        return [(leaf.offset, leaf.scalar, leaf.name) for leaf in element.leaves]

    assert leaves("a") == [(0, Scalar.FLOAT32, "")]
    assert (parameters["a"].pointer, parameters["a"].const) == (True, True)
    assert leaves("b") == [(0, Scalar.FLOAT32, "")]
    assert (parameters["b"].pointer, parameters["b"].const) == (True, False)
    assert leaves("c") == [(4 * i, Scalar.FLOAT32, name) for i, name in enumerate("xyzw")]
    assert leaves("d")[:3] == [
        (0, Scalar.INT16, "in.a"),
        (8, Scalar.FLOAT64, "in.b[0]"),
        (16, Scalar.FLOAT64, "in.b[1]"),
    ]
    assert leaves("d")[3:] == [
        *((32 + 4 * i, Scalar.FLOAT32, f"v.{name}") for i, name in enumerate("xyzw")),
        (48, Scalar.BOOL, "c"),
    ]
    assert leaves("e") == [(0, Scalar.UINT8, "")]
    assert not parameters["e"].pointer
    assert leaves("f") == [(0, Scalar.FLOAT16, "")]
    assert leaves("h") == [(0, Scalar.UINT64, "")]
    assert leaves("i") == [(0, Scalar.INT32, "")]
    assert parameters["j"].pointer
    assert [leaf[0] for leaf in leaves("j")] == [0, 8, 16, 24]
    assert leaves("g") == [(8, Scalar.INT32, "n")]
    assert [parameters[name].element for name in "utw"] == [None] * 3


def test_what_the_pointers_of_a_struct_lead_to_stands_behind_a_kernels_own_parameters(tmp_path: Path) -> None:
    text = """
    struct Inner { double *values; int count; };
    struct Outer { Inner in; const float *data; void *unused; };
    __global__ void k(Outer a, int n, Inner b) { a.in.values[n] = a.data[n] + b.values[n]; }
    """
    found = signatures(tmp_path, text)["k"]
    assert found.names == ("a", "n", "b")
    assert [item.name for item in found.parameters] == [
        *("a", "n", "b"),
        *("a.in.values", "a.data", "b.values"),
    ]
    assert found.assembly is not None and "b.values = (double *)b__values;" in found.assembly.before


def test_instances_are_those_that_launches_make(tmp_path: Path) -> None:
    text = """
    template <typename T, int N> __global__ void k(T *a, int n) {}
    template <typename T> __global__ void deduced(T *a, T b) {}
    enum class Mode { SLOW, FAST };
    template <Mode m, bool b, unsigned u> __global__ void values(int *a) {}
    template <class T> void inner(T *a) { k<T, sizeof(T) * 2><<<1, 1>>>(a, 3); }
    template <class T> struct Runner { T *a; void go() { inner(a); deduced<<<1, 1>>>(a, a[0]); } };
    #define RUN(K, a) K<<<1, 1>>>(a)
    void f(int *i, float *x) {
      Runner<double> r; r.go();
      k<float, 256><<<1, 1>>>(x, 3);
      deduced<<<1, 1>>>(i, 3);
      RUN((values<Mode::FAST, true, 7u>), i);
    }
    """
    found = signatures(tmp_path, text)
    assert set(found) == {
        "k<double, 16>",
        "k<float, 256>",
        "deduced<double>",
        "deduced<int>",
        "values<static_cast<Mode>(1), true, 7>",
    }
    element = found["k<double, 16>"].parameters[0].element
    assert element is not None
    assert element.scalar is Scalar.FLOAT64


def test_overloads_do_not_share_instances(tmp_path: Path) -> None:
    text = """
    template <class T> __global__ void k(T *a) {}
    template <class T> __global__ void k(T *a, int n) {}
    void f(int *i, float *x) { k<<<1, 1>>>(i); k<<<1, 1>>>(x, 3); }
    """
    found = source(tmp_path, text).signatures
    assert {key: [item.callable for item in items] for key, items in found.items()} == {
        "a.cu::k(T*)": ["k<int>"],
        "a.cu::k(T*,int)": ["k<float>"],
    }


def test_explicit_instantiations_of_host_functions_make_instances(tmp_path: Path) -> None:
    text = """
    namespace own {
    template <class T> struct Box { T item; };
    template <class T, int N> __global__ void k(T *a) { a[threadIdx.x] = N; }
    template <class T> __global__ void untouched(T *a) { a[0] = 1; }
    template <class T> void launch(T *a, const Box<T> &) noexcept { k<T, 4><<<1, 32>>>(a); }
    template <class T> T *launch(T *a) { k<T, 8><<<1, 32>>>(a); return a; }
    template <class T> auto later(T *a) -> T { untouched<<<1, 1>>>(a); return *a; }
    template void launch<float>(float *a,  // a comment
                                const Box<float> &) noexcept;
    }
    template double *own::launch<double>(double *);
    template void own::launch(int *, const own::Box<int> &);
    template struct own::Box<long>;
    extern template short *own::launch<short>(short *);
    template float own::later(float *) /* is left as it is */ -> float;
    template __global__ void own::untouched<char>(char *);
    """
    found = source(tmp_path, text)
    assert sorted(item.callable for items in found.signatures.values() for item in items) == [
        "own::k<double, 8>",
        "own::k<float, 4>",
        "own::k<int, 4>",
        "own::untouched<char>",
    ]
    assert not found.diagnostics


def test_a_template_that_nobody_launches_is_tried_with_floats(tmp_path: Path) -> None:
    found = source(
        tmp_path,
        "template <class T> __global__ void k(T *a) {}\n"
        "template <class T, int N> __global__ void l(T *a) {}\n",
    )
    assert [item.callable for items in found.signatures.values() for item in items] == ["k<float>"]
    assert [(item.code, item.line) for item in found.diagnostics] == [("TP122", 1), ("TP121", 2)]


BEHIND_VIRTUAL_CALLS = """
template <int width, bool up> __global__ void sort(int *x) { x[0] = width + up; }
namespace sorts {
struct Sort { virtual ~Sort() {} void run(int *x) { start(x); } protected: virtual void start(int *x) = 0; };
template <int width> class Parent : public Sort {
    template <bool up> void launch(int *x) { ::sort<width, up><<<1, 32>>>(x); }
    void start(int *x) { width > 4 ? launch<true>(x) : launch<false>(x); }
    void unused(int *x) { ::sort<width + 1, false><<<1, 32>>>(x); }
};
template <int width> struct Between : Parent<2 * width> {};
class Small : public Parent<4> {};
class Large : public Between<8> {};
class Unused : public Parent<64> {};
}
void all(int *x) { sorts::Sort *both[] = {new sorts::Small(), new sorts::Large()}; both[1]->run(x); }
"""


def test_virtual_methods_of_class_templates_give_the_forms_that_they_launch(tmp_path: Path) -> None:
    found = source(tmp_path, BEHIND_VIRTUAL_CALLS)
    forms = [item.callable for items in found.signatures.values() for item in items]
    assert sorted(forms) == ["sort<16, false>", "sort<16, true>", "sort<4, false>", "sort<4, true>"]
    assert not found.diagnostics


def test_bytes_that_a_kernel_casts_to_one_type_are_of_that_type(tmp_path: Path) -> None:
    text = """
    #include <cuda_fp16.h>
    __device__ void pass(void *p);
    template <class T>
    __global__ void k(void *in, const void *w, void *both, void *given, void *twice, void *gone) {
        T *input = reinterpret_cast<T *>(in);
        const __half *weights = (const __half *)w;
        float *f = static_cast<float *>(both);
        int *i = (int *)both;
        pass(given);
        for (int n = 0; n < 3; ++n) ((double *)twice)[n] = *(const double *)twice + input[n] + f[n] + i[n];
    }
    template __global__ void k<float>(void *, const void *, void *, void *, void *, void *);
    template __global__ void k<short>(void *, const void *, void *, void *, void *, void *);
    void use(void *p) { k<float><<<1, 1>>>(p, p, p, p, p, p); k<short><<<1, 1>>>(p, p, p, p, p, p); }
    """
    found = signatures(tmp_path, text)

    def told(name: str) -> list[tuple[Scalar | None, bool]]:
        return [
            (item.element.leaves[0].scalar if item.element else None, item.const)
            for item in found[name].parameters
        ]

    rest = [(None, False), (None, False), (Scalar.FLOAT64, False), (None, False)]
    assert told("k<float>") == [(Scalar.FLOAT32, False), (Scalar.FLOAT16, True), *rest]
    assert told("k<short>")[0] == (Scalar.INT16, False)


def test_globals_are_those_of_the_closure(tmp_path: Path) -> None:
    text = """
    namespace n { __constant__ float table[4][2]; }
    __device__ int counter;
    __device__ int other;
    static const int fixed = 3;
    constexpr int also = 4;
    struct P { float *data; };
    __device__ P holder;
    __device__ float look(int i) { return n::table[i][0] + (holder.data ? 1 : 0); }
    template <class T> __global__ void k(T *a) { a[0] = look(fixed + also); atomicAdd(&counter, 1); }
    void f(float *a) { k<<<1, 1>>>(a); other = 1; }
    """
    variables = {item.name: item for item in signatures(tmp_path, text)["k<float>"].globals}
    assert set(variables) == {"n::table", "counter", "holder"}
    assert (variables["n::table"].count, variables["n::table"].constant) == (8, True)
    assert (variables["counter"].count, variables["counter"].constant) == (1, False)
    assert variables["holder"].element is None


def test_shared_memory_counts_the_closure(tmp_path: Path) -> None:
    text = """
    __device__ void help() { __shared__ int x[2]; x[0] = 1; }
    template <int N> __global__ void k(float *a) { __shared__ float t[N][2]; t[0][0] = a[0]; help(); }
    __global__ void d(float *a) { extern __shared__ float s[]; s[0] = a[0]; }
    extern __shared__ int whole[];
    __global__ void e(int *a) { a[0] = whole[0]; }
    __global__ void none(int *a) { a[0] = 1; }
    void f(float *a) { k<8><<<1, 1>>>(a); }
    """
    found = signatures(tmp_path, text)
    assert {name: (item.static_shared, item.uses_dynamic_shared) for name, item in found.items()} == {
        "k<8>": (72, False),
        "d": (0, True),
        "e": (0, True),
        "none": (0, False),
    }


def test_a_header_elsewhere_in_the_source_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "near.h").write_text("")
    text = "#include <near.h>\n__global__ void k(float4 *a) { }\n"
    assert not source(tmp_path, text).diagnostics
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "near.h").write_text("")
    [missing] = source(tmp_path, text).diagnostics
    assert missing.code == "TP102" and f"with -I {tmp_path / 'inc'};" in missing.hint


def test_missing_headers_are_located_and_do_not_hide_kernels(tmp_path: Path) -> None:
    text = '#include <vector>\n  #include "lost.h"\n__global__ void k(float4 *a) { lost(a); }\n'
    found = source(tmp_path, text)
    [missing] = found.diagnostics
    assert (missing.code, missing.path, missing.line) == ("TP102", "a.cu", 2)
    assert "with -I;" in missing.hint
    assert "k" in {item.name for items in found.signatures.values() for item in items}


@pytest.mark.parametrize(
    "text", ["__global__ void k(int *a, Unknown b) {}", "__global__ void k(Unknown *a, int n) {}"]
)
def test_an_unknown_type_is_never_taken_for_an_int(tmp_path: Path, text: str) -> None:
    found = source(tmp_path, text)
    assert not any(found.signatures.values())
    assert [item.code for item in found.diagnostics] == ["TP120"]


def test_references_are_refused(tmp_path: Path) -> None:
    found = source(tmp_path, "__global__ void k(int &a) {}")
    assert not any(found.signatures.values())
    assert [item.code for item in found.diagnostics] == ["TP123"]


def test_a_kernel_in_a_broken_region_is_read_from_its_header(tmp_path: Path) -> None:
    found = source(tmp_path, "class { void g() {\n__global__ void k(const float2 *a, int n) { a[0]; }\n")
    (signature,) = next(iter(found.signatures.values()))
    assert [item.element and item.element.spelling for item in signature.parameters] == ["float2", "int"]
    assert "TP120" in [item.code for item in found.diagnostics]


def test_functors_and_functions_are_template_arguments(tmp_path: Path) -> None:
    text = """
    struct Square { __device__ float operator()(float x) const { return x * x; } };
    __device__ float twice(float x) { return 2 * x; }
    template <class Op> __global__ void apply(Op op, float *x) { x[threadIdx.x] = op(x[threadIdx.x]); }
    template <float (*F)(float)> __global__ void through(float *x) { x[threadIdx.x] = F(x[threadIdx.x]); }
    void run(float *x) { apply<<<1, 32>>>(Square(), x); through<twice><<<1, 32>>>(x); }
    """
    found = signatures(tmp_path, text)
    assert sorted(found) == ["apply<Square>", "through<twice>"]
    functor = found["apply<Square>"].parameters[0].element
    assert functor is not None
    assert (functor.size, functor.leaves) == (1, ())


@pytest.mark.parametrize("value", ["-INFINITY", "known(a[0])", "unknown(n)"])
def test_what_a_body_declares_is_not_the_function_around_it(value: str, tmp_path: Path) -> None:
    """Compilers declare built-in functions, and in C unknown ones, where these are used."""
    inner = "float known(float);\n    " if "known(a" in value else ""
    body = f"    {inner}for (int i = 0; i < n; i++) a[i] = {value};\n"
    (tmp_path / "a.c").write_text(f"#include <math.h>\nvoid f(float *a, int n) {{\n{body}}}\n")
    [found] = [item for items in read(tmp_path).signatures.values() for item in items]
    assert found.names == ("a", "n")


def test_member_functions_of_objects_have_no_signature(tmp_path: Path) -> None:
    (tmp_path / "grid.cpp").write_text(
        "struct Grid {\n"
        "    double h;\n"
        "    ~Grid();\n"
        "    void scale(int n, double *x);\n"
        "    static void fill(int n, double *x);\n"
        "};\n"
        "Grid::~Grid() { h = 0; }\n"
        "void Grid::scale(int n, double *x) { for (int i = 0; i < n; i++) x[i] *= h; }\n"
        "void Grid::fill(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 1; }\n"
    )
    found = read(tmp_path)
    known = {unit.name: found.signatures.get(unit.id, ()) for unit in found.units}
    assert {name for name, forms in known.items() if forms} == {"Grid::fill"}
    notes = [item.message for item in found.diagnostics if item.code == "TP125"]
    assert notes == [
        "`Grid::~Grid` is called for an object, and trials make no objects",
        "`Grid::scale` is called for an object, and trials make no objects",
    ]
