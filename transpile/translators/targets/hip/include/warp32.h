// Warps of 32 lanes, as CUDA has them, on devices whose warps have 32 or 64: each half of a wide warp is one.
//
// Lanes of a warp run in step in HIP, so a mask only chooses among the lanes that make the call. Where CUDA compiles
// this, they are its own operations.
#ifndef WARP32_H
#define WARP32_H

#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__)

#include <hip/hip_runtime.h>

namespace warp32 {

// The first bit of this half in what the device says of a whole warp.
__device__ inline unsigned half() { return __lane_id() & 32u; }

__device__ inline unsigned ballot(int predicate) { return static_cast<unsigned>(__ballot(predicate) >> half()); }
__device__ inline unsigned ballot(unsigned mask, int predicate) { return ballot(predicate) & mask; }

__device__ inline unsigned active() { return ballot(1); }

__device__ inline int any(int predicate) { return ballot(predicate) != 0; }
__device__ inline int any(unsigned mask, int predicate) { return ballot(mask, predicate) != 0; }

__device__ inline int all(int predicate) { return ballot(!predicate) == 0; }
__device__ inline int all(unsigned mask, int predicate) { return ballot(mask, !predicate) == 0; }

// What lanes wrote to memory before it, the others see after it.
__device__ inline void sync(unsigned = ~0u) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

template <class T>
__device__ auto shfl(unsigned, T value, int lane, int width = 32) -> decltype(__shfl(value, lane, width)) {
    return __shfl(value, lane, width);
}
template <class T>
__device__ auto shfl_up(unsigned, T value, unsigned by, int width = 32) -> decltype(__shfl_up(value, by, width)) {
    return __shfl_up(value, by, width);
}
template <class T>
__device__ auto shfl_down(unsigned, T value, unsigned by, int width = 32) -> decltype(__shfl_down(value, by, width)) {
    return __shfl_down(value, by, width);
}
template <class T>
__device__ auto shfl_xor(unsigned, T value, int by, int width = 32) -> decltype(__shfl_xor(value, by, width)) {
    return __shfl_xor(value, by, width);
}

template <class T>
__device__ unsigned match_any(unsigned mask, T value) {
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (__shfl(value, lane, 32) == value) same |= 1u << lane;
    }
    return same & mask;
}

template <class T>
__device__ unsigned match_all(unsigned mask, T value, int *predicate) {
    *predicate = match_any(mask, value) == mask;
    return *predicate ? mask : 0;
}

template <class T, class Operation>
__device__ T reduce(unsigned mask, T value, Operation operation) {
    const int first = __ffs(static_cast<int>(mask)) - 1;
    T total = __shfl(value, first, 32);
    for (int lane = first + 1; lane < 32; ++lane) {
        const T other = __shfl(value, lane, 32);
        if (mask >> lane & 1) total = operation(total, other);
    }
    return total;
}

template <class T>
__device__ T reduce_add(unsigned mask, T value) {
    return reduce(mask, value, [](T a, T b) { return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); });
}
template <class T>
__device__ T reduce_min(unsigned mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a < b ? a : b; });
}
template <class T>
__device__ T reduce_max(unsigned mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a > b ? a : b; });
}
template <class T>
__device__ T reduce_and(unsigned mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a & b; });
}
template <class T>
__device__ T reduce_or(unsigned mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a | b; });
}
template <class T>
__device__ T reduce_xor(unsigned mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a ^ b; });
}

}  // namespace warp32

#else

namespace warp32 {

__device__ inline unsigned active() { return __activemask(); }
__device__ inline void sync(unsigned mask = ~0u) { __syncwarp(mask); }

__device__ inline unsigned ballot(unsigned mask, int predicate) { return __ballot_sync(mask, predicate); }
__device__ inline int any(unsigned mask, int predicate) { return __any_sync(mask, predicate); }
__device__ inline int all(unsigned mask, int predicate) { return __all_sync(mask, predicate); }

template <class T>
__device__ auto shfl(unsigned mask, T value, int lane, int width = 32)
    -> decltype(__shfl_sync(mask, value, lane, width)) {
    return __shfl_sync(mask, value, lane, width);
}
template <class T>
__device__ auto shfl_up(unsigned mask, T value, unsigned by, int width = 32)
    -> decltype(__shfl_up_sync(mask, value, by, width)) {
    return __shfl_up_sync(mask, value, by, width);
}
template <class T>
__device__ auto shfl_down(unsigned mask, T value, unsigned by, int width = 32)
    -> decltype(__shfl_down_sync(mask, value, by, width)) {
    return __shfl_down_sync(mask, value, by, width);
}
template <class T>
__device__ auto shfl_xor(unsigned mask, T value, int by, int width = 32)
    -> decltype(__shfl_xor_sync(mask, value, by, width)) {
    return __shfl_xor_sync(mask, value, by, width);
}

template <class T>
__device__ auto match_any(unsigned mask, T value) -> decltype(__match_any_sync(mask, value)) {
    return __match_any_sync(mask, value);
}
template <class T>
__device__ auto match_all(unsigned mask, T value, int *predicate) -> decltype(__match_all_sync(mask, value, predicate)) {
    return __match_all_sync(mask, value, predicate);
}

template <class T>
__device__ auto reduce_add(unsigned mask, T value) -> decltype(__reduce_add_sync(mask, value)) {
    return __reduce_add_sync(mask, value);
}
template <class T>
__device__ auto reduce_min(unsigned mask, T value) -> decltype(__reduce_min_sync(mask, value)) {
    return __reduce_min_sync(mask, value);
}
template <class T>
__device__ auto reduce_max(unsigned mask, T value) -> decltype(__reduce_max_sync(mask, value)) {
    return __reduce_max_sync(mask, value);
}
template <class T>
__device__ auto reduce_and(unsigned mask, T value) -> decltype(__reduce_and_sync(mask, value)) {
    return __reduce_and_sync(mask, value);
}
template <class T>
__device__ auto reduce_or(unsigned mask, T value) -> decltype(__reduce_or_sync(mask, value)) {
    return __reduce_or_sync(mask, value);
}
template <class T>
__device__ auto reduce_xor(unsigned mask, T value) -> decltype(__reduce_xor_sync(mask, value)) {
    return __reduce_xor_sync(mask, value);
}

}  // namespace warp32

#endif

#endif
