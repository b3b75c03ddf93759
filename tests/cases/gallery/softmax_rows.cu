#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

// One block computes one row.
template <typename scalar_t>
__global__ void softmax_kernel(const scalar_t *__restrict__ input, scalar_t *__restrict__ output, int rows, int cols)
{
    extern __shared__ float buffer[];
    const int row = blockIdx.x;
    if (row >= rows) return;
    const scalar_t *x = input + (size_t)row * cols;
    scalar_t *y = output + (size_t)row * cols;

    float maximum = -FLT_MAX;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) maximum = fmaxf(maximum, x[c]);
    buffer[threadIdx.x] = maximum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) buffer[threadIdx.x] = fmaxf(buffer[threadIdx.x], buffer[threadIdx.x + half]);
        __syncthreads();
    }
    maximum = buffer[0];
    __syncthreads();

    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        const float e = expf(x[c] - maximum);
        y[c] = e;
        sum += e;
    }
    buffer[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) buffer[threadIdx.x] += buffer[threadIdx.x + half];
        __syncthreads();
    }
    const float total = buffer[0];
    for (int c = threadIdx.x; c < cols; c += blockDim.x) y[c] /= total;
}

int main()
{
    const int rows = 5, cols = 100, threads = 64;
    std::vector<float> host(rows * cols);
    for (int i = 0; i < rows * cols; ++i) host[i] = (float)((i * 31) % 17) / 4;
    float *in, *out;
    cudaMalloc(&in, host.size() * sizeof(float));
    cudaMalloc(&out, host.size() * sizeof(float));
    cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    softmax_kernel<float><<<rows, threads, threads * sizeof(float)>>>(in, out, rows, cols);
    cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) printf("%.5f %.5f\n", host[r * cols], host[r * cols + 50]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
