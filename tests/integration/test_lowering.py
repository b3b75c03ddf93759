"""Every form of launch and of shared declaration, lowered, compiled and run on the emulator."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile.parsers import read
from transpile.parsers.lowering.emulation import lower
from transpile.simt import include_directory

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
]

PROGRAM = r"""
#include <cstdio>
#include <cuda_runtime.h>
#define TILE(n) __shared__ int tile_##n[32]
#define RUN(K, ...) K<<<1, \
                        32>>>(__VA_ARGS__)
extern __shared__ int whole[];

namespace n {
template <typename T, int N>
__global__ void both(T *out, int k) {
  __shared__ T a[N][2],
      b;
  static __shared__ volatile int c[(N > 2) ? 4 : 2];
  if (threadIdx.x == 0) { b = 5; c[1] = 2; }
  a[threadIdx.x % N][1] = threadIdx.x % N;
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x % N][1] + b + c[1] * k;
}
}  // namespace n

__device__ int helper(int i) {
  TILE(x); tile_x[threadIdx.x] = i; __syncthreads(); return tile_x[31 - threadIdx.x];
}
__global__ void plain(int *out, int *other) { out[threadIdx.x] = helper(threadIdx.x) + (other ? 1 : 0); }
__global__ void dynamic(int *out) {
  extern __shared__ __align__(16) int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
}
__global__ void at_file_scope(int *out) {
  whole[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = whole[threadIdx.x];
}
template <class T> void run(T *x) { n::both<T, 4><<<dim3(1), dim3(32, 1), 0, 0>>>(x, 3); }
static void show(int *x) {
  int host[32];
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[3]);
}
int main() {
  int *x;
  cudaMalloc(&x, 32 * sizeof(int));
  run(x); show(x);
  plain << <1, 32 >> > (x, NULL); show(x);
  RUN(plain, x, x); show(x);
  RUN((n::both<int, 2>), x, 1); show(x);
  dynamic<<<1, 32,
#ifdef LARGE
           1024
#else
           128
#endif
           >>>(x); show(x);
  void (*pointer)(int *) = at_file_scope;
  (*pointer)<<<1, 32, 128>>>(x); show(x);
  const char *text = "plain<<<1, 1>>>(x)";
  printf("%s %d\n", text, __LINE__);
}
"""


def test_a_program_of_every_form_runs(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(PROGRAM)
    source = read(tmp_path)
    place = tmp_path / "a.cpp"
    place.write_bytes(lower(source)["a.cu"])
    command = ["g++", "-std=c++17", "-I", str(include_directory()), "-include", "simt/simt.h", str(place)]
    done = subprocess.run([*command, "-o", str(tmp_path / "a")], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([str(tmp_path / "a")], capture_output=True, text=True, timeout=60)
    line = PROGRAM[: PROGRAM.index("__LINE__")].count("\n") + 1
    assert ran.stdout.splitlines() == [
        "11 14",
        "31 28",
        "32 29",
        "7 8",
        "1 4",
        "0 6",
        f"plain<<<1, 1>>>(x) {line}",
    ]
    assert {item.callable for items in source.signatures.values() for item in items} == {
        "n::both<int, 4>", "n::both<int, 2>", "plain", "dynamic", "at_file_scope",
    }  # fmt: skip


def test_the_library_build_of_a_texture_file_compiles(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "#include <cuda_runtime.h>\ntexture<float, 2, cudaReadModeElementType> t;\n"
        "__global__ void k(float *a, cudaTextureObject_t o) { a[0] = tex2D(t, 1, 2) + tex1D<float>(o, 1); }\n"
        "__global__ void fine(float *a) { a[0] = 1; }\n"
        "int main() { cudaTextureObject_t o; cudaTextureDesc d = {}; cudaBindTexture(0, t, 0, 0); }\n"
    )
    place = tmp_path / "a.cpp"
    place.write_bytes(lower(read(tmp_path), rename_main=True)["a.cu"])
    command = [
        "g++",
        "-std=c++17",
        "-I",
        str(include_directory()),
        "-include",
        "simt/simt.h",
        "-c",
        str(place),
    ]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "a.o")], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
