// Atomic functions that OpenMP has no form for, and memory that they see as another type.
#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void turnstiles(const int *in, int *state, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicSub(&state[0], in[i] & 7);
    atomicInc((unsigned *)&state[1], 17);
    atomicDec(reinterpret_cast<unsigned *>(state + 2), 137u);
    atomicMax((int *)&state[3], (in[i] & 255) + 1);
    atomicXor(&state[4], in[i]);
}

__global__ void rounds_of(const int *in, unsigned *place, int *taken, unsigned seats, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned last = seats & 15;
    const unsigned seat = atomicInc(place, last);
    atomicAdd(&taken[seat], 1);
    if (atomicDec(&place[1], last) == last) atomicAdd(&taken[16], 1);
}

__global__ void halves(const int *in, __half *sums, __half2 *pairs, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float value = (in[i] & 3) == 0 ? 1.0f : 0.0f;
    atomicAdd(&sums[i % 8], __float2half(value));
    atomicAdd(pairs + i % 8, __floats2half2_rn(value, 1.0f));
}

__global__ void brain_floats(const int *in, __nv_bfloat16 *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[in[i] & 7], __float2bfloat16(1.0f));
}
