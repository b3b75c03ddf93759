// Functions over whole arrays: reductions, searches and rearrangements.
#pragma once

#include <complex>

#include "expression.h"
#include "numeric.h"

namespace fortran {

namespace detail {

template <std::size_t N> std::array<int, N> to_array(const int (&values)[N]) {
    std::array<int, N> result{};
    std::copy_n(values, N, result.begin());
    return result;
}

// The mask of all elements, where none is given.
struct every {
    template <class... Index> bool operator()(Index...) const { return true; }
    static constexpr int lower(int) { return 1; }
};

template <class A, class M, class Function> void visit_masked(const A &array, const M &mask, Function function) {
    if constexpr (std::is_same_v<M, every>) {
        for_each_index(array, function);
    } else if constexpr (std::is_same_v<M, bool>) {
        if (mask) for_each_index(array, function);
    } else {
        int shift[A::rank];
        for (int d = 0; d < A::rank; ++d) shift[d] = mask.lower(d + 1) - array.lower(d + 1);
        for_each_index(array, [&](auto... index) {
            int d = 0;
            const int at[] = {index + shift[d++]...};
            if (std::apply([&](auto... i) { return mask(i...); }, to_array(at))) function(index...);
        });
    }
}

} // namespace detail

template <class A, class M = detail::every> auto sum(const A &array, const M &mask = {}) {
    typename A::value_type result{};
    detail::visit_masked(array, mask, [&](auto... index) { result = static_cast<typename A::value_type>(result + array(index...)); });
    return result;
}
template <class A, class M = detail::every> auto product(const A &array, const M &mask = {}) {
    typename A::value_type result(1);
    detail::visit_masked(array, mask, [&](auto... index) { result = static_cast<typename A::value_type>(result * array(index...)); });
    return result;
}
template <class T> constexpr T least() {
    if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::max();
    else return std::numeric_limits<T>::min();
}
template <class A, class M = detail::every> auto maxval(const A &array, const M &mask = {}) {
    using T = typename A::value_type;
    bool found = false;
    T result = least<T>();
    detail::visit_masked(array, mask, [&](auto... index) {
        const T value = array(index...);
        if (!found || value > result || (result != result)) result = value;
        found = true;
    });
    return result;
}
template <class A, class M = detail::every> auto minval(const A &array, const M &mask = {}) {
    using T = typename A::value_type;
    bool found = false;
    T result = std::numeric_limits<T>::max();
    detail::visit_masked(array, mask, [&](auto... index) {
        const T value = array(index...);
        if (!found || value < result || (result != result)) result = value;
        found = true;
    });
    return result;
}
template <class A> bool any(const A &mask) {
    bool result = false;
    for_each_index(mask, [&](auto... index) { result = result || mask(index...); });
    return result;
}
template <class A> bool all(const A &mask) {
    bool result = true;
    for_each_index(mask, [&](auto... index) { result = result && mask(index...); });
    return result;
}
template <class A> int count(const A &mask) {
    int result = 0;
    for_each_index(mask, [&](auto... index) { result += mask(index...) ? 1 : 0; });
    return result;
}

namespace detail {

template <class A, class M, class Better>
Array<int, 1> location(const A &array, const M &mask, bool back, Better better) {
    Array<int, 1> result{Dimension(A::rank)};
    bool found = false;
    typename A::value_type best{};
    visit_masked(array, mask, [&](auto... index) {
        const auto value = array(index...);
        if (found && !better(value, best) && !(back && value == best) && !(best != best && value == value)) return;
        found = true;
        best = value;
        int d = 0;
        ((result(d + 1) = index - array.lower(d + 1) + 1, ++d), ...);
    });
    return result;
}

// The extents without those of one dimension, and a function over the lines along it.
template <class T, class A, class Function> auto along(const A &array, int dim, Function function) {
    static_assert(A::rank > 1);
    Array<T, A::rank - 1> result;
    std::array<int, A::rank - 1> extents{};
    for (int d = 1, k = 0; d <= A::rank; ++d)
        if (d != dim) extents[static_cast<std::size_t>(k++)] = array.extent(d);
    std::apply([&](auto... extent) { result.allocate(extent...); }, extents);
    for_each_index(result, [&](auto... index) {
        const int others[] = {index...};
        auto element = [&](int i) {
            std::array<int, A::rank> at{};
            for (int d = 1, k = 0; d <= A::rank; ++d)
                at[static_cast<std::size_t>(d - 1)] = array.lower(d) + (d == dim ? i : others[k++]) - 1;
            return std::apply([&](auto... all) -> typename A::value_type { return array(all...); }, at);
        };
        result(index...) = function(elements<typename A::value_type>({array.extent(dim)}, element));
    });
    return result;
}

} // namespace detail

template <class A, class M = detail::every> auto maxloc(const A &array, const M &mask = {}, bool back = false) {
    return detail::location(array, mask, back, [](auto value, auto best) { return value > best; });
}
template <class A, class M = detail::every> auto minloc(const A &array, const M &mask = {}, bool back = false) {
    return detail::location(array, mask, back, [](auto value, auto best) { return value < best; });
}
template <class A, class V> Array<int, 1> findloc(const A &array, const V &value, bool back = false) {
    Array<int, 1> result{Dimension(A::rank)};
    bool found = false;
    for_each_index(array, [&](auto... index) {
        if ((found && !back) || !(array(index...) == value)) return;
        found = true;
        int d = 0;
        ((result(d + 1) = index - array.lower(d + 1) + 1, ++d), ...);
    });
    return result;
}
template <class A> auto sum_along(const A &array, int dim) {
    return detail::along<typename A::value_type>(array, dim, [](const auto &line) { return fortran::sum(line); });
}
template <class A> auto product_along(const A &array, int dim) {
    return detail::along<typename A::value_type>(array, dim, [](const auto &line) { return fortran::product(line); });
}
template <class A> auto maxval_along(const A &array, int dim) {
    return detail::along<typename A::value_type>(array, dim, [](const auto &line) { return fortran::maxval(line); });
}
template <class A> auto minval_along(const A &array, int dim) {
    return detail::along<typename A::value_type>(array, dim, [](const auto &line) { return fortran::minval(line); });
}
template <class A> auto any_along(const A &mask, int dim) {
    return detail::along<bool>(mask, dim, [](const auto &line) { return fortran::any(line); });
}
template <class A> auto all_along(const A &mask, int dim) {
    return detail::along<bool>(mask, dim, [](const auto &line) { return fortran::all(line); });
}
template <class A> auto count_along(const A &mask, int dim) {
    return detail::along<int>(mask, dim, [](const auto &line) { return fortran::count(line); });
}
template <class A> auto maxloc_along(const A &array, int dim) {
    return detail::along<int>(array, dim, [](const auto &line) { return fortran::maxloc(line)(1); });
}
template <class A> auto minloc_along(const A &array, int dim) {
    return detail::along<int>(array, dim, [](const auto &line) { return fortran::minloc(line)(1); });
}

template <class A, class B> auto dot_product(const A &a, const B &b) {
    using T = decltype(a(1) * b(1));
    const int n = a.extent(1), first = a.lower(1), other = b.lower(1);
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<typename A::value_type, bool>) {
        bool result = false;
        for (int i = 0; i < n; ++i) result = result || (a(first + i) && b(other + i));
        return result;
    } else {
        std::decay_t<T> result{};
        for (int i = 0; i < n; ++i) result += a(first + i) * b(other + i);
        return result;
    }
}
template <class A, class B> auto dot_product_conjugate(const A &a, const B &b) {
    typename A::value_type result{};
    for (int i = 0; i < a.extent(1); ++i) result += multiply(std::conj(a(a.lower(1) + i)), b(b.lower(1) + i));
    return result;
}

// Sums along the shared dimension in ascending order.
template <class A, class B> auto matmul(const A &a, const B &b) {
    using T = std::decay_t<decltype(a.data()[0] * b.data()[0])>;
    if constexpr (A::rank == 2 && B::rank == 2) {
        const int n = a.extent(1), m = b.extent(2), inner = a.extent(2);
        Array<T, 2> c{Dimension(n), Dimension(m)};
        for (int j = 1; j <= m; ++j)
            for (int k = 1; k <= inner; ++k) {
                const auto factor = b(b.lower(1) + k - 1, b.lower(2) + j - 1);
                for (int i = 1; i <= n; ++i) c(i, j) += a(a.lower(1) + i - 1, a.lower(2) + k - 1) * factor;
            }
        return c;
    } else if constexpr (A::rank == 2) {
        const int n = a.extent(1), inner = a.extent(2);
        Array<T, 1> c{Dimension(n)};
        for (int k = 1; k <= inner; ++k)
            for (int i = 1; i <= n; ++i) c(i) += a(a.lower(1) + i - 1, a.lower(2) + k - 1) * b(b.lower(1) + k - 1);
        return c;
    } else {
        const int m = b.extent(2), inner = a.extent(1);
        Array<T, 1> c{Dimension(m)};
        for (int j = 1; j <= m; ++j)
            for (int k = 1; k <= inner; ++k) c(j) += a(a.lower(1) + k - 1) * b(b.lower(1) + k - 1, b.lower(2) + j - 1);
        return c;
    }
}

// The elements of an array in order, in another shape, padded where they do not suffice.
template <int Rank, class A> auto reshape(const A &source, const std::array<int, Rank> &shape) {
    Array<typename A::value_type, Rank> result;
    std::apply([&](auto... extent) { result.allocate(extent...); }, shape);
    std::size_t next = 0;
    for_each_index(source, [&](auto... index) {
        if (next < result.size()) result.data()[next++] = source(index...);
    });
    return result;
}
template <int Rank, class A, class P>
auto reshape(const A &source, const std::array<int, Rank> &shape, const P &pad) {
    auto result = reshape<Rank>(source, shape);
    std::size_t next = source.size();
    while (next < result.size() && pad.size() > 0)
        for_each_index(pad, [&](auto... index) {
            if (next < result.size()) result.data()[next++] = pad(index...);
        });
    return result;
}
// The same, with the dimension that varies fastest given first.
template <int Rank, class A>
auto reshape_ordered(const A &source, const std::array<int, Rank> &shape, const std::array<int, Rank> &order) {
    auto result = reshape<Rank>(source, shape);
    std::array<int, Rank> at{};
    for_each_index(source, [&](auto... index) {
        std::size_t place = 0, stride = 1;
        for (std::size_t d = 0; d < Rank; ++d) {
            place += static_cast<std::size_t>(at[d]) * stride;
            stride *= static_cast<std::size_t>(shape[d]);
        }
        if (place < result.size()) result.data()[place] = source(index...);
        for (const int dimension : order) {
            auto &position = at[static_cast<std::size_t>(dimension - 1)];
            if (++position < shape[static_cast<std::size_t>(dimension - 1)]) break;
            position = 0;
        }
    });
    return result;
}

template <class A> auto spread(const A &source, int dim, int copies) {
    constexpr int rank = A::rank + 1;
    Array<typename A::value_type, rank> result;
    std::array<int, rank> extents{};
    for (int d = 1, k = 1; d <= rank; ++d) extents[static_cast<std::size_t>(d - 1)] = d == dim ? copies : source.extent(k++);
    std::apply([&](auto... extent) { result.allocate(extent...); }, extents);
    for_each_index(result, [&](auto... index) {
        const int at[] = {index...};
        std::array<int, A::rank> from{};
        for (int d = 1, k = 0; d <= rank; ++d)
            if (d != dim) from[static_cast<std::size_t>(k)] = at[d - 1] + source.lower(k + 1) - 1, ++k;
        result(index...) = std::apply([&](auto... i) -> typename A::value_type { return source(i...); }, from);
    });
    return result;
}

template <class A> auto transpose(const A &a) {
    Array<typename A::value_type, 2> result{Dimension(a.extent(2)), Dimension(a.extent(1))};
    for (int i = 1; i <= a.extent(1); ++i)
        for (int j = 1; j <= a.extent(2); ++j) result(j, i) = a(a.lower(1) + i - 1, a.lower(2) + j - 1);
    return result;
}

template <class A, class M> auto pack(const A &array, const M &mask) {
    std::vector<typename A::value_type> kept;
    detail::visit_masked(array, mask, [&](auto... index) { kept.push_back(array(index...)); });
    Array<typename A::value_type, 1> result{Dimension(static_cast<int>(kept.size()))};
    std::copy(kept.begin(), kept.end(), result.data());
    return result;
}
template <class A, class M, class V> auto pack(const A &array, const M &mask, const V &vector) {
    Array<typename A::value_type, 1> result(vector);
    int next = 1;
    detail::visit_masked(array, mask, [&](auto... index) { result(next++) = array(index...); });
    return result;
}
template <class V, class M, class F> auto unpack(const V &vector, const M &mask, const F &field) {
    Array<typename V::value_type, M::rank> result;
    std::array<int, M::rank> extents{};
    for (int d = 1; d <= M::rank; ++d) extents[static_cast<std::size_t>(d - 1)] = mask.extent(d);
    std::apply([&](auto... extent) { result.allocate(extent...); }, extents);
    int next = vector.lower(1);
    std::size_t at = 0;
    for_each_index(mask, [&](auto... index) {
        if (mask(index...)) result.data()[at] = vector(next++);
        else if constexpr (!is_array<F>) result.data()[at] = field;
        ++at;
    });
    if constexpr (is_array<F>) {
        at = 0;
        Array<bool, M::rank> copy(mask);
        for_each_index(field, [&](auto... index) {
            if (!copy.data()[at]) result.data()[at] = field(index...);
            ++at;
        });
    }
    return result;
}

template <class A> auto cshift(const A &array, int shift, int dim = 1) {
    Array<typename A::value_type, A::rank> result(array);
    for_each_index(result, [&](auto... index) {
        int d = 0;
        std::array<int, A::rank> from{(++d, d == dim ? modulo(index - 1 + shift, array.extent(d)) + array.lower(d)
                                                     : index - 1 + array.lower(d))...};
        result(index...) = std::apply([&](auto... i) -> typename A::value_type { return array(i...); }, from);
    });
    return result;
}
template <class A> auto eoshift(const A &array, int shift, typename A::value_type boundary = {}, int dim = 1) {
    Array<typename A::value_type, A::rank> result(array);
    for_each_index(result, [&](auto... index) {
        int d = 0;
        bool inside = true;
        std::array<int, A::rank> from{(++d, d == dim ? index - 1 + shift : index - 1)...};
        for (int k = 0; k < A::rank; ++k) {
            auto &position = from[static_cast<std::size_t>(k)];
            inside = inside && position >= 0 && position < array.extent(k + 1);
            position += array.lower(k + 1);
        }
        result(index...) = inside ? std::apply([&](auto... i) -> typename A::value_type { return array(i...); }, from) : boundary;
    });
    return result;
}

template <class A> Array<int, 1> shape(const A &array) {
    Array<int, 1> result{Dimension(A::rank)};
    for (int d = 1; d <= A::rank; ++d) result(d) = array.extent(d);
    return result;
}
template <class A> Array<int, 1> lower_bounds(const A &array) {
    Array<int, 1> result{Dimension(A::rank)};
    for (int d = 1; d <= A::rank; ++d) result(d) = array.lower(d);
    return result;
}
template <class A> Array<int, 1> upper_bounds(const A &array) {
    Array<int, 1> result{Dimension(A::rank)};
    for (int d = 1; d <= A::rank; ++d) result(d) = array.upper(d);
    return result;
}
template <class A> int size(const A &array) { return static_cast<int>(array.size()); }

template <class A> auto norm2(const A &array) {
    using T = typename A::value_type;
    T scale = 0, result = 0;
    for_each_index(array, [&](auto... index) {
        const T value = array(index...);
        if (value == 0) return;
        const T size = std::abs(value);
        if (scale < size) {
            const T ratio = scale / size;
            result = 1 + result * ratio * ratio;
            scale = size;
        } else {
            const T ratio = value / scale;
            result += ratio * ratio;
        }
    });
    return scale * std::sqrt(result);
}

// An array of values that are listed or computed one by one.
template <class T, class Fill> Array<T, 1> constructed(Fill fill) {
    std::vector<T> values;
    fill([&](const auto &value) {
        if constexpr (is_array<decltype(value)>)
            for_each_index(value, [&](auto... index) { values.push_back(static_cast<T>(value(index...))); });
        else
            values.push_back(static_cast<T>(value));
    });
    Array<T, 1> result{Dimension(static_cast<int>(values.size()))};
    std::copy(values.begin(), values.end(), result.data());
    return result;
}

} // namespace fortran
