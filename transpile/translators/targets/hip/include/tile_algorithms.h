// What HIP's cooperative groups lack: reductions and scans over tiles of a block, and which of its tiles one is.
#ifndef TILE_ALGORITHMS_H
#define TILE_ALGORITHMS_H

#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__)

#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

namespace cooperative_groups {

template <class T>
struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <class Tile, class T, class Operation>
__device__ T reduce(const Tile &tile, T value, Operation operation) {
    for (int step = static_cast<int>(tile.size()) / 2; step > 0; step /= 2) {
        value = operation(value, tile.shfl_xor(value, step));
    }
    return value;
}

template <class Tile, class T, class Operation>
__device__ T inclusive_scan(const Tile &tile, T value, Operation operation) {
    for (unsigned step = 1; step < tile.size(); step *= 2) {
        const T other = tile.shfl_up(value, step);
        if (tile.thread_rank() >= step) value = operation(other, value);
    }
    return value;
}
template <class Tile, class T>
__device__ T inclusive_scan(const Tile &tile, T value) {
    return inclusive_scan(tile, value, plus<T>());
}
template <class Tile, class T>
__device__ T exclusive_scan(const Tile &tile, T value) {
    const T before = tile.shfl_up(inclusive_scan(tile, value, plus<T>()), 1);
    return tile.thread_rank() == 0 ? T() : before;
}

}  // namespace cooperative_groups

namespace tile_of_block {

template <class Tile>
__device__ unsigned meta_group_rank(const Tile &tile) {
    return cooperative_groups::this_thread_block().thread_rank() / tile.size();
}
template <class Tile>
__device__ unsigned meta_group_size(const Tile &tile) {
    return (cooperative_groups::this_thread_block().size() + tile.size() - 1) / tile.size();
}

}  // namespace tile_of_block

#else

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace tile_of_block {

template <class Tile>
__device__ unsigned meta_group_rank(const Tile &tile) {
    return tile.meta_group_rank();
}
template <class Tile>
__device__ unsigned meta_group_size(const Tile &tile) {
    return tile.meta_group_size();
}

}  // namespace tile_of_block

#endif

#endif
