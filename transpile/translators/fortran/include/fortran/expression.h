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
    this->pack();
    reserve(this->size());
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
        copy.start_like(value);
        target = std::move(copy);
    } else {
        std::copy_n(copy.data(), copy.size(), target.data());
    }
}

// The same for a value of its own, whose indices start at 1.
template <class T, int Rank> void assign(Array<T, Rank> &target, Array<T, Rank> &&value) {
    bool same = target.allocated();
    for (int d = 1; d <= Rank; ++d) same = same && target.extent(d) == value.extent(d);
    if (!same) {
        target = std::move(value);
        target.start_at_one();
    } else {
        std::copy_n(value.data(), value.size(), target.data());
    }
}

// Gives a component of constant bounds the elements of a value.
template <class T, class... B, class X> void assign(BoundedArray<T, B...> &target, const X &value) {
    T *next = target.data();
    for_each_index(value, [&](auto... index) { *next++ = static_cast<T>(value(index...)); });
}

// Gives an allocatable array a shape, where it has another.
template <class T, int Rank, class... Extent> void conform(Array<T, Rank> &target, Extent... extents) {
    const int wanted[] = {std::max(static_cast<int>(extents), 0)...};
    bool same = target.allocated();
    for (int d = 0; d < Rank; ++d) same = same && target.extent(d + 1) == wanted[d];
    if (!same) target.allocate(static_cast<int>(extents)...);
}

// An array of constant bounds all of whose elements are equal.
template <class A> A filled(const typename A::value_type &value) {
    A result;
    result.fill(value);
    return result;
}

// An array of constant bounds with the elements of another, in their order.
template <class A, class X> A copied(const X &values) {
    A result;
    auto *next = result.data();
    for_each_index(values, [&](auto... index) { *next++ = static_cast<typename A::value_type>(values(index...)); });
    return result;
}

// The elements of an array by another name, or through one.
template <class T, int Rank> View<T, Rank> whole(const View<T, Rank> &view) { return view; }
template <class T, int Rank> View<T, Rank> whole(const ContiguousView<T, Rank> &view) { return view.view(); }
template <class T, class... B> auto whole(BoundedArray<T, B...> &array) { return array.view(); }
template <class T, class... B> auto whole(const BoundedArray<T, B...> &array) { return array.view(); }
template <class T, int Rank> auto whole(Array<T, Rank> &array) { return array.view(); }
template <class T, int Rank> auto whole(const Array<T, Rank> &array) { return array.view(); }

// Whether a pointer points to the very elements of another array.
template <class T, class U, int Rank> bool associated(const View<T, Rank> &pointer, const View<U, Rank> &target) {
    if (!pointer.data() || pointer.data() != target.data() || pointer.size() == 0) return false;
    for (int d = 0; d < Rank; ++d) {
        if (pointer.extents()[d] != target.extents()[d]) return false;
        if (pointer.extents()[d] > 1 && pointer.strides()[d] != target.strides()[d]) return false;
    }
    return true;
}

// What a mask leaves for ELSEWHERE; the mask keeps what was left to it.
template <int Rank> Array<bool, Rank> split(Array<bool, Rank> &mask, const Array<bool, Rank> &left) {
    Array<bool, Rank> rest(mask);
    for (std::size_t i = 0; i < mask.size(); ++i) {
        rest.data()[i] = left.data()[i] && !mask.data()[i];
        mask.data()[i] = left.data()[i] && mask.data()[i];
    }
    return rest;
}
template <int Rank> Array<bool, Rank> split(Array<bool, Rank> &mask, bool) {
    Array<bool, Rank> rest(mask);
    for (std::size_t i = 0; i < mask.size(); ++i) rest.data()[i] = !mask.data()[i];
    return rest;
}

// Targets that are allocated through pointers.
template <class T, int Rank> View<T, Rank> allocated(const std::array<Dimension, Rank> &dimensions) {
    std::size_t count = 1;
    for (const Dimension &dimension : dimensions) count *= static_cast<std::size_t>(dimension.extent);
    return View<T, Rank>(new T[count ? count : 1](), dimensions);
}
template <class T, int Rank> void deallocate(View<T, Rank> &pointer) {
    delete[] pointer.data();
    pointer = {};
}

// A scalar that may be allocated. Copies are deep.
template <class T> class Allocatable {
  public:
    Allocatable() = default;
    Allocatable(const Allocatable &other) : value_(other.value_ ? new T(*other.value_) : nullptr) {}
    Allocatable(Allocatable &&other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    Allocatable &operator=(Allocatable other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    Allocatable &operator=(const T &value) {
        if (value_) *value_ = value;
        else value_ = new T(value);
        return *this;
    }
    ~Allocatable() { delete value_; }
    void allocate(const T &value = T()) { *this = value; }
    void deallocate() { *this = Allocatable(); }
    bool allocated() const { return value_ != nullptr; }
    T &operator*() { return *value_; }
    const T &operator*() const { return *value_; }
    T *operator->() { return value_; }
    const T *operator->() const { return value_; }

  private:
    T *value_ = nullptr;
};

// An object of a type or of one that extends it, which may be allocated. Copies keep the dynamic type.
template <class T> class Polymorphic {
  public:
    Polymorphic() = default;
    Polymorphic(const Polymorphic &other) : value_(other.value_ ? other.value_->clone() : nullptr) {}
    Polymorphic &operator=(const Polymorphic &other) {
        if (this != &other) take(other.value_ ? other.value_->clone() : nullptr);
        return *this;
    }
    Polymorphic &operator=(const T &value) {
        take(value.clone());
        return *this;
    }
    ~Polymorphic() { delete value_; }
    // Owns an object from now on.
    void take(T *value) { delete std::exchange(value_, value); }
    void deallocate() { take(nullptr); }
    bool allocated() const { return value_ != nullptr; }
    T &operator*() { return *value_; }
    const T &operator*() const { return *value_; }
    T *operator->() { return value_; }
    const T *operator->() const { return value_; }

  private:
    T *value_ = nullptr;
};

// An object as one of the type that it is known to have.
template <class U, class T> auto &as(T &object) {
    if constexpr (std::is_const_v<T>) return static_cast<const U &>(object);
    else return static_cast<U &>(object);
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
    T *operator->() const { return value_; }
    T *pointer() const { return value_; }

  private:
    T *value_ = nullptr;
};

} // namespace fortran
