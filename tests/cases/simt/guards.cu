// run: => exit 0
#include "expect.h"

// Helpers of programs declare what needs the runtime only where its headers are there.
#if defined(__DRIVER_TYPES_H__) && defined(__VECTOR_TYPES_H__)
static const char *name_of(cudaError_t error) { return cudaGetErrorName(error); }
#endif
#if defined(__CUDA_RUNTIME_H__) && defined(__CUDA_RUNTIME_API_H__)
static int devices() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : -1;
}
#endif

int main() {
    EXPECT(devices() > 0);
    EXPECT(name_of(cudaSuccess)[0] == 'c');
    return 0;
}
