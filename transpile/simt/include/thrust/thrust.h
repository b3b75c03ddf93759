// The part of thrust that maps onto the standard library: vectors in device memory and algorithms over them.
#ifndef SIMT_THRUST_H
#define SIMT_THRUST_H

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "simt/simt.h"

namespace thrust {

template <class T>
class device_ptr {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;

    device_ptr() = default;
    explicit device_ptr(T *raw) : raw_(raw) {}
    template <class Other, class = std::enable_if_t<std::is_convertible_v<Other *, T *>>>
    device_ptr(const device_ptr<Other> &other) : raw_(other.get()) {}

    T *get() const { return raw_; }
    T &operator*() const { return *raw_; }
    T *operator->() const { return raw_; }
    T &operator[](std::ptrdiff_t i) const { return raw_[i]; }
    device_ptr &operator++() { return ++raw_, *this; }
    device_ptr &operator--() { return --raw_, *this; }
    device_ptr operator++(int) { return device_ptr(raw_++); }
    device_ptr operator--(int) { return device_ptr(raw_--); }
    device_ptr &operator+=(std::ptrdiff_t n) { return raw_ += n, *this; }
    device_ptr &operator-=(std::ptrdiff_t n) { return raw_ -= n, *this; }
    friend device_ptr operator+(device_ptr a, std::ptrdiff_t n) { return device_ptr(a.raw_ + n); }
    friend device_ptr operator+(std::ptrdiff_t n, device_ptr a) { return device_ptr(a.raw_ + n); }
    friend device_ptr operator-(device_ptr a, std::ptrdiff_t n) { return device_ptr(a.raw_ - n); }
    friend std::ptrdiff_t operator-(device_ptr a, device_ptr b) { return a.raw_ - b.raw_; }
    friend bool operator==(device_ptr a, device_ptr b) { return a.raw_ == b.raw_; }
    friend bool operator!=(device_ptr a, device_ptr b) { return a.raw_ != b.raw_; }
    friend bool operator<(device_ptr a, device_ptr b) { return a.raw_ < b.raw_; }
    friend bool operator>(device_ptr a, device_ptr b) { return a.raw_ > b.raw_; }
    friend bool operator<=(device_ptr a, device_ptr b) { return a.raw_ <= b.raw_; }
    friend bool operator>=(device_ptr a, device_ptr b) { return a.raw_ >= b.raw_; }

private:
    T *raw_ = nullptr;
};

template <class T>
device_ptr<T> device_pointer_cast(T *raw) {
    return device_ptr<T>(raw);
}
template <class T>
T *raw_pointer_cast(device_ptr<T> pointer) {
    return pointer.get();
}
template <class T>
T *raw_pointer_cast(T *pointer) {
    return pointer;
}

template <class T>
class device_reference {
public:
    using value_type = std::remove_cv_t<T>;
    using pointer = device_ptr<T>;

    device_reference(T &element) : element_(&element) {}
    explicit device_reference(const pointer &place) : element_(place.get()) {}
    template <class Other, class = std::enable_if_t<std::is_convertible_v<Other *, T *>>>
    device_reference(const device_reference<Other> &other) : element_((&other).get()) {}
    device_reference(const device_reference &) = default;

    operator value_type() const { return *element_; }
    pointer operator&() const { return pointer(element_); }
    device_reference &operator=(const value_type &value) { return *element_ = value, *this; }
    device_reference &operator=(const device_reference &other) { return *element_ = *other.element_, *this; }
    device_reference &operator++() { return ++*element_, *this; }
    device_reference &operator--() { return --*element_, *this; }
    value_type operator++(int) { return (*element_)++; }
    value_type operator--(int) { return (*element_)--; }
    device_reference &operator+=(const value_type &value) { return *element_ += value, *this; }
    device_reference &operator-=(const value_type &value) { return *element_ -= value, *this; }
    device_reference &operator*=(const value_type &value) { return *element_ *= value, *this; }
    device_reference &operator/=(const value_type &value) { return *element_ /= value, *this; }
    device_reference &operator%=(const value_type &value) { return *element_ %= value, *this; }
    device_reference &operator<<=(const value_type &value) { return *element_ <<= value, *this; }
    device_reference &operator>>=(const value_type &value) { return *element_ >>= value, *this; }
    device_reference &operator&=(const value_type &value) { return *element_ &= value, *this; }
    device_reference &operator|=(const value_type &value) { return *element_ |= value, *this; }
    device_reference &operator^=(const value_type &value) { return *element_ ^= value, *this; }
    void swap(device_reference other) { std::swap(*element_, *other.element_); }

private:
    T *element_;
};
template <class T>
void swap(device_reference<T> one, device_reference<T> other) {
    one.swap(other);
}

template <class T>
using host_vector = std::vector<T>;

template <class T>
class device_vector {
public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using pointer = device_ptr<T>;
    using const_pointer = device_ptr<const T>;
    using reference = device_reference<T>;
    using const_reference = device_reference<const T>;
    using iterator = pointer;
    using const_iterator = const_pointer;

    device_vector() = default;
    explicit device_vector(std::size_t count, const T &value = T()) { assign(std::vector<T>(count, value)); }
    device_vector(const std::vector<T> &values) { assign(values); }
    template <class Other>
    device_vector(const std::vector<Other> &values) {
        assign(std::vector<T>(values.begin(), values.end()));
    }
    template <class Other>
    device_vector(const device_vector<Other> &other) : device_vector(static_cast<std::vector<Other>>(other)) {}
    device_vector(const device_vector &other) { assign(std::vector<T>(other.data_, other.data_ + other.size_)); }
    device_vector(device_vector &&other) noexcept { swap(other); }
    template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
    device_vector(Iterator first, Iterator last) {
        assign(std::vector<T>(first, last));
    }
    ~device_vector() { cudaFree(data_); }
    device_vector &operator=(device_vector other) noexcept {
        swap(other);
        return *this;
    }
    operator std::vector<T>() const { return std::vector<T>(data_, data_ + size_); }

    void swap(device_vector &other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    void resize(std::size_t count, const T &value = T()) {
        std::vector<T> values(data_, data_ + size_);
        values.resize(count, value);
        device_vector(values).swap(*this);
    }
    void reserve(std::size_t) {}
    void shrink_to_fit() {}
    void clear() { device_vector().swap(*this); }
    void push_back(const T &value) { resize(size_ + 1, value); }
    void pop_back() { --size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    device_ptr<T> data() { return device_ptr<T>(data_); }
    device_ptr<const T> data() const { return device_ptr<const T>(data_); }
    iterator begin() { return data(); }
    iterator end() { return data() + static_cast<std::ptrdiff_t>(size_); }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + static_cast<std::ptrdiff_t>(size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    T &operator[](std::size_t i) { return data_[i]; }
    const T &operator[](std::size_t i) const { return data_[i]; }
    T &front() { return data_[0]; }
    T &back() { return data_[size_ - 1]; }
    const T &front() const { return data_[0]; }
    const T &back() const { return data_[size_ - 1]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;

    void assign(const std::vector<T> &values) {
        size_ = values.size();
        if (cudaMalloc(&data_, size_ * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        std::copy(values.begin(), values.end(), data_);
    }
};

struct policy {
    policy on(cudaStream_t) const { return {}; }
};
inline constexpr policy device, host, seq;
namespace cuda {
inline constexpr policy par;
}

// The types of a functor's arguments and result, as releases before CUDA 13 name them.
template <class Argument, class Result>
struct unary_function {
    using argument_type = Argument;
    using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
    using first_argument_type = First;
    using second_argument_type = Second;
    using result_type = Result;
};

template <class T = void>
using plus = std::plus<T>;
template <class T = void>
using minus = std::minus<T>;
template <class T = void>
using multiplies = std::multiplies<T>;
template <class T = void>
using less = std::less<T>;
template <class T = void>
using greater = std::greater<T>;
template <class T = void>
using divides = std::divides<T>;
template <class T = void>
using modulus = std::modulus<T>;
template <class T = void>
using negate = std::negate<T>;
template <class T = void>
using equal_to = std::equal_to<T>;
template <class T = void>
using not_equal_to = std::not_equal_to<T>;
template <class T = void>
using less_equal = std::less_equal<T>;
template <class T = void>
using greater_equal = std::greater_equal<T>;
template <class T = void>
using logical_and = std::logical_and<T>;
template <class T = void>
using logical_or = std::logical_or<T>;
template <class T = void>
using logical_not = std::logical_not<T>;
template <class T = void>
using bit_and = std::bit_and<T>;
template <class T = void>
using bit_or = std::bit_or<T>;
template <class T = void>
using bit_xor = std::bit_xor<T>;
template <class T>
struct maximum {
    T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T>
struct minimum {
    T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class T>
struct square {
    T operator()(const T &value) const { return value * value; }
};
template <class T>
struct identity {
    const T &operator()(const T &value) const { return value; }
};

using std::advance;
using std::distance;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::next;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;

// Each algorithm of the standard library, with and without an execution policy.
#define SIMT_THRUST(name, standard)                                                                                    \
    template <class... Arguments>                                                                                      \
    auto name(const policy &, Arguments... arguments) {                                                                \
        return standard(arguments...);                                                                                 \
    }                                                                                                                  \
    template <class First, class... Arguments, class = std::enable_if_t<!std::is_same_v<std::decay_t<First>, policy>>> \
    auto name(First first, Arguments... arguments) {                                                                   \
        return standard(first, arguments...);                                                                          \
    }
SIMT_THRUST(sort, std::sort)
SIMT_THRUST(stable_sort, std::stable_sort)
SIMT_THRUST(fill, std::fill)
SIMT_THRUST(copy, std::copy)
SIMT_THRUST(transform, std::transform)
SIMT_THRUST(for_each, std::for_each)
SIMT_THRUST(count, std::count)
SIMT_THRUST(count_if, std::count_if)
SIMT_THRUST(unique, std::unique)
SIMT_THRUST(find, std::find)
SIMT_THRUST(min_element, std::min_element)
SIMT_THRUST(max_element, std::max_element)
SIMT_THRUST(lower_bound, std::lower_bound)
SIMT_THRUST(upper_bound, std::upper_bound)
SIMT_THRUST(inclusive_scan, std::partial_sum)
SIMT_THRUST(swap_ranges, std::swap_ranges)
SIMT_THRUST(reverse, std::reverse)

template <class Iterator>
using Value = typename std::iterator_traits<Iterator>::value_type;

template <class Iterator>
auto sum_of(Iterator first, Iterator last) {
    return std::accumulate(first, last, Value<Iterator>());
}
// Terms become numbers of the sum's type before they are added, as those of products before they are multiplied.
template <class Iterator, class T, class Operation = std::plus<T>>
T sum_of(Iterator first, Iterator last, T initial, Operation operation = {}) {
    return std::accumulate(first, last, initial, operation);
}
SIMT_THRUST(reduce, sum_of)

template <class One, class Other, class T, class Sum = std::plus<T>, class Product = std::multiplies<T>>
T product_of(One first, One last, Other other, T initial, Sum sum = {}, Product product = {}) {
    return std::inner_product(first, last, other, initial, sum, product);
}
SIMT_THRUST(inner_product, product_of)

// Of equal ones the first, where the standard library has the last of the greatest.
template <class Iterator, class Compare = std::less<>>
std::pair<Iterator, Iterator> ends_of(Iterator first, Iterator last, Compare compare = {}) {
    return {std::min_element(first, last, compare), std::max_element(first, last, compare)};
}
SIMT_THRUST(minmax_element, ends_of)

template <class Iterator, class T = Value<Iterator>>
void count_up(Iterator first, Iterator last, T start = T()) {
    for (; first != last; ++first) *first = start++;
}
SIMT_THRUST(sequence, count_up)

template <class In, class Out, class T, class Operation = std::plus<>>
Out scan_before(In first, In last, Out out, T initial, Operation operation = {}) {
    for (; first != last; ++first, ++out) {
        const T next = operation(initial, *first);
        *out = initial;
        initial = next;
    }
    return out;
}
template <class In, class Out>
Out scan_before(In first, In last, Out out) {
    return scan_before(first, last, out, Value<In>());
}
SIMT_THRUST(exclusive_scan, scan_before)

template <class In, class Unary, class T, class Binary>
T transformed_sum(In first, In last, Unary unary, T initial, Binary binary) {
    for (; first != last; ++first) initial = binary(initial, unary(*first));
    return initial;
}
SIMT_THRUST(transform_reduce, transformed_sum)

template <class Keys, class Values, class Compare = std::less<>>
void sort_pairs(Keys first, Keys last, Values values, Compare compare = {}) {
    const std::vector<Value<Keys>> keys(first, last);
    const std::vector<Value<Values>> payload(values, values + static_cast<std::ptrdiff_t>(keys.size()));
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return compare(keys[a], keys[b]) || (!compare(keys[b], keys[a]) && a < b);
    });
    for (const std::size_t from : order) *first++ = keys[from], *values++ = payload[from];
}
SIMT_THRUST(sort_by_key, sort_pairs)
SIMT_THRUST(stable_sort_by_key, sort_pairs)

}  // namespace thrust

#include "thrust/algorithms.h"

#endif
