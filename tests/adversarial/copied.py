"""CUDA ports of ``copies.c``, each with the length that it takes an array for: right ones and wrong ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A port that leaves open how long one of its arrays is."""

    header: str
    arrays: Mapping[str, tuple[str, str]]
    """For each the type of its elements and how many there are; ``LENGTH`` is left open."""
    written: str
    threads: str
    kernel: str
    """Parameters and body; the device's arrays have the names of the caller's."""
    values: str
    """Numbers that the kernel takes behind the arrays."""
    right: str
    """Statements that find the length as ``length``."""
    wrong: tuple[str, ...]
    """Lengths as they were once inferred, or as one may guess them."""


FORMS: Mapping[str, Form] = {
    "pick": Form(
        header="void pick(int batches, int channels, int points, int picked,"
        " const float *x, const int *index, float *y)",
        arrays={
            "x": ("float", "LENGTH"),
            "index": ("int", "batches * picked"),
            "y": ("float", "batches * channels * picked"),
        },
        written="y",
        threads="batches * channels * picked",
        kernel="int total, int channels, int points, int picked) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i >= total) return;\n"
        "    const int j = i % picked, plane = i / picked, b = plane / channels;\n"
        "    y[i] = x[plane * points + index[b * picked + j]];",
        values="batches * channels * picked, channels, points, picked",
        right="for (int b = 0; channels > 0 && b < batches; b++) for (int j = 0; j < picked; j++) {\n"
        "        const long last = ((long)b * channels + channels - 1) * points + index[b * picked + j];\n"
        "        if (last >= length) length = last + 1;\n    }",
        wrong=("batches * channels * points + batches * picked - points", "batches * channels * picked"),
    ),
    "count_hundreds": Form(
        header="void count_hundreds(const int *values, int *bins, int n)",
        arrays={"values": ("int", "n"), "bins": ("int", "LENGTH")},
        written="bins",
        threads="n",
        kernel="int n) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) atomicAdd(&bins[values[i] / 100], 1);",
        values="n",
        right="for (int i = 0; i < n; i++) if (values[i] / 100 >= length) length = values[i] / 100 + 1;",
        wrong=("1", "n", "10"),
    ),
    "twice": Form(
        header="void twice(const int *sizes, int unused, const float *x, float *y)",
        arrays={"x": ("float", "LENGTH"), "y": ("float", "LENGTH")},
        written="y",
        threads="sizes[0]",
        kernel="int n) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) y[i] = 2 * x[i];",
        values="sizes[0]",
        right="length = sizes[0];",
        wrong=("unused - 1", "unused", "6", "sizes[0] - 1"),
    ),
    "resampled": Form(
        header="void resampled(int n, float step, const float *x, float *y)",
        arrays={"x": ("float", "LENGTH"), "y": ("float", "n")},
        written="y",
        threads="n",
        kernel="int n, float step) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) y[i] = x[(int)(i * step)];",
        values="n, step",
        right="for (int i = 0; i < n; i++) if ((int)(i * step) >= length) length = (int)(i * step) + 1;",
        wrong=("n * n", "n", "(long)(n * step)"),
    ),
    "deposit": Form(
        header="void deposit(int n, int width, const int *row, const int *column,"
        " const float *charge, float *cells)",
        arrays={
            "row": ("int", "n"),
            "column": ("int", "n"),
            "charge": ("float", "n"),
            "cells": ("float", "LENGTH"),
        },
        written="cells",
        threads="n",
        kernel="int n, int width) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) atomicAdd(&cells[row[i] * width + column[i]], charge[i]);",
        values="n, width",
        right="for (int i = 0; i < n; i++)\n"
        "        if (row[i] * width + column[i] >= length) length = row[i] * width + column[i] + 1;",
        wrong=("width * n + n - width", "width * n", "width * width"),
    ),
}


def right(name: str) -> str:
    """Return the port that computes the length from the data."""
    return _text(name, FORMS[name].right)


def wrong(name: str, length: str) -> str:
    """Return the port that takes a formula for the length."""
    return _text(name, f"length = {length};")


def one_short(name: str) -> str:
    """Return the port that copies all but the last of the elements that are reached."""
    return _text(name, f"{FORMS[name].right}\n    if (length > 0) length--;")


def _text(name: str, found: str) -> str:
    form = FORMS[name]
    taken = [f"{kind} *{array}" for array, (kind, _) in form.arrays.items()]
    lines = [f"__global__ void {name}_kernel({', '.join(taken)}, {form.kernel}\n}}", f"{form.header}\n{{"]
    lines.append(f"    long length = 0;\n    {found}")
    lines += ["    if (length < 0) length = 0;", f"    const int threads = {form.threads};"]
    for array, (kind, count) in form.arrays.items():
        size = f"sizeof({kind}) * ({count.replace('LENGTH', 'length')})"
        lines.append(f"    {kind} *{array}_device;")
        lines.append(f"    const size_t {array}_size = {size};")
        lines.append(f"    cudaMalloc(&{array}_device, {array}_size);")
        lines.append(f"    cudaMemcpy({array}_device, {array}, {array}_size, cudaMemcpyHostToDevice);")
    passed = ", ".join(f"{array}_device" for array in form.arrays)
    launch = f"{name}_kernel<<<(threads + 63) / 64, 64>>>({passed}, {form.values});"
    lines.append(f"    if (threads > 0) {launch}")
    back = form.written
    lines.append(f"    cudaMemcpy({back}, {back}_device, {back}_size, cudaMemcpyDeviceToHost);")
    lines += [f"    cudaFree({array}_device);" for array in form.arrays]
    return "\n".join([*lines, "}"]) + "\n"


_WEIGHTED = """\
__global__ void weighted_kernel(int n, const float *factors, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factors[0] * x[i] + factors[1];
}
PLACE
void weighted(int n, float a, float b, const float *x, float *y)
{
    HELD
    held[0] = a;
    held[1] = b;
    float *factors, *dx, *dy;
    const size_t size = (n > 0 ? n : 0) * sizeof(float);
    cudaMalloc(&factors, 16 * sizeof(float));
    cudaMalloc(&dx, size);
    cudaMalloc(&dy, size);
    cudaMemcpy(factors, held, COUNT * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x, size, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, size, cudaMemcpyHostToDevice);
    if (n > 0) weighted_kernel<<<(n + 63) / 64, 64>>>(n, factors, dx, dy);
    cudaMemcpy(y, dy, size, cudaMemcpyDeviceToHost);
    BACK
    cudaFree(factors);
    cudaFree(dx);
    cudaFree(dy);
    FREED
}
"""
HELD: Mapping[str, tuple[str, str, str]] = {
    "stack": ("", "float held[2];", ""),
    "heap": ("", "float *held = (float *)malloc(2 * sizeof(float));", "free(held);"),
    "file": ("static float held[2];", "", ""),
    "thread": ("thread_local float held[2];", "", ""),
}
"""Where a port may hold numbers that it copies: at file scope, within the function, and at its end."""
SEEN = ("stack", "heap")
"""Places whose end a checker sees; no port may hold numbers elsewhere."""


def weighted(held: str, count: int, *, back: int = 0) -> str:
    """Return a port that copies so many of two numbers that the host holds to the device, and back."""
    place, within, end = HELD[held]
    returned = f"cudaMemcpy(held, factors, {back} * sizeof(float), cudaMemcpyDeviceToHost);" if back else ""
    text = _WEIGHTED.replace("PLACE", place).replace("HELD", within).replace("FREED", end)
    return text.replace("COUNT", str(count)).replace("BACK", returned)
