// Algorithms of thrust beyond the common ones: more of the standard library's, stencils, maps and keys.
#ifndef SIMT_THRUST_ALGORITHMS_H
#define SIMT_THRUST_ALGORITHMS_H

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "thrust/thrust.h"

namespace thrust {

SIMT_THRUST(adjacent_difference, std::adjacent_difference)
SIMT_THRUST(all_of, std::all_of)
SIMT_THRUST(any_of, std::any_of)
SIMT_THRUST(binary_search, std::binary_search)
SIMT_THRUST(copy_n, std::copy_n)
SIMT_THRUST(equal, std::equal)
SIMT_THRUST(fill_n, std::fill_n)
SIMT_THRUST(find_if, std::find_if)
SIMT_THRUST(find_if_not, std::find_if_not)
SIMT_THRUST(for_each_n, std::for_each_n)
SIMT_THRUST(generate, std::generate)
SIMT_THRUST(is_sorted, std::is_sorted)
SIMT_THRUST(is_sorted_until, std::is_sorted_until)
SIMT_THRUST(merge, std::merge)
SIMT_THRUST(mismatch, std::mismatch)
SIMT_THRUST(none_of, std::none_of)
SIMT_THRUST(remove, std::remove)
SIMT_THRUST(remove_copy, std::remove_copy)
SIMT_THRUST(remove_copy_if, std::remove_copy_if)
SIMT_THRUST(replace, std::replace)
SIMT_THRUST(replace_copy, std::replace_copy)
SIMT_THRUST(replace_copy_if, std::replace_copy_if)
SIMT_THRUST(replace_if, std::replace_if)
SIMT_THRUST(reverse_copy, std::reverse_copy)
SIMT_THRUST(set_difference, std::set_difference)
SIMT_THRUST(set_intersection, std::set_intersection)
SIMT_THRUST(set_symmetric_difference, std::set_symmetric_difference)
SIMT_THRUST(set_union, std::set_union)
SIMT_THRUST(uninitialized_copy, std::copy)
SIMT_THRUST(uninitialized_fill, std::fill)
SIMT_THRUST(unique_copy, std::unique_copy)

// With a stencil, which stands for the values where the predicate asks.
template <class In, class Out, class Predicate>
Out copied_if(In first, In last, Out out, Predicate predicate) {
    return std::copy_if(first, last, out, predicate);
}
template <class In, class Stencil, class Out, class Predicate>
Out copied_if(In first, In last, Stencil stencil, Out out, Predicate predicate) {
    for (; first != last; ++first, ++stencil) {
        if (predicate(*stencil)) *out++ = *first;
    }
    return out;
}
SIMT_THRUST(copy_if, copied_if)

template <class Iterator, class Predicate>
Iterator removed_if(Iterator first, Iterator last, Predicate predicate) {
    return std::remove_if(first, last, predicate);
}
template <class Iterator, class Stencil, class Predicate>
Iterator removed_if(Iterator first, Iterator last, Stencil stencil, Predicate predicate) {
    return copied_if(first, last, stencil, first, [&](const auto &value) { return !predicate(value); });
}
SIMT_THRUST(remove_if, removed_if)

template <class Iterator, class Predicate>
Iterator parted(Iterator first, Iterator last, Predicate predicate) {
    const std::vector<Value<Iterator>> values(first, last);
    const Iterator middle = std::copy_if(values.begin(), values.end(), first, predicate);
    std::copy_if(values.begin(), values.end(), middle, [&](const auto &value) { return !predicate(value); });
    return middle;
}
// Those for which the stencil is true come first, each half in its order.
template <class Iterator, class Stencil, class Predicate>
Iterator parted(Iterator first, Iterator last, Stencil stencil, Predicate predicate) {
    const std::vector<Value<Iterator>> values(first, last);
    const Iterator middle = copied_if(values.begin(), values.end(), stencil, first, predicate);
    copied_if(values.begin(), values.end(), stencil, middle, [&](const auto &value) { return !predicate(value); });
    return middle;
}
SIMT_THRUST(partition, parted)
SIMT_THRUST(stable_partition, parted)

template <class Map, class In, class Out>
Out taken(Map first, Map last, In in, Out out) {
    for (; first != last; ++first) *out++ = in[static_cast<std::ptrdiff_t>(*first)];
    return out;
}
SIMT_THRUST(gather, taken)

template <class In, class Map, class Out>
void strewn(In first, In last, Map map, Out out) {
    for (; first != last; ++first, ++map) out[static_cast<std::ptrdiff_t>(*map)] = *first;
}
SIMT_THRUST(scatter, strewn)

template <class Iterator, class Function>
void tabulated(Iterator first, Iterator last, Function function) {
    for (std::ptrdiff_t i = 0; first != last; ++first, ++i) *first = function(static_cast<Value<Iterator>>(i));
}
SIMT_THRUST(tabulate, tabulated)

// One result for each run of equal keys.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal = std::equal_to<>,
          class Operation = std::plus<>>
std::pair<KeysOut, ValuesOut> runs_reduced(Keys first, Keys last, Values values, KeysOut keys_out,
                                           ValuesOut values_out, Equal equal = {}, Operation operation = {}) {
    while (first != last) {
        const Value<Keys> key = *first;
        Value<Values> total = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            total = operation(total, *values);
        *keys_out++ = key;
        *values_out++ = total;
    }
    return {keys_out, values_out};
}
SIMT_THRUST(reduce_by_key, runs_reduced)

template <class Keys, class Values, class Equal = std::equal_to<>>
std::pair<Keys, Values> runs_unified(Keys first, Keys last, Values values, Equal equal = {}) {
    const auto left = [](const auto &a, const auto &) { return a; };
    return runs_reduced(first, last, values, first, values, equal, left);
}
SIMT_THRUST(unique_by_key, runs_unified)

template <class Keys, class Values, class Out, class Equal = std::equal_to<>, class Operation = std::plus<>>
Out runs_scanned(Keys first, Keys last, Values values, Out out, Equal equal = {}, Operation operation = {}) {
    while (first != last) {
        const Value<Keys> key = *first;
        Value<Values> total = *values;
        *out++ = total;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            *out++ = total = operation(total, *values);
    }
    return out;
}
SIMT_THRUST(inclusive_scan_by_key, runs_scanned)

template <class Keys, class Values, class Out, class T, class Equal = std::equal_to<>, class Operation = std::plus<>>
Out runs_scanned_before(Keys first, Keys last, Values values, Out out, T initial, Equal equal = {},
                        Operation operation = {}) {
    while (first != last) {
        const Value<Keys> key = *first;
        for (T total = initial; first != last && equal(key, *first); ++first, ++values) {
            const T next = operation(total, *values);
            *out++ = total;
            total = next;
        }
    }
    return out;
}
template <class Keys, class Values, class Out>
Out runs_scanned_before(Keys first, Keys last, Values values, Out out) {
    return runs_scanned_before(first, last, values, out, Value<Values>());
}
SIMT_THRUST(exclusive_scan_by_key, runs_scanned_before)

template <class In, class Out, class Unary, class Binary>
Out transformed_scan(In first, In last, Out out, Unary unary, Binary binary) {
    if (first == last) return out;
    auto total = unary(*first);
    *out++ = total;
    for (++first; first != last; ++first) *out++ = total = binary(total, unary(*first));
    return out;
}
SIMT_THRUST(transform_inclusive_scan, transformed_scan)

template <class In, class Out, class Unary, class T, class Binary>
Out transformed_scan_before(In first, In last, Out out, Unary unary, T initial, Binary binary) {
    for (; first != last; ++first) {
        const T next = binary(initial, unary(*first));
        *out++ = initial;
        initial = next;
    }
    return out;
}
SIMT_THRUST(transform_exclusive_scan, transformed_scan_before)

// What the predicate is false for stays as it was.
template <class In, class Out, class Unary, class Predicate>
Out transformed_where(In first, In last, Out out, Unary unary, Predicate predicate) {
    for (; first != last; ++first, ++out) {
        if (predicate(*first)) *out = unary(*first);
    }
    return out;
}
template <class In, class Stencil, class Out, class Unary, class Predicate>
Out transformed_where(In first, In last, Stencil stencil, Out out, Unary unary, Predicate predicate) {
    for (; first != last; ++first, ++stencil, ++out) {
        if (predicate(*stencil)) *out = unary(*first);
    }
    return out;
}
SIMT_THRUST(transform_if, transformed_where)

struct Truth {
    template <class T>
    bool operator()(const T &value) const {
        return static_cast<bool>(value);
    }
};
template <class Map, class Stencil, class In, class Out, class Predicate = Truth>
Out taken_where(Map first, Map last, Stencil stencil, In in, Out out, Predicate predicate = {}) {
    for (; first != last; ++first, ++stencil, ++out) {
        if (predicate(*stencil)) *out = in[static_cast<std::ptrdiff_t>(*first)];
    }
    return out;
}
SIMT_THRUST(gather_if, taken_where)

template <class In, class Map, class Stencil, class Out, class Predicate = Truth>
void strewn_where(In first, In last, Map map, Stencil stencil, Out out, Predicate predicate = {}) {
    for (; first != last; ++first, ++map, ++stencil) {
        if (predicate(*stencil)) out[static_cast<std::ptrdiff_t>(*map)] = *first;
    }
}
SIMT_THRUST(scatter_if, strewn_where)

}  // namespace thrust

#undef SIMT_THRUST

#endif
