// Row-wise extremes and sums; the operation is a template that a device function takes.
#include <cuda_runtime.h>

template <typename Number>
struct Plus {
    __device__ __forceinline__ Number operator()(Number a, Number b) const { return a + b; }
};

template <typename Number>
struct Greater {
    __device__ __forceinline__ Number operator()(Number a, Number b) const { return a > b ? a : b; }
};

template <template <typename> class Operation, typename Number, int lanes = 32>
__device__ Number together(Number value)
{
    for (int other = lanes / 2; other > 0; other /= 2)
        value = Operation<Number>()(value, __shfl_xor_sync(0xffffffff, value, other));
    return value;
}

__global__ void row_spread(const float *m, float *spread, float *sums, int columns)
{
    const float *row = m + blockIdx.x * columns;
    float most = row[0], sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += 32) {
        most = fmaxf(most, row[i]);
        sum += row[i];
    }
    most = together<Greater, float>(most);
    sum = together<Plus, float, 32>(sum);
    if (threadIdx.x == 0) {
        spread[blockIdx.x] = most - sum / columns;
        sums[blockIdx.x] = sum;
    }
}

int main()
{
    float *m, *spread, *sums;
    cudaMallocManaged(&m, 8 * 100 * sizeof(float));
    cudaMallocManaged(&spread, 8 * sizeof(float));
    cudaMallocManaged(&sums, 8 * sizeof(float));
    for (int i = 0; i < 800; i++) m[i] = i % 37;
    row_spread<<<8, 32>>>(m, spread, sums, 100);
    cudaDeviceSynchronize();
    return sums[0] > 0 ? 0 : 1;
}
