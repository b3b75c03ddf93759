// What programs name of the driver API beside the runtime: results, handles, devices, contexts and memory.
// Modules and their functions are not here: kernels are compiled with the program.
#ifndef SIMT_DRIVER_H
#define SIMT_DRIVER_H

#include <cstdint>
#include <cstring>
#include <vector>

#include "simt/device.h"
#include "simt/errors.h"
#include "simt/memory.h"
#include "simt/streams.h"

// The numbers are CUDA's; those of the runtime's errors are the same.
// clang-format off
#define SIMT_RESULTS(row)                                         \
    row(CUDA_SUCCESS, 0)                                         \
    row(CUDA_ERROR_INVALID_VALUE, 1)                             \
    row(CUDA_ERROR_OUT_OF_MEMORY, 2)                             \
    row(CUDA_ERROR_NOT_INITIALIZED, 3)                           \
    row(CUDA_ERROR_DEINITIALIZED, 4)                             \
    row(CUDA_ERROR_PROFILER_DISABLED, 5)                         \
    row(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6)                  \
    row(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7)                  \
    row(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8)                  \
    row(CUDA_ERROR_STUB_LIBRARY, 34)                             \
    row(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                       \
    row(CUDA_ERROR_NO_DEVICE, 100)                               \
    row(CUDA_ERROR_INVALID_DEVICE, 101)                          \
    row(CUDA_ERROR_DEVICE_NOT_LICENSED, 102)                     \
    row(CUDA_ERROR_INVALID_IMAGE, 200)                           \
    row(CUDA_ERROR_INVALID_CONTEXT, 201)                         \
    row(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202)                 \
    row(CUDA_ERROR_MAP_FAILED, 205)                              \
    row(CUDA_ERROR_UNMAP_FAILED, 206)                            \
    row(CUDA_ERROR_ARRAY_IS_MAPPED, 207)                         \
    row(CUDA_ERROR_ALREADY_MAPPED, 208)                          \
    row(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                       \
    row(CUDA_ERROR_ALREADY_ACQUIRED, 210)                        \
    row(CUDA_ERROR_NOT_MAPPED, 211)                              \
    row(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212)                     \
    row(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213)                   \
    row(CUDA_ERROR_ECC_UNCORRECTABLE, 214)                       \
    row(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                       \
    row(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)                  \
    row(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                 \
    row(CUDA_ERROR_INVALID_PTX, 218)                             \
    row(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219)                \
    row(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                    \
    row(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                  \
    row(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                 \
    row(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                \
    row(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224)               \
    row(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225)                \
    row(CUDA_ERROR_CONTAINED, 226)                               \
    row(CUDA_ERROR_INVALID_SOURCE, 300)                          \
    row(CUDA_ERROR_FILE_NOT_FOUND, 301)                          \
    row(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302)          \
    row(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)               \
    row(CUDA_ERROR_OPERATING_SYSTEM, 304)                        \
    row(CUDA_ERROR_INVALID_HANDLE, 400)                          \
    row(CUDA_ERROR_ILLEGAL_STATE, 401)                           \
    row(CUDA_ERROR_LOSSY_QUERY, 402)                             \
    row(CUDA_ERROR_NOT_FOUND, 500)                               \
    row(CUDA_ERROR_NOT_READY, 600)                               \
    row(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                         \
    row(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                 \
    row(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                          \
    row(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703)           \
    row(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)             \
    row(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                 \
    row(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                  \
    row(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                    \
    row(CUDA_ERROR_ASSERT, 710)                                  \
    row(CUDA_ERROR_TOO_MANY_PEERS, 711)                          \
    row(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)          \
    row(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)              \
    row(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                    \
    row(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                     \
    row(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                      \
    row(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                   \
    row(CUDA_ERROR_INVALID_PC, 718)                              \
    row(CUDA_ERROR_LAUNCH_FAILED, 719)                           \
    row(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)            \
    row(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)                      \
    row(CUDA_ERROR_NOT_PERMITTED, 800)                           \
    row(CUDA_ERROR_NOT_SUPPORTED, 801)                           \
    row(CUDA_ERROR_SYSTEM_NOT_READY, 802)                        \
    row(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                  \
    row(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)          \
    row(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)                   \
    row(CUDA_ERROR_MPS_RPC_FAILURE, 806)                         \
    row(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)                    \
    row(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)                 \
    row(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)             \
    row(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)                   \
    row(CUDA_ERROR_CDP_NOT_SUPPORTED, 811)                       \
    row(CUDA_ERROR_CDP_VERSION_MISMATCH, 812)                    \
    row(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)              \
    row(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)              \
    row(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902)                    \
    row(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903)                \
    row(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904)                 \
    row(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905)                \
    row(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)                 \
    row(CUDA_ERROR_CAPTURED_EVENT, 907)                          \
    row(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908)             \
    row(CUDA_ERROR_TIMEOUT, 909)                                 \
    row(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910)               \
    row(CUDA_ERROR_EXTERNAL_DEVICE, 911)                         \
    row(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)                    \
    row(CUDA_ERROR_FUNCTION_NOT_LOADED, 913)                     \
    row(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914)                   \
    row(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915)          \
    row(CUDA_ERROR_KEY_ROTATION, 916)                            \
    row(CUDA_ERROR_UNKNOWN, 999)
// clang-format on

#define SIMT_ROW(name, number) name = number,
typedef enum cudaError_enum { SIMT_RESULTS(SIMT_ROW) } CUresult;
#undef SIMT_ROW

typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106
} CUdevice_attribute;

typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef unsigned long long CUdeviceptr;

enum { CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_SCHED_YIELD = 2, CU_CTX_MAP_HOST = 8 };
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2 };

namespace simt {

inline CUresult result(cudaError_t error) {
    return error == cudaErrorInvalidDevicePointer ? CUDA_ERROR_INVALID_VALUE : static_cast<CUresult>(error);
}
inline void *address(CUdeviceptr pointer) { return reinterpret_cast<void *>(static_cast<std::uintptr_t>(pointer)); }

// There is one context, that of the only device.
inline CUcontext only_context() {
    static char context;
    return reinterpret_cast<CUcontext>(&context);
}
inline std::vector<CUcontext> contexts;  // the last one is current

}  // namespace simt

#define SIMT_ROW(name, number) \
    case name: *text = #name; return CUDA_SUCCESS;
inline CUresult cuGetErrorName(CUresult result, const char **text) {
    switch (result) { SIMT_RESULTS(SIMT_ROW) }
    *text = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}
#undef SIMT_ROW
inline CUresult cuGetErrorString(CUresult result, const char **text) {
    *text = cudaGetErrorString(static_cast<cudaError_t>(result));
    return CUDA_SUCCESS;
}

inline CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int *version) { return simt::result(cudaDriverGetVersion(version)); }
inline CUresult cuDeviceGetCount(int *count) { return simt::result(cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    return simt::result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
inline CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    cudaDeviceProp properties;
    const CUresult result = simt::result(cudaGetDeviceProperties(&properties, device));
    if (result == CUDA_SUCCESS && size > 0) {
        std::strncpy(name, properties.name, static_cast<std::size_t>(size) - 1);
        name[size - 1] = 0;
    }
    return result;
}
inline CUresult cuDeviceTotalMem(std::size_t *bytes, CUdevice device) {
    cudaDeviceProp properties;
    const CUresult result = simt::result(cudaGetDeviceProperties(&properties, device));
    if (result == CUDA_SUCCESS) *bytes = properties.totalGlobalMem;
    return result;
}

inline CUresult cuCtxGetCurrent(CUcontext *context) {
    *context = simt::contexts.empty() ? nullptr : simt::contexts.back();
    return CUDA_SUCCESS;
}
inline CUresult cuCtxPushCurrent(CUcontext context) {
    simt::contexts.push_back(context);
    return CUDA_SUCCESS;
}
inline CUresult cuCtxPopCurrent(CUcontext *context) {
    if (simt::contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr) *context = simt::contexts.back();
    simt::contexts.pop_back();
    return CUDA_SUCCESS;
}
inline CUresult cuCtxSetCurrent(CUcontext context) {
    if (!simt::contexts.empty()) simt::contexts.pop_back();
    return context == nullptr ? CUDA_SUCCESS : cuCtxPushCurrent(context);
}
inline CUresult cuCtxCreate(CUcontext *context, unsigned, CUdevice device) {
    if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
    *context = simt::only_context();
    return cuCtxPushCurrent(*context);
}
inline CUresult cuCtxDestroy(CUcontext context) {
    if (!simt::contexts.empty() && simt::contexts.back() == context) simt::contexts.pop_back();
    return CUDA_SUCCESS;
}
inline CUresult cuCtxSynchronize() { return simt::result(cudaDeviceSynchronize()); }

inline CUresult cuMemGetInfo(std::size_t *free_bytes, std::size_t *total) {
    return simt::result(cudaMemGetInfo(free_bytes, total));
}
inline CUresult cuMemAlloc(CUdeviceptr *pointer, std::size_t bytes) {
    void *allocated = nullptr;
    const CUresult result = simt::result(cudaMalloc(&allocated, bytes));
    *pointer = reinterpret_cast<std::uintptr_t>(allocated);
    return result;
}
inline CUresult cuMemFree(CUdeviceptr pointer) { return simt::result(cudaFree(simt::address(pointer))); }
inline CUresult cuMemAllocHost(void **pointer, std::size_t bytes) {
    return simt::result(cudaMallocHost(pointer, bytes));
}
inline CUresult cuMemFreeHost(void *pointer) { return simt::result(cudaFreeHost(pointer)); }
inline CUresult cuMemcpyHtoD(CUdeviceptr target, const void *source, std::size_t bytes) {
    return simt::result(cudaMemcpy(simt::address(target), source, bytes, cudaMemcpyHostToDevice));
}
inline CUresult cuMemcpyDtoH(void *target, CUdeviceptr source, std::size_t bytes) {
    return simt::result(cudaMemcpy(target, simt::address(source), bytes, cudaMemcpyDeviceToHost));
}
inline CUresult cuMemcpyDtoD(CUdeviceptr target, CUdeviceptr source, std::size_t bytes) {
    return simt::result(cudaMemcpy(simt::address(target), simt::address(source), bytes, cudaMemcpyDeviceToDevice));
}
inline CUresult cuMemsetD8(CUdeviceptr target, unsigned char value, std::size_t bytes) {
    return simt::result(cudaMemset(simt::address(target), value, bytes));
}

#endif
