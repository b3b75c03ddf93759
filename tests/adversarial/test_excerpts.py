"""Files that lack headers of libraries: what is left out of them must not change what the rest means."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.adversarial.direct import judged
from tests.integration.functions import check
from transpile import parsers, pipeline
from transpile.broken import in_part
from transpile.core import Source, TranslationUnit
from transpile.options import PortOptions, Silent
from transpile.parsers.lowering.excerpts import excerpt, is_left_out, supposed
from transpile.testers.programs.runs import built_from
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop
from transpile.undeclared import complaints, of_source

INCLUDE = "#include <absent.h>\n"
HOST = "void host() { absent_t handle; absent_init(&handle); }\n"
KERNEL = "__global__ void k(float *y) { y[threadIdx.x] = f(y[threadIdx.x]); }\n"
GENERAL = "template <class T> __device__ T f(T x) { return x; }\n"
OWN = "x + 1; }"

MEANT = {
    "a name in parentheses": f"{GENERAL}__device__ float (f)(float x) {{ return {OWN}\n{KERNEL}",
    "a name that a macro makes": (
        f"#define AS(x) x\n{GENERAL}__device__ float AS(f)(float x) {{ return {OWN}\n{KERNEL}"
    ),
    "a name behind a macro": f"#define g f\n{GENERAL}__device__ float g(float x) {{ return {OWN}\n{KERNEL}",
    "a form of a template": (
        f"{GENERAL}template <> __device__ float f<float>(float x) {{ return {OWN}\n{KERNEL}"
    ),
    "a function that a macro without parameters is": (
        f"#define OWN __device__ float f(float x) {{ return {OWN}\n{GENERAL}OWN\n{HOST}{KERNEL}"
    ),
    "a function that a macro is given": (
        f"#define SAME(...) __VA_ARGS__\n{GENERAL}SAME(__device__ float f(float x) {{ return {OWN})\n"
        f"struct Handle {{ absent_t handle; }};\n{KERNEL}"
    ),
    "a namespace that macros open": (
        "#define OPEN namespace own {\n#define END }\n__device__ float f(int x) { return x; }\nOPEN\n"
        f"struct Handle {{ absent_t handle; }};\n__device__ float f(double x) {{ return {OWN}\n{KERNEL}"
        f"END\n{HOST}"
    ),
    "an operator behind its class": (
        "struct A { float v; __device__ A &operator+=(float x); };\n"
        f"__device__ A &A::operator+=(float x) {{ v = {OWN[:-2]} return *this; }}\n"
        "__device__ float f(float x) { A a{x}; a += x; return a.v; }\n" + KERNEL
    ),
    "alignment behind a macro's call": (
        "#define NOTE(x) static int x##_noted;\nNOTE(one)\n#pragma pack(push, 1)\n"
        "struct Handle { absent_t handle; };\nstruct Own { char a; int x; };\n#pragma pack(pop)\n"
        "__device__ float f(float x) { return sizeof(Own); } // x + 1; }\n" + KERNEL
    ),
}
"""Texts whose kernel means what ends with ``x + 1; }``, or what a line of theirs says."""


def left(text: str, root: Path, name: str = "main.cu", **more: str) -> tuple[Source, str]:
    """Return a source, and the excerpt of its file."""
    (root / name).write_text(INCLUDE + text + HOST.replace("host", "last"))
    for path, content in more.items():
        (root / path).write_text(content)
    source = parsers.read(root)
    assert source.absent
    return source, excerpt(source).files[name].decode()


@pytest.mark.parametrize("text", MEANT.values(), ids=MEANT.keys())
def test_what_a_kernel_means_stays(text: str, tmp_path: Path) -> None:
    _, kept = left(text, tmp_path)
    assert "absent" not in kept
    assert KERNEL.strip() in kept
    lines = (line for line in text.splitlines() if "absent" not in line)
    assert [line for line in lines if line.strip() not in kept] == []


def test_a_function_that_a_missing_macro_qualifies_may_be_meant(tmp_path: Path) -> None:
    source, _ = left(f"{GENERAL}ABSENT_DEVICE float f(float x) {{ return {OWN}\n{KERNEL}", tmp_path)
    assert {unit.name for unit in source.units if is_left_out(source, unit)} >= {"k"}


@pytest.mark.parametrize(
    "text",
    [
        "__device__ float f(float x) {\n#if ABSENT_VERSION > 2\n  x = 0;\n#endif\n  return x;\n}\n",
        "#ifdef ABSENT_VERSION\n__device__ float f(float x) { return x; }\n#else\n"
        "__device__ float f(float x) { return -x; }\n#endif\n",
        "#if !defined(ABSENT_VERSION)\n#define SIGN -1\n#else\n#define SIGN 1\n#endif\n"
        "__device__ float f(float x) { return SIGN * x; }\n",
    ],
    ids=["within", "around", "a macro"],
)
def test_what_a_missing_header_decides_is_not_known(text: str, tmp_path: Path) -> None:
    other = "__global__ void other(float *y) { y[0] = 1; }\n"
    source, kept = left(text + KERNEL + other, tmp_path)
    lost = {unit.name for unit in source.units if is_left_out(source, unit)}
    assert "k" in lost
    assert "other" not in lost
    assert other in kept


def test_what_it_may_decide_is_said(tmp_path: Path) -> None:
    kernel = "__global__ void k(float *y) {\n#ifdef FAST\n  y[0] = 1;\n#endif\n}\n"
    source, _ = left(kernel, tmp_path)
    unit = next(unit for unit in source.units if unit.name == "k")
    assert "`absent.h`, which is not found, does not define `FAST`" in supposed(source, unit)


def test_a_shared_header_stays_for_those_that_lack_nothing(tmp_path: Path) -> None:
    own = f"#ifdef LIBRARY\n#include <absent.h>\n#endif\n{GENERAL}__device__ float f(float x);\n"
    text = '#define LIBRARY\n#include "own.h"\n__global__ void one(float *y) { y[0] = 1; }\n'
    source, _ = left(text, tmp_path, **{"own.h": own, "other.cu": '#include "own.h"\n' + KERNEL})
    assert set(source.absent) == {"main.cu"}
    assert "f(float x);" in excerpt(source).files["own.h"].decode()


def test_a_name_of_a_member_loses_no_kernel(tmp_path: Path) -> None:
    text = "typedef struct { absent_t handle; int n; } Context;\n"
    kernel = "__global__ void k(float *y, int n) { y[threadIdx.x] = n; }\n"
    _, kept = left(text + kernel, tmp_path)
    assert kernel in kept


COMMENTED = """
#define SHIFT 3
static const char *text = R"(
#define SHIFT 5
)";
void old(absent_t all) {
    /* once:
#define SHIFT 7
    */
#define UNUSED 1 /* a comment
    of two lines */
    absent_wait(all);
}
void shift(double *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] + SHIFT; }
"""


def test_a_text_that_looks_like_a_macro_defines_none(tmp_path: Path) -> None:
    _, kept = left(COMMENTED, tmp_path, "main.cpp")
    assert kept.count("#define SHIFT") == 1
    assert "of two lines */" in kept


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here")
def test_the_macro_that_holds_is_translated(workshop: Workshop, tmp_path: Path) -> None:
    source, _ = left(COMMENTED, tmp_path, "main.cpp")
    head = "void shift(double *x, int n) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
    found = judged(workshop, source, {str(shift): f"{head}x[i] += {shift}; }}" for shift in (3, 5, 7)})
    assert {name: check(verdict) for name, verdict in found.items()} == {
        "3": "kept", "5": "exact", "7": "exact",
    }  # fmt: skip


HELD = """
__global__ void add(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }
struct Layer {
    absent_t handle;
    float *x;
    void forward(int n) {
        add<<<(n + 255) / 256, 256>>>(x, n);
        cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e);
        absent_forward(handle, x);
    }
};
"""


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here")
@pytest.mark.thorough
def test_host_code_that_is_not_built_keeps_its_names(builds: Path, tmp_path: Path) -> None:
    root = tmp_path / "source"
    root.mkdir()
    left(HELD, root)
    port = pipeline.port(root, PortOptions(cache=builds, out=tmp_path / "port"), Silent())
    assert list(port.places.values()) == ["main.cpp"]
    text = (tmp_path / "port" / "main.cpp").read_text()
    assert "#pragma omp parallel for" in text
    assert ("&e" in text) == ("cudaEvent_t e;" in text)


def test_names_that_a_file_loses_are_told(workshop: Workshop) -> None:
    unit = TranslationUnit(path="a.cpp", flags=())
    text = b"#include <absent.h>\nvoid f(int);\nvoid g() { absent_t handle; %s }\n"
    said = [
        complaints(workshop, {"a.cpp": text % call}, unit, ["absent.h"], emulated=False)
        for call in (b"f(1);", b"f(own);", b"f();", b"int a; int a;")
    ]
    assert said[0]
    assert [len(item - said[0]) for item in said] == [0, 1, 1, 0]


def test_of_many_names_none_is_lost_unseen(workshop: Workshop) -> None:
    unit = TranslationUnit(path="a.cpp", flags=())
    absent = "".join(f"  absent_type_with_a_long_name_{index} variable_{index};\n" for index in range(300))
    text = f"#include <absent.h>\nvoid g() {{\n{absent}  %s }}\n".encode()
    before, after = (
        complaints(workshop, {"a.cpp": text % last}, unit, ["absent.h"], emulated=False)
        for last in (b"", b"own();")
    )
    assert len(before) > 299
    assert after - before and all("own" in item for item in after - before)


def test_c_that_lacks_headers_is_read_as_c(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(float *x) { x[threadIdx.x] = 1; }\n")
    (tmp_path / "b.c").write_text("#include <absent.h>\nint b(void) { return ABSENT_NUMBER; }\n")
    read = parsers.read(tmp_path)
    source, _ = in_part(workshop, read, built_from(read))
    [unit] = [unit for unit in source.translation_units if unit.path == "b.c"]
    known = of_source(workshop, source, built_from(source))
    ported = complaints(workshop, source.files, unit, ["absent.h"], emulated=frozenset())
    assert known["b.c"] == ported and ported
