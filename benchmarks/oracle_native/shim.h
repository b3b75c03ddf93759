// CUDA in a few lines of C++ for the independent oracle (benchmarks/oracle.py): correctness of memory before speed.
//
// Device and caller's memory lie in two arenas of their own, poisoned for AddressSanitizer but for what was allocated,
// byte by byte. Host code sees the caller's arrays alone, kernels see the device's alone, and copies are checked on
// both sides. Nothing of the product's emulator is used.
#pragma once
#include "arguments.h"

#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

namespace oracle {
extern dim3 grid_dim, block_dim;
extern uint3 block_index, thread_index;
extern bool has_barriers;

struct Config {
    dim3 grid, block;
    std::size_t shared;
};
inline Config config(dim3 grid, dim3 block, std::size_t shared = 0, const void * = nullptr) {
    return {grid, block, shared};
}

/// Run a body once for every thread of a launch; what it needs comes through a pointer.
void run(const Config &, void (*body)(void *), void *data);
void *dynamic_shared();
void block_barrier();
void warp_barrier(unsigned mask);
/// Give 8 bytes to the lanes of a warp, and return those of another lane, or one's own where it takes no part.
std::uint64_t exchange(unsigned mask, std::uint64_t mine, int lane);
bool takes_part(unsigned mask, int lane);

cudaError_t allocate(void **pointer, std::size_t size);
cudaError_t release(void *pointer);
cudaError_t copy(void *to, const void *from, std::size_t size, cudaMemcpyKind kind);
cudaError_t fill(void *to, int value, std::size_t size);
cudaError_t last_error(bool clear);

template <class... P, class... A>
void launch(const Config &config, void (*kernel)(P...), A &&...given) {
    auto call = std::make_pair(kernel, std::tuple<std::decay_t<P>...>(std::forward<A>(given)...));
    using Call = decltype(call);
    run(
        config,
        [](void *data) {
            auto *made = static_cast<Call *>(data);
            auto arguments = made->second;
            std::apply(made->first, arguments);
        },
        &call);
}

inline int lane() {
    const unsigned linear =
        thread_index.x + block_dim.x * (thread_index.y + block_dim.y * thread_index.z);
    return linear % 32;
}
template <class T>
T shuffle(unsigned mask, T value, int source) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = exchange(mask, bits, source);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
}  // namespace oracle

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __shared__ static
#define __constant__ static
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define gridDim (::oracle::grid_dim)
#define blockDim (::oracle::block_dim)
#define blockIdx (::oracle::block_index)
#define threadIdx (::oracle::thread_index)
static const int warpSize = 32;

template <class T>
cudaError_t cudaMalloc(T **pointer, std::size_t size) {
    return oracle::allocate((void **)pointer, size);
}
inline cudaError_t cudaFree(void *pointer) { return oracle::release(pointer); }
inline cudaError_t cudaMemcpy(void *to, const void *from, std::size_t size, cudaMemcpyKind kind) {
    return oracle::copy(to, from, size, kind);
}
inline cudaError_t cudaMemset(void *to, int value, std::size_t size) { return oracle::fill(to, value, size); }
inline cudaError_t cudaGetLastError() { return oracle::last_error(true); }
inline cudaError_t cudaPeekAtLastError() { return oracle::last_error(false); }
inline cudaError_t cudaDeviceSynchronize() { return oracle::last_error(false); }
inline const char *cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : "error"; }

inline void __syncthreads() { oracle::block_barrier(); }
inline void __syncwarp(unsigned mask = ~0u) { oracle::warp_barrier(mask); }
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    return oracle::shuffle(mask, value, oracle::lane() / width * width + source % width);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
    const int from = oracle::lane() + by, end = oracle::lane() / width * width + width;
    return oracle::shuffle(mask, value, from < end ? from : oracle::lane());
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    const int from = oracle::lane() - (int)by, begin = oracle::lane() / width * width;
    return oracle::shuffle(mask, value, from >= begin ? from : oracle::lane());
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with, int = 32) {
    return oracle::shuffle(mask, value, oracle::lane() ^ with);
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
    unsigned all = 0;
    for (int lane = 0; lane < 32; ++lane)
        if (oracle::shuffle(mask, predicate != 0 ? 1 : 0, lane) && oracle::takes_part(mask, lane)) all |= 1u << lane;
    return all;
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __clz(int value) { return value ? __builtin_clz(value) : 32; }
template <class T>
T __ldg(const T *from) {
    return *from;
}

#define ORACLE_ATOMIC(NAME, EXPRESSION)                     \
    template <class T>                                      \
    T NAME(T *at, std::type_identity_t<T> value) {          \
        const T old = *at;                                  \
        *at = EXPRESSION;                                   \
        return old;                                         \
    }
ORACLE_ATOMIC(atomicAdd, old + value)
ORACLE_ATOMIC(atomicSub, old - value)
ORACLE_ATOMIC(atomicExch, value)
ORACLE_ATOMIC(atomicMin, value < old ? value : old)
ORACLE_ATOMIC(atomicMax, value > old ? value : old)
ORACLE_ATOMIC(atomicAnd, old &value)
ORACLE_ATOMIC(atomicOr, old | value)
ORACLE_ATOMIC(atomicXor, old ^ value)
#undef ORACLE_ATOMIC
template <class T>
T atomicCAS(T *at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    const T old = *at;
    if (old == expected) *at = value;
    return old;
}
template <class To, class From>
To oracle_bits(From value) {
    static_assert(sizeof(To) == sizeof(From));
    To result;
    std::memcpy(&result, &value, sizeof value);
    return result;
}
inline int __float_as_int(float value) { return oracle_bits<int>(value); }
inline unsigned __float_as_uint(float value) { return oracle_bits<unsigned>(value); }
inline float __int_as_float(int value) { return oracle_bits<float>(value); }
inline float __uint_as_float(unsigned value) { return oracle_bits<float>(value); }
inline long long __double_as_longlong(double value) { return oracle_bits<long long>(value); }
inline double __longlong_as_double(long long value) { return oracle_bits<double>(value); }
template <class A, class B>
std::common_type_t<A, B> min(A a, B b) {
    return b < a ? b : a;
}
template <class A, class B>
std::common_type_t<A, B> max(A a, B b) {
    return a < b ? b : a;
}
inline float rsqrtf(float value) { return 1 / std::sqrt(value); }
inline double rsqrt(double value) { return 1 / std::sqrt(value); }
