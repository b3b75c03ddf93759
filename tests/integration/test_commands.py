"""The command line as a user meets it: a small repository, real compilers, whole commands."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="clang-19 is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

SCALE = b"""#include <cstdio>
#include <cuda_runtime.h>
// Umlaut in Latin-1: \xe4
__global__ void scale(float *data, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = factor * data[i];
}
"""
MAIN = b"""
int main()
{
    const int n = 1000;
    float host[n], *device;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&device, n * sizeof(float));
    cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(device, 2.0f, n);
    cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += host[i];
    printf("%g\\n", sum);
    return 0;
}
"""
PTX = b"""
__global__ void lanes(int *out)
{
    int lane;
    asm("mov.u32 %0, %%pm0;" : "=r"(lane));
    out[threadIdx.x] = lane;
}
"""
METHODS = b"""
struct Generator {
    unsigned state;
    __device__ Generator(unsigned seed) : state(seed) {}
    __device__ __forceinline__ unsigned next() { return state = 1664525u * state + 1013904223u; }
};
__global__ void draw(unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Generator generator(i);
        generator.next();
        out[i] = generator.next();
    }
}
"""
MAKEFILE = b"""main: main.cu
\tnvcc -O2 -o main main.cu
run: main
\t./main
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "source"
    root.mkdir()
    (root / "main.cu").write_bytes(SCALE + MAIN)
    (root / "Makefile").write_bytes(MAKEFILE)
    return root


def environment(cache: Path) -> Mapping[str, str]:
    return {**os.environ, "TRANSPILE_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).parents[2])}


def transpile(cache: Path, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from transpile.cli.main import main; main()", *map(str, words)],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        env=environment(cache),
        cwd=cwd,
        timeout=300,
        check=False,
    )


def port(cache: Path, source: Path, out: Path, *words: str) -> tuple[int, dict[str, Any]]:
    line = ("port", source, "--to", "openmp", "--out", out, "--output-format", "json", *words)
    done = transpile(cache, *line)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout)


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }


def test_from_source_to_a_checked_port(cache: Path, repository: Path, tmp_path: Path) -> None:
    before, out = tree(repository), tmp_path / "out"
    status, found = port(cache, repository, out)
    (unit,) = [unit for unit in found["units"] if unit["kind"] == "kernel"]
    assert unit["kept"], unit["reason"]
    assert (unit["verdict"], unit["level"], unit["target_name"]) == ("passed", "tested", "scale")
    assert unit["trials"] > 0
    assert found["build"]["ok"]
    assert (status, found["exit_status"]) == (0, 0)
    assert tree(repository) == before
    text = (out / unit["target_path"]).read_bytes()
    assert b"\xe4" in text
    assert b"<<<" not in text
    subprocess.run(["make", "-C", str(out)], check=True, capture_output=True)
    ran = subprocess.run([str(out / "main")], check=True, capture_output=True, text=True)
    assert ran.stdout == "999000\n"

    assert transpile(cache, "check", out).returncode == 0
    page = (out / "transpile-report.html").read_bytes()
    assert b"1 of 1 units kept" in page
    (out / "transpile-report.html").unlink()
    assert transpile(cache, "report", out).returncode == 0
    assert (out / "transpile-report.html").read_bytes() == page
    replayed = transpile(cache, "replay", unit["evidence"][:8], "--trials", "2")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    pairs = [json.loads(line) for line in transpile(cache, "pairs", out).stdout.splitlines()]
    assert [pair["name"] for pair in pairs] == ["scale"]

    (repository / "main.cu").write_bytes((SCALE + MAIN).replace(b"factor * data[i]", b"factor + data[i]"))
    stale = transpile(cache, "check", out)
    assert stale.returncode == 1
    assert "main.cu::scale" in stale.stdout
    rerun = transpile(cache, "check", out, "--rerun")
    assert rerun.returncode == 1
    assert "falsified" in rerun.stdout
    (repository / "main.cu").write_bytes((SCALE + MAIN).replace(b"factor * data[i]", b"data[i] * factor"))
    agrees = transpile(cache, "check", out, "--rerun")
    assert agrees.returncode == 0, agrees.stdout + agrees.stderr


EDITS = {
    "a right one": (b"{\n", b"{\n    const float by = factor;\n", 0),
    "a bound that no trial of the port knows": (b"{\n", b"{\n    if (n > 40000) return;\n", 1),
    "a race": (b"{\n", b"{\n    static int calls;\n    calls++;\n", 1),
    "a helper of its own": (
        b"void scale(",
        b"static float doubled(float x) { return x + x; }\n\nvoid scale(",
        0,
    ),
}
"""Edits of the translation in a port, and the exit status that tells of them."""


@pytest.mark.thorough
def test_a_translation_that_somebody_changed_is_judged_as_a_new_one(
    cache: Path, repository: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    _, found = port(cache, repository, out)
    (unit,) = [unit for unit in found["units"] if unit["kind"] == "kernel"]
    place = out / unit["target_path"]
    before = place.read_bytes()
    head, name, rest = before.partition(b"void scale(")
    for what, (old, new, expected) in EDITS.items():
        place.write_bytes(head + (name + rest).replace(old, new, 1))
        done = transpile(cache, "check", out, "--rerun")
        assert done.returncode == expected, f"{what}: {done.stdout}{done.stderr}"
    place.write_bytes(before)
    assert transpile(cache, "check", out).returncode == 0


@pytest.mark.thorough
def test_a_check_makes_carved_calls_again_or_says_that_it_cannot(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"  # of its own, since what was carved goes
    out = tmp_path / "out"
    status, _ = port(cache, repository, out, "--carve", "./main")
    assert status == 0
    [data] = [path for path in cache.rglob("carved") if path.is_dir()]
    assert list(data.iterdir())
    shutil.rmtree(data)
    changed = (SCALE + MAIN).replace(b"factor * data[i]", b"data[i] * factor")
    (repository / "main.cu").write_bytes(changed)
    agrees = transpile(cache, "check", out, "--rerun")
    assert agrees.returncode == 0, agrees.stdout + agrees.stderr
    assert list(data.iterdir())

    shutil.rmtree(data)
    (repository / "main.cu").write_bytes(changed.replace(b"return 0", b"return 1"))
    lost = transpile(cache, "check", out, "--rerun")
    assert (lost.returncode, "no carved call could be repeated" in lost.stdout) == (1, True), lost.stdout


def test_the_second_time_nothing_is_decided_again(cache: Path, repository: Path, tmp_path: Path) -> None:
    port(cache, repository, tmp_path / "first")
    words = ("port", repository, "--to", "openmp", "--out", tmp_path / "second", "--output-format", "jsonl")
    again = transpile(cache, *words)
    assert "(decided earlier)" in again.stderr
    lines = [json.loads(line) for line in again.stdout.splitlines()]
    assert [line.get("name") for line in lines[:-1]] == ["scale"]
    assert lines[-1]["command"] == "port"


def test_what_cannot_be_ported_is_named_and_the_rest_goes_on(
    cache: Path, repository: Path, tmp_path: Path
) -> None:
    (repository / "main.cu").write_bytes(SCALE + PTX + MAIN)
    (repository / "picture.cu").write_bytes(b"\x00\x01\x02")
    status, found = port(cache, repository, tmp_path / "out")
    units = {unit["name"]: unit for unit in found["units"]}
    assert status == 1
    assert units["scale"]["kept"]
    assert not units["lanes"]["kept"]
    assert units["lanes"]["code"] == "TP110"
    codes = {item["code"]: item for item in found["diagnostics"]}
    line = codes["TP110"]["line"]
    assert b"asm(" in (SCALE + PTX).splitlines()[line - 1]
    assert codes["TP101"]["path"] == "picture.cu"
    assert found["build"]["ok"]


def test_plan_writes_nothing(cache: Path, repository: Path, tmp_path: Path) -> None:
    planned = transpile(cache, "port", repository, "--to", "openmp", "--plan", "--out", tmp_path / "out")
    assert planned.returncode == 0
    assert "scale  main.cu:" in planned.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["port", "source", "--to", "openmp", "--out", "source/port"], "inside the source"),
        (["port", "source", "--to", "openmp", "--out", "full"], "not empty"),
        (["port", "source", "--to", "openmp", "--out", "."], "contains the source"),
        (["port", "source", "--to", "openmp"], "no output directory"),
        (["port", "source", "--out", "out"], "no target"),
        (["port", "source", "--to", "openmpi", "--out", "out"], "Did you mean 'openmp'?"),
        (["port", "nothing", "--to", "openmp", "--out", "out"], "no such file"),
        (["port", "empty", "--to", "openmp", "--out", "out"], "holds no"),
        (["port", "full/note.txt", "--to", "openmp", "--out", "out"], "not a C, C++ or CUDA file"),
        (["units", "nothing"], "no such file"),
        (["check", "empty"], "no transpile.lock"),
        (["replay", "123456"], "no evidence"),
        (["explain", "TP999"], "unknown code"),
    ],
)
def test_bad_usage_touches_nothing(
    cache: Path, repository: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine\n")
    (tmp_path / "empty").mkdir()
    before = tree(tmp_path)
    done = transpile(cache, *words, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert done.stdout == ""
    assert tree(tmp_path) == before


def test_a_mistyped_key_is_refused_before_anything_runs(
    cache: Path, repository: Path, tmp_path: Path
) -> None:
    (repository / "transpile.toml").write_text('tarjet = "openmp"\n')
    done = transpile(cache, "port", repository, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert "unknown key 'tarjet'" in done.stderr
    assert "Did you mean 'target'?" in done.stderr


def test_an_interrupted_port_goes_on_where_it_stopped(
    repository: Path, fresh_cache: Path, tmp_path: Path
) -> None:
    """Several translation units, so that some are decided when the signal comes and some are not."""
    cache = fresh_cache
    (repository / "Makefile").unlink()
    for index in range(2):
        text = SCALE.replace(b"scale", b"scale%d" % index).replace(
            b"factor *", b"%d * factor *" % (index + 2)
        )
        text += b"void run%d(float *data) { scale%d<<<1, 32>>>(data, 2, 32); }\n" % (index, index)
        (repository / f"part{index}.cu").write_bytes(text)
    line = ["port", str(repository), "--to", "openmp", "--out", str(tmp_path / "out"), "--jobs", "1"]
    with subprocess.Popen(
        [sys.executable, "-c", "from transpile.cli.main import main; main()", *line],
        env=environment(cache),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        for said in process.stderr:
            if said.startswith("[1/"):
                break
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    decided = [path for path in (cache / "evidence").iterdir() if not path.name.startswith(".")]
    assert 1 <= len(decided) < 3
    assert not (tmp_path / "out").exists()
    again = transpile(cache, *line)
    assert again.returncode in (0, 1), again.stderr
    assert again.stderr.count("(decided earlier)") >= len(decided)


@pytest.mark.thorough
def test_a_kernel_that_calls_methods_is_kept(cache: Path, repository: Path, tmp_path: Path) -> None:
    (repository / "main.cu").write_bytes(SCALE + METHODS + MAIN)
    status, report = port(cache, repository, tmp_path / "port", "--only", "draw")
    assert status == 0, report
    text = (tmp_path / "port" / "main.cpp").read_text(errors="replace")
    assert "unsigned next()" in text and "__device__" not in text


@pytest.mark.thorough
def test_a_file_without_a_program_becomes_objects(cache: Path, tmp_path: Path) -> None:
    source = tmp_path / "scale.cu"
    source.write_bytes(SCALE)
    status, report = port(cache, source, tmp_path / "port")
    assert status == 0 and report["programs"] == []
    subprocess.run(["make"], cwd=tmp_path / "port", check=True, capture_output=True, timeout=120)
    assert (tmp_path / "port" / "scale.o").is_file()
    # Two functions of one name are no library either.
    again = tmp_path / "twice"
    again.mkdir()
    for name in ("a.cu", "b.cu"):
        (again / name).write_bytes(SCALE)
    status, report = port(cache, again, tmp_path / "doubled")
    assert status == 1 and not report["build"]["ok"]
