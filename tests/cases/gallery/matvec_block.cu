#include <cstdio>
#include <vector>

// y = A x, a block for each row.
template <int BLOCK>
__global__ void matvec(const float *A, const float *x, float *y, int rows, int cols)
{
    __shared__ float partial[BLOCK];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float acc = 0.f;
        for (int c = threadIdx.x; c < cols; c += BLOCK) acc += A[row * cols + c] * x[c];
        partial[threadIdx.x] = acc;
        __syncthreads();
#pragma unroll
        for (int s = BLOCK / 2; s > 0; s >>= 1) {
            if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
            __syncthreads();
        }
        if (threadIdx.x == 0) y[row] = partial[0];
        __syncthreads();
    }
}

int main()
{
    const int rows = 11, cols = 70;
    std::vector<float> a(rows * cols), x(cols), y(rows);
    for (int i = 0; i < rows * cols; ++i) a[i] = (float)(i % 6);
    for (int i = 0; i < cols; ++i) x[i] = (float)(i % 3);
    float *dA, *dx, *dy;
    cudaMalloc(&dA, a.size() * sizeof(float));
    cudaMalloc(&dx, x.size() * sizeof(float));
    cudaMalloc(&dy, y.size() * sizeof(float));
    cudaMemcpy(dA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    matvec<32><<<4, 32>>>(dA, dx, dy, rows, cols);
    cudaMemcpy(y.data(), dy, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) printf("%.0f ", y[r]);
    printf("\n");
    cudaFree(dA);
    cudaFree(dx);
    cudaFree(dy);
    return 0;
}
