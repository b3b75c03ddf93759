// Reductions and scans of a block by CUB: through a function, under another name, of fewer threads.
#include <cub/cub.cuh>
#include <cstdio>
#define THREADS 128

struct Smaller {
    __device__ int operator()(int a, int b) const { return a < b ? a : b; }
};

template <typename T>
__device__ void block_sum(T &input)
{
    typedef cub::BlockReduce<T, THREADS> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp_storage;
    input = BlockReduce(temp_storage).Sum(input);
}

__global__ void rows(const float *x, float *sums, float *most, int n)
{
    using Reduce = cub::BlockReduce<float, THREADS>;
    __shared__ Reduce::TempStorage storage;
    const float *row = x + (size_t)blockIdx.x * n;
    float sum = 0, largest = row[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += row[i];
        largest = fmaxf(largest, row[i]);
    }
    block_sum(sum);
    float all = Reduce(storage).Reduce(largest, cub::Max());
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        most[blockIdx.x] = all;
    }
}

template <int SIZE>
__global__ void least(const int *x, int *result, int n)
{
    __shared__ typename cub::BlockReduce<int, SIZE>::TempStorage storage;
    int start = blockIdx.x * SIZE;
    int own = start + threadIdx.x < n ? x[start + threadIdx.x] : 0;
    int count = n - start < SIZE ? n - start : SIZE;
    int smallest = cub::BlockReduce<int, SIZE>(storage).Reduce(own, Smaller(), count);
    if (threadIdx.x == 0) result[blockIdx.x] = smallest;
}

__global__ void offsets(const int *counts, int *before, int *totals, int n)
{
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage storage;
    int i = blockIdx.x * 128 + threadIdx.x;
    int count = i < n ? counts[i] : 0, place, total;
    Scan(storage).ExclusiveSum(count, place, total);
    if (i < n) before[i] = place;
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

int main()
{
    float *x, *sums, *most;
    int *counts, *before, *totals, *smallest;
    cudaMallocManaged(&x, 4000);
    cudaMallocManaged(&sums, 40);
    cudaMallocManaged(&most, 40);
    cudaMallocManaged(&counts, 4000);
    cudaMallocManaged(&before, 4000);
    cudaMallocManaged(&totals, 40);
    cudaMallocManaged(&smallest, 64);
    for (int i = 0; i < 1000; i++) x[i] = i % 7, counts[i] = i % 3 + 1;
    rows<<<10, THREADS>>>(x, sums, most, 100);
    offsets<<<8, 128>>>(counts, before, totals, 1000);
    least<64><<<(1000 + 63) / 64, 64>>>(counts, smallest, 1000);
    cudaDeviceSynchronize();
    printf("%g %g %d %d %d\n", sums[3], most[3], before[999], totals[2], smallest[3]);
    return 0;
}
