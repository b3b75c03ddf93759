"""Launches by macros become calls: in the macro where its uses agree, else where the macro was used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import assemble
from transpile.core import Binding, Candidate, Replacement, Source, UnitKind

KERNELS = """\
#include <cuda_runtime.h>
__global__ void add(int *out, int n) { out[threadIdx.x] += n; }
__global__ void sub(int *out, int n) { out[threadIdx.x] -= n; }
"""
SIMPLE = """\
#define RUN(k, grid) \\
    before(); \\
    k<<<grid, 8>>>(out, n)
"""
VARIADIC = "#define RUN(k, grid, ...) (k)<<<grid, 8>>>(__VA_ARGS__)\n"
NESTED = "#define DIM(k, g, b) k<<<g, b>>>(out, n)\n#define RUN(k, grid) DIM(k, grid, 8)\n"


def read(folder: Path, macros: str, body: str) -> Source:
    host = f"void before();\nvoid host(int *out, int n, int m)\n{{\n    {body}\n}}\n"
    (folder / "main.cu").write_text(f"{KERNELS}{macros}{host}")
    return parsers.read(folder)


def kept(source: Source, **arguments: str) -> dict[str, Candidate]:
    """Return candidates of kernels, each with the arguments that its calls have."""
    found = {}
    for unit in source.units:
        if unit.kind is UnitKind.KERNEL and unit.name in arguments:
            text = f"void {unit.name}(int *out, int n) {{ }}".encode()
            found[unit.id] = Candidate(
                unit=unit.id,
                replacements=(Replacement(unit=unit.id, text=text),),
                binding=Binding(name=unit.name, arguments=tuple(arguments[unit.name].split("; "))),
            )
    return found


def port(source: Source, **arguments: str) -> str:
    files = assemble(source, kept(source, **arguments)).files
    return re.sub(r"[ \t\\\\]*\n\s*", "\n", files["main.cpp"].decode())


@pytest.mark.parametrize(
    ("macros", "body", "wanted"),
    [
        (SIMPLE, "RUN(add, m); RUN(sub, 2);", "before();\nk(out, n)\n"),
        (VARIADIC, "RUN(add, m, out, n); RUN(sub, 2, out, n);", "#define RUN(k, grid, ...) k(__VA_ARGS__)\n"),
        (NESTED, "RUN(add, m); RUN(sub, 2);", "#define DIM(k, g, b) k(out, n)\n"),
    ],
)
def test_a_macro_calls_what_it_is_given_where_all_of_that_is_kept(
    macros: str, body: str, wanted: str, tmp_path: Path
) -> None:
    text = port(read(tmp_path, macros, body), add="out; n", sub="out; n")
    assert wanted in text and body in text and "<<<" not in text and "simt" not in text


def test_shapes_are_named_as_the_macro_names_them(tmp_path: Path) -> None:
    text = port(read(tmp_path, SIMPLE, "RUN(add, m);"), add="out; n; gridDim.x")
    assert "k(out, n, dim3(grid).x)\n" in text and "RUN(add, m);" in text


def test_what_is_computed_of_arguments_is_written_where_they_are_known(tmp_path: Path) -> None:
    macros = "#define RUN(k, count) k<<<1, 8>>>(out, count)\n"
    text = port(read(tmp_path, macros, "RUN(add, n + m);"), add="out; 2 * n")
    assert "add(out, 2 * (n + m));" in text and "RUN" not in text


@pytest.mark.parametrize("macros", [SIMPLE, NESTED])
def test_uses_that_differ_are_written_out(macros: str, tmp_path: Path) -> None:
    text = port(
        read(tmp_path, macros, "RUN(add, m + 1); RUN(sub, 2);"), add="out; n; gridDim.x", sub="out; n"
    )
    assert "add(out, n, m + 1);" in text and "dim3" not in text
    assert "sub(out, n);" in text and "RUN(add" not in text and "RUN(sub" not in text


def test_a_kernel_that_stays_is_launched_by_the_macro(tmp_path: Path) -> None:
    text = port(read(tmp_path, SIMPLE, "RUN(add, m); RUN(sub, 2);"), add="out; n")
    assert "add(out, n);" in text and "RUN(sub, 2);" in text and "simt::launch(" in text


NAMED = "#define GO(count) add<<<1, 8>>>(out, count)\n"


def test_a_macro_that_names_its_kernel_calls_it(tmp_path: Path) -> None:
    text = port(read(tmp_path, NAMED, "GO(m); GO(n + 1);"), add="out; n")
    assert "#define GO(count) add(out, count)" in text and "GO(m); GO(n + 1);" in text


def test_what_a_named_kernel_is_given_is_computed_where_it_is_known(tmp_path: Path) -> None:
    text = port(read(tmp_path, NAMED, "GO(m); GO(n + 1);"), add="out; 2 * n")
    assert "add(out, 2 * m); add(out, 2 * (n + 1));" in text and "GO" not in text


@pytest.mark.parametrize("more", ["#undef GO\n#define GO(count) sub<<<1, 8>>>(out, count)\n", "#undef GO\n"])
def test_a_macro_with_several_meanings_calls_its_kernels_in_each(more: str, tmp_path: Path) -> None:
    text = port(
        read(tmp_path, NAMED + more * ("sub" in more), "GO(n + 1);" + "\n" + more), add="out; n", sub="out; n"
    )
    assert "GO(n + 1);" in text and "add(out, count)" in text and "<<<" not in text and "simt" not in text


def test_words_of_a_macro_whose_uses_are_unknown_are_put_in_brackets(tmp_path: Path) -> None:
    text = port(read(tmp_path, NAMED + "#undef GO\n" + NAMED, "GO(n + 1);"), add="out; 2 * n")
    assert "add(out, 2 * (count))" in text and "GO(n + 1);" in text


def test_a_macro_with_uses_that_nobody_can_follow_stays_as_it_is(tmp_path: Path) -> None:
    macros = SIMPLE + "#define ALL(k) RUN(k, 1)\n#undef ALL\n#define ALL(k) RUN(k, 2)\n"
    text = port(read(tmp_path, macros, "RUN(add, m); ALL(sub);"), add="out; n")
    assert "add(out, n);" in text and "ALL(sub);" in text and "simt::launch(" in text
