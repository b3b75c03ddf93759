"""The emulator, by programs that compute what they expect, under two compilers and the sanitizers."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path
from runpy import run_path

import pytest

from tests.sampling import sampled
from transpile.parsers.lowering.emulation import lower_text
from transpile.simt import include_directory, samples_directory

CASES = Path(__file__).parent.parent / "cases" / "simt"
runs = run_path(str(CASES.parents[2] / "scripts" / "simt_on_device.py"))["runs"]
PLAIN = ("g++", "-O1")
CHECKED = ("clang++-19", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def build(case: Path, place: Path, compiler: tuple[str, ...], *flags: str) -> Path:
    """Compile a case and return the program; warnings are errors."""
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    lowered = lower_text(case.read_bytes(), frozenset())
    source, program = place / f"{case.stem}.cpp", place / case.stem
    source.write_bytes(lowered.data)
    command = [*compiler, *flags, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", str(include_directory())]
    command += [
        "-idirafter",
        str(samples_directory()),
        "-I",
        str(CASES),
        "-include",
        "simt/simt.h",
        str(source),
        "-o",
        str(program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return program


def flags(case: Path) -> list[str]:
    """Return what the ``// flags:`` line adds to the compiler's command."""
    lines = [line for line in case.read_text().splitlines() if line.startswith("// flags:")]
    return lines[0].removeprefix("// flags:").split() if lines else []


@pytest.mark.parametrize("compiler", [PLAIN, CHECKED], ids=["g++", "clang++ with sanitizers"])
@pytest.mark.parametrize("case", sampled(sorted(CASES.glob("*.cu")), 20), ids=lambda case: case.stem)
def test_case_ends_as_it_says(case: Path, compiler: tuple[str, ...], tmp_path: Path) -> None:
    program = build(case, tmp_path, compiler, *flags(case))
    assert runs(case.read_text()), "a case without a run line shows nothing"
    for settings, arguments, end in runs(case.read_text()):
        done = subprocess.run(
            [str(program), *arguments],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            timeout=60,
        )
        kind, _, detail = end.partition(" ")
        if kind == "abort":
            assert done.returncode == -6, (arguments, done.stdout, done.stderr)
            assert re.search(detail, done.stderr), (arguments, done.stderr)
        else:
            assert done.returncode == int(detail), (settings, arguments, done.stdout, done.stderr)


@pytest.mark.parametrize("case", ["barriers", "shuffles"])
def test_fibers_switch_on_another_architecture(case: str, tmp_path: Path) -> None:
    if shutil.which("qemu-aarch64") is None:
        pytest.skip("qemu-aarch64 is not installed")
    program = build(CASES / f"{case}.cu", tmp_path, ("aarch64-linux-gnu-g++-12", "-O1", "-static"))
    done = subprocess.run(["qemu-aarch64", str(program)], capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout


RECORDED = b"""
#include <vector>
__global__ void scale(double *data, float factor, int n, unsigned long long big) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor + big;
}
int main() {
    std::vector<double> host(300, 2.0);
    double *device;
    cudaMalloc(&device, 300 * sizeof(double));
    cudaMemcpy(device, host.data(), 300 * sizeof(double), cudaMemcpyHostToDevice);
    scale<<<dim3(3, 1), 128, 64>>>(device, 1.5f, 300, 1ull << 63);
    cudaMemcpy(host.data(), device, 300 * sizeof(double), cudaMemcpyDeviceToHost);
    transpile_probe("a \\"label\\"", host.data(), 16);
}
"""


def test_record_tells_launches_and_copies_back(tmp_path: Path) -> None:
    case = tmp_path / "recorded.cu"
    case.write_bytes(RECORDED)
    program = build(case, tmp_path, PLAIN)
    record = tmp_path / "record"
    subprocess.run([str(program)], env={**os.environ, "SIMT_RECORD": str(record)}, check=True, timeout=60)
    launch, copy, probe = [json.loads(line) for line in record.read_text().splitlines()]
    assert launch == {
        "kernel": "scale",
        "grid": [3, 1, 1],
        "block": [128, 1, 1],
        "shared": 64,
        "arguments": 4,
        "variables": [],
        "scalars": [[1, 1.5], [2, 300], [3, 2**63]],
    }
    values = struct.pack("<300d", *([2.0 * (2.0**63)] * 300))
    assert (copy["copy"], copy["label"], copy["offset"], copy["kept"]) == (2400, "cudaMemcpy", 0, 2400)
    assert (probe["copy"], probe["label"], probe["offset"], probe["kept"]) == (16, 'a "label"', 2400, 16)
    assert copy["digest"] == f"{fnv1a(values):016x}"
    assert Path(f"{record}.bytes").read_bytes() == values + values[:16]


def fnv1a(data: bytes) -> int:
    """Return the 64-bit FNV-1a hash."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


@pytest.mark.parametrize("case", ["barriers", "shuffles"])
def test_fibers_without_assembly_do_the_same(case: str, tmp_path: Path) -> None:
    program = build(CASES / f"{case}.cu", tmp_path, PLAIN, "-DSIMT_UCONTEXT")
    assert subprocess.run([str(program)], timeout=60, check=False).returncode == 0


OVERRUN = """
__global__ void fixed(int n) { __shared__ int a[64]; a[0] = n; int *p = a; p[n] = 2; }
__global__ void flexible(int n) { extern __shared__ int b[]; b[n] = 2; }
int main(int, char **arguments) {
    const int n = atoi(arguments[2]);
    if (arguments[1][0] == 'd') {
        flexible<<<1, 1, 4 * 100>>>(n);
    } else {
        fixed<<<1, 1>>>(n);
    }
}
"""


def test_an_overrun_of_shared_memory_faults_in_every_build(tmp_path: Path) -> None:
    case = tmp_path / "overrun.cu"
    case.write_text(OVERRUN)
    program = build(case, tmp_path, PLAIN)
    ends = {
        (kind, index): subprocess.run([str(program), kind, str(index)], timeout=60, check=False).returncode
        for kind in ("static", "dynamic")
        for index in (63, 64, 99, 100, 100_000, -1_000)
    }
    within = {"static": 64, "dynamic": 100}
    assert ends == {(kind, index): 0 if 0 <= index < within[kind] else -11 for kind, index in ends}


FAULTS = """
#include <sys/mman.h>
__device__ int deep(int n) {
    volatile char local[4096];
    local[0] = n;
    return n == 0 ? 0 : deep(n - 1) + local[0];
}
__global__ void faulty(int *data, int n) {
    __shared__ int tile[1024];
    int *shared = tile;
    if (n > 0) data[n] = deep(0);
    if (n < 0) data[0] = n == -1 ? deep(1 << 20) : (shared[blockDim.x << 6] = 1);
}
int main(int, char **arguments) {
    int *data = nullptr, *refused = nullptr;
    const char kind = arguments[1][0];
    if (kind == 'h') cudaMalloc(&refused, size_t(1) << 60);
    if (kind == 'd' || kind == 's') cudaMalloc(&data, 1 << 20);
    if (kind == 'b') {
        data = (int *)mmap(nullptr, 2 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(data + (1 << 14), 1 << 16, PROT_NONE);
        cudaHostRegister(data, 1 << 16, 0);
    }
    if (kind == 'w') data = (int *)(size_t(1) << 46);
    faulty<<<dim3(1, 2), 16>>>(data, kind == 'd' ? -1 : kind == 's' ? -2 : 1 << 14);
}
"""


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("null", "65536 bytes behind a null pointer\n"),
        ("huge", "behind a null pointer; an allocation of 1152921504606846976 bytes was refused\n"),
        ("deep", "the end of its stack of 640 KiB\n"),
        ("shared", "behind a variable in shared memory\n"),
        ("behind", "0 bytes behind an allocation of 65536 bytes\n"),
        ("wild", "no memory of the device\n"),
    ],
)
def test_a_fault_is_told_before_it_ends_the_program(kind: str, said: str, tmp_path: Path) -> None:
    case = tmp_path / "faults.cu"
    case.write_text(FAULTS)
    program = build(case, tmp_path, PLAIN)
    done = subprocess.run([str(program), kind], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -11
    assert re.search(
        r"simt: kernel faulty, block \(0,0,0\), thread \(0,0,0\) accesses the address", done.stderr
    )
    assert done.stderr.endswith(said), done.stderr


def test_a_kernel_that_overruns_shared_memory_is_caught(tmp_path: Path) -> None:
    case = tmp_path / "overrun.cu"
    case.write_text(
        "__global__ void k(int n) {\n"
        "    __shared__ int a[4];\n    __shared__ int b[4];\n    int *p = a;\n    b[0] = p[n] = 2;\n}\n"
        "int main(int count, char **) { k<<<1, 1>>>(2 + 2 * count); }\n"
    )
    program = build(case, tmp_path, CHECKED)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "use-after-poison" in done.stderr


@pytest.mark.parametrize(
    ("call", "cuda", "hip"),
    [
        ("atomicAdd((unsigned long long *)p, 1ull)", True, True),
        ("atomicAdd((double *)p, 1.0)", True, True),
        ("atomicMax((long long *)p, 1ll)", True, True),
        ("atomicCAS((unsigned short *)p, 0, 1)", True, True),
        ("atomicAdd((unsigned long *)p, 1ul)", False, True),
        ("atomicSub((unsigned long long *)p, 1ull)", False, True),
        ("atomicAdd((long long *)p, 1ll)", False, False),
        ("atomicXor((long *)p, 1l)", False, False),
        ("atomicExch((short *)p, 1)", False, False),
        ("atomicCAS((long long *)p, 0ll, 1ll)", False, False),
    ],
)
def test_atomics_take_the_types_of_their_vendors(call: str, cuda: bool, hip: bool, tmp_path: Path) -> None:
    file = tmp_path / "kernel.cpp"
    file.write_text(f"void kernel(void *p) {{ {call}; }}\n")
    command = [*PLAIN, "-std=c++17", "-fsyntax-only", "-I", str(include_directory())]
    for flag, accepted in (("-USIMT_HIP", cuda), ("-DSIMT_HIP", hip)):
        done = subprocess.run(
            [*command, flag, "-include", "simt/simt.h", str(file)], capture_output=True, timeout=120
        )
        assert (done.returncode == 0) == accepted, (flag, done.stderr)
