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
SIMT_THRUST(generate, std::generate)
SIMT_THRUST(is_sorted, std::is_sorted)
SIMT_THRUST(merge, std::merge)
SIMT_THRUST(none_of, std::none_of)
SIMT_THRUST(remove, std::remove)
SIMT_THRUST(replace, std::replace)
SIMT_THRUST(replace_if, std::replace_if)
SIMT_THRUST(set_difference, std::set_difference)
SIMT_THRUST(set_intersection, std::set_intersection)
SIMT_THRUST(set_union, std::set_union)
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

}  // namespace thrust

#undef SIMT_THRUST

#endif
