"""Faults in CUDA versions of functions, each an edit of an honest version, with the checks that refuse it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.adversarial.candidates import Text, read


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One fault."""

    function: str
    name: str
    refused: str
    """Checks of which one must refuse it."""
    before: str
    after: str
    of: int = 0
    """Which of the function's honest versions it is an edit of."""


def texts() -> list[Text]:
    """Return the faulty versions."""
    honest = read("functions_honest.cu")
    return [_faulty([text for text in honest if text.kernel == item.function], item) for item in MISTAKES]


def _faulty(versions: list[Text], item: Mistake) -> Text:
    text = versions[item.of]
    assert item.before in text.text, item.name
    refused = frozenset(item.refused.split())
    return replace(text, name=item.name, text=text.text.replace(item.before, item.after), refused=refused)


def _axpy(name: str, refused: str, before: str, after: str, of: int = 0) -> Mistake:
    return Mistake(function="axpy", name=name, refused=refused, before=before, after=after, of=of)


def _of(function: str, name: str, refused: str, before: str, after: str) -> Mistake:
    return Mistake(function=function, name=name, refused=refused, before=before, after=after)


_BACK = "    cudaMemcpy(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost);\n"
_LAUNCHED = "(n, a, dx, dy);\n" + _BACK
_ON_HOST = "(n, a, x, y);\n    cudaDeviceSynchronize();\n"
_WHOLE = """\
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
    axpy_kernel<<<(n + 255) / 256, 256>>>(n, a, dx, dy);
    cudaMemcpy(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost);
"""
_UNORDERED = """\
(n, a, dx, dy);
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMemcpyAsync(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost, other);
    cudaStreamSynchronize(other);
    cudaStreamDestroy(other);
"""
_MANAGED = """\
    float *dx, *dy;
    cudaMallocManaged(&dx, n * sizeof(float));
    cudaMallocManaged(&dy, n * sizeof(float));
    memcpy(dx, x, n * sizeof(float));
    memcpy(dy, y, n * sizeof(float));
    axpy_kernel<<<(n + 255) / 256, 256>>>(n, a, dx, dy);
    memcpy(y, dy, n * sizeof(float));
"""
_PINNED = """\
    float *dx, *dy, *pinned;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMallocHost(&pinned, n * sizeof(float));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
    axpy_kernel<<<(n + 255) / 256, 256>>>(n, a, dx, dy);
    cudaMemcpyAsync(pinned, dy, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
    memcpy(y, pinned, n * sizeof(float));
    cudaFreeHost(pinned);
"""
_EVENTS = """\
    cudaStream_t first, second;
    cudaEvent_t ready;
    cudaEventCreate(&ready);
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpyAsync(dx, x, n * sizeof(float), cudaMemcpyHostToDevice, first);
    cudaMemcpyAsync(dy, y, n * sizeof(float), cudaMemcpyHostToDevice, first);
    cudaEventRecord(ready, second);
    cudaStreamWaitEvent(second, ready);
    axpy_kernel<<<(n + 255) / 256, 256, 0, second>>>(n, a, dx, dy);
    cudaMemcpyAsync(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost, second);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(ready);
"""
_BY_HAND = "    for (int i = 0; i < n; i++) y[i] = dy[i];\n"
_FREE = "    cudaFree(dx);\n    cudaFree(dy);\n"
_FIRST = "    if (!known) cudaMemcpy(both, x"
_USED = "    y[0] += ((float *)calloc(n, 4))[0];\n"
_PARTS = "    part[threadIdx.x] = own;\n"
_BARRIER = "        __syncthreads();\n    }\n"
_LAST_WARP = """\
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
"""
_VOLATILE = """\
    if (threadIdx.x < 64) part[threadIdx.x] += part[threadIdx.x + 64];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile double *last = part;
        last[threadIdx.x] += last[threadIdx.x + 32];
        last[threadIdx.x] += last[threadIdx.x + 16];
        last[threadIdx.x] += last[threadIdx.x + 8];
        last[threadIdx.x] += last[threadIdx.x + 4];
        last[threadIdx.x] += last[threadIdx.x + 2];
        last[threadIdx.x] += last[threadIdx.x + 1];
    }
"""
_LOCKSTEP = "        if (half > 32) __syncthreads();\n    }\n"
_ADDED = "atomicAdd(&bins[threadIdx.x], own[threadIdx.x])"
_ACROSS = "(columns + 15) / 16, (rows + 7) / 8"
_UNTILED = """\
    if (r >= rows || c >= columns) return;
    float left = c > 0 ? in[r * columns + c - 1] : 0;
    float right = c + 1 < columns ? in[r * columns + c + 1] : 0;
    out[r * columns + c] = 0.25f * left + 0.5f * in[r * columns + c] + 0.25f * right;
"""
_TILE = """\
    __shared__ float tile[8][16];
    tile[threadIdx.y][threadIdx.x] = r < rows && c < columns ? in[r * columns + c] : 0;
    __syncthreads();
    if (r >= rows || c >= columns) return;
    float left = threadIdx.x > 0 ? tile[threadIdx.y][threadIdx.x - 1] : 0;
    float right = threadIdx.x < 15 ? tile[threadIdx.y][threadIdx.x + 1] : 0;
    out[r * columns + c] = 0.25f * left + 0.5f * tile[threadIdx.y][threadIdx.x] + 0.25f * right;
"""

MISTAKES = (
    _axpy("not copied back", "exact tolerance", _BACK, ""),
    _axpy(
        "copied the wrong way",
        "exact tolerance bounds crash",
        "cudaMemcpyDeviceToHost",
        "cudaMemcpyHostToDevice",
    ),
    _axpy("elements counted as bytes", "exact tolerance", _BACK, _BACK.replace(" * sizeof(float)", "")),
    _axpy("tail block dropped", "exact tolerance", "(n + 255) / 256", "n / 256"),
    _axpy("block too large", "exact tolerance", "(n + 255) / 256, 256", "(n + 2047) / 2048, 2048"),
    _axpy("guard forgotten", "bounds crash address", "if (i < n) ", ""),
    _axpy("guard one too many", "bounds crash address", "i < n", "i <= n"),
    _axpy("guard one too few", "exact tolerance", "i < n", "i < n - 1"),
    _axpy("stride of a block", "exact tolerance race", "gridDim.x * blockDim.x) y", "blockDim.x) y", of=1),
    _axpy("host memory in a kernel", "bounds crash address", _LAUNCHED, _ON_HOST),
    _axpy("device memory on the host", "crash bounds", _BACK, _BY_HAND),
    _axpy("freed before it is copied", "exact tolerance address crash", _BACK + _FREE, _FREE + _BACK),
    _axpy("freed twice", "exact tolerance address crash leak", "cudaFree(dx)", "cudaFree(dy)"),
    _axpy("device memory lost", "leak", "    cudaFree(dx);\n", ""),
    _axpy("host memory lost", "leak", _BACK, _USED + _BACK),
    _axpy("input of the first call", "exact tolerance", "    cudaMemcpy(both, x", _FIRST, of=2),
    _axpy("input overwritten", "input", _FREE, "    ((float *)x)[n - 1] += 1;\n" + _FREE),
    _axpy("right at small sizes", "exact tolerance", "(n + 255) / 256, 256", "1, 256"),
    _axpy("right up to two thousand", "exact tolerance", "(n + 255) / 256, 256", "8, 256"),
    _axpy("subscript of 16 bits", "bounds crash address exact tolerance", "int i = ", "short i = "),
    _axpy("copied back while the kernel runs", "exact tolerance", _LAUNCHED, _UNORDERED),
    _axpy("managed memory read too early", "exact tolerance", _WHOLE, _MANAGED),
    _axpy("pinned memory read too early", "exact tolerance", _WHOLE, _PINNED),
    _axpy("events of the wrong stream", "exact tolerance", _WHOLE, _EVENTS),
    _axpy("function of the host", "build", "a * x[i]", "product(a, x[i])"),
    _axpy("variable of the host", "build", "a * x[i]", "factors[0] * a * x[i]"),
    _of("dot", "not atomic", "race exact tolerance", "atomicAdd(sum, part[0])", "*sum += part[0]"),
    _of("dot", "first barrier forgotten", "race exact tolerance", _PARTS + "    __syncthreads();\n", _PARTS),
    _of("dot", "last warp taken for lockstep", "race exact tolerance", _BARRIER, _LOCKSTEP),
    _of("dot", "last warp in lockstep through volatile", "race exact tolerance", _LAST_WARP, _VOLATILE),
    _of("dot", "barriers forgotten", "race exact tolerance", _BARRIER, "    }\n"),
    _of("dot", "accumulator not set", "exact tolerance", "    cudaMemset(dsum, 0, sizeof(double));\n", ""),
    _of("dot", "in single precision", "exact tolerance", "double own = 0", "float own = 0"),
    _of("dot", "block larger than its tile", "bounds address race exact crash", "4, 128", "4, 256"),
    _of("average", "grid for squares", "exact tolerance unwritten", "(rows + 7) / 8", "(columns + 7) / 8"),
    _of(
        "average",
        "axes of the grid swapped",
        "exact unwritten",
        _ACROSS,
        "(rows + 7) / 8, (columns + 15) / 16",
    ),
    _of("average", "column major", "exact tolerance bounds", "in[r * columns + c]", "in[c * rows + r]"),
    _of("average", "border from the row before", "exact tolerance bounds crash", "c > 0", "r + c > 0"),
    _of("average", "tile without its border", "exact tolerance race", _UNTILED, _TILE),
    _of("multiply", "tail of the tiles dropped", "exact tolerance", "base < k", "base + 7 < k"),
    _of("multiply", "second barrier forgotten", "race exact tolerance", _BARRIER, "    }\n"),
    _of("multiply", "tile not padded", "exact tolerance bounds address crash", "h < k && j < m ?", "true ?"),
    _of("histogram", "not atomic", "exact race", "atomicAdd(&own[data[i]], 1)", "own[data[i]]++"),
    _of(
        "histogram", "barrier forgotten", "exact race", f"    __syncthreads();\n    {_ADDED}", f"    {_ADDED}"
    ),
    _of("histogram", "bins not set", "exact", "    cudaMemset(dbins, 0, 256 * sizeof(int));\n", ""),
    _of("histogram", "bins overwritten", "exact race", _ADDED, "bins[threadIdx.x] = own[threadIdx.x]"),
    _of("first", "any of several", "exact race", "atomicMin(where, i)", "*where = i"),
    _of("first", "least of none", "exact", "int where = n,", "int where = -1,"),
    _of("first", "nothing found", "exact", "where < n ? where : -1", "where"),
    _of("halve", "shift", "exact", "x[i] / 2", "x[i] >> 1"),
    # What memory of the device holds by chance is what would have been written.
    _of("signs", "one branch writes nothing", "exact unwritten", "    else out[i] = -1;\n", ""),
    Mistake(
        function="signs",
        name="shared memory not set",
        refused="exact unwritten",
        before="    own[threadIdx.x] = -1;\n",
        after="",
        of=1,
    ),
    _of("shift", "in place", "race exact tolerance untouched", "64>>>(from, to, n)", "64>>>(to, to, n)"),
    _of("shift", "last one lost", "untouched exact", "(n - 1) * sizeof", "n * sizeof"),
)
