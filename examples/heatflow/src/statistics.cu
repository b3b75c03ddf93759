#include <vector>

#include "check.cuh"
#include "heatflow.cuh"

constexpr int THREADS = 256;
constexpr int MAXIMUM_BINS = 64;

// Sum and maximum of a block's cells, by a tree in shared memory.
__global__ void reduce_blocks(const float *field, int n, double *sums, float *maxima)
{
    __shared__ double sum[THREADS];
    __shared__ float maximum[THREADS];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[threadIdx.x] = i < n ? field[i] : 0.0;
    maximum[threadIdx.x] = i < n ? field[i] : -1e30f;
    __syncthreads();

    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sum[threadIdx.x] += sum[threadIdx.x + half];
            maximum[threadIdx.x] = fmaxf(maximum[threadIdx.x], maximum[threadIdx.x + half]);
        }
        __syncthreads();
    }

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum[0];
        maxima[blockIdx.x] = maximum[0];
    }
}

// Counts in shared memory first, then adds the block's counts to the totals.
__global__ void count_bins(const float *field, int n, float low, float high, int *bins, int bin_count)
{
    __shared__ int counts[MAXIMUM_BINS];
    for (int bin = threadIdx.x; bin < bin_count; bin += blockDim.x) {
        counts[bin] = 0;
    }
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int bin = (int)((field[i] - low) / (high - low) * bin_count);
        atomicAdd(&counts[clamped(bin, bin_count)], 1);
    }
    __syncthreads();

    for (int bin = threadIdx.x; bin < bin_count; bin += blockDim.x) {
        atomicAdd(&bins[bin], counts[bin]);
    }
}

Summary summarise(const float *d_field, int n)
{
    int blocks = (n + THREADS - 1) / THREADS;
    std::vector<double> sums(blocks);
    std::vector<float> maxima(blocks);

    double *d_sums;
    float *d_maxima;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(double)));
    CHECK(cudaMalloc(&d_maxima, blocks * sizeof(float)));

    reduce_blocks<<<blocks, THREADS>>>(d_field, n, d_sums, d_maxima);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sums.data(), d_sums, blocks * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(maxima.data(), d_maxima, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_maxima));

    Summary summary = {0.0, maxima[0]};
    for (int i = 0; i < blocks; i++) {
        summary.sum += sums[i];
        summary.maximum = maxima[i] > summary.maximum ? maxima[i] : summary.maximum;
    }
    return summary;
}

void histogram_of(const float *d_field, int n, float low, float high, int *bins, int bin_count)
{
    size_t bytes = bin_count * sizeof(int);
    int *d_bins;
    CHECK(cudaMalloc(&d_bins, bytes));
    CHECK(cudaMemset(d_bins, 0, bytes));

    int blocks = (n + THREADS - 1) / THREADS;
    count_bins<<<blocks, THREADS>>>(d_field, n, low, high, d_bins, bin_count);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(bins, d_bins, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_bins));
}
