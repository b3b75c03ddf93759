#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#define CHECK(call) { cudaError_t status = (call); if (status != cudaSuccess) std::exit(1); }

__global__ void twice(float *a, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) a[y * pitch + x] *= 2;
}

static size_t to_device(const std::unique_ptr<std::vector<float>> &host, float **device, int width, int height)
{
    size_t pitch;
    CHECK(cudaMallocPitch(device, &pitch, width * sizeof(float), height));
    CHECK(cudaMemset2D(*device, pitch, 0, width * sizeof(float), height));
    CHECK(cudaMemcpy2D(*device, pitch, host->data(), width * sizeof(float), width * sizeof(float), height,
                       cudaMemcpyHostToDevice));
    return pitch;
}

int main()
{
    int width = 5, height = 3;
    auto host = std::make_unique<std::vector<float>>(width * height, 1.5f);
    float *device, *rest;
    size_t pitch = to_device(host, &device, width, height), row;
    cudaMallocPitch((void **)&rest, &row, width + 3, height);
    twice<<<dim3(1, 1), dim3(8, 8)>>>(device, pitch / sizeof(float), width, height);
    if (height > 2)
        cudaMemcpy2D(host->data(), width * sizeof(float), device, pitch, width * sizeof(float), height,
                     cudaMemcpyDeviceToHost);
    cudaMemset2D(rest, row, 1, width + 3, height);
    cudaFree(device);
    cudaFree(rest);
    std::printf("%g %g\n", (*host)[0], (*host)[14]);
}
