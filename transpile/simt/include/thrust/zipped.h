// Iterators over several sequences at once, backwards, and over nothing.
#ifndef SIMT_THRUST_ZIPPED_H
#define SIMT_THRUST_ZIPPED_H

#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

#include "thrust/iterators.h"

namespace thrust {

// Several iterators that move together; the first says where they are.
template <class... Iterators>
struct Zipped {
    std::tuple<Iterators...> places;

    friend Zipped operator+(const Zipped &zipped, std::ptrdiff_t n) {
        return std::apply([&](const auto &...place) { return Zipped{{(place + n)...}}; }, zipped.places);
    }
    friend Zipped operator-(const Zipped &zipped, std::ptrdiff_t n) { return zipped + -n; }
    friend std::ptrdiff_t operator-(const Zipped &a, const Zipped &b) {
        return std::get<0>(a.places) - std::get<0>(b.places);
    }
    friend bool operator==(const Zipped &a, const Zipped &b) { return std::get<0>(a.places) == std::get<0>(b.places); }
    friend bool operator!=(const Zipped &a, const Zipped &b) { return !(a == b); }
    friend bool operator<(const Zipped &a, const Zipped &b) { return std::get<0>(a.places) < std::get<0>(b.places); }
};
struct Tupled {
    template <class... Iterators>
    auto operator()(const Zipped<Iterators...> &zipped) const {
        return std::apply([](const auto &...place) { return std::tuple<decltype(*place)...>(*place...); },
                          zipped.places);
    }
};
template <class Tuple>
struct zip_iterator;
template <class... Iterators>
struct zip_iterator<std::tuple<Iterators...>>
    : computed_iterator<zip_iterator<std::tuple<Iterators...>>, Zipped<Iterators...>, Tupled> {
    using Base = typename zip_iterator::computed_iterator;
    using value_type = std::tuple<typename std::iterator_traits<Iterators>::value_type...>;
    using pointer = value_type *;
    explicit zip_iterator(const std::tuple<Iterators...> &places) : Base({places}, {}) {}
    const std::tuple<Iterators...> &get_iterator_tuple() const { return this->base().places; }
};
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(const std::tuple<Iterators...> &places) {
    return zip_iterator<std::tuple<Iterators...>>(places);
}
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... places) {
    return zip_iterator<std::tuple<Iterators...>>(std::tuple<Iterators...>(places...));
}

// Takes as parameters what a tuple holds.
template <class Function>
struct zip_function {
    Function function;
    template <class Tuple>
    decltype(auto) operator()(Tuple &&tuple) const {
        return std::apply(function, std::forward<Tuple>(tuple));
    }
};
template <class Function>
zip_function<Function> make_zip_function(Function function) {
    return {function};
}

struct Sink {
    template <class T>
    const Sink &operator=(const T &) const {
        return *this;
    }
};
struct Sunk {
    Sink operator()(std::ptrdiff_t) const { return {}; }
};
template <class = void>
struct discard_iterator : computed_iterator<discard_iterator<>, std::ptrdiff_t, Sunk> {
    using Base = typename discard_iterator::computed_iterator;
    explicit discard_iterator(std::ptrdiff_t place = 0) : Base(place, {}) {}
};
inline discard_iterator<> make_discard_iterator(std::ptrdiff_t place = 0) { return discard_iterator<>(place); }

using std::make_reverse_iterator;
using std::reverse_iterator;

}  // namespace thrust

#endif
