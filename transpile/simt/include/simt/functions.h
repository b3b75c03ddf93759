// Kernels as objects of the runtime API: attributes, occupancy, launches by pointer.
#ifndef SIMT_FUNCTIONS_H
#define SIMT_FUNCTIONS_H

#include <cstddef>
#include <type_traits>
#include <utility>

#include "simt/device.h"
#include "simt/launch.h"

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
        preferredShmemCarveout;
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0
};

template <class Function>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Function *) {
    *attributes = {0, 0, 0, 1024, 32, 80, 80, 0, static_cast<int>(simt::dynamic_shared_limit), -1};
    return cudaSuccess;
}
// The limit is raised for all kernels at once.
template <class Function>
cudaError_t cudaFuncSetAttribute(Function *, cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return simt::report(cudaSuccess);
    if (value < 0 || static_cast<std::size_t>(value) > simt::shared_limit) return simt::report(cudaErrorInvalidValue);
    if (static_cast<std::size_t>(value) > simt::dynamic_shared_limit)
        simt::dynamic_shared_limit = static_cast<std::size_t>(value);
    return simt::report(cudaSuccess);
}
template <class Function>
cudaError_t cudaFuncSetCacheConfig(Function *, cudaFuncCache) {
    return simt::report(cudaSuccess);
}
template <class Function>
cudaError_t cudaFuncSetSharedMemConfig(Function *, cudaSharedMemConfig) {
    return simt::report(cudaSuccess);
}

template <class Function>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *, int block_size,
                                                          std::size_t shared_bytes) {
    if (block_size <= 0 || block_size > 1024) return simt::report(cudaErrorInvalidValue);
    *blocks = simt::threads_per_multiprocessor / ((block_size + 31) / 32 * 32);
    if (*blocks > simt::blocks_per_multiprocessor) *blocks = simt::blocks_per_multiprocessor;
    const int by_shared =
        shared_bytes == 0 ? *blocks : static_cast<int>((simt::shared_limit + 1024) / (shared_bytes + 1024));
    if (by_shared < *blocks) *blocks = by_shared;
    return simt::report(cudaSuccess);
}
template <class Function>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Function *function, int block_size,
                                                                   std::size_t shared_bytes, unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes);
}
template <class Function>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, Function, std::size_t = 0, int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = simt::multiprocessors * (simt::threads_per_multiprocessor / *block);
    return simt::report(cudaSuccess);
}

namespace simt {

template <class... Parameters, std::size_t... Index>
cudaError_t launch_packed(void (*kernel)(Parameters...), const Configuration &configuration, void **arguments,
                          std::index_sequence<Index...>) {
    (void)arguments;
    return launch("cudaLaunchKernel", configuration, kernel,
                  *static_cast<std::remove_reference_t<Parameters> *>(arguments[Index])...);
}

}  // namespace simt

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    return simt::launch_packed(kernel, {grid, block, shared_bytes, stream}, arguments,
                               std::index_sequence_for<Parameters...>());
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                                        std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    if (std::size_t{grid.x} * grid.y * grid.z != 1) return simt::report(cudaErrorCooperativeLaunchTooLarge);
    return simt::launch_packed(kernel, {grid, block, shared_bytes, stream}, arguments,
                               std::index_sequence_for<Parameters...>());
}
inline cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, std::size_t = 0, cudaStream_t = nullptr) {
    simt::fail("cudaLaunchKernel of a kernel whose type is not known: pass the kernel without a cast to void *");
}
inline cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, std::size_t = 0,
                                               cudaStream_t = nullptr) {
    simt::fail(
        "cudaLaunchCooperativeKernel of a kernel whose type is not known: pass the kernel without a cast to void *");
}

#endif
