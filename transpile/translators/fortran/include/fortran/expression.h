// Array expressions whose elements are computed when they are asked for, and copies of arrays.
#pragma once

#include "array.h"

namespace fortran {

// An array expression: extents, and a function from indices that start at 1 to an element.
template <class T, int Rank, class Function> class Elements : public detail::array_tag {
  public:
    using value_type = T;
    static constexpr int rank = Rank;

    Elements(const std::array<int, Rank> &extents, Function function)
        : extents_(extents), function_(std::move(function)) {}
    template <class... Index> T operator()(Index... index) const { return function_(index...); }
    static constexpr int lower(int) { return 1; }
    int extent(int d) const { return std::max(extents_[d - 1], 0); }
    int upper(int d) const { return extent(d); }
    std::size_t size() const {
        std::size_t count = 1;
        for (int d = 1; d <= Rank; ++d) count *= static_cast<std::size_t>(extent(d));
        return count;
    }

  private:
    std::array<int, Rank> extents_;
    Function function_;
};

template <class T, std::size_t Rank, class Function>
auto elements(const int (&extents)[Rank], Function function) {
    std::array<int, Rank> all{};
    std::copy_n(extents, Rank, all.begin());
    return Elements<T, static_cast<int>(Rank), Function>(all, std::move(function));
}

namespace detail {

template <int D, class X, class Function, class... Index>
void visit(const X &array, Function &function, Index... index) {
    if constexpr (D == 0) {
        function(index...);
    } else {
        const int first = array.lower(D), last = first + array.extent(D) - 1;
        for (int i = first; i <= last; ++i) visit<D - 1>(array, function, i, index...);
    }
}

} // namespace detail

// Calls a function with the indices of every element, in the order in which elements are stored.
template <class X, class Function> void for_each_index(const X &array, Function function) {
    detail::visit<std::decay_t<X>::rank>(array, function);
}

template <class T, int Rank>
template <class X, class>
Array<T, Rank>::Array(const X &other) {
    for (int d = 0; d < Rank; ++d) {
        lower_[d] = 1;
        extent_[d] = other.extent(d + 1);
    }
    std::size_t count = 1;
    for (int d = 0; d < Rank; ++d) count *= static_cast<std::size_t>(extent_[d]);
    reserve(count);
    place();
    T *next = data_.get();
    for_each_index(other, [&](auto... index) { *next++ = other(index...); });
}

// An array of the values of any array or array expression.
template <class X> auto evaluated(const X &array) { return Array<typename X::value_type, X::rank>(array); }

// Makes an allocatable array equal to a value, with its shape where they differ.
template <class T, int Rank, class X> void assign(Array<T, Rank> &target, const X &value) {
    bool same = target.allocated();
    for (int d = 1; d <= Rank; ++d) same = same && target.extent(d) == value.extent(d);
    Array<T, Rank> copy(value);
    if (!same) {
        target = std::move(copy);
    } else {
        std::copy_n(copy.data(), copy.size(), target.data());
    }
}

template <class T, int Rank> void assign(Array<T, Rank> &target, Array<T, Rank> &&value) {
    bool same = target.allocated();
    for (int d = 1; d <= Rank; ++d) same = same && target.extent(d) == value.extent(d);
    if (!same) {
        target = std::move(value);
    } else {
        std::copy_n(value.data(), value.size(), target.data());
    }
}

// Elements one behind another: those of the array where they lie so, else a copy that is copied back.
template <class T, int Rank> class Packed {
  public:
    explicit Packed(const View<T, Rank> &view) : view_(view) {
        if (!view.contiguous()) copy_ = evaluated(view);
    }
    Packed(const Packed &) = delete;
    Packed &operator=(const Packed &) = delete;
    ~Packed() {
        if constexpr (!std::is_const_v<T>) {
            if (!copy_.allocated()) return;
            const auto *next = copy_.data();
            for_each_index(view_, [&](auto... index) { view_(index...) = *next++; });
        }
    }
    T *data() { return copy_.allocated() ? copy_.data() : view_.data(); }

  private:
    View<T, Rank> view_;
    Array<std::remove_const_t<T>, Rank> copy_;
};

template <class T, int Rank> Packed<T, Rank> packed(const View<T, Rank> &view) { return Packed<T, Rank>(view); }
template <class T, int Rank> Array<T, Rank> packed(Array<T, Rank> &&array) { return std::move(array); }
template <class T, int Rank, class F> Array<T, Rank> packed(const Elements<T, Rank, F> &array) {
    return Array<T, Rank>(array);
}

// A variable that holds a value for the duration of a statement.
template <class T> class Temporary {
  public:
    explicit Temporary(T value) : value_(std::move(value)) {}
    operator T &() { return value_; }
    T *operator&() { return &value_; }

  private:
    T value_;
};

template <class T> Temporary<std::decay_t<T>> temporary(T &&value) {
    return Temporary<std::decay_t<T>>(std::forward<T>(value));
}

// An optional argument: the actual one, or none.
template <class T> class Optional {
  public:
    Optional() = default;
    Optional(T &value) : value_(&value) {}
    Optional(Temporary<std::remove_const_t<T>> &&value) : value_(&value) {}
    explicit Optional(T *value) : value_(value) {}
    template <class U, class = std::enable_if_t<std::is_same_v<T, const U>>>
    Optional(const Optional<U> &other) : value_(other.pointer()) {}
    bool present() const { return value_ != nullptr; }
    T &operator*() const { return *value_; }
    T *pointer() const { return value_; }

  private:
    T *value_ = nullptr;
};

} // namespace fortran
