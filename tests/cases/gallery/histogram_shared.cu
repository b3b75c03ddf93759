#include <cstdio>
#include <cstdlib>

constexpr unsigned BINS = 64;

__global__ void histogram(const unsigned char *data, size_t n, unsigned int *bins)
{
    __shared__ unsigned int local[BINS];

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();

    const size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i] % BINS], 1u);
    __syncthreads();

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b] > 0) atomicAdd(&bins[b], local[b]);
}

int main()
{
    const size_t n = 5000;
    unsigned char *host = (unsigned char *)malloc(n), *data;
    unsigned int counts[BINS], *bins;
    for (size_t i = 0; i < n; ++i) host[i] = (unsigned char)((i * i + 3 * i) % 251);
    cudaMalloc(&data, n);
    cudaMalloc(&bins, sizeof(counts));
    cudaMemcpy(data, host, n, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof(counts));
    histogram<<<6, 96>>>(data, n, bins);
    cudaMemcpy(counts, bins, sizeof(counts), cudaMemcpyDeviceToHost);
    for (unsigned b = 0; b < BINS; b += 16) printf("%u ", counts[b]);
    printf("\n");
    cudaFree(data);
    cudaFree(bins);
    free(host);
    return 0;
}
