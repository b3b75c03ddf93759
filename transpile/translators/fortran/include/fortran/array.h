// Arrays as Fortran has them: column-major, with lower bounds, indexed as a(i, j).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace fortran {

// The bounds of one dimension whose declaration holds constants.
template <int Lower, int Upper> struct Bounds {
    static constexpr int lower = Lower;
    static constexpr int extent = Upper >= Lower ? Upper - Lower + 1 : 0;
};

// The bounds of one dimension that are known when the program runs. A single number is an upper bound.
struct Dimension {
    int lower = 1;
    int extent = 0;
    constexpr Dimension() = default;
    constexpr Dimension(int upper) : lower(1), extent(upper > 0 ? upper : 0) {}
    constexpr Dimension(int first, int last) : lower(first), extent(last >= first ? last - first + 1 : 0) {}
};

// What a subscript triplet first:last:step selects; a bound that is left out is that of the array.
struct Range {
    int first = 0, last = 0, step = 1;
    bool open_first = true, open_last = true;
    constexpr Range() = default;
    constexpr Range(int from, int to, int by = 1)
        : first(from), last(to), step(by), open_first(false), open_last(false) {}
    static constexpr Range from(int bound, int by = 1) {
        Range range;
        range.first = bound, range.step = by, range.open_first = false;
        return range;
    }
    static constexpr Range to(int bound, int by = 1) {
        Range range;
        range.last = bound, range.step = by, range.open_last = false;
        return range;
    }
    static constexpr Range every(int by) {
        Range range;
        range.step = by;
        return range;
    }
};

template <class T, int Rank> class Array;

namespace detail {

template <class Index> constexpr int kept_dimensions() { return std::is_same_v<std::decay_t<Index>, Range> ? 1 : 0; }

struct array_tag {};

// Bounds of an array, and the places of its elements.
template <int Rank> class Layout : public array_tag {
  public:
    int lower(int d) const { return extent_[d - 1] ? lower_[d - 1] : 1; }
    int extent(int d) const { return extent_[d - 1]; }
    int upper(int d) const { return extent_[d - 1] ? lower_[d - 1] + extent_[d - 1] - 1 : 0; }
    std::size_t size() const {
        std::size_t count = 1;
        for (int d = 0; d < Rank; ++d) count *= static_cast<std::size_t>(extent_[d]);
        return count;
    }

  protected:
    void bound(const std::array<Dimension, Rank> &dimensions) {
        for (int d = 0; d < Rank; ++d) {
            lower_[d] = dimensions[d].lower;
            extent_[d] = dimensions[d].extent;
        }
        pack();
    }
    // Elements lie one behind another.
    void pack() {
        std::ptrdiff_t stride = 1;
        for (int d = 0; d < Rank; ++d) {
            stride_[d] = stride;
            stride *= extent_[d];
        }
        place();
    }
    void place() {
        offset_ = 0;
        for (int d = 0; d < Rank; ++d) offset_ -= lower_[d] * stride_[d];
    }
    template <class... Index> std::ptrdiff_t position(Index... index) const { return offset_ + distance<0>(index...); }
    // The same where elements of the first dimension lie one behind another.
    template <class First, class... Rest> std::ptrdiff_t packed_position(First first, Rest... rest) const {
        return offset_ + first + distance<1>(rest...);
    }

    std::ptrdiff_t offset_ = 0;
    int lower_[Rank == 0 ? 1 : Rank] = {};
    int extent_[Rank == 0 ? 1 : Rank] = {};
    std::ptrdiff_t stride_[Rank == 0 ? 1 : Rank] = {};

  private:
    template <int D> std::ptrdiff_t distance() const { return 0; }
    template <int D, class Index, class... Rest> std::ptrdiff_t distance(Index index, Rest... rest) const {
        return static_cast<std::ptrdiff_t>(index) * stride_[D] + distance<D + 1>(rest...);
    }
};

} // namespace detail

template <class X> constexpr bool is_array = std::is_base_of_v<detail::array_tag, std::decay_t<X>>;

// Elements that lie elsewhere, at any distance from each other. Copying one copies no elements.
template <class T, int Rank> class View : public detail::Layout<Rank> {
    using Layout = detail::Layout<Rank>;
    using Layout::extent_;
    using Layout::lower_;
    using Layout::offset_;
    using Layout::stride_;

  public:
    using value_type = std::remove_const_t<T>;
    static constexpr int rank = Rank;

    View() = default;
    View(T *data, const std::array<Dimension, Rank> &dimensions) : data_(data) { this->bound(dimensions); }
    View(T *data, const int *lower, const int *extent, const std::ptrdiff_t *stride) : data_(data) {
        std::copy_n(lower, Rank, lower_);
        std::copy_n(extent, Rank, extent_);
        std::copy_n(stride, Rank, stride_);
        this->place();
    }
    // Elements that may be changed are also elements that may be read.
    template <class U, class = std::enable_if_t<std::is_same_v<T, const U>>>
    View(const View<U, Rank> &other)
        : View(other.data(), other.lowers(), other.extents(), other.strides()) {}

    template <class... Index> T &operator()(Index... index) const {
        static_assert(sizeof...(Index) == Rank);
        return data_[this->position(index...)];
    }

    T *data() const { return data_; }
    const int *lowers() const { return lower_; }
    const int *extents() const { return extent_; }
    const std::ptrdiff_t *strides() const { return stride_; }
    bool present() const { return data_ != nullptr; }
    bool associated() const { return data_ != nullptr; }

    bool contiguous() const {
        std::ptrdiff_t stride = 1;
        for (int d = 0; d < Rank; ++d) {
            if (extent_[d] > 1 && stride_[d] != stride) return false;
            stride *= extent_[d];
        }
        return true;
    }

    // The same elements, with other lower bounds.
    View from(const std::array<int, Rank> &lower) const { return View(data_, lower.data(), extent_, stride_); }

    template <class... Index> auto section(Index... index) const {
        constexpr int kept = (detail::kept_dimensions<Index>() + ... + 0);
        static_assert(sizeof...(Index) == Rank);
        std::array<int, (kept > 0 ? kept : 1)> lower{}, extent{};
        std::array<std::ptrdiff_t, (kept > 0 ? kept : 1)> stride{};
        std::ptrdiff_t start = offset_;
        int d = 0, k = 0;
        (take(index, d++, k, start, lower.data(), extent.data(), stride.data()), ...);
        return View<T, kept>(data_ + start, lower.data(), extent.data(), stride.data());
    }

  private:
    template <class Index>
    void take(Index index, int d, int &k, std::ptrdiff_t &start, int *lower, int *extent,
              std::ptrdiff_t *stride) const {
        if constexpr (std::is_same_v<Index, Range>) {
            const int first = index.open_first ? lower_[d] : index.first;
            const int last = index.open_last ? lower_[d] + extent_[d] - 1 : index.last;
            const int count = (last - first + index.step) / index.step;
            lower[k] = 1;
            extent[k] = count > 0 ? count : 0;
            stride[k] = stride_[d] * index.step;
            ++k;
            start += first * stride_[d];
        } else {
            (void)k, (void)lower, (void)extent, (void)stride;
            start += static_cast<std::ptrdiff_t>(index) * stride_[d];
        }
    }

    T *data_ = nullptr;
};

// A dummy argument of assumed shape: any elements, with lower bounds of its own.
template <class T, int Rank> class AssumedShape : public View<T, Rank> {
  public:
    AssumedShape() = default;
    template <class X, class = std::enable_if_t<std::is_convertible_v<X, View<T, Rank>>>>
    AssumedShape(X &&actual) : View<T, Rank>(from_one(std::forward<X>(actual))) {}
    // Lets the indices of each dimension start elsewhere.
    void start_at(const std::array<int, Rank> &lower) { static_cast<View<T, Rank> &>(*this) = this->from(lower); }

  private:
    static View<T, Rank> from_one(const View<T, Rank> &actual) {
        std::array<int, Rank> lower{};
        lower.fill(1);
        return actual.data() ? actual.from(lower) : View<T, Rank>();
    }
};

// Elements that lie one behind another, as a dummy argument with explicit bounds sees them.
template <class T, int Rank> class ContiguousView : public detail::Layout<Rank> {
    using Layout = detail::Layout<Rank>;
    using Layout::extent_;
    using Layout::lower_;
    using Layout::stride_;

  public:
    using value_type = std::remove_const_t<T>;
    static constexpr int rank = Rank;

    ContiguousView() = default;
    ContiguousView(T *data, const std::array<Dimension, Rank> &dimensions) : data_(data) {
        this->bound(dimensions);
    }
    template <class First, class... Rest> T &operator()(First first, Rest... rest) const {
        static_assert(sizeof...(Rest) + 1 == Rank);
        return data_[this->packed_position(first, rest...)];
    }
    T *data() const { return data_; }
    bool present() const { return data_ != nullptr; }
    operator View<T, Rank>() const { return view(); }
    template <class U = T, class = std::enable_if_t<!std::is_const_v<U>>> operator View<const T, Rank>() const {
        return view();
    }
    View<T, Rank> view() const { return View<T, Rank>(data_, lower_, extent_, stride_); }
    template <class... Index> auto section(Index... index) const { return view().section(index...); }

  private:
    T *data_ = nullptr;
};

// An array whose bounds are constants; its elements lie within it.
template <class T, class... B> class BoundedArray : public detail::array_tag {
  public:
    using value_type = T;
    static constexpr int rank = sizeof...(B);

    constexpr BoundedArray() : data_{} {}
    // Elements in the order in which they are stored.
    constexpr BoundedArray(std::initializer_list<T> values) : data_{} {
        std::size_t at = 0;
        for (const T &value : values) data_[at++] = value;
    }
    template <class... Index> constexpr T &operator()(Index... index) { return data_[position<B...>(index...)]; }
    template <class... Index> constexpr const T &operator()(Index... index) const {
        return data_[position<B...>(index...)];
    }
    static constexpr int lower(int d) { return extent(d) ? lowers_[d - 1] : 1; }
    static constexpr int extent(int d) { return extents_[d - 1]; }
    static constexpr int upper(int d) { return extent(d) ? lowers_[d - 1] + extents_[d - 1] - 1 : 0; }
    static constexpr std::size_t size() { return (static_cast<std::size_t>(B::extent) * ...); }
    T *data() { return data_; }
    const T *data() const { return data_; }

    void fill(const T &value) { std::fill_n(data_, size(), value); }
    View<T, rank> view() { return View<T, rank>(data_, {Dimension(B::lower, B::lower + B::extent - 1)...}); }
    View<const T, rank> view() const {
        return View<const T, rank>(data_, {Dimension(B::lower, B::lower + B::extent - 1)...});
    }
    operator View<T, rank>() { return view(); }
    operator View<const T, rank>() const { return view(); }
    template <class... Index> auto section(Index... index) { return view().section(index...); }
    template <class... Index> auto section(Index... index) const { return view().section(index...); }

  private:
    template <class First, class... Rest, class Index, class... Others>
    static constexpr std::ptrdiff_t position(Index index, Others... others) {
        if constexpr (sizeof...(Rest) == 0)
            return static_cast<std::ptrdiff_t>(index) - First::lower;
        else
            return static_cast<std::ptrdiff_t>(index) - First::lower + First::extent * position<Rest...>(others...);
    }
    static constexpr int lowers_[] = {B::lower...};
    static constexpr int extents_[] = {B::extent...};
    T data_[((static_cast<std::size_t>(B::extent) * ...)) ? ((static_cast<std::size_t>(B::extent) * ...)) : 1];
};

template <class T, int... Extents> using FixedArray = BoundedArray<T, Bounds<1, Extents>...>;

// An array that owns its elements and may have none: allocatable, or with bounds known at run time.
template <class T, int Rank> class Array : public detail::Layout<Rank> {
    using Layout = detail::Layout<Rank>;
    using Layout::extent_;
    using Layout::lower_;
    using Layout::offset_;
    using Layout::stride_;

  public:
    using value_type = T;
    static constexpr int rank = Rank;

    Array() = default;
    template <class... D, class = std::enable_if_t<sizeof...(D) == Rank && (std::is_convertible_v<D, Dimension> && ...)>>
    explicit Array(D... dimensions) {
        allocate(Dimension(dimensions)...);
    }
    Array(std::initializer_list<T> values) {
        static_assert(Rank == 1);
        allocate(Dimension(static_cast<int>(values.size())));
        std::copy(values.begin(), values.end(), data_.get());
    }
    Array(const Array &other) { *this = other; }
    Array(Array &&other) noexcept { swap(other); }
    ~Array() = default;
    Array &operator=(const Array &other) {
        if (this == &other) return *this;
        if (other.data_) {
            Array copy;
            copy.reserve(other.size());
            std::copy_n(other.data_.get(), other.size(), copy.data_.get());
            copy.shape_from(other);
            swap(copy);
        } else {
            deallocate();
        }
        return *this;
    }
    Array &operator=(Array &&other) noexcept {
        swap(other);
        return *this;
    }
    // Copies what has extents and elements, whatever it is.
    template <class X, class = std::enable_if_t<is_array<X> && !std::is_same_v<std::decay_t<X>, Array>>>
    explicit Array(const X &other);

    template <class... D> void allocate(D... dimensions) {
        static_assert(sizeof...(D) == Rank);
        this->bound({Dimension(dimensions)...});
        reserve(this->size());
    }
    void deallocate() { Array().swap(*this); }
    void start_at_one() {
        for (int d = 0; d < Rank; ++d) lower_[d] = 1;
        this->place();
    }
    // Lets the indices start where those of another array do.
    template <class X> void start_like(const X &other) {
        for (int d = 0; d < Rank; ++d) lower_[d] = other.lower(d + 1);
        this->place();
    }
    bool allocated() const { return data_ != nullptr; }

    template <class First, class... Rest> T &operator()(First first, Rest... rest) {
        return data_.get()[this->packed_position(first, rest...)];
    }
    template <class First, class... Rest> const T &operator()(First first, Rest... rest) const {
        return data_.get()[this->packed_position(first, rest...)];
    }
    T *data() { return data_.get(); }
    const T *data() const { return data_.get(); }
    void fill(const T &value) { std::fill_n(data(), this->size(), value); }

    View<T, Rank> view() { return View<T, Rank>(data(), lower_, extent_, strides().data()); }
    View<const T, Rank> view() const { return View<const T, Rank>(data(), lower_, extent_, strides().data()); }
    operator View<T, Rank>() { return view(); }
    operator View<const T, Rank>() const { return view(); }
    template <class... Index> auto section(Index... index) { return view().section(index...); }
    template <class... Index> auto section(Index... index) const { return view().section(index...); }

    void swap(Array &other) noexcept {
        std::swap(data_, other.data_);
        std::swap(offset_, other.offset_);
        for (int d = 0; d < Rank; ++d) {
            std::swap(lower_[d], other.lower_[d]);
            std::swap(extent_[d], other.extent_[d]);
            std::swap(stride_[d], other.stride_[d]);
        }
    }

  private:
    struct Elements {
        T *first = nullptr;
        Elements() = default;
        explicit Elements(std::size_t count) : first(new T[count ? count : 1]()) {}
        Elements(Elements &&other) noexcept : first(std::exchange(other.first, nullptr)) {}
        Elements &operator=(Elements &&other) noexcept {
            std::swap(first, other.first);
            return *this;
        }
        ~Elements() { delete[] first; }
        T *get() const { return first; }
        explicit operator bool() const { return first != nullptr; }
        bool operator!=(std::nullptr_t) const { return first != nullptr; }
    };
    void reserve(std::size_t count) { data_ = Elements(count); }
    void shape_from(const Array &other) {
        std::copy_n(other.lower_, Rank, lower_);
        std::copy_n(other.extent_, Rank, extent_);
        this->pack();
    }
    std::array<std::ptrdiff_t, Rank> strides() const {
        std::array<std::ptrdiff_t, Rank> all{};
        std::copy_n(stride_, Rank, all.data());
        return all;
    }
    Elements data_;
};

} // namespace fortran
