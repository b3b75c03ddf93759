// CUDA's function and variable qualifiers, which mean nothing to a plain C++ compiler.
#ifndef SIMT_QUALIFIERS_H
#define SIMT_QUALIFIERS_H

#ifdef SIMT_HIP
#define __HIPCC__ 1
#define __HIP__ 1
#define __HIP_PLATFORM_AMD__ 1
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#define HIP_VERSION 60200000
#define SIMT_RUNTIME_VERSION HIP_VERSION
#else
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define SIMT_RUNTIME_VERSION CUDART_VERSION
#endif
#define __SIMT__ 1

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
// Never `always_inline`: a function may be defined in another file, where code of the device is linked.
#define __forceinline__ inline
// Empty, since the standard library writes __attribute__((__noinline__)).
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __cudart_builtin__
#define __host_stub__
#define CUDARTAPI
#define CUDART_CB
#define __CUDA_HOSTDEVICE__

// Hints to nvcc's optimizer and to profilers.
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(0)
#endif
#define __assume(condition) static_cast<void>(0)
#define __prof_trigger(counter) static_cast<void>(0)

// Lowering turns __shared__ into simt::shared, which is poisoned and traced. What it cannot reach (a
// declaration made by a macro) is one variable for all blocks, which run one after the other.
#define __shared__ static

// Functions of the emulator whose memory accesses are no accesses of the kernel.
#define SIMT_QUIET __attribute__((no_sanitize("thread")))
#define SIMT_NOINLINE __attribute__((noinline))
#define SIMT_INLINE inline __attribute__((always_inline))

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ADDRESS_SANITIZER 1
#endif
#endif

#endif
