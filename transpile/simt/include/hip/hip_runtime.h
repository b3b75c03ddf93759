// HIP on a CPU: the emulator under HIP's names, on warps of 64 lanes or of 32, as the environment says (simt/machine.h).
#ifndef SIMT_HIP_RUNTIME_H
#define SIMT_HIP_RUNTIME_H

#include "simt/simt.h"

#include "hip/names.h"

#define HIP_SYMBOL(variable) variable
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];

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
