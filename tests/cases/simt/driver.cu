// run: => exit 0
// What host code names of the driver API beside the runtime.
#include "expect.h"

#include <cuda.h>

#include <cstring>

template <typename Status>
const char *text_of(Status status) {
    return cudaGetErrorString(status);
}
template <>
const char *text_of(CUresult status) {
    const char *text = nullptr;
    return cuGetErrorName(status, &text) == CUDA_SUCCESS ? text : "unknown";
}

__global__ void doubled(int *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

void launched(int *x, int n) { return doubled<<<1, 128>>>(x, n); }

int main() {
    EXPECT(std::strcmp(text_of(CUDA_ERROR_NOT_READY), "CUDA_ERROR_NOT_READY") == 0);
    EXPECT(std::strcmp(text_of(cudaErrorNotReady), "device not ready") == 0);
    EXPECT(std::strcmp(text_of(static_cast<CUresult>(998)), "unknown") == 0);
    EXPECT(static_cast<int>(CUDA_ERROR_LAUNCH_FAILED) == static_cast<int>(cudaErrorLaunchFailure));

    EXPECT(cuInit(0) == CUDA_SUCCESS);
    CUdevice device = -1;
    EXPECT(cuDeviceGet(&device, 0) == CUDA_SUCCESS && device == 0);
    EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
    int of_driver = 0, of_runtime = 0;
    EXPECT(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS);
    EXPECT(cudaDeviceGetAttribute(&of_runtime, cudaDevAttrWarpSize, 0) == cudaSuccess);
    EXPECT(of_driver == 32 && of_runtime == 32);
    char name[4] = "xxx";
    EXPECT(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS && std::strlen(name) < sizeof name);

    CUcontext context = nullptr, current = nullptr;
    EXPECT(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, 0) == CUDA_SUCCESS && context != nullptr);
    EXPECT(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context);
    EXPECT(cuCtxPopCurrent(&current) == CUDA_SUCCESS && current == context);
    EXPECT(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == nullptr);
    EXPECT(cuCtxPopCurrent(&current) == CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    EXPECT(cuCtxPushCurrent(context) == CUDA_SUCCESS && cuCtxPopCurrent(nullptr) == CUDA_SUCCESS);
    EXPECT(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context);

    const int n = 100;
    int values[n];
    for (int i = 0; i < n; ++i) values[i] = i;
    CUdeviceptr memory = 0;
    EXPECT(cuMemAlloc(&memory, sizeof values) == CUDA_SUCCESS && memory != 0);
    EXPECT(cuMemcpyHtoD(memory, values, sizeof values) == CUDA_SUCCESS);
    launched(reinterpret_cast<int *>(memory), n);
    EXPECT(cuCtxSynchronize() == CUDA_SUCCESS);
    EXPECT(cuMemcpyDtoH(values, memory, sizeof values) == CUDA_SUCCESS);
    for (int i = 0; i < n; ++i) EXPECT(values[i] == 2 * i);
    EXPECT(cuMemsetD8(memory, 1, sizeof(int)) == CUDA_SUCCESS);
    EXPECT(cuMemcpyDtoH(values, memory, sizeof(int)) == CUDA_SUCCESS && values[0] == 0x01010101);
    EXPECT(cuMemFree(memory) == CUDA_SUCCESS);
    EXPECT(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuCtxDestroy(context) == CUDA_SUCCESS);
    return failed_expectations;
}
