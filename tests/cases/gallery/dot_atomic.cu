#include <stdio.h>

const int threadsPerBlock = 64;

__global__ void dot(double *a, double *b, double *c, int N) {
    __shared__ double cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    double temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    // threadsPerBlock must be a power of two for this reduction
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }

    if (cacheIndex == 0)
        atomicAdd(c, cache[0]);
}

int main() {
    const int N = 777;
    double a[N], b[N], c = 0, *dev_a, *dev_b, *dev_c;
    for (int i = 0; i < N; i++) { a[i] = i % 11; b[i] = i % 4; }
    cudaMalloc(&dev_a, N * sizeof(double));
    cudaMalloc(&dev_b, N * sizeof(double));
    cudaMalloc(&dev_c, sizeof(double));
    cudaMemcpy(dev_a, a, N * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, N * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemset(dev_c, 0, sizeof(double));
    dot<<<5, threadsPerBlock>>>(dev_a, dev_b, dev_c, N);
    cudaMemcpy(&c, dev_c, sizeof(double), cudaMemcpyDeviceToHost);
    printf("dot product %.1f\n", c);
    cudaFree(dev_a);
    cudaFree(dev_b);
    cudaFree(dev_c);
    return 0;
}
