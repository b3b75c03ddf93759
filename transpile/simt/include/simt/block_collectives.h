// CUB's collectives of a block and of a warp. Sums run in the order of the threads.
#ifndef SIMT_BLOCK_COLLECTIVES_H
#define SIMT_BLOCK_COLLECTIVES_H

#include <cstring>
#include <type_traits>

#include "simt/simt.h"

namespace cub {

struct Sum {
    template <class T>
    T operator()(const T &a, const T &b) const {
        return a + b;
    }
};
struct Max {
    template <class T>
    T operator()(const T &a, const T &b) const {
        return b > a ? b : a;
    }
};
struct Min {
    template <class T>
    T operator()(const T &a, const T &b) const {
        return b < a ? b : a;
    }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

inline unsigned linear_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

// What a thread gets that the collective promises nothing.
template <class T>
T unspecified(const T &value) {
    if constexpr (simt::plain<T>) {
        T poison = value;
        std::memset(static_cast<void *>(&poison), simt::poison_byte(), sizeof poison);
        return poison;
    } else {
        return value;
    }
}

// The result is the first thread's.
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    explicit BlockReduce(TempStorage &storage) : storage_(storage) {}

    template <class Operation>
    T Reduce(T value, Operation operation, int valid = X * Y * Z) {
        const auto thread = linear_thread();
        storage_.values[thread] = value;
        __syncthreads();
        if (thread != 0) return unspecified(value);
        for (int i = 1; i < valid; ++i) value = operation(value, storage_.values[i]);
        return value;
    }
    template <int Items, class Operation>
    T Reduce(T (&values)[Items], Operation operation) {
        T value = values[0];
        for (int i = 1; i < Items; ++i) value = operation(value, values[i]);
        return Reduce(value, operation);
    }
    T Sum(T value, int valid = X * Y * Z) { return Reduce(value, cub::Sum(), valid); }
    template <int Items>
    T Sum(T (&values)[Items]) {
        return Reduce(values, cub::Sum());
    }

private:
    TempStorage &storage_;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    explicit BlockScan(TempStorage &storage) : storage_(storage) {}

    template <class Operation>
    void InclusiveScan(T value, T &result, Operation operation, T &total) {
        scan(value, operation);
        result = before_ ? operation(prefix_, value) : value;
        total = total_;
    }
    template <class Operation>
    void InclusiveScan(T value, T &result, Operation operation) {
        T total;
        InclusiveScan(value, result, operation, total);
    }
    template <class Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation operation, T &total) {
        scan(value, operation);
        result = before_ ? operation(initial, prefix_) : initial;
        total = total_;
    }
    template <class Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation operation) {
        T total;
        ExclusiveScan(value, result, initial, operation, total);
    }
    void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    void InclusiveSum(T value, T &result, T &total) { InclusiveScan(value, result, cub::Sum(), total); }
    void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
    void ExclusiveSum(T value, T &result, T &total) { ExclusiveScan(value, result, T(), cub::Sum(), total); }

private:
    TempStorage &storage_;
    T prefix_{}, total_{};
    bool before_ = false;  // whether any thread comes before this one

    template <class Operation>
    void scan(T value, Operation operation) {
        const auto thread = linear_thread();
        storage_.values[thread] = value;
        __syncthreads();
        before_ = thread > 0;
        T sum = storage_.values[0];
        for (unsigned i = 1; i < X * Y * Z; ++i) {
            if (i == thread) prefix_ = sum;
            sum = operation(sum, storage_.values[i]);
        }
        total_ = sum;
    }
};

// The result is the first lane's of each logical warp.
template <class T, int Logical = simt::most_lanes == 32 ? 32 : 0, int = 0>
class WarpReduce {
    // 0: those that a warp of the device has.
    static int lanes() { return Logical == 0 ? warpSize : Logical; }

public:
    struct TempStorage {};
    explicit WarpReduce(TempStorage &) {}

    template <class Operation>
    T Reduce(T value, Operation operation) {
        return Reduce(value, operation, lanes());
    }
    template <class Operation>
    T Reduce(T value, Operation operation, int valid) {
        const auto count = static_cast<unsigned>(lanes());
        const int lane = static_cast<int>(linear_thread() % count);
        const unsigned first = linear_thread() % simt::warp_size / count * count;
        const auto mask =
            static_cast<simt::Mask>((count == 64 ? ~simt::LaneMask{0} : (simt::LaneMask{1} << (count & 63)) - 1) << first);
        for (int step = 1; step < lanes(); step *= 2) {
            const T other = __shfl_down_sync(mask, value, static_cast<unsigned>(step), lanes());
            if (lane % (2 * step) == 0 && lane + step < valid) value = operation(value, other);
        }
        return lane == 0 ? value : unspecified(value);
    }
    T Sum(T value) { return Reduce(value, cub::Sum(), lanes()); }
    T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
};

}  // namespace cub

#endif
