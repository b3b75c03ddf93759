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
    *blocks = simt::blocks_that_fit(static_cast<unsigned>(block_size), shared_bytes);
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

// A kernel and what a program calls it.
template <class... Parameters>
struct Named {
    const char *name;
    void (*kernel)(Parameters...);
};
template <class... Parameters>
Named<Parameters...> named(const char *name, void (*kernel)(Parameters...)) {
    return {name, kernel};
}
inline const void *named(const char *, const void *kernel) { return kernel; }

template <class... Parameters, std::size_t... Index>
cudaError_t launch_packed(const Named<Parameters...> &kernel, const Configuration &configuration, void **arguments,
                          std::index_sequence<Index...>) {
    (void)arguments;
    return launch(kernel.name, configuration, kernel.kernel,
                  *static_cast<std::remove_reference_t<Parameters> *>(arguments[Index])...);
}

}  // namespace simt

template <class... Parameters>
cudaError_t cudaLaunchKernel(const simt::Named<Parameters...> &kernel, dim3 grid, dim3 block, void **arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    return simt::launch_packed(kernel, {grid, block, shared_bytes, stream}, arguments,
                               std::index_sequence_for<Parameters...>());
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(const simt::Named<Parameters...> &kernel, dim3 grid, dim3 block,
                                        void **arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
    simt::Configuration configuration = {grid, block, shared_bytes, stream};
    configuration.cooperative = true;
    return simt::launch_packed(kernel, configuration, arguments, std::index_sequence_for<Parameters...>());
}
inline cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, std::size_t = 0, cudaStream_t = nullptr) {
    simt::fail("cudaLaunchKernel of a kernel whose type is not known: name the kernel in the call");
}
inline cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, std::size_t = 0,
                                               cudaStream_t = nullptr) {
    simt::fail("cudaLaunchCooperativeKernel of a kernel whose type is not known: name the kernel in the call");
}

#endif
