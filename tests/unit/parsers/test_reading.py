"""A source as a whole: units with exact spans, their order, their launches, and bad input."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from transpile import foreign
from transpile.core import Source, Unit, UnitKind
from transpile.errors import UsageError
from transpile.parsers import read
from transpile.parsers.lowering.emulation import lower


def source(place: Path, **files: str) -> Source:
    """Read a directory that holds the files; ``a__cu`` stands for ``a.cu``."""
    for name, text in files.items():
        (place / name.replace("__", ".")).write_bytes(text.encode("utf-8", "surrogateescape"))
    return read(place)


def named(found: Source, name: str) -> Unit:
    return next(unit for unit in found.units if unit.name == name)


def codes(found: Source) -> list[str]:
    return [item.code for item in found.diagnostics]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("int x;\n", "__global__ void k(int *a) { a[0] = 1; }"),
        ("#include <cstdio>\n", "template <class T, int N>\n__global__ void k(T *a) { }"),
        ("// a comment\n", 'extern "C" __global__ void k(int *a) { }'),
        ("struct S { int a; };\n", "static __global__ void __launch_bounds__(256, 2) k(int *a) { }"),
        ("#define A\n", "__attribute__((noinline)) __global__ void k(int *a) { }"),
        ("}\n", "__global__ void k(int *a) { if (a) { } }"),
        ("int f( { ] ;\n", "__global__ void k(int *a) { }"),
        ("class { void g() {\n", "__global__\nvoid k(\n  int *a)\n{\n}"),
    ],
)
def test_a_kernel_is_cut_from_its_first_qualifier_to_its_brace(
    tmp_path: Path, before: str, text: str
) -> None:
    found = source(tmp_path, a__cu=before + text + "\nint y;\n")
    unit = next(unit for unit in found.units if unit.kind is UnitKind.KERNEL)
    assert unit.text.decode() == text
    assert unit.span.of(found.files["a.cu"]) == unit.text
    assert unit.line == before.count("\n") + 1


def test_a_specialization_of_a_device_function_is_one_behind_its_template(tmp_path: Path) -> None:
    text = """
    template <typename T, int V = 1> __device__ void least(T &x, T &y) { if (y < x) x = y; }
    template <> __device__ inline void least<unsigned, 2>(unsigned &x, unsigned &y) { x = x + y; }
    template <typename T, int V> __device__ T first(T *a) { least<T, V>(a[0], a[1]); return a[0]; }
    template <typename T> __global__ void k(T *a) { a[0] = first<T, 2>(a); }
    template <> __global__ void k<float>(float *a) { a[0] = 1; }
    void go(unsigned *a, float *b) { k<unsigned><<<1, 1>>>(a); k<float><<<1, 1>>>(b); }
    """
    found = source(tmp_path, a__cu=text)
    special = named(found, "least<unsigned,2>")
    general = named(found, "least")
    assert special.kind is UnitKind.DEVICE and special.callees == (general.id,)
    assert special.id in named(found, "first").callees
    kinds = {unit.name: unit.kind for unit in found.units}
    assert kinds["k"] is UnitKind.KERNEL and kinds["k<float>"] is UnitKind.GLUE


def test_a_method_of_a_class_template_is_a_member_where_it_is_defined_apart(tmp_path: Path) -> None:
    text = "template <class T> struct Box { __device__ T of(T x); __device__ Box operator+(Box b); };\n"
    text += "template <class T> __device__ T Box<T>::of(T x) { return x; }\n"
    text += "namespace n { template <class T> __device__ void A<T, 3>::B<T>::g() { } }\n"
    found = source(tmp_path, a__cu=text)
    assert named(found, "Box::of").member and named(found, "n::A::B::g").member


def test_kinds_names_and_ids(tmp_path: Path) -> None:
    text = """
    namespace n { struct S { __device__ int m(int a) const { return a; } }; }
    __host__ __device__ inline float f(float x, const int &y) { return x; }
    namespace n { template <class T> __global__ void k(const T *__restrict__ a, int n, float t[3]) {} }
    #define HD __host__ __device__
    HD int g(unsigned int, char const *) { return 1; }
    int main(void) { return 0; }
    """
    found = source(tmp_path, a__cu=text)
    assert {unit.id: unit.kind for unit in found.units} == {
        "a.cu::n::S::m(int)": UnitKind.DEVICE,
        "a.cu::f(float,const int&)": UnitKind.DEVICE,
        "a.cu::n::k(const T*__restrict__,int,float[3])": UnitKind.KERNEL,
        "a.cu::g(unsigned int,char const*)": UnitKind.DEVICE,
        "a.cu::main()": UnitKind.GLUE,
    }


def test_callees_come_first_and_overloads_are_told_apart(tmp_path: Path) -> None:
    text = """
    __device__ int f(int a);
    __device__ int f(int a, int b);
    __global__ void k(int *a) { a[0] = f(a[1]) + f(a[1], 2); }
    __device__ int f(int a, int b) { return a; }
    __device__ float f(float a) { return a; }
    __device__ int f(int a) { return f(a, 1); }
    """
    found = source(tmp_path, a__cu=text)
    assert named(found, "k").callees == ("a.cu::f(int)", "a.cu::f(int,int)")
    order = [unit.id for unit in found.units]
    assert order.index("a.cu::f(int,int)") < order.index("a.cu::f(int)") < order.index("a.cu::k(int*)")


def test_operators_are_callees_and_functions_of_the_emulator_are_none(tmp_path: Path) -> None:
    text = """
    struct V { float x; };
    __device__ V operator+(V a, V b) { return {a.x + b.x}; }
    __global__ void k(V *v, unsigned *u) { v[0] = v[1] + v[2]; u[0] = umin(u[1], u[2]); }
    """
    other = "static unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }\n"
    found = source(tmp_path, a__cu=text, b__cpp=other)
    assert named(found, "k").callees == ("a.cu::operator+(V,V)",)


def test_recursion_is_no_obstacle(tmp_path: Path) -> None:
    text = """
    __device__ int g(int);
    __device__ int f(int a) { return g(a); }
    __device__ int g(int a) { return f(a); }
    """
    found = source(tmp_path, a__cu=text)
    assert {unit.name: unit.callees for unit in found.units} == {
        "f": ("a.cu::g(int)",),
        "g": ("a.cu::f(int)",),
    }


def test_both_branches_are_cut_and_only_one_is_active(tmp_path: Path) -> None:
    text = """
    #ifdef USE_A
    __global__ void k(int *a) { a[0] = 1; }
    #else
    __global__ void k(int *a) { a[0] = 2; }
    #endif
    """
    found = source(tmp_path, a__cu=text)
    first, second = sorted((unit for unit in found.units), key=lambda unit: unit.span)
    assert (first.active, second.active) == (False, True)
    assert first.id != second.id
    assert second.id in found.signatures
    assert first.id not in found.signatures
    chosen = read(tmp_path, flags=["-DUSE_A"])
    assert [unit.active for unit in sorted(chosen.units, key=lambda unit: unit.span)] == [True, False]


def test_a_condition_around_what_stands_before_a_function_is_not_cut(tmp_path: Path) -> None:
    before = "#ifdef A\n__attribute__((hot))\n#else\n__attribute__((cold))\n#endif\n"
    text = "void f(int *a) { a[0] = 1; }"
    unit = named(source(tmp_path, f__c=f"int x;\n{before}{text}\n"), "f")
    assert unit.text.decode() == text and unit.active


def test_a_launch_is_of_the_kernel_that_a_shared_header_declares(tmp_path: Path) -> None:
    """Another program of the repository has one of the same name."""
    (tmp_path / "k.cuh").write_text("__global__ void k(int *a);\n")
    (tmp_path / "k.cu").write_text('#include "k.cuh"\n__global__ void k(int *a) { *a = 1; }\n')
    (tmp_path / "other.cu").write_text("__global__ void k(int *a) { *a = 2; }\n")
    (tmp_path / "main.cu").write_text('#include "k.cuh"\nvoid f(int *a) { k<<<1, 1>>>(a); }\n')
    [site] = [item for item in read(tmp_path).launches if item.path == "main.cu"]
    assert site.unit == "k.cu::k(int*)"


def test_launch_sites_know_kernel_and_caller(tmp_path: Path) -> None:
    text = """
    template <class T> __global__ void k(T *a, int n) {}
    __global__ void p(int *a) {}
    #define RUN(x) p<<<1, 1>>>(x)
    void f(int *a) {
      k<int><<<dim3(1, 2), 64, 0>>>(a, g(1, 2));
    }
    """
    found = source(tmp_path, a__cu=text)
    site, macro = sorted(found.launches, key=lambda item: item.kernel)
    assert (site.kernel, site.configuration, site.arguments) == (
        "k<int>",
        ("dim3(1,2)", "64", "0"),
        ("a", "g(1,2)"),
    )
    assert (site.unit, site.caller, site.line) == ("a.cu::k(T*,int)", "a.cu::f(int*)", 6)
    assert site.span.of(found.files["a.cu"]).startswith(b"k<int><<<")
    assert (macro.unit, macro.caller) == ("a.cu::p(int*)", "")


def test_a_header_belongs_to_the_file_that_includes_it(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "h.cuh").write_text("__global__ void k(int *a) {}\n")
    (tmp_path / "inc" / "alone.cuh").write_text("__global__ void l(int *a) {}\n")
    (tmp_path / "Makefile").write_text("all:\n\tnvcc -Iinc -arch=sm_70 a.cu -o a\n")
    found = source(tmp_path, a__cu='#include "h.cuh"\nvoid f(int *a) { k<<<1, 1>>>(a); }\n')
    assert named(found, "k").translation_unit == "a.cu"
    assert named(found, "l").translation_unit == "inc/alone.cuh"


def test_kernels_of_a_header_stand_in_a_file_whose_headers_are_at_hand(tmp_path: Path) -> None:
    kernel = "__global__ void {}(int *p) {{ *p = 1; }}\n"
    (tmp_path / "kernels.cuh").write_text(kernel.format("k"))
    (tmp_path / "alone.cuh").write_text(kernel.format("l"))
    (tmp_path / "needy.cuh").write_text("#include <framework/types.h>\n" + kernel.format("m"))
    include = '#include <framework/framework.cuh>\n#include "{}.cuh"\n'
    found = source(
        tmp_path,
        bench__cu=include.format("kernels"),
        other_bench__cu=include.format("alone"),
        test__cu='#include <cstdio>\n#include "kernels.cuh"\n',
        third_bench__cu=include.format("needy"),
    )
    assert named(found, "k").translation_unit == "test.cu"
    assert named(found, "l").translation_unit == "alone.cuh"
    assert named(found, "m").translation_unit == "third_bench.cu"


@pytest.mark.parametrize(
    ("text", "code", "what"),
    [
        ('__global__ void k(int *a) { asm("wgmma.fence;"); }', "TP110", "PTX (wgmma.fence)"),
        ('#define M asm("bar.sync 1;")\n__global__ void k(int *a) { M; }', "TP110", "macro M"),
        ('#define L asm("bar.sync 1;")\n#define M L\n__global__ void k(int *a) { M; }', "TP110", "macro M"),
        ("__global__ void k(int *a, cudaTextureObject_t t) { a[0] = tex1D<int>(t, 1); }", "TP111", "texture"),
        ("texture<int> t;\n__global__ void k(int *a) { a[0] = tex1Dfetch(t, 1); }", "TP111", "tex1Dfetch"),
        ("__global__ void k(int *a) { cooperative_groups::this_grid().sync(); }", "TP112", "across blocks"),
    ],
)
def test_what_the_emulator_lacks_is_located_in_the_unit(
    tmp_path: Path, text: str, code: str, what: str
) -> None:
    found = source(tmp_path, a__cu=f"int x;\n{text}\n__global__ void fine(int *a) {{ a[0] = 1; }}\n")
    unit = named(found, "k")
    inside = [item for item in found.diagnostics if item.code == code and item.line == unit.line]
    assert any(what in item.message for item in inside)
    fine = named(found, "fine")
    assert not [item for item in found.diagnostics if item.line >= fine.line]
    assert fine.id in found.signatures


WARPS = """
#define LANE __lane_id()
__device__ int sum(int v) { return v + __shfl_down(v, 32); }
__global__ void k(int *a) { a[0] = LANE; }
int lanes(hipDeviceProp_t p) { return p.warpSize; }
"""


def test_operations_of_warps_are_not_judged_in_sources_of_hip(tmp_path: Path) -> None:
    hip = source(tmp_path, a__cpp="#include <hip/hip_runtime.h>\n" + WARPS)
    found = [item.message for item in hip.diagnostics if item.code == "TP114"]
    assert len(found) == 2 and "__shfl_down" in found[0] and "by the macro LANE" in found[1]
    cuda = source(tmp_path, a__cpp=WARPS.replace("hipDeviceProp_t", "cudaDeviceProp"))
    assert "TP114" not in codes(cuda)


def test_what_the_build_leaves_out_is_not_complained_of(tmp_path: Path) -> None:
    text = """
    __device__ int lane() {
    #ifdef __CUDA_ARCH__
      int x; asm("mov.u32 %0, %%pm0;" : "=r"(x)); return x;
    #else
      return threadIdx.x % 32;
    #endif
    }
    __global__ void k(int *a) { a[0] = lane(); }
    """
    assert codes(source(tmp_path, a__cu=text)) == []


def test_textures_do_not_break_the_library_build_of_the_rest(tmp_path: Path) -> None:
    text = (
        "texture<float, 2> t;\n"
        "__global__ void k(float *a,\n cudaTextureObject_t o) { a[0] = tex2D(t, 1, 2);\n }\n"
        "void host() {\n cudaTextureDesc d; int x[3] = {1, 2, 3}; }\n"
        "__global__ void fine(float *a) { a[0] = 1; }\n"
    )
    result = lower(source(tmp_path, a__cu=text), rename_main=True)["a.cu"].decode()
    assert "tex2D" not in result
    assert result.count("\n") == text.count("\n")
    assert "cudaTextureObject_t o) { __builtin_trap();" in result


def test_an_insertion_stands_after_its_unit_and_calls_its_own(tmp_path: Path) -> None:
    text = "__device__ int d(int a) { return a; }\n__global__ void k(int *a) { a[0] = d(1); }\nint y;\n"
    found = source(tmp_path, a__cu=text)
    texts = {
        "a.cu::d(int)": b"inline int d(int a) { return a; }",
        "a.cu::k(int*)": b"void k(int *a) { a[0] = d(1) + s.d(2); }",
    }
    result = lower(found, insertions=[texts, {"a.cu::d(int)": b"int d(int a) { return -a; }"}])[
        "a.cu"
    ].decode()
    assert (
        "a[0] = d(1); }\nnamespace transpile_candidate {\nvoid (k)(int *a) { a[0] = (d)(1) + s.d(2); }\n}\n"
        in result
    )
    assert "namespace transpile_candidate {\ninline int (d)(int a) { return a; }\n}\n" in result
    assert "namespace transpile_candidate_1 {\nint (d)(int a) { return -a; }\n}\n" in result


@pytest.mark.parametrize(
    ("before", "name", "use"),
    [
        ("struct V { int a; };\n", "operator+", "v[0] + v[1]"),
        ("struct V { int a; };\n#define SUM(a, b) \\\n  sum(a, b)\n", "sum", "SUM(v[0], v[1])"),
    ],
)
def test_what_only_its_arguments_find_takes_the_place_of_its_unit(
    before: str, name: str, use: str, tmp_path: Path
) -> None:
    helper = f"__device__ int {name}(V a, V b) {{ return a.a + b.a; }}"
    kernel = f"__global__ void k(V *v, int *o) {{ o[0] = {use}; }}"
    found = source(tmp_path, a__cu=f"{before}{helper}\n{kernel}\n")
    identifier = f"a.cu::{name}(V,V)"
    new = f"int {name}(V a, V b) {{ return b.a + a.a; }}"
    texts = {identifier: new.encode(), "a.cu::k(V*,int*)": kernel.encode()}
    result = lower(found, insertions=[texts])["a.cu"].decode()
    assert f"{before}{new}\n" in result and helper not in result
    assert result.count("namespace") == 1
    other = new.replace("b.a + a.a", "b.a - a.a")
    both = lower(found, insertions=[texts, texts, {identifier: other.encode()}])["a.cu"].decode()
    assert both.count(new) == 1
    assert "namespace transpile_candidate_2 {\n" in both and "b.a - a.a" in both


def test_a_helper_of_macros_stays_where_its_parameters_are_others(tmp_path: Path) -> None:
    text = "#define D(a) d(a)\n__device__ int d(int a) { return a; }\n"
    found = source(tmp_path, a__cu=text)
    new = {"a.cu::d(int)": b"int d(int a, int t) { return a + t; }"}
    result = lower(found, insertions=[new])["a.cu"].decode()
    assert "__device__ int d(int a)" in result and "namespace transpile_candidate {" in result


def test_an_insertion_has_linkage_of_its_own_where_c_linkage_surrounds_it(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(int *a) { a[0] = 1; }\n")
    (tmp_path / "main.cu").write_text('extern "C" {\n#include "k.cu"\n}\nvoid f() { k<<<1, 1>>>(0); }\n')
    new = {"k.cu::k(int*)": b"void k(int *a) { a[0] = 1; }"}
    result = lower(read(tmp_path), insertions=[new])["k.cu"].decode()
    assert 'extern "C++" {namespace transpile_candidate {\nvoid (k)(int *a) { a[0] = 1; }\n}}' in result


def test_an_insertion_in_c_has_names_of_its_own(tmp_path: Path) -> None:
    own = "static int part(int a) { return a; }\nint d(int a) { return part(a); }\n"
    found = source(tmp_path, a__c=own)
    text = (
        "static int part(int new) { return new; } /* d of d */\n"
        'int d(int part) { int d = s.d + s->d + t[part]>d; puts("d \\" d"); return helped(d); } // d\n'
        "#pragma omp declare reduction(d : int : omp_out += omp_in)\n"
        "static int helped(int a) { return a + d0; }"
    )
    names = {"a.c::d(int)": text.encode()}
    result = lower(found, insertions=[names, names], in_c=True)["a.c"].decode()
    expected = (
        "static int C__part(int new) { return new; } /* d of d */\n"
        "int C__d(int C__part) { int C__d = s.d + s->d + t[C__part]>C__d;"
        ' puts("d \\" d"); return C__helped(C__d); } // d\n'
        "#pragma omp declare reduction(C__d : int : omp_out += omp_in)\n"
        "static int C__helped(int a) { return a + d0; }"
    )
    for prefix in ("transpile_candidate_1__", "transpile_candidate__"):
        assert expected.replace("C__", prefix) in result


@pytest.mark.parametrize("declaration", ["typedef s::d<int> d;", "using d = s::d<int>;"])
def test_an_inserted_name_that_a_type_hides_is_left_alone(declaration: str, tmp_path: Path) -> None:
    text = "__device__ int d(int a) { " + declaration + " return d(a).sum(); }\n"
    found = source(tmp_path, a__cu=text)
    result = lower(found, insertions=[{"a.cu::d(int)": text.encode()}])["a.cu"].decode()
    assert result.count("return d(a).sum();") == 2


def test_bytes_and_odd_files_survive(tmp_path: Path) -> None:
    (tmp_path / "b.cu").write_bytes(b"\0\1\2")
    (tmp_path / "data.bin").write_bytes(b"\0\1\2")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c.cu").write_text("__global__ void hidden() {}")
    text = b"// \xe9\xff\r\n__global__ void k(char *a) { a[0] = '\xe9'; }\r\n"
    (tmp_path / "a.cu").write_bytes(text)
    found = read(tmp_path)
    assert found.files["a.cu"] == text
    assert [unit.name for unit in found.units] == ["k"]
    assert codes(found) == ["TP101"]
    assert "data.bin" not in found.files


def test_a_mark_of_the_encoding_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"\xef\xbb\xbf#include <cuda_runtime.h>\n__global__ void k(int *a) {}\n")
    assert read(tmp_path).files["a.cu"].startswith(b"#include")


def test_an_unreadable_file_is_a_diagnostic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = foreign.read

    def refuse(root: Path, name: str) -> bytes:
        if name == "b.cu":
            raise PermissionError(13, "Permission denied")
        return plain(root, name)

    monkeypatch.setattr(foreign, "read", refuse)
    (tmp_path / "b.cu").write_text("__global__ void lost() {}")
    found = source(tmp_path, a__cu="__global__ void k(int *a) {}\n")
    assert [(item.code, item.path) for item in found.diagnostics] == [("TP101", "b.cu")]


def test_what_is_no_repository_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    for place in (tmp_path / "missing", tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(UsageError):
            read(place)


@pytest.mark.thorough
def test_a_file_of_two_hundred_thousand_lines_takes_seconds(tmp_path: Path) -> None:
    kernel = """
    __device__ float helper{i}(float x) { return x * 2.0f; }
    __global__ void kernel{i}(const float *a, float *b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) b[i] = helper{i}(a[i]);
    }
    void host{i}(float *a, float *b, int n) {
      kernel{i}<<<(n + 255) / 256, 256>>>(a, b, n);
    }
    """
    table = "static const int table{i}[] = {\n" + "  1, 2, 3, 4,\n" * 400 + "};\n"
    count = 200_000 // (kernel + table).count("\n") + 1
    text = "".join((kernel + table).replace("{i}", str(i)) for i in range(count))
    start = time.process_time()
    found = source(tmp_path, a__cu=text)
    result = lower(found, rename_main=True)["a.cu"]
    assert time.process_time() - start < 60
    assert sum(unit.kind is UnitKind.KERNEL for unit in found.units) == count
    assert result.count(b"simt::launch(") == count
    assert len(found.signatures) == count
