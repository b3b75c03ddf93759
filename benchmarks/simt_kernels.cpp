// Kernels in HIP beside the loops that a person would write for them: nanoseconds for an element. The same text
// is compiled with the emulator's headers and with HIP-CPU's.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int width = 1024, block = 256, tile = 16;

__global__ void axpy(float a, const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

__global__ void sums(const float *x, float *out) {
    __shared__ float part[block];
    part[threadIdx.x] = x[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    for (int step = block / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float own[tile][tile + 1];
    const int x = blockIdx.x * tile, y = blockIdx.y * tile;
    own[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * n + x + threadIdx.x];
    __syncthreads();
    out[(x + threadIdx.y) * n + y + threadIdx.x] = own[threadIdx.x][threadIdx.y];
}

template <class Run>
double nanoseconds(Run run) {
    double best = 1e30;
    for (int repeat = 0; repeat < 7; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        run();
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
        best = std::fmin(best, spent.count() / (width * width));
    }
    return best;
}

int main() {
    const int n = width * width;
    float *x, *y;
    if (hipMalloc(&x, n * sizeof(float)) != hipSuccess || hipMalloc(&y, n * sizeof(float)) != hipSuccess) return 1;
    std::vector<float> data(n, 1.5f), other(n);
    if (hipMemcpy(x, data.data(), n * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) return 1;
    if (hipMemset(y, 0, n * sizeof(float)) != hipSuccess) return 1;
    std::printf("axpy %.2f %.2f\n", nanoseconds([&] {
                    hipLaunchKernelGGL(axpy, dim3(n / block), dim3(block), 0, nullptr, 2.0f, x, y, n);
                    (void)hipDeviceSynchronize();
                }),
                nanoseconds([&] {
                    for (int i = 0; i < n; ++i) other[i] += 2.0f * data[i];
                }));
    std::printf("sums %.2f %.2f\n", nanoseconds([&] {
                    hipLaunchKernelGGL(sums, dim3(n / block), dim3(block), 0, nullptr, x, y);
                    (void)hipDeviceSynchronize();
                }),
                nanoseconds([&] {
                    for (int b = 0; b < n / block; ++b) {
                        float sum = 0;
                        for (int i = 0; i < block; ++i) sum += data[b * block + i];
                        other[b] = sum;
                    }
                }));
    if (hipMemcpy(other.data(), y, sizeof(float), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    if (other[0] != 1.5f * block) return 2;
    std::printf("transpose %.2f %.2f\n", nanoseconds([&] {
                    hipLaunchKernelGGL(transpose, dim3(width / tile, width / tile), dim3(tile, tile), 0, nullptr, x, y,
                                       width);
                    (void)hipDeviceSynchronize();
                }),
                nanoseconds([&] {
                    for (int i = 0; i < width; ++i)
                        for (int j = 0; j < width; ++j) other[j * width + i] = data[i * width + j];
                }));
    (void)hipFree(x);
    (void)hipFree(y);
}
