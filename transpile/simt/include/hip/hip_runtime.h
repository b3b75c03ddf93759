// HIP on a CPU: the emulator under HIP's names, on warps of 64 lanes or of 32, as the environment says (simt/machine.h).
#ifndef SIMT_HIP_RUNTIME_H
#define SIMT_HIP_RUNTIME_H

#include "simt/simt.h"

#include "hip/names.h"

#define HIP_SYMBOL(variable) variable
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define SIMT_KERNEL_TEXT(...) #__VA_ARGS__
#define SIMT_KERNEL_NAME(...) SIMT_KERNEL_TEXT(__VA_ARGS__)
// The kernel, template or not, is one argument: HIP_KERNEL_NAME holds the commas of the former.
#define hipLaunchKernelGGL(kernel, ...) simt::launch_from(SIMT_KERNEL_NAME(kernel), kernel, __VA_ARGS__)
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];

// HIP's first spelling of where a thread is, which AMD's headers still define.
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

namespace simt {

template <class... Parameters>
void launch_from(const char *name, void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared,
                 hipStream_t stream, Given<Parameters>... arguments) {
    launch(name, Configuration(grid, block, shared, stream), kernel, arguments...);
}

}  // namespace simt

SIMT_INLINE unsigned __lane_id() { return simt::lane_of(*simt::machine.current); }

// The lanes of a warp run in step on the device, so this orders what they do to memory.
#define __builtin_amdgcn_wave_barrier() \
    static_cast<void>(simt::meet(simt::resolve_sync, simt::converged, 0, 0, "wave_barrier", __builtin_LINE()))
#define __builtin_amdgcn_fence(order, scope) static_cast<void>(0)

template <class T>
hipError_t hipHostMalloc(T **memory, size_t bytes, unsigned = 0) {
    return cudaMallocHost(reinterpret_cast<void **>(memory), bytes);
}

#endif
