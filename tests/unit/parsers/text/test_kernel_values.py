"""Kernels that a program handles as values are told from those that it launches by name alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import UnitKind
from transpile.parsers.text.kernel_values import used_as_value

KERNELS = "__global__ void scale(float *y, int n);\n__global__ void scale(float *y, int n) { y[n] = 1; }\n"
LAUNCH = "scale<<<n, 128>>>(y, n);"
TIMED = "void time(void (*k)(float *, int), float *y, int n) { %s }"


def values(host: str, root: Path, *, before: str = "") -> frozenset[str]:
    """Return the kernels that a source with such a function of the host handles as values."""
    (root / "a.cu").write_text(f"{KERNELS}{before}\nvoid host(float *y, int n) {{ {host} }}\n")
    return handled(root)


def handled(root: Path) -> frozenset[str]:
    """Return the kernels of a source that it handles as values, with their files where these are several."""
    source = parsers.read(root)
    kernels = [unit for unit in source.units if unit.kind is UnitKind.KERNEL]
    found = [unit for unit in kernels if used_as_value(source, unit) is not None]
    return frozenset(unit.name if unit.path == "a.cu" else f"{unit.path} {unit.name}" for unit in found)


@pytest.mark.parametrize(
    ("host", "before"),
    [
        ("void (*k)(float *, int) = scale; k<<<n, 128>>>(y, n);", ""),
        (f"void (*k)(float *, int) = n ? &scale : nullptr; k<<<n, 128>>>(y, n); {LAUNCH}", ""),
        ("auto k = scale; k<<<n, 128>>>(y, n);", ""),
        ("table[n]<<<n, 128>>>(y, n);", "void (*table[])(float *, int) = {scale, scale};"),
        ("{ int scale = 3; n += scale; } auto k = ::scale; k<<<n, 128>>>(y, n);", ""),
        ("{ int scale = 3; n += scale; } auto k = scale; k<<<n, 128>>>(y, n);", ""),
        ("time(scale, y, n);", TIMED % "auto f = k; f<<<n, 128>>>(y, n);"),
        ("time(n ? scale : nullptr, y, n);", TIMED % "k<<<n, 128>>>(y, n);"),
        ("auto f = time; time(scale, y, n); f(scale, y, n);", TIMED % "k<<<n, 128>>>(y, n);"),
        ("void (*f)(float *, int) = 0; time(f, y, n); time(scale, y, n);", TIMED % "k<<<n, 128>>>(y, n);"),
        (
            "time(scale, y, n);",
            "template <class K> void time(K k, float *y, int n) { k<<<n, 1>>>(y, n); K f; }",
        ),
        ("time(scale, y, n);", TIMED % "k<<<n, 128>>>(y, n); other(k);"),
        ("time(scale, y, n);", (TIMED % "k<<<n, 128>>>(y, n);") * 2),
        (
            "time(scale, y, n);",
            "template <class K> void time(K k, float *y, int n) { static int t; k<<<n, 1>>>(y, t); }",
        ),
    ],
)
def test_pointers_that_are_only_launched_may_hold_functions(host: str, before: str, tmp_path: Path) -> None:
    assert values(host, tmp_path, before=before) == frozenset()


@pytest.mark.parametrize(
    ("host", "before"),
    [
        ("run(scale, y, n);", ""),
        ("run<scale>(y, n);", ""),
        ("run(y, n, &scale);", ""),
        (
            "LAUNCH(scale, y, n);",
            "#define LAUNCH(k, y, n) auto f = k; k<<<n, 128>>>(y, n); f<<<1, 1>>>(y, n)",
        ),
        ("LAUNCH(scale);", "#define LAUNCH(k) k<<<n, 128>>>(y, n); run(k)"),
        ("LAUNCH(scale);", "#define LAUNCH(k) k<<<n, 128>>>(y, n)\n#define LAUNCH(k) run(k)"),
        ("LAUNCH(scale);", "#define LAUNCH(k) k##<<<n, 128>>>(y, n)"),
        ("LAUNCH(scale, (y, n));", "#define LAUNCH(k, given) k<<<n, 128>>>given"),
        ("LAUNCH(scale)(y, n);", "#define LAUNCH(k) k<<<n, 128>>>"),
        ("ALL;", "#define LAUNCH(k) k<<<n, 128>>>(y, n)\n#define ALL LAUNCH(scale)"),
        ("K<<<n, 128>>>(y, n);", "#define K scale"),
        (
            "RUN(sca);",
            "#define RUN(which) which##le<<<n, 128>>>(y, n)\n#define RUN(which) which##le<<<1, 1>>>(y, n)",
        ),
        ("RUN(sca);", "#define RUN(which) which##le<<<n, 128>>>(y, n); run(scale)"),
        ("void *given[] = {&y, &n}; cudaLaunchKernel((void *)scale, n, 128, given, 0, 0);", ""),
        ("void *given[] = {&y, &n}; cudaLaunchKernel(scale, n, 128, given, 0, 0);", ""),
        ("pick(n)<<<n, 128>>>(y, n);", "auto pick(int n) { return scale; }"),
        ("auto k = scale;", "void other(int scale) { use(scale); }"),
        ("time(scale, y, n);", TIMED % "k<<<n++, 128>>>(y, n);"),
        ("time(scale, y, n);", TIMED % "k<<<next(), 128>>>(y, n);"),
        (
            "time(scale, y, n);",
            "template <class K> void time(K k, float *y, int n) { static int t; k<<<n, t++ + 1>>>(y, n); }",
        ),
    ],
)
def test_what_may_be_launched_by_another_name_is_a_value(host: str, before: str, tmp_path: Path) -> None:
    assert values(host, tmp_path, before=before) == {"scale"}


@pytest.mark.parametrize(
    ("host", "before"),
    [
        (LAUNCH, ""),
        (f"for (;;) {{ {LAUNCH} }}", "#define GO scale<<<n, 128>>>(y, n)"),
        ("::scale<<<n, 128>>>(y, n);", "using ::scale;"),
        (f"cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, n); {LAUNCH}", ""),
        (f"int b, t; cudaOccupancyMaxPotentialBlockSize(&b, &t, scale, 0, 0); {LAUNCH}", ""),
        (f"{LAUNCH} // k = scale", ""),
        (f'{LAUNCH} printf("%s", "scale");', ""),
        ("float scale = 2; y[0] = scale; use(y, scale);", ""),
        (LAUNCH, "void other(float *y, float scale) { y[0] = scale; }"),
        (LAUNCH, "void other(View v) { v.scale = 2; use(v.scale); }"),
        ("GO(scale, y, n);", "#define GO(k, y, n) k<<<n, 128>>>(y, n)"),
        ("GO(scale, y, n);", "#define GO(k, ...) do { (k)<<<n, 128>>>(__VA_ARGS__); puts(#k); } while (0)"),
        ("RUN(sca);", "#define RUN(which) which##le<<<n, 128>>>(y, n)"),
        ("time(scale, y, n);", TIMED % "for (;;) k<<<dim3(n, min(n, 2)), 128>>>(y, n);"),
        ("time(scale, y, n);", "template <class K> void time(K k, float *y, int n) { k<<<n, 1>>>(y, n); }"),
        ("Timer t; t.time(scale, y, n);", f"struct Timer {{ {TIMED % 'k<<<n, 128>>>(y, n);'} }};"),
        ("AT(GO(scale));", "#define ONE(k) k<<<n, 128>>>(y, n)\n#define GO(k) ONE(k)\n#define AT(x) x"),
    ],
)
def test_what_is_launched_by_its_name_is_none(host: str, before: str, tmp_path: Path) -> None:
    assert not values(host, tmp_path, before=before)


def test_a_kernel_of_another_program_of_the_same_name_is_not_meant(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(f"{KERNELS}int main() {{ scale<<<1, 1>>>(nullptr, 1); }}\n")
    (tmp_path / "b.cu").write_text(f"{KERNELS}int main() {{ run(scale); }}\n")
    assert handled(tmp_path) == {"b.cu scale"}


def test_a_kernel_that_is_only_declared_may_be_any_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNELS)
    (tmp_path / "b.cu").write_text("__global__ void scale(float *y, int n);\nint main() { run(scale); }\n")
    assert handled(tmp_path) == {"scale"}


def test_a_kernel_of_a_header_is_meant_by_all_that_include_it(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text(KERNELS)
    (tmp_path / "a.cu").write_text('#include "k.cuh"\nvoid f() { scale<<<1, 1>>>(nullptr, 1); }\n')
    (tmp_path / "b.cu").write_text('#include "k.cuh"\nint main() { run(scale); }\n')
    assert handled(tmp_path) == {"k.cuh scale"}
