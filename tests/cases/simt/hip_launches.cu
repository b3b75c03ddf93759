// flags: -DSIMT_HIP
// run: => exit 0
// run: SIMT_WARP_SIZE=32 SIMT_SEED=5 => exit 0
#include <hip/hip_runtime.h>

#include "expect.h"

__global__ void plain(int *out, long n) {
    if (hipThreadIdx_x + hipBlockIdx_x * hipBlockDim_x < n * hipGridDim_x) out[threadIdx.x] = 1;
}
__global__ void nothing() {}
template <class T, int Factor>
__global__ void scaled(T *out) {
    out[threadIdx.x] *= Factor;
}

int main() {
    int *device, host[64];
    EXPECT(hipMalloc(&device, sizeof host) == hipSuccess);
    EXPECT(hipMemset(device, 0, sizeof host) == hipSuccess);
    hipStream_t stream;
    EXPECT(hipStreamCreate(&stream) == hipSuccess);
    hipLaunchKernelGGL(plain, dim3(1), dim3(64), 0, stream, device, 48);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(scaled<int, 7>), 1, 64, 0, stream, device);
    hipLaunchKernelGGL((scaled<int, 3>), 1, 64, 0, stream, device);
    hipLaunchKernelGGL(nothing, 1, 1, 0, 0);
    EXPECT(hipGetLastError() == hipSuccess);
    EXPECT(hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
    for (int i = 0; i < 64; ++i) EXPECT(host[i] == (i < 48 ? 21 : 0));
    hipLaunchKernelGGL(nothing, 1, 2048, 0, 0);
    EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
    EXPECT(hipStreamDestroy(stream) == hipSuccess && hipFree(device) == hipSuccess);
    return failed_expectations != 0;
}
