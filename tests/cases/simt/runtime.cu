// run: => exit 0
#include "expect.h"

#include <cassert>
#include <cstring>
#include <vector>

__constant__ float weights[8];
__device__ int counter = 5;
__device__ double matrix[2][3];

__global__ void read_symbols(float *out) {
    out[threadIdx.x] = weights[threadIdx.x] * 2;
    if (threadIdx.x == 0) atomicAdd(&counter, 10);
}
__global__ void nothing() {}
__global__ void stop(int when) {
    __syncthreads();
    if (when == 1) __trap();
    assert(when != 2);
}
__global__ void fill(int *data, int value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value + i;
}

void memory() {
    int *device = nullptr, host[16];
    EXPECT(cudaMalloc((void **)&device, sizeof host) == cudaSuccess && device != nullptr);
    EXPECT(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(host[0] == -1 && host[15] == -1);  // poisoned
    EXPECT(cudaMemcpy(host, device, sizeof host + 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(device + 16, host, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(host, host + 8, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(device, device + 8, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaMemset(device, 1, sizeof host) == cudaSuccess);
    EXPECT(cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault) == cudaSuccess && host[7] == 0x01010101);
    EXPECT(cudaMemset(host, 0, 4) == cudaErrorInvalidValue);
    EXPECT(cudaFree(device + 1) == cudaErrorInvalidValue);
    EXPECT(cudaFreeHost(device) == cudaErrorInvalidValue);
    EXPECT(cudaFree(device) == cudaSuccess);
    EXPECT(cudaFree(device) == cudaErrorInvalidValue);
    EXPECT(cudaFree(nullptr) == cudaSuccess);
    EXPECT(cudaMalloc(&device, 0) == cudaSuccess && device == nullptr);
    EXPECT(cudaMalloc(&device, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
    EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);

    std::size_t pitch = 0, free_before = 0, free_after = 0, total = 0;
    cudaMemGetInfo(&free_before, &total);
    EXPECT(cudaMallocPitch(&device, &pitch, 5 * sizeof(int), 3) == cudaSuccess && pitch >= 20 && pitch % 256 == 0);
    cudaMemGetInfo(&free_after, &total);
    EXPECT(free_before - free_after == pitch * 3);
    int rows[3][5], back[3][5];
    for (int i = 0; i < 15; ++i) rows[i / 5][i % 5] = i;
    EXPECT(cudaMemcpy2D(device, pitch, rows, 20, 20, 3, cudaMemcpyHostToDevice) == cudaSuccess);
    EXPECT(cudaMemcpy2D(back, 20, device, pitch, 20, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(std::memcmp(rows, back, sizeof rows) == 0);
    EXPECT(cudaMemcpy2D(back, 16, device, pitch, 20, 3, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
    cudaFree(device);

    int *managed = nullptr, *pinned = nullptr, *mapped = nullptr;
    EXPECT(cudaMallocManaged(&managed, 40) == cudaSuccess && cudaMallocHost(&pinned, 40) == cudaSuccess);
#ifndef ON_DEVICE  // as CUDA 13 has them
    cudaMemLocation place{};
    place.type = cudaMemLocationTypeDevice;
    EXPECT(cudaMemPrefetchAsync(managed, 40, place, 0) == cudaSuccess);
    EXPECT(cudaMemAdvise(managed, 40, cudaMemAdviseSetReadMostly, place) == cudaSuccess);
#endif
    fill<<<1, 10>>>(managed, 3, 10);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && managed[9] == 12);
    EXPECT(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess);
    fill<<<1, 10>>>(mapped, 5, 10);
    EXPECT(pinned[9] == 14);
    cudaPointerAttributes attributes;
    EXPECT(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess && attributes.type == cudaMemoryTypeManaged);
    EXPECT(cudaFree(managed) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess);
    cudaGetLastError();
}

void symbols() {
    float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT(cudaMemcpyToSymbol(weights, values, sizeof values) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(weights, values, 4, 28) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(weights, values, 8, 28) == cudaErrorInvalidValue);
    cudaGetLastError();
    Buffer<float> out(8);
    read_symbols<<<2, 8>>>(out.device);
    EXPECT_EQUAL(3, out[3], 6.0f);
    EXPECT_EQUAL(7, out[7], 0.0f);
    int count = 0;
    EXPECT(cudaMemcpyFromSymbol(&count, counter, sizeof count) == cudaSuccess && count == 25);
    void *address = nullptr;
    std::size_t size = 0;
    EXPECT(cudaGetSymbolAddress(&address, matrix) == cudaSuccess && cudaGetSymbolSize(&size, matrix) == cudaSuccess);
    EXPECT(size == 48 && cudaMemset(address, 0, size) == cudaSuccess && matrix[1][2] == 0);
}

__global__ void __launch_bounds__(64) bounded() {}

void configurations() {
    const auto result = [](dim3 grid, dim3 block, std::size_t shared) {
        nothing<<<grid, block, shared>>>();
        EXPECT(cudaPeekAtLastError() == cudaGetLastError());
        nothing<<<grid, block, shared>>>();
        return cudaGetLastError();
    };
    EXPECT(result(1, 1024, 0) == cudaSuccess);
    EXPECT(result(0, 32, 0) == cudaErrorInvalidConfiguration);
    EXPECT(result(1, 0, 0) == cudaErrorInvalidConfiguration);
    EXPECT(result(1, 1025, 0) == cudaErrorInvalidConfiguration);
    EXPECT(result(1, dim3(32, 33), 0) == cudaErrorInvalidConfiguration);
    EXPECT(result(1, dim3(1, 1, 65), 0) == cudaErrorInvalidConfiguration);
    EXPECT(result(dim3(1, 65536), 1, 0) == cudaErrorInvalidConfiguration);
    EXPECT(result(1, 1, 48 << 10) == cudaSuccess);
    EXPECT(result(1, 1, (48 << 10) + 1) == cudaErrorInvalidValue);
    EXPECT(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10) == cudaSuccess);
    EXPECT(result(1, 1, 100 << 10) == cudaSuccess);
    EXPECT(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) == cudaErrorInvalidValue);
    cudaGetLastError();
    bounded<<<1, 64>>>();
    EXPECT(cudaGetLastError() == cudaSuccess);
    bounded<<<1, dim3(13, 5)>>>();
    EXPECT(cudaGetLastError() == cudaErrorLaunchOutOfResources);
}

void streams_and_events() {
    cudaStream_t stream;
    cudaEvent_t begin, end, never;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    EXPECT(cudaEventCreate(&begin) == cudaSuccess);
    EXPECT(cudaEventCreate(&end) == cudaSuccess);
    EXPECT(cudaEventCreate(&never) == cudaSuccess);
    Buffer<int> data(1000);
    EXPECT(cudaEventRecord(begin, stream) == cudaSuccess);
    fill<<<4, 256, 0, stream>>>(data.device, 0, 1000);
    EXPECT(cudaEventRecord(end, stream) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess);
    float milliseconds = -1;
    EXPECT(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess);
    EXPECT(milliseconds > 0);
    EXPECT(cudaEventElapsedTime(&milliseconds, begin, never) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);
    cudaEventDestroy(begin), cudaEventDestroy(end), cudaEventDestroy(never);
    cudaGetLastError();
}

void device() {
    cudaDeviceProp properties;
    int count = 0, value = 0, blocks = 0, grid = 0, block = 0, n = 7;
    EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
    EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.warpSize == 32);
    EXPECT(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess && value == 1024);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0) == cudaSuccess && blocks == 8);
    EXPECT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0) == cudaSuccess && block == 1024 && grid > 0);
    Buffer<int> data(8);
    int start = 4;
    void *arguments[] = {&data.device, &start, &n};
    EXPECT(cudaLaunchKernel(fill, dim3(1), dim3(8), arguments, 0, nullptr) == cudaSuccess);
    EXPECT_EQUAL(6, data[6], 10);
    EXPECT_EQUAL(7, data[7], -1);
    auto *chosen = fill;
    start = 5;
    EXPECT(cudaLaunchKernel(*chosen, dim3(1), dim3(8), arguments, 0, nullptr) == cudaSuccess);
    EXPECT_EQUAL(6, data[6], 11);
    cudaGetLastError();
}

// What a device may be asked about itself and only grants.
void wishes() {
    cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
    cudaFuncCache cache = cudaFuncCachePreferL1;
    EXPECT(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
    EXPECT(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess && banks == cudaSharedMemBankSizeFourByte);
    EXPECT(cudaDeviceGetCacheConfig(&cache) == cudaSuccess && cache == cudaFuncCachePreferNone);
    cudaDeviceProp known;
    EXPECT(cudaGetDeviceProperties(&known, 0) == cudaSuccess && known.maxTexture2D[1] > 0);
}

// A kernel that fails takes the context with it, until it is reset.
void failures() {
    int *device = nullptr;
    stop<<<2, 64>>>(1);
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    EXPECT(cudaMalloc(&device, 4) == cudaErrorLaunchFailure);
    EXPECT(cudaGetLastError() == cudaErrorLaunchFailure && cudaGetLastError() == cudaErrorLaunchFailure);
    cudaDeviceReset();
    EXPECT(cudaGetLastError() == cudaSuccess);
    stop<<<2, 64>>>(2);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    cudaDeviceReset();
    stop<<<2, 64>>>(3);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

int main() {
    memory();
    symbols();
    configurations();
    streams_and_events();
    device();
    wishes();
    failures();
    return failed_expectations != 0;
}
