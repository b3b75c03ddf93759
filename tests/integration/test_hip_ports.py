"""``port --to hip`` as a user meets it: what is written, what is kept, and what stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile import lock, pipeline
from transpile.core import HIP, HIP_OR_CUDA, Dialect, Falsified, Level, Passed, Port
from transpile.options import PortOptions, Silent
from transpile.report.findings import of_port
from transpile.toolchains import sandbox
from transpile.toolchains.devices import DEVICE_COMPILERS
from transpile.translators.targets.hip import helpers
from transpile.translators.targets.hip.helpers import text_of

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]
HIPCC = DEVICE_COMPILERS[HIP.model]

TEXT = """#include <cstdio>
#include <cuda_runtime.h>
// The sum of each warp, by its first lane.
__global__ void sums(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] : 0;
    for (int by = warpSize / 2; by > 0; by /= 2) value += __shfl_xor_sync(0xffffffff, value, by);
    if (i < n) out[i] = value;
}
__global__ void clocks(unsigned *out) { asm("mov.u32 %0, %%pm0;" : "=r"(*out)); }
int main()
{
    const int n = 1000;
    int host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = i % 7;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<(n + 127) / 128, 128>>>(in, out, n);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", host[0], host[999]);
    return 0;
}
"""
MAKEFILE = """\
main: main.cu
\tnvcc -arch=sm_70 -O2 main.cu -o main

run: main
\t./main
"""


def ported(root: Path, out: Path, cache: Path, *, target: Dialect = HIP, unproven: bool = False) -> Port:
    options = PortOptions(cache=cache, out=out, target=target, jobs=2, prove=0, unproven=unproven)
    return pipeline.port(root, options, Silent())


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp("source")
    (place / "main.cu").write_text(TEXT)
    (place / "Makefile").write_text(MAKEFILE)
    return place


def test_a_repository_becomes_one_for_hipcc(root: Path, cache: Path, tmp_path: Path) -> None:
    out = tmp_path / "port"
    port = ported(root, out, cache)
    verdicts = {item.unit.name: item for item in port.evidence}
    assert verdicts["sums"].kept(Level.TESTED)
    shown = verdicts["sums"].verdict
    assert isinstance(shown, Passed) and "warps of 64 and of 32 lanes" in shown.guarantee.checks
    assert not verdicts["clocks"].kept(Level.TESTED)
    text = (out / "main.hip").read_text()
    assert "__shfl_xor(value, by, 32)" in text and "by = 32 / 2" in text
    assert "// The sum of each warp, by its first lane.\n" in text
    assert "\n// Not kept: TP110: uses inline PTX" in text and 'asm("mov.u32' in text
    assert "hipcc -O2 main.hip -o main" in (out / "Makefile").read_text()
    assert not (out / "main.cu").exists()
    [program] = port.programs
    assert isinstance(program.verdict, Passed) and program.verdict.guarantee.trials == 2
    # Assembly of NVIDIA's devices stays where it is, and no compiler for AMD takes it.
    assert port.built != HIPCC.here


def without_assembly(root: Path, place: Path) -> Path:
    """Return a copy of the source that HIP has something for throughout."""
    source = place / "source"
    shutil.copytree(root, source)
    text = TEXT.replace(TEXT[TEXT.index("__global__ void clocks") : TEXT.index("int main")], "")
    (source / "main.cu").write_text(text)
    return source


@pytest.mark.thorough
def test_what_amd_compiles_is_said(root: Path, cache: Path, tmp_path: Path) -> None:
    source = without_assembly(root, tmp_path)
    port = ported(source, tmp_path / "port", cache)
    assert port.exit_status == 0 and port.built
    assert ("gfx90a and gfx1030" in port.built_by) == HIPCC.here
    # What is HIP already stays as it is.
    again = ported(tmp_path / "port", tmp_path / "again", cache)
    assert again.exit_status == 0
    for name in ("main.hip", "Makefile"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "port" / name).read_bytes()


@pytest.mark.thorough
def test_a_kernel_with_textures_is_not_judged_and_its_program_runs(cache: Path, tmp_path: Path) -> None:
    cases = Path(__file__).parent.parent / "cases" / "hip"
    source = tmp_path / "source"
    source.mkdir()
    shutil.copy(cases / "textures.cu", source / "main.cu")
    shutil.copy(cases / "expect.h", source)
    (source / "Makefile").write_text(MAKEFILE)
    port = ported(source, tmp_path / "port", cache, unproven=True)
    [evidence] = port.evidence
    assert not evidence.kept(Level.TESTED)
    text = (tmp_path / "port" / "main.hip").read_text()
    assert "// Not kept: TP111: uses a texture" in text and "hipTextureObject_t picture" in text
    [program] = port.programs
    assert isinstance(program.verdict, Passed)


@pytest.mark.thorough
def test_one_text_is_for_cuda_and_for_hip(root: Path, cache: Path, tmp_path: Path) -> None:
    source, out = without_assembly(root, tmp_path), tmp_path / "port"
    port = ported(source, out, cache, target=HIP_OR_CUDA)
    assert port.exit_status == 0, port.own_build
    [shown] = [item.verdict for item in port.evidence]
    assert isinstance(shown, Passed)
    assert {"warps of 64 and of 32 lanes", "the same text as CUDA"} <= set(shown.guarantee.checks)
    [program] = port.programs
    assert isinstance(program.verdict, Passed) and program.verdict.guarantee.trials == 4
    for model in HIP_OR_CUDA.models:
        assert (DEVICE_COMPILERS[model].told in port.built_by) == DEVICE_COMPILERS[model].here
    text = (out / "main.cu").read_text()
    assert '#include "cuda_or_hip/cuda_runtime.h"' in text and "cudaMalloc(&in, sizeof host);" in text
    assert not lock.check(out / lock.FILE)
    again = ported(out, tmp_path / "again", cache, target=HIP_OR_CUDA)
    assert again.exit_status == 0
    for path in out.rglob("*"):
        if path.is_file() and not path.name.startswith("transpile"):
            assert (tmp_path / "again" / path.relative_to(out)).read_bytes() == path.read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("wrong", ["__shfl_xor_sync(mask, value, by / 2", "__shfl_xor(value, by / 2"])
def test_one_text_is_judged_as_both(
    wrong: str, root: Path, fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of("warp32.h").decode().replace(wrong.removesuffix(" / 2"), wrong)
    monkeypatch.setattr(helpers, "text_of", lambda _: text.encode())
    port = ported(without_assembly(root, tmp_path), tmp_path / "port", fresh_cache, target=HIP_OR_CUDA)
    assert [type(item.verdict) for item in port.evidence] == [Falsified]


KERNEL = """__global__ void %s(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
"""


def repository(place: Path, **files: str) -> Path:
    root = place / "source"
    root.mkdir()
    for name, text in files.items():
        (root / name.replace("_", ".")).write_text(text)
    return root


def findings(port: Port) -> dict[str, set[tuple[str, int]]]:
    """Return what is said of the port's files: by code, where."""
    found: dict[str, set[tuple[str, int]]] = {}
    for item in of_port(port):
        found.setdefault(item.code, set()).add((item.path, item.line))
    return found


def test_a_repository_of_hip_is_left_as_it_is(cache: Path, tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n" + KERNEL % "wide" + "int f() { return warpSize + __shfl(1, 40); }\n"
    )
    make = "main.o: main.cu\n\thipcc -c main.cu\n"
    port = ported(repository(tmp_path, main_cu=text, Makefile=make), tmp_path / "port", cache)
    assert port.evidence == () and findings(port)["TP213"] == {("main.cu", 1)}
    assert (tmp_path / "port" / "main.cu").read_text() == text
    assert (tmp_path / "port" / "Makefile").read_text() == make


@pytest.mark.thorough
def test_of_a_repository_that_is_half_hip_the_other_half_is_ported(cache: Path, tmp_path: Path) -> None:
    done = "#include <hip/hip_runtime.h>\n" + KERNEL % "done"
    todo = (
        "#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\n"
        + KERNEL % "todo"
        + "void run(int *x, int n) { LAUNCH(todo, (n + 63) / 64, 64, x, n); cudaDeviceSynchronize(); }\n"
    )
    port = ported(repository(tmp_path, done_hip=done, todo_cu=todo), tmp_path / "port", cache)
    assert [(item.unit.name, item.kept(Level.TESTED)) for item in port.evidence] == [("todo", True)]
    assert findings(port)["TP213"] == {("done.hip", 1)}
    assert (tmp_path / "port" / "done.hip").read_text() == done
    text = (tmp_path / "port" / "todo.hip").read_text()
    assert "k<<<g, b>>>(__VA_ARGS__)" in text and "hipDeviceSynchronize();" in text


@pytest.mark.thorough
def test_what_chooses_between_the_vendors_is_judged_as_hip_chooses(cache: Path, tmp_path: Path) -> None:
    choice = "#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#define STEP %d\n#else\n#define STEP 1\n#endif\n"
    kernel = KERNEL.replace("+= 1", "+= STEP")
    sources = {f"{name}_cu": choice % step + kernel % name for name, step in (("right", 1), ("wrong", 2))}
    port = ported(repository(tmp_path, **sources), tmp_path / "port", cache)
    verdicts = {item.unit.name: type(item.verdict) for item in port.evidence}
    assert verdicts == {"right": Passed, "wrong": Falsified}
    assert choice % 1 in (tmp_path / "port" / "right.hip").read_text()
    notes = [item.message for item in port.diagnostics if item.code == "TP213"]
    assert len(notes) == 2 and all("USE_HIP" in text for text in notes)


@pytest.mark.thorough
def test_what_does_not_parse_is_told_and_the_rest_is_ported(cache: Path, tmp_path: Path) -> None:
    broken = "#include <cuda_runtime.h>\nint f( { return cudaSuccess; }\n"
    port = ported(repository(tmp_path, good_cu=KERNEL % "good", broken_cu=broken), tmp_path / "port", cache)
    assert [item.kept(Level.TESTED) for item in port.evidence] == [True]
    assert not port.built and findings(port)["TP504"] == {("broken.hip", 2)}
    assert "hipSuccess" in (tmp_path / "port" / "broken.hip").read_text()


@pytest.mark.thorough
def test_headers_outside_that_include_cuda_are_named(cache: Path, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "grid.h").write_text("#pragma once\n#include <cuda_runtime.h>\n")
    root = repository(tmp_path, main_cu='#include "grid.h"\n' + KERNEL % "k")
    options = PortOptions(cache=cache, out=tmp_path / "port", target=HIP, prove=0, flags=(f"-I{beside}",))
    port = pipeline.port(root, options, Silent())
    assert findings(port)["TP215"] == {(str(beside / "grid.h"), 2)}
