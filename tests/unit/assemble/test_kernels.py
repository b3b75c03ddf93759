"""Kept kernels take the place of their sources; launches become calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import assemble
from transpile.core import Binding, Candidate, Replacement, Source, UnitKind

TEXT = """\
#include <cuda_runtime.h>

__global__ void fill(int *values, int n, int value);

__device__ int twice(int value) { return 2 * value; }

__global__ void fill(int *values, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = twice(value);
}

__global__ void other(int *values)
{
    values[threadIdx.x] = twice(1);
}

int main(int argc, char **argv)
{
    int *values, count = argc;
    cudaMallocManaged(&values, 64 * sizeof(int));
    dim3 block(8), grid((count + 7) / 8);
    fill<<<grid, block>>>(values, count, argc + 1);
    other<<<1, 4>>>(values);
    cudaFree(values);
    return 0;
}
"""

NEW = b"""void fill(int *values, int n, int value, int threads)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) values[i] = 2 * value;
}"""


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "main.cu").write_text(TEXT)
    return parsers.read(tmp_path)


def candidate(source: Source, *arguments: str) -> dict[str, Candidate]:
    unit = next(unit for unit in source.units if unit.name == "fill" and unit.kind is UnitKind.KERNEL)
    binding = Binding(name="fill", arguments=("values", "n", "value", *arguments))
    made = Candidate(unit=unit.id, replacements=(Replacement(unit=unit.id, text=NEW),), binding=binding)
    return {unit.id: made}


@pytest.mark.parametrize(
    ("argument", "written"),
    [
        ("blockDim.x", "8"),
        ("gridDim.x * blockDim.x", "((count + 7) / 8) * 8"),
        ("gridDim.y", "1"),
        ("gridDim.x * gridDim.y * gridDim.z", "(count + 7) / 8"),
        ("gridDim.y * gridDim.z", "1"),
        ("2 * value", "2 * (argc + 1)"),
        ("dynamicShared", "0"),
    ],
)
def test_launches_become_calls(source: Source, argument: str, written: str) -> None:
    text = assemble(source, candidate(source, argument)).files["main.cpp"].decode()
    assert f"    fill(values, count, argc + 1, {written});\n" in text


@pytest.mark.parametrize(
    ("definition", "written"),
    [("BLOCK 256  // threads", "BLOCK"), ("BLOCK (32u)", "BLOCK"), ("BLOCK dim3(16, 16)", "dim3(BLOCK).x")],
)
def test_a_macro_that_is_a_number_is_one(tmp_path: Path, definition: str, written: str) -> None:
    launched = TEXT.replace("fill<<<grid, block>>>", "fill<<<count / BLOCK, BLOCK>>>")
    (tmp_path / "main.cu").write_text(f"#define {definition}\n{launched}")
    source = parsers.read(tmp_path)
    text = assemble(source, candidate(source, "blockDim.x")).files["main.cpp"].decode()
    assert f"    fill(values, count, argc + 1, {written});\n" in text


ASKED = """\
#define BLOCKS(n) (((n) + 7) / 8)
static int asked;
int blocks(int n) { asked++; return (n + 7) / 8; }
int rounded(int n) { return (n + 7) / 8; }
"""


@pytest.mark.parametrize(
    ("launch", "argument", "written"),
    [
        (
            "<<<blocks(count), block>>>(values, count, 1)",
            "blockDim.x",
            "(blocks(count), fill(values, count, 1, 8))",
        ),
        ("<<<rounded(count), block>>>(values, count, 1)", "blockDim.x", "fill(values, count, 1, 8)"),
        ("<<<BLOCKS(count), block>>>(values, count, 1)", "blockDim.x", "fill(values, count, 1, 8)"),
        ("<<<(asked++, 2), block>>>(values, count, 1)", "0", "(asked++, fill(values, count, 1, 0))"),
        (
            "<<<blocks(count), block>>>(values, count, 1)",
            "gridDim.x * gridDim.y",
            "[&](const dim3 gridDim_of_launch) { fill(values, count, 1, gridDim_of_launch.x * "
            "gridDim_of_launch.y); }(blocks(count))",
        ),
        ("<<<grid, block>>>(values, count--, 1)", "0", "fill(values, count--, 1, 0)"),
        (
            "<<<grid, block>>>(values, count--, 1)",
            "2 * n",
            "[&](auto n_of_launch) { fill(values, n_of_launch, 1, 2 * n_of_launch); }(count--)",
        ),
        ("<<<grid, block, 0, streams[count++]>>>(values, 7, 1)", "0", "(count++, fill(values, 7, 1, 0))"),
    ],
)
def test_what_a_launch_does_is_done_once(tmp_path: Path, launch: str, argument: str, written: str) -> None:
    text = TEXT.replace("fill<<<grid, block>>>(values, count, argc + 1)", f"fill{launch}")
    (tmp_path / "main.cu").write_text(ASKED + text)
    source = parsers.read(tmp_path)
    assert f"    {written};\n" in assemble(source, candidate(source, argument)).files["main.cpp"].decode()


def test_shapes_that_serve_nobody_go(source: Source) -> None:
    text = assemble(source, candidate(source, "blockDim.x")).files["main.cpp"].decode()
    assert "dim3" not in text


def test_prototypes_follow(source: Source) -> None:
    text = assemble(source, candidate(source, "blockDim.x")).files["main.cpp"].decode()
    assert text.count("void fill(int *values, int n, int value, int threads)") == 2
    assert "__global__ void fill" not in text


OVERLOADS = """#include <cuda_runtime.h>
__global__ void add(int *out, int length, int *n);
__global__ void add(int *, int, const int *__restrict__ first, int *second = nullptr);
__global__ void add(int *out, int length, int *n) { out[threadIdx.x] += n[blockIdx.x]; }
__global__ void add(int *out, int length, const int *__restrict__ m, int *n) { out[0] += m[0] + n[0]; }
int main() { return 0; }
"""


def test_prototypes_of_overloads_follow_each_its_own(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(OVERLOADS)
    source = parsers.read(tmp_path)
    kept = {}
    for unit, taken in zip(source.units[:2], ("int *n, int blocks", "const int *m, int *n"), strict=True):
        text = f"void add(int *out, int length, {taken})\n{{\n}}\n"
        kept[unit.id] = Candidate(
            unit=unit.id,
            replacements=(Replacement(unit=unit.id, text=text.encode()),),
            binding=Binding(name="add", arguments=("out", "length")),
        )
    made = assemble(source, kept).files["main.cpp"].decode()
    assert made.index("int *n, int blocks);") < made.index("const int *m, int *n);")
    assert made.count("void add(") == 4


def test_prototypes_follow_the_function_of_their_namespace_and_of_their_readers(tmp_path: Path) -> None:
    add = "__global__ void add(int *out, {0})"
    texts = {
        "one.cuh": add.format("int n") + ";\n",
        "one.cu": '#include "one.cuh"\n' + add.format("int n") + " { out[0] = n; }\n",
        "two.cuh": add.format("int count") + ";\n",
        "two.cu": '#include "two.cuh"\n' + add.format("int count") + " { out[0] += count; }\n",
        "fast.cuh": f"namespace fast {{ {add.format('long n')}; }}\n",
        "fast.cu": '#include "fast.cuh"\n'
        + f"namespace fast {{ {add.format('long n')} {{ out[1] = n; }} }}\n",
        "main.cu": '#include "one.cuh"\n#include "fast.cuh"\nint main() { return 0; }\n',
    }
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    source = parsers.read(tmp_path)
    kept = {}
    for unit in source.units:
        if unit.path in ("two.cu", "fast.cu"):
            text = f"void add(int *out, int n, int {unit.path[:-3]})\n{{\n}}\n"
            kept[unit.id] = Candidate(
                unit=unit.id,
                replacements=(Replacement(unit=unit.id, text=text.encode()),),
                binding=Binding(name="add", arguments=("out", "n")),
            )
    made = assemble(source, kept).files
    assert b"__global__" in made["one.hpp"]
    assert made["two.hpp"].count(b"void add(int *out, int n, int two);") == 1
    assert b"namespace fast { void add(int *out, int n, int fast); }" in made["fast.hpp"]


CHOSEN = """\
__global__ void add(int *out, int n) { out[threadIdx.x] += n; }
__global__ void add(float *sums, int count) { sums[threadIdx.x] += count; }
template <class T> void run(T *values, int n) { add<<<1, 32>>>(values, n); }
int main() { return 0; }
"""


@pytest.mark.parametrize(
    ("second", "kept_of_two", "call"),
    [("count", 2, True), ("count", 1, False), ("count + 1", 2, False)],
)
def test_overloads_that_a_template_chooses_are_called_where_all_are_kept_alike(
    second: str, kept_of_two: int, call: bool, tmp_path: Path
) -> None:
    (tmp_path / "main.cu").write_text(CHOSEN)
    source = parsers.read(tmp_path)
    heads = (("int *out, int n", ("out", "n")), ("float *sums, int count", ("sums", second)))
    units = [unit for unit in source.units if unit.kind is UnitKind.KERNEL]
    kept = {
        unit.id: Candidate(
            unit=unit.id,
            replacements=(Replacement(unit=unit.id, text=f"void add({head})\n{{\n}}\n".encode()),),
            binding=Binding(name="add", arguments=arguments),
        )
        for unit, (head, arguments) in list(zip(units, heads, strict=True))[:kept_of_two]
    }
    made = assemble(source, kept).files["main.cpp"].decode()
    assert ("{ add(values, n); }" in made) is call
    assert ("simt::launch" in made) is not call


def test_what_is_not_kept_stays_and_says_why(source: Source) -> None:
    other = next(unit for unit in source.units if unit.name == "other")
    kept = candidate(source, "blockDim.x")
    assembly = assemble(source, kept, reasons={other.id: "TP299: no rule"})
    text = assembly.files["main.cpp"].decode()
    assert (
        "// Not translated: TP299: no rule. Runs through the emulator in simt/.\n__global__ void other"
        in text
    )
    assert 'simt::launch("other"' in text
    assert "simt/simt/simt.h" in assembly.files
    assert [item.code for item in assembly.diagnostics] == ["TP502"]


def test_what_is_put_in_the_place_of_its_calls_stays_for_all_that_others_call(tmp_path: Path) -> None:
    (tmp_path / "sums.cuh").write_text(
        "__device__ inline int lone(int v) { return v; }\n"
        "__device__ inline int inner(int v) { return v + 1; }\n"
        "__device__ inline int outer(int v) { return inner(v); }\n"
        "__device__ inline int others(int v) { return outer(v); }\n"
    )
    (tmp_path / "main.cu").write_text(
        '#include "sums.cuh"\n__global__ void k(int *a) { a[0] = outer(1) + lone(2); }\n'
    )
    found = parsers.read(tmp_path)
    ids = {unit.name: unit.id for unit in found.units}
    replaced = tuple(Replacement(unit=ids[name], text=b"") for name in ("lone", "inner", "outer"))
    text = Replacement(unit=ids["k"], text=b"void k(int *a) { a[0] = 4; }")
    binding = Binding(name="k", arguments=("a",))
    kept = {ids["k"]: Candidate(unit=ids["k"], replacements=(text, *replaced), binding=binding)}
    files = assemble(found, kept).files
    [header] = [data.decode() for path, data in files.items() if path.startswith("sums")]
    assert "inner(int v) { return v + 1; }" in header and "outer(int v) { return inner(v); }" in header
    assert "lone" not in header


def test_nothing_of_the_emulator_is_left_where_all_is_kept(tmp_path: Path) -> None:
    text = TEXT.replace("    other<<<1, 4>>>(values);\n", "")
    cut = text[text.index("__global__ void other") : text.index("int main")]
    (tmp_path / "main.cu").write_text(text.replace(cut, ""))
    source = parsers.read(tmp_path)
    assembly = assemble(source, candidate(source, "blockDim.x"))
    assert not any(path.startswith("simt/") for path in assembly.files)
    assert "cuda" not in assembly.files["main.cpp"].decode()
    assert "__device__" not in assembly.files["main.cpp"].decode()
    assert assembly.build_command == "make"
    assert b"-fopenmp -Wall -fno-strict-aliasing" in assembly.files["Makefile"]


def test_headers_of_what_is_included_within_c_linkage_have_their_own(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(int *a) { a[0] = 1; }\n")
    (tmp_path / "main.cu").write_text('extern "C" {\n#include "k.cu"\n}\nvoid f() { k<<<1, 1>>>(0); }\n')
    files = assemble(parsers.read(tmp_path), {}).files
    assert b'extern "C++" {\n#include <simt/simt.h>\n}\n' in files["k.cpp"]
    assert b'extern "C++"' not in files["main.cpp"]


def test_headers_that_files_of_c_include_have_the_emulator_for_cpp_alone(tmp_path: Path) -> None:
    (tmp_path / "both.h").write_text("#ifdef __CUDACC__\ninline void check(cudaError_t e) {}\n#endif\n")
    (tmp_path / "a.c").write_text('#include "both.h"\nint main(void) { return 0; }\n')
    (tmp_path / "k.cu").write_text('#include "both.h"\n__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n')
    files = assemble(parsers.read(tmp_path), {}).files
    assert b"#ifdef __cplusplus\n#include <simt/simt.h>\n#endif\n" in files["both.h"]
    assert files["a.c"] == (tmp_path / "a.c").read_bytes()


@pytest.mark.parametrize(
    ("text", "launch", "call"),
    [
        (
            "__global__ void scale(int *x, int n, int f = 2) {}",
            "scale<<<1, 64>>>(d, n);",
            "scale(d, n, 2 + 1);",
        ),
        (
            "__global__ void scale(int *x, int n, int f = 2) {}",
            "scale<<<1, 64>>>(d, n, f);",
            "scale(d, n, f + 1);",
        ),
        (
            "#define FEW 4\n__global__ void scale(int *x, int n, int f = 2 * FEW) {}",
            "scale<<<1, 64>>>(d, n);",
            "scale(d, n, (2 * FEW) + 1);",
        ),
        (
            "#define GO(d, n) scale<<<1, 64>>>(d, n)\n__global__ void scale(int *x, int n, int f = 2) {}",
            "GO(d, n);",
            "scale(d, n, 2 + 1);",
        ),
    ],
)
def test_arguments_that_launches_leave_out_are_the_defaults(
    text: str, launch: str, call: str, tmp_path: Path
) -> None:
    """A variable at the launch may have the name of the parameter."""
    (tmp_path / "main.cu").write_text(
        f"{text}\nvoid run(int *d, int n)\n{{\n    int f = 7;\n    {launch}\n}}\n"
    )
    source = parsers.read(tmp_path)
    unit = next(unit for unit in source.units if unit.kind is UnitKind.KERNEL)
    new = Replacement(unit=unit.id, text=b"void scale(int *x, int n, int f)\n{\n}")
    binding = Binding(name="scale", arguments=("x", "n", "f + 1"))
    made = Candidate(unit=unit.id, replacements=(new,), binding=binding)
    assert f"    {call}\n" in assemble(source, {unit.id: made}).files["main.cpp"].decode()


def test_a_macro_may_stand_for_the_whole_configuration(tmp_path: Path) -> None:
    text = (
        "#define SHAPE dim3(n / 8, 2), dim3(8, 4), n\n"
        "__global__ void fill(int *values, int n) {}\n"
        "void run(int *d, int n)\n{\n    fill<<<SHAPE>>>(d, n);\n}\n"
    )
    (tmp_path / "main.cu").write_text(text)
    source = parsers.read(tmp_path)
    unit = next(unit for unit in source.units if unit.kind is UnitKind.KERNEL)
    new = Replacement(unit=unit.id, text=b"void fill(int *values, int n, int rows, int bytes)\n{\n}")
    binding = Binding(name="fill", arguments=("values", "n", "blockDim.y", "dynamicShared"))
    made = Candidate(unit=unit.id, replacements=(new,), binding=binding)
    port = assemble(source, {unit.id: made}).files["main.cpp"].decode()
    assert "    fill(d, n, dim3(dim3(8,4)).y, n);\n" in port
