// CUB's algorithms over device memory. As there, the first call, without temporary storage, asks for its size.
#ifndef SIMT_DEVICE_ALGORITHMS_H
#define SIMT_DEVICE_ALGORITHMS_H

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "simt/block_collectives.h"

namespace cub {

// Whether this call only asks for the size of the temporary storage.
inline bool asks_for_size(const void *storage, std::size_t &bytes) {
    if (storage == nullptr) bytes = 1;
    return storage == nullptr;
}

template <class Iterator>
using Value = typename std::iterator_traits<Iterator>::value_type;

template <class KeyType, class ValueType>
struct KeyValuePair {
    using Key = KeyType;
    using Value = ValueType;
    Key key;
    Value value;
};

struct DeviceReduce {
    template <class In, class Out, class Operation, class T>
    static cudaError_t Reduce(void *storage, std::size_t &bytes, In in, Out out, int count, Operation operation,
                              T initial, cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        *out = std::accumulate(in, in + count, initial, operation);
        return cudaSuccess;
    }
    template <class In, class Out>
    static cudaError_t Sum(void *storage, std::size_t &bytes, In in, Out out, int count, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Sum(), Value<In>());
    }
    template <class In, class Out>
    static cudaError_t Max(void *storage, std::size_t &bytes, In in, Out out, int count, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Max(), std::numeric_limits<Value<In>>::lowest());
    }
    template <class In, class Out>
    static cudaError_t Min(void *storage, std::size_t &bytes, In in, Out out, int count, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Min(), std::numeric_limits<Value<In>>::max());
    }
    // The place of the first of several equal elements; of none it is 1, with the worst value there is.
    template <class In, class Out>
    static cudaError_t ArgMax(void *storage, std::size_t &bytes, In in, Out out, int count, cudaStream_t = nullptr) {
        const auto less = [](const Value<In> &one, const Value<In> &other) { return other < one; };
        return first(storage, bytes, in, out, count, std::numeric_limits<Value<In>>::lowest(), less);
    }
    template <class In, class Out>
    static cudaError_t ArgMin(void *storage, std::size_t &bytes, In in, Out out, int count, cudaStream_t = nullptr) {
        const auto less = [](const Value<In> &one, const Value<In> &other) { return one < other; };
        return first(storage, bytes, in, out, count, std::numeric_limits<Value<In>>::max(), less);
    }

  private:
    template <class In, class Out, class Less>
    static cudaError_t first(void *storage, std::size_t &bytes, In in, Out out, int count, Value<In> worst, Less less) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        const In place = std::min_element(in, in + count, less);
        (*out).key = count > 0 ? int(place - in) : 1;
        (*out).value = count > 0 ? Value<In>(*place) : worst;
        return cudaSuccess;
    }
};

struct DeviceScan {
    template <class In, class Out, class Operation, class T>
    static cudaError_t ExclusiveScan(void *storage, std::size_t &bytes, In in, Out out, Operation operation, T initial,
                                     int count, cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        for (int i = 0; i < count; ++i) {
            const T next = operation(initial, in[i]);  // in and out may be the same
            out[i] = initial;
            initial = next;
        }
        return cudaSuccess;
    }
    template <class In, class Out, class Operation>
    static cudaError_t InclusiveScan(void *storage, std::size_t &bytes, In in, Out out, Operation operation, int count,
                                     cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        std::partial_sum(in, in + count, out, operation);
        return cudaSuccess;
    }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void *storage, std::size_t &bytes, In in, Out out, int count,
                                    cudaStream_t = nullptr) {
        return ExclusiveScan(storage, bytes, in, out, cub::Sum(), Value<In>(), count);
    }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void *storage, std::size_t &bytes, In in, Out out, int count,
                                    cudaStream_t = nullptr) {
        return InclusiveScan(storage, bytes, in, out, cub::Sum(), count);
    }
};

// Sorts by the bits [begin, end) of integer keys; other keys are sorted whole.
struct DeviceRadixSort {
    template <class Key>
    static cudaError_t SortKeys(void *storage, std::size_t &bytes, const Key *in, Key *out, int count, int begin = 0,
                                int end = sizeof(Key) * 8, cudaStream_t = nullptr) {
        return sort<Key, char>(storage, bytes, in, out, nullptr, nullptr, count, begin, end, false);
    }
    template <class Key>
    static cudaError_t SortKeysDescending(void *storage, std::size_t &bytes, const Key *in, Key *out, int count,
                                          int begin = 0, int end = sizeof(Key) * 8, cudaStream_t = nullptr) {
        return sort<Key, char>(storage, bytes, in, out, nullptr, nullptr, count, begin, end, true);
    }
    template <class Key, class Payload>
    static cudaError_t SortPairs(void *storage, std::size_t &bytes, const Key *in, Key *out, const Payload *payload,
                                 Payload *sorted, int count, int begin = 0, int end = sizeof(Key) * 8,
                                 cudaStream_t = nullptr) {
        return sort(storage, bytes, in, out, payload, sorted, count, begin, end, false);
    }
    template <class Key, class Payload>
    static cudaError_t SortPairsDescending(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                           const Payload *payload, Payload *sorted, int count, int begin = 0,
                                           int end = sizeof(Key) * 8, cudaStream_t = nullptr) {
        return sort(storage, bytes, in, out, payload, sorted, count, begin, end, true);
    }

private:
    template <class Key>
    static auto digits(Key key, int begin, int end) {
        if constexpr (std::is_integral_v<Key>) {
            if (begin == 0 && end == static_cast<int>(sizeof(Key) * 8)) return static_cast<long double>(key);
            const auto bits = static_cast<unsigned long long>(static_cast<std::make_unsigned_t<Key>>(key)) >> begin;
            return static_cast<long double>(end - begin >= 64 ? bits : bits & ((1ull << (end - begin)) - 1));
        } else {
            return key;
        }
    }
    template <class Key, class Payload>
    static cudaError_t sort(void *storage, std::size_t &bytes, const Key *in, Key *out, const Payload *payload,
                            Payload *sorted, int count, int begin, int end, bool descending) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        std::vector<int> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            const auto x = digits(in[a], begin, end), y = digits(in[b], begin, end);
            return x == y ? a < b : (x < y) != descending;
        });
        for (int i = 0; i < count; ++i) out[i] = in[order[i]];
        for (int i = 0; payload != nullptr && i < count; ++i) sorted[i] = payload[order[i]];
        return cudaSuccess;
    }
};

}  // namespace cub

#endif
