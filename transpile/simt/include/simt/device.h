// The device as programs ask for it: one, of compute capability 8.0 with few multiprocessors.
#ifndef SIMT_DEVICE_H
#define SIMT_DEVICE_H

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "simt/errors.h"
#include "simt/launch.h"
#include "simt/memory.h"

struct cudaUUID_t {
    char bytes[16];
};

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    std::size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    std::size_t totalConstMem;
    int major, minor;
    std::size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
        unifiedAddressing;
    int memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
    std::size_t sharedMemPerBlockOptin;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int maxTexture1D, maxTexture2D[2], maxTexture3D[3], maxTexture1DLayered[2], maxTexture2DLayered[3];
    char gcnArchName[256];  // HIP's
};

// The numbers are CUDA's.
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106
};

enum cudaComputeMode { cudaComputeModeDefault = 0, cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2 };
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
enum {
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8
};
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaOccupancyDefault 0

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};

namespace simt {

inline cudaDeviceProp device_properties() {
    cudaDeviceProp p = {};
    std::snprintf(p.name, sizeof p.name, "%s", "simt emulator");
    std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", "simt");
    p.totalGlobalMem = device_memory_bytes;
    p.sharedMemPerBlock = default_shared_limit;
    p.sharedMemPerBlockOptin = shared_limit;
    p.sharedMemPerMultiprocessor = shared_limit + 1024;
    p.reservedSharedMemPerBlock = 1024;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = warpSize;
    p.memPitch = 0x7FFFFFFF;
    p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7FFFFFFF;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = 1000000;
    p.totalConstMem = 65536;
    p.major = 8;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
    p.multiProcessorCount = multiprocessors;
    p.asyncEngineCount = 1;
    p.memoryClockRate = 1000000;
    p.memoryBusWidth = 256;
    p.l2CacheSize = 4 << 20;
    p.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
    p.maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
    p.cooperativeLaunch = 1;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = p.concurrentManagedAccess = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
    p.maxTexture1D = p.maxTexture2D[0] = 131072;
    p.maxTexture2D[1] = 65536;
    p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
    p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
    p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
    return p;
}

inline std::size_t device_limits[6] = {1024, 1 << 20, 8 << 20, 2, 2048, 128};

}  // namespace simt

// Blocks are dealt to the multiprocessors in turn.
inline unsigned __smid() { return simt::machine.block % simt::multiprocessors; }

inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaSetDevice(int device) {
    return simt::report(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    if (device != 0) return simt::report(cudaErrorInvalidDevice);
    *properties = simt::device_properties();
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    if (device != 0) return simt::report(cudaErrorInvalidDevice);
    const cudaDeviceProp p = simt::device_properties();
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
        case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
        case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
        case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
        case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
        case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
        case cudaDevAttrTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
        case cudaDevAttrClockRate: *value = p.clockRate; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrIntegrated: *value = p.integrated; break;
        case cudaDevAttrCanMapHostMemory: *value = p.canMapHostMemory; break;
        case cudaDevAttrComputeMode: *value = p.computeMode; break;
        case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
        case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
        case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
        case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = static_cast<int>(p.sharedMemPerMultiprocessor);
            break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
        case cudaDevAttrManagedMemory: *value = p.managedMemory; break;
        case cudaDevAttrPageableMemoryAccess: *value = p.pageableMemoryAccess; break;
        case cudaDevAttrConcurrentManagedAccess: *value = p.concurrentManagedAccess; break;
        case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(p.sharedMemPerBlockOptin); break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
        default: return simt::report(cudaErrorInvalidValue);
    }
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaDeviceSynchronize() {
    const simt::Exclusive exclusive;
    simt::wait_for_all();
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaDeviceReset() {
    simt::sticky_error = simt::last_error = cudaSuccess;
    return cudaSuccess;
}
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
// Devices since Volta have one way to share memory out, and take any wish.
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    if (static_cast<unsigned>(limit) >= 6) return simt::report(cudaErrorInvalidValue);
    simt::device_limits[limit] = value;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetLimit(std::size_t *value, cudaLimit limit) {
    if (static_cast<unsigned>(limit) >= 6) return simt::report(cudaErrorInvalidValue);
    *value = simt::device_limits[limit];
    return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
    *can = 0;
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return simt::report(cudaErrorPeerAccessUnsupported); }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return simt::report(cudaErrorPeerAccessNotEnabled); }
inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = SIMT_RUNTIME_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void *, std::size_t, cudaMemoryAdvise, int) { return simt::report(cudaSuccess); }
inline cudaError_t cudaMemPrefetchAsync(const void *, std::size_t, int, cudaStream_t = nullptr) {
    return simt::report(cudaSuccess);
}
// As CUDA 13 has them.
inline cudaError_t cudaMemAdvise(const void *memory, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation) {
    return cudaMemAdvise(memory, bytes, advice, 0);
}
inline cudaError_t cudaMemPrefetchAsync(const void *memory, std::size_t bytes, cudaMemLocation, unsigned,
                                        cudaStream_t stream = nullptr) {
    return cudaMemPrefetchAsync(memory, bytes, 0, stream);
}

#endif
