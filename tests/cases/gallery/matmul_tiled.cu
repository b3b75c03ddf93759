#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <int BLOCK_SIZE>
__global__ void matrixMulCUDA(float *C, const float *A, const float *B, int wA, int wB)
{
    // Block and thread index
    int bx = blockIdx.x;
    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;

    int aBegin = wA * BLOCK_SIZE * by;
    int aEnd = aBegin + wA - 1;
    int aStep = BLOCK_SIZE;
    int bBegin = BLOCK_SIZE * bx;
    int bStep = BLOCK_SIZE * wB;

    float Csub = 0;

    // Loop over all the sub-matrices of A and B
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k) {
            Csub += As[ty][k] * Bs[k][tx];
        }

        // the preceding computation must be done before the next tiles are loaded
        __syncthreads();
    }

    int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = Csub;
}

int main()
{
    const int n = 48;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    float *dA, *dB, *dC;
    size_t bytes = n * n * sizeof(float);
    cudaMalloc((void **)&dA, bytes);
    cudaMalloc((void **)&dB, bytes);
    cudaMalloc((void **)&dC, bytes);
    cudaMemcpy(dA, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dB, b.data(), bytes, cudaMemcpyHostToDevice);
    dim3 threads(16, 16), grid(n / 16, n / 16);
    matrixMulCUDA<16><<<grid, threads>>>(dC, dA, dB, n, n);
    cudaMemcpy(c.data(), dC, bytes, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n * n; ++i) sum += c[i] * (i % 13);
    printf("%.1f\n", sum);
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    return 0;
}
