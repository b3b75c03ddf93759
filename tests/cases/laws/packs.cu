// Threads each take as many elements as 16 bytes hold, whatever their type; the host counts the blocks.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <typename T, unsigned THREADS>
__global__ void packs(T *out, const T *in, const float *weights, unsigned rows, unsigned heads, unsigned width)
{
    const unsigned pack = 16 / sizeof(T);
    const unsigned shares = width / pack;
    const unsigned item = blockIdx.x * THREADS + threadIdx.x;
    const unsigned items = rows * heads * shares;
    if (item >= items) return;
    const unsigned head = item / shares, share = item % shares;
    for (unsigned i = share * pack; i < (share + 1) * pack; ++i)
        out[head * width + i] = T(float(in[head * width + i]) * weights[head]);
}

void run(__half *out, const __half *in, const float *weights, unsigned rows, unsigned heads, unsigned width,
         unsigned blocks)
{
    packs<__half, 128><<<blocks, 128>>>(out, in, weights, rows, heads, width);
}
