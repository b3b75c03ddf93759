// CUB's algorithms over device memory that order, choose and count elements.
#ifndef SIMT_DEVICE_SELECTION_H
#define SIMT_DEVICE_SELECTION_H

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "simt/device_algorithms.h"

namespace cub {

// All of these sort stably; CUB promises it of some alone.
struct DeviceMergeSort {
    template <class Keys, class Less>
    static cudaError_t SortKeys(void *storage, std::size_t &bytes, Keys keys, long long count, Less less,
                                cudaStream_t = nullptr) {
        return SortKeysCopy(storage, bytes, keys, keys, count, less);
    }
    template <class Keys, class Items, class Less>
    static cudaError_t SortPairs(void *storage, std::size_t &bytes, Keys keys, Items items, long long count, Less less,
                                 cudaStream_t = nullptr) {
        return SortPairsCopy(storage, bytes, keys, items, keys, items, count, less);
    }
    template <class Keys, class Sorted, class Less>
    static cudaError_t SortKeysCopy(void *storage, std::size_t &bytes, Keys keys, Sorted sorted, long long count,
                                    Less less, cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        const std::vector<Value<Keys>> key(keys, keys + count);
        for (const long long from : order(key, less)) *sorted++ = key[from];
        return cudaSuccess;
    }
    template <class Keys, class Items, class SortedKeys, class SortedItems, class Less>
    static cudaError_t SortPairsCopy(void *storage, std::size_t &bytes, Keys keys, Items items, SortedKeys sorted,
                                     SortedItems moved, long long count, Less less, cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        const std::vector<Value<Keys>> key(keys, keys + count);
        const std::vector<Value<Items>> item(items, items + count);
        for (const long long from : order(key, less)) {
            *sorted++ = key[from];
            *moved++ = item[from];
        }
        return cudaSuccess;
    }
    template <class Keys, class Less>
    static cudaError_t StableSortKeys(void *storage, std::size_t &bytes, Keys keys, long long count, Less less,
                                      cudaStream_t = nullptr) {
        return SortKeys(storage, bytes, keys, count, less);
    }
    template <class Keys, class Items, class Less>
    static cudaError_t StableSortPairs(void *storage, std::size_t &bytes, Keys keys, Items items, long long count,
                                       Less less, cudaStream_t = nullptr) {
        return SortPairs(storage, bytes, keys, items, count, less);
    }

  private:
    template <class Key, class Less>
    static std::vector<long long> order(const std::vector<Key> &key, Less less) {
        std::vector<long long> places(key.size());
        std::iota(places.begin(), places.end(), 0);
        std::sort(places.begin(), places.end(), [&](long long a, long long b) {
            return less(key[a], key[b]) || (a < b && !less(key[b], key[a]));
        });
        return places;
    }
};

// What is selected stands in front, in order; the rest is left out, or stands behind it in reverse order.
template <bool with_rest>
struct Choosing {
    template <class In, class Flags, class Out, class Count>
    static cudaError_t Flagged(void *storage, std::size_t &bytes, In in, Flags flags, Out out, Count selected,
                               long long count, cudaStream_t = nullptr) {
        return chosen(storage, bytes, in, out, selected, count, [=](long long i) { return bool(flags[i]); });
    }
    template <class In, class Out, class Count, class Predicate>
    static cudaError_t If(void *storage, std::size_t &bytes, In in, Out out, Count selected, long long count,
                          Predicate predicate, cudaStream_t = nullptr) {
        return chosen(storage, bytes, in, out, selected, count, [=](long long i) { return bool(predicate(in[i])); });
    }

  private:
    template <class In, class Out, class Count, class Chosen>
    static cudaError_t chosen(void *storage, std::size_t &bytes, In in, Out out, Count selected, long long count,
                              Chosen is_chosen) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        long long front = 0, back = count;
        for (long long i = 0; i < count; ++i) {
            if (is_chosen(i)) {
                out[front++] = in[i];
            } else if constexpr (with_rest) {
                out[--back] = in[i];
            }
        }
        static_cast<void>(back);
        *selected = static_cast<Value<Count>>(front);
        return cudaSuccess;
    }
};

struct DevicePartition : Choosing<true> {};

struct DeviceSelect : Choosing<false> {
    template <class In, class Out, class Count>
    static cudaError_t Unique(void *storage, std::size_t &bytes, In in, Out out, Count selected, long long count,
                              cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        *selected = static_cast<Value<Count>>(std::unique_copy(in, in + count, out) - out);
        return cudaSuccess;
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Lengths, class Count>
    static cudaError_t Encode(void *storage, std::size_t &bytes, In in, Unique unique, Lengths lengths, Count runs,
                              long long count, cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        long long found = 0;
        for (long long i = 0, end = 0; i < count; i = end, ++found) {
            for (end = i + 1; end < count && in[end] == in[i];) ++end;
            unique[found] = in[i];
            lengths[found] = static_cast<Value<Lengths>>(end - i);
        }
        *runs = static_cast<Value<Count>>(found);
        return cudaSuccess;
    }
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begins, class Ends, class Operation, class T>
    static cudaError_t Reduce(void *storage, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
                              Operation operation, T initial, cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        for (int i = 0; i < segments; ++i) {
            out[i] = std::accumulate(in + begins[i], in + std::max(begins[i], ends[i]), initial, operation);
        }
        return cudaSuccess;
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Sum(void *storage, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
                           cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Sum(), Value<In>());
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Max(void *storage, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
                           cudaStream_t = nullptr) {
        const auto lowest = std::numeric_limits<Value<In>>::lowest();
        return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Max(), lowest);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Min(void *storage, std::size_t &bytes, In in, Out out, int segments, Begins begins, Ends ends,
                           cudaStream_t = nullptr) {
        const auto largest = std::numeric_limits<Value<In>>::max();
        return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Min(), largest);
    }
};

struct DeviceHistogram {
    // Of a whole number of levels, one more than there are bins; samples beyond them are left out.
    template <class In, class Counter, class Level>
    static cudaError_t HistogramEven(void *storage, std::size_t &bytes, In in, Counter *bins, int levels, Level lower,
                                     Level upper, long long count, cudaStream_t = nullptr) {
        if (asks_for_size(storage, bytes)) return cudaSuccess;
        const simt::AtOnce at_once;
        std::fill(bins, bins + levels - 1, Counter(0));
        for (long long i = 0; i < count; ++i) {
            if (in[i] < lower || !(in[i] < upper)) continue;
            const auto above = static_cast<long double>(in[i]) - static_cast<long double>(lower);
            const auto width = static_cast<long double>(upper) - static_cast<long double>(lower);
            ++bins[std::min(static_cast<int>(above * (levels - 1) / width), levels - 2)];
        }
        return cudaSuccess;
    }
};

}  // namespace cub

#endif
