"""Whole programs: the source on the emulator against its port, built by g++."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile import parsers, pipeline
from transpile.assemble import Assembly, Style, assemble
from transpile.core import Falsified, Inconclusive, Passed, Verdict
from transpile.options import PortOptions, Silent
from transpile.testers.programs.launch_records import record
from transpile.testers.programs.program import judge_programs
from transpile.testers.programs.runs import build_source, built_from
from transpile.toolchains.build import Built
from transpile.toolchains.workshop import Workshop

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests" / "cases" / "host").glob("*.cu"))
EXAMPLE = ROOT / "examples" / "heatflow"
RUN = ("./heatflow", "40", "24", "3", "50")


@pytest.fixture(scope="module")
def workshop(builds: Path) -> Workshop:
    return Workshop(cache=builds, timeout=60.0)


def judged(workshop: Workshop, path: Path, assembly: Assembly, run: tuple[str, ...]) -> Verdict:
    (found,) = judge_programs(workshop, parsers.read(path), assembly, [run])
    return found.verdict


@pytest.mark.parametrize("case", sampled(CASES, 3), ids=lambda case: case.stem)
def test_rewritten_hosts_behave_alike(case: Path, workshop: Workshop) -> None:
    assembly = assemble(parsers.read(case), {}, style=Style.IN_PLACE)
    verdict = judged(workshop, case, assembly, ("./main",))
    assert isinstance(verdict, Passed), verdict


@pytest.mark.parametrize("style", sampled(Style, 3))
def test_the_example_on_the_emulator(style: Style, workshop: Workshop) -> None:
    verdict = judged(workshop, EXAMPLE, assemble(parsers.read(EXAMPLE), {}, style=style), RUN)
    assert isinstance(verdict, Passed), verdict
    assert "5 buffers" in verdict.guarantee.checks


BESIDE = """
#include <cstdio>
#include "sizes.h"
__global__ void fill(int *out) { out[threadIdx.x] = OFFSET + threadIdx.x; }
int main() {
    int *device, host[COUNT];
    cudaMalloc(&device, sizeof host);
    fill<<<1, COUNT>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\\n", host[COUNT - 1]);
}
"""


def test_headers_beside_the_source_are_read_by_both_sides(workshop: Workshop, tmp_path: Path) -> None:
    root, include = tmp_path / "app", tmp_path / "include"
    root.mkdir()
    include.mkdir()
    (include / "sizes.h").write_text("#define COUNT 32\n")
    (tmp_path / "forced.h").write_text("#define OFFSET 5\n")
    (root / "main.cu").write_text(BESIDE)
    flags = "-I../include -include ../forced.h"
    (root / "Makefile").write_text(f"main: main.cu ../include/sizes.h\n\tnvcc {flags} main.cu -o main\n")
    source = parsers.read(root, opened=[tmp_path])
    assert source.diagnostics == ()
    (found,) = judge_programs(workshop, source, assemble(source, {}), [("./main",)])
    assert isinstance(found.verdict, Passed), found.verdict
    (include / "sizes.h").write_text("#error other by now\n")
    (found,) = judge_programs(workshop, source, assemble(source, {}), [("./main",)])
    assert "other by now" in str(found.verdict)


def test_a_planted_fault_is_found(workshop: Workshop) -> None:
    assembly = assemble(parsers.read(EXAMPLE), {}, style=Style.IN_PLACE)
    probed = dict(assembly.probed)
    broken = probed["src/tracers.cpp"].replace(b"tracer.age += 1", b"tracer.age += 2")
    assert broken != probed["src/tracers.cpp"]
    verdict = judged(workshop, EXAMPLE, replace(assembly, probed={**probed, "src/tracers.cpp": broken}), RUN)
    assert isinstance(verdict, Falsified), verdict


def test_a_fault_that_is_not_printed_is_found_in_the_buffers(workshop: Workshop) -> None:
    case = next(case for case in CASES if case.stem == "in_place")
    assembly = assemble(parsers.read(case), {}, style=Style.IN_PLACE)
    text = assembly.probed["in_place.cpp"].replace(b"if (i < n) out", b"if (i < n - 1) out")
    assert text != assembly.probed["in_place.cpp"]
    broken = replace(assembly, probed={**assembly.probed, "in_place.cpp": text})
    verdict = judged(workshop, case, broken, ("./main",))
    assert isinstance(verdict, Falsified) and "buffer" in verdict.counterexample.where, verdict


@pytest.mark.parametrize(
    ("main", "said"),
    [
        ("int main(int argc, char **argv) { return argc < 3; }", "no run of the program is known"),
        (
            "int main(int argc, char **argv) { if (argc > 1) k<<<1, 1>>>(); return 0; }",
            "without arguments it launches no kernel",
        ),
        (
            "int main(int argc, char **argv) { if (argc > 1) k<<<1, 1>>>(); return 3; }",
            "without arguments it exits with status 3",
        ),
        ("int main() { return 2; }", "without arguments it exits with status 2"),
        (
            "__global__ void last(int *p) { *p = blockIdx.x; }\nint main() { int *p, h; cudaMalloc(&p, 4);\n"
            "last<<<99, 1>>>(p); cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); return h; }",
            "the source's runs end with status",
        ),
    ],
)
def test_without_a_run_nothing_is_said(main: str, said: str, tmp_path: Path, workshop: Workshop) -> None:
    (tmp_path / "a.cu").write_text(f"__global__ void k() {{}}\n{main}\n")
    source = parsers.read(tmp_path)
    (found,) = judge_programs(workshop, source, assemble(source, {}), [])
    assert isinstance(found.verdict, Inconclusive) and said in found.verdict.reason


def test_a_run_that_fails_before_its_first_kernel_shows_nothing(workshop: Workshop, tmp_path: Path) -> None:
    main = (
        "#include <cstdio>\n#include <cuda_runtime.h>\n__global__ void k() {}\n"
        "int main(int argc, char **argv)\n{\n"
        '    if (argc < 3 || !std::fopen(argv[1], "r")) { std::puts("no input file"); return 1; }\n'
        "    k<<<1, 1>>>();\n    return 1;\n}\n"
    )
    (tmp_path / "a.cu").write_text(main)
    (tmp_path / "input.txt").write_text("1\n")
    source = parsers.read(tmp_path)
    runs = [("./a", "absent.txt", "1"), ("./a", "input.txt", "1")]
    failed, good = judge_programs(workshop, source, assemble(source, {}), runs)
    assert isinstance(failed.verdict, Inconclusive)
    assert failed.verdict.reason.endswith("exits with status 1 before it launches a kernel: no input file")
    assert isinstance(good.verdict, Passed)


CLOCKS = {
    "gettimeofday": "timeval t; gettimeofday(&t, nullptr); return t.tv_sec + t.tv_usec * 1e-6;",
    "steady": "timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9;",
    "clock": "return double(clock()) / CLOCKS_PER_SEC;",
}


@pytest.mark.parametrize("name", sampled(CLOCKS, 1))
def test_what_clocks_say_is_not_compared_whatever_it_is_called(
    name: str, workshop: Workshop, tmp_path: Path
) -> None:
    main = (
        "#include <cstdio>\n#include <ctime>\n#include <sys/time.h>\n__global__ void k() {}\n"
        f"static double now() {{ {CLOCKS[name]} }}\n"
        "int main()\n{\n    k<<<1, 1>>>();\n    double begin = now();\n    volatile int count = 0;\n"
        "    while (count < 30000) count = count + 1;\n"
        '    printf("first: %.2f, of %d\\n", now() - begin, count);\n}\n'
    )
    (tmp_path / "a.cu").write_text(main)
    source = parsers.read(tmp_path)
    assembly = assemble(source, {})
    slow = assembly.probed["a.cpp"].replace(b"%.2f", b"1%.2f")
    for text, right in ((slow, True), (slow.replace(b"of %d", b"of 1%d"), False)):
        assert text != assembly.probed["a.cpp"]
        changed = replace(assembly, probed={**assembly.probed, "a.cpp": text})
        (found,) = judge_programs(workshop, source, changed, [])
        assert isinstance(found.verdict, Passed if right else Falsified), found.verdict


@pytest.mark.thorough
def test_what_is_seeded_by_the_time_of_day_is_compared(workshop: Workshop, tmp_path: Path) -> None:
    main = (
        "#include <cstdio>\n#include <cstdlib>\n#include <ctime>\n#include <unistd.h>\n"
        "__global__ void k() {}\nint main()\n{\n"
        "    k<<<1, 1>>>();\n    time_t begin = time(nullptr);\n    srand(begin);\n"
        "    for (int i = 0; i < 20; i++) std::putchar('a' + rand() % 26);\n"
        "    while (time(nullptr) == begin) usleep(1000);\n}\n"
    )
    (tmp_path / "a.cu").write_text(main)
    source = parsers.read(tmp_path)
    assembly = assemble(source, {})
    (found,) = judge_programs(workshop, source, assembly, [])
    assert isinstance(found.verdict, Passed), found.verdict
    text = assembly.probed["a.cpp"].replace(b"% 26", b"% 25")
    assert text != assembly.probed["a.cpp"]
    broken = replace(assembly, probed={**assembly.probed, "a.cpp": text})
    (found,) = judge_programs(workshop, source, broken, [])
    assert isinstance(found.verdict, Falsified), found.verdict


def test_a_program_that_launches_kernels_without_arguments_is_run(workshop: Workshop, tmp_path: Path) -> None:
    main = "int main(int argc, char **argv) { k<<<1, argc > 1 ? 64 : 1>>>(); return 0; }"
    (tmp_path / "a.cu").write_text(f"__global__ void k() {{}}\n{main}\n")
    source = parsers.read(tmp_path)
    (found,) = judge_programs(workshop, source, assemble(source, {}), [])
    assert isinstance(found.verdict, Passed)


def test_a_program_that_looks_at_no_arguments_is_run_without_any(workshop: Workshop) -> None:
    source = parsers.read(CASES[0])
    (found,) = judge_programs(workshop, source, assemble(source, {}), [])
    assert isinstance(found.verdict, Passed)
    assert found.command == "./main"


OF_C = """#include <stdio.h>
#include <stdlib.h>
#include "fill.h"
int main(void) {
    int class = 5, *x = malloc(4 * sizeof(int));
    fill(x, class);
    printf("%d\\n", x[3]);
    return 0;
}
"""
FILL = """extern "C" {
#include "fill.h"
}
__global__ void set(int *x, int v) { x[threadIdx.x] = v; }
void fill(int *x, int v) {
    int *d;
    cudaMalloc(&d, 4 * sizeof(int));
    set<<<1, 4>>>(d, v);
    cudaMemcpy(x, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
}
"""
MAKES = """prog: main.o fill.o
\tnvcc main.o fill.o -o prog
main.o: main.c
\t%s -c main.c
fill.o: fill.cu
\tnvcc -c fill.cu
"""


@pytest.mark.parametrize("compiler", ["gcc", "g++"])
def test_files_of_c_beside_cuda_are_compiled_as_their_build_does(
    compiler: str, workshop: Workshop, tmp_path: Path
) -> None:
    of_c = compiler == "gcc"
    main = OF_C if of_c else OF_C.replace("class", "most").replace("malloc", "(int *)malloc")
    fill = FILL if of_c else FILL.replace('extern "C" {', "").replace('h"\n}', 'h"')
    header = "void fill(int *x, int v);\n"
    files = {"main.c": main, "fill.h": header, "fill.cu": fill, "Makefile": MAKES % compiler}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    source = parsers.read(tmp_path)
    built = build_source(workshop, source, source.programs[0], built_from(source))
    assert isinstance(built, Built), built


READS = """#include <cstdio>
__global__ void add(int *a) { atomicAdd(a, 1); }
int main() {
    std::FILE *file = std::fopen("data/in.bin", "r+b");
    int held[2], *device;
    if (!file || std::fread(held, sizeof held, 1, file) != 1) return 1;
    cudaMalloc(&device, sizeof *device);
    cudaMemcpy(device, held, sizeof *device, cudaMemcpyHostToDevice);
    add<<<1, 8>>>(device);
    cudaMemcpy(held, device, sizeof *device, cudaMemcpyDeviceToHost);
    std::rewind(file);
    std::fwrite(held, sizeof held, 1, file);
    std::printf("%d\\n", held[0]);
}
"""


def test_programs_read_data_of_the_repository_and_never_change_it(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "in.bin").write_bytes(bytes(8))
    (tmp_path / "other.bin").write_bytes(b"\0" * 100)
    (tmp_path / "main.cu").write_text(READS)
    source = parsers.read(tmp_path)
    (found,) = judge_programs(workshop, source, assemble(source, {}), [("./main",)])
    assert isinstance(found.verdict, Passed), found.verdict
    assert "1 file" in " ".join(found.verdict.guarantee.checks)
    assert (tmp_path / "data" / "in.bin").read_bytes() == bytes(8)


TALKS = """#include <cstdio>
__global__ void add(int *a) { atomicAdd(a, 1); }
int main(int argc, char **) {
    int held = argc, *device;
    if (std::scanf("%d", &held) != 1) return 1;
    cudaMalloc(&device, sizeof *device);
    cudaMemcpy(device, &held, sizeof *device, cudaMemcpyHostToDevice);
    add<<<1, 8>>>(device);
    cudaMemcpy(&held, device, sizeof *device, cudaMemcpyDeviceToHost);
    std::printf("%d %d\\n", argc, held);
}
"""


@pytest.mark.parametrize("run", ["./main < data/in.txt", "./main 7 <data/in.txt > out.txt 2>&1 | head -3"])
def test_programs_read_a_file_as_their_input(run: str, workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "in.txt").write_text("34\n")
    (tmp_path / "main.cu").write_text(TALKS)
    source = parsers.read(tmp_path)
    (found,) = judge_programs(workshop, source, assemble(source, {}), [tuple(shlex.split(run))])
    assert isinstance(found.verdict, Passed), found.verdict
    assert found.command == run


def test_without_its_input_a_program_is_not_run(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(TALKS)
    source = parsers.read(tmp_path)
    for name in ("in.txt", "/etc/passwd"):
        (found,) = judge_programs(workshop, source, assemble(source, {}), [("./main", "<", name)])
        assert isinstance(found.verdict, Inconclusive)
        assert name in found.verdict.reason


def test_launches_are_recorded(workshop: Workshop) -> None:
    launches = record(workshop, parsers.read(EXAMPLE), [RUN])
    assert {launch.kernel for launch in launches} >= {
        "diffuse",
        "drift",
        "heat",
        "reduce_blocks",
        "count_bins",
    }
    (heat,) = {launch.launch.grid for launch in launches if launch.kernel == "heat"}
    assert heat == (32, 1, 1)


@pytest.mark.thorough
def test_names_of_files_in_the_output_are_those_of_the_source(cache: Path, tmp_path: Path) -> None:
    text = (
        "#include <cstdio>\n#include <cuda_runtime.h>\n"
        "__global__ void set(int *x, int n)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] = i;\n}\n"
        "int main(int, char **words) {\n"
        "    int *x, last = 0;\n    cudaMalloc(&x, 400);\n    set<<<1, 128>>>(x, 100);\n"
        "    cudaMemcpy(&last, x + 99, 4, cudaMemcpyDeviceToHost);\n    cudaFree(x);\n"
        '    printf("%s (%s): %d\\n", words[0], __FILE__, last);\n}\n'
    )
    root = tmp_path / "source"
    root.mkdir()
    (root / "main.cu").write_text(text)
    (root / "Makefile").write_text("main: main.cu\n\tnvcc -O2 main.cu -o main\nrun: main\n\t./main\n")
    port = pipeline.port(root, PortOptions(cache=cache, out=tmp_path / "out"), Silent())
    assert (tmp_path / "out" / "main.cpp").exists()
    [program] = port.programs
    assert isinstance(program.verdict, Passed), program.verdict


WRITES = """
#include <cstdio>
#include <cuda_runtime.h>
__global__ void squares(double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.7 * i * i;
}
int main() {
    double *device, host[40];
    cudaMalloc(&device, sizeof host);
    squares<<<1, 64>>>(device, 40);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    FILE *file = fopen("squares.txt", "w"), *raw = fopen("squares.raw", "wb");
    for (int i = 0; i < 40; ++i) fprintf(file, "%d %g\\n", i, 2 * host[i]);
    fwrite(host, sizeof host, 1, raw);
    fclose(file);
    fclose(raw);
    cudaFree(device);
}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "where"),
    [
        (b"2 * host[i]", b"3 * host[i]", "squares.txt, line 2"),
        (b"fwrite(host,", b"fwrite(host + 1,", "squares.raw, number 0"),
        (b'"squares.raw", "wb"', b'"square.raw", "wb"', "squares.raw"),
    ],
)
def test_files_that_a_run_writes_are_compared(
    workshop: Workshop, tmp_path: Path, right: bytes, wrong: bytes, where: str
) -> None:
    (tmp_path / "main.cu").write_text(WRITES)
    (tmp_path / "Makefile").write_text("main: main.cu\n\tnvcc main.cu -o main\n")
    assembly = assemble(parsers.read(tmp_path), {}, style=Style.IN_PLACE)
    verdict = judged(workshop, tmp_path, assembly, ("./main",))
    assert isinstance(verdict, Passed) and "2 files" in verdict.guarantee.checks, verdict
    text = assembly.probed["main.cpp"].replace(right, wrong)
    assert text != assembly.probed["main.cpp"]
    broken = replace(assembly, probed={**assembly.probed, "main.cpp": text})
    verdict = judged(workshop, tmp_path, broken, ("./main",))
    assert isinstance(verdict, Falsified) and verdict.counterexample.where == where, verdict
