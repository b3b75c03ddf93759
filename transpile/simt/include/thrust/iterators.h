// Iterators over what is computed and not stored: counted, constant, transformed, permuted.
#ifndef SIMT_THRUST_ITERATORS_H
#define SIMT_THRUST_ITERATORS_H

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace thrust {

// Moves as `Below` does, a number or an iterator; `Read` makes the value of it.
template <class Self, class Below, class Read>
class computed_iterator {
public:
    using reference = decltype(std::declval<const Read &>()(std::declval<const Below &>()));
    using value_type = std::decay_t<reference>;
    using iterator_category = std::random_access_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using pointer = value_type *;

    computed_iterator(Below below, Read read) : below_(below), read_(read) {}
    computed_iterator(const computed_iterator &) = default;
    computed_iterator &operator=(const computed_iterator &other) {  // a lambda cannot be assigned, and need not
        below_ = other.below_;
        return *this;
    }

    const Below &base() const { return below_; }
    reference operator*() const { return read_(below_); }
    reference operator[](std::ptrdiff_t i) const { return read_(below_ + i); }
    Self &operator+=(std::ptrdiff_t n) { return below_ = below_ + n, self(); }
    Self &operator-=(std::ptrdiff_t n) { return below_ = below_ - n, self(); }
    Self &operator++() { return *this += 1; }
    Self &operator--() { return *this -= 1; }
    Self operator++(int) { return *this += 1, self() - 1; }
    Self operator--(int) { return *this -= 1, self() + 1; }
    friend Self operator+(Self a, std::ptrdiff_t n) { return a += n; }
    friend Self operator+(std::ptrdiff_t n, Self a) { return a += n; }
    friend Self operator-(Self a, std::ptrdiff_t n) { return a -= n; }
    friend std::ptrdiff_t operator-(const Self &a, const Self &b) { return a.below_ - b.below_; }
    friend bool operator==(const Self &a, const Self &b) { return a.below_ == b.below_; }
    friend bool operator!=(const Self &a, const Self &b) { return a.below_ != b.below_; }
    friend bool operator<(const Self &a, const Self &b) { return a.below_ < b.below_; }
    friend bool operator>(const Self &a, const Self &b) { return b < a; }

private:
    Below below_;
    Read read_;

    Self &self() { return static_cast<Self &>(*this); }
};

template <class T>
struct Counted {
    T operator()(std::ptrdiff_t place) const { return static_cast<T>(place); }
};
template <class T>
struct counting_iterator : computed_iterator<counting_iterator<T>, std::ptrdiff_t, Counted<T>> {
    using Base = typename counting_iterator::computed_iterator;
    explicit counting_iterator(T first = T()) : Base(static_cast<std::ptrdiff_t>(first), {}) {}
};
template <class T>
counting_iterator<T> make_counting_iterator(T first) {
    return counting_iterator<T>(first);
}

template <class T>
struct Constant {
    T value;
    T operator()(std::ptrdiff_t) const { return value; }
};
template <class T>
struct constant_iterator : computed_iterator<constant_iterator<T>, std::ptrdiff_t, Constant<T>> {
    using Base = typename constant_iterator::computed_iterator;
    explicit constant_iterator(T value = T(), std::ptrdiff_t place = 0) : Base(place, {value}) {}
};
template <class T>
constant_iterator<T> make_constant_iterator(T value, std::ptrdiff_t place = 0) {
    return constant_iterator<T>(value, place);
}

template <class Function, class Below>
struct Transformed {
    Function function;
    decltype(auto) operator()(const Below &below) const { return function(*below); }
};
template <class Function, class Below>
struct transform_iterator
    : computed_iterator<transform_iterator<Function, Below>, Below, Transformed<Function, Below>> {
    using Base = typename transform_iterator::computed_iterator;
    transform_iterator(Below below, Function function) : Base(below, {function}) {}
};
template <class Function, class Below>
transform_iterator<Function, Below> make_transform_iterator(Below below, Function function) {
    return {below, function};
}

template <class Elements, class Indices>
struct Permuted {
    Elements elements;
    decltype(auto) operator()(const Indices &index) const { return elements[static_cast<std::ptrdiff_t>(*index)]; }
};
template <class Elements, class Indices>
struct permutation_iterator
    : computed_iterator<permutation_iterator<Elements, Indices>, Indices, Permuted<Elements, Indices>> {
    using Base = typename permutation_iterator::computed_iterator;
    permutation_iterator(Elements elements, Indices indices) : Base(indices, {elements}) {}
};
template <class Elements, class Indices>
permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements, Indices indices) {
    return {elements, indices};
}

}  // namespace thrust

#endif
