// Calls as gfortran makes them, for functions that take the place of Fortran's.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <type_traits>
#include <utility>

#include "array.h"
#include "character.h"

// Gives a variable the name that gfortran has for it, so that Fortran and C++ share it. Weak, as Fortran may bring it.
#ifndef FORTRAN_SYMBOL
#define FORTRAN_SYMBOL(name) __asm__(name) __attribute__((weak))
#endif
// The same of a common block with initial values: common blocks without them give way to it.
#define FORTRAN_BLOCK(name) __asm__(name)

namespace fortran {

// A logical value with as many bytes as in Fortran.
template <int Kind> class Logical {
  public:
    constexpr Logical(bool value = false) : value_(value) {}
    constexpr operator bool() const { return value_ != 0; }

  private:
    std::conditional_t<Kind == 1, std::int8_t, std::conditional_t<Kind == 2, std::int16_t,
        std::conditional_t<Kind == 4, std::int32_t, std::int64_t>>> value_;
};

// An array of assumed shape as gfortran passes it, from version 9 on.
template <int Rank> struct Descriptor {
    void *data;
    std::size_t offset;
    std::size_t element_length;
    int version;
    signed char rank, type;
    short attribute;
    std::ptrdiff_t span;
    struct {
        std::ptrdiff_t stride, lower, upper;
    } dimensions[Rank];

    std::ptrdiff_t extent(int d) const {
        return dimensions[d].upper < dimensions[d].lower ? 0 : dimensions[d].upper - dimensions[d].lower + 1;
    }
};

// Its elements; none where a call leaves the array out.
template <class T, int Rank> View<T, Rank> described(const Descriptor<Rank> *array) {
    if (!array || !array->data) return {};
    const Descriptor<Rank> &from = *array;
    int lower[Rank], extent[Rank];
    std::ptrdiff_t stride[Rank];
    for (int d = 0; d < Rank; ++d) {
        lower[d] = 1;
        extent[d] = static_cast<int>(from.extent(d));
        stride[d] = from.dimensions[d].stride;
    }
    return View<T, Rank>(static_cast<T *>(from.data), lower, extent, stride);
}

// Copies an array to where Fortran wants a function's result.
template <class Element, class T, int Rank> void give(const Descriptor<Rank> *to, const Array<T, Rank> &from) {
    const std::size_t count = from.size();
    int index[Rank] = {};
    for (std::size_t i = 0; i < count; ++i) {
        std::ptrdiff_t place = 0;
        for (int d = 0; d < Rank; ++d) place += index[d] * (to->dimensions[d].stride ? to->dimensions[d].stride : 1);
        static_cast<Element *>(to->data)[place] = Element(from.data()[i]);
        for (int d = 0; d < Rank && ++index[d] == from.extent(d + 1); ++d) index[d] = 0;
    }
}

// The same of a text.
inline void give(char *to, std::size_t length, std::string_view value) { store(to, length, value); }

template <class T> constexpr bool is_logical = false;
template <int Kind> constexpr bool is_logical<Logical<Kind>> = true;
template <class T> constexpr bool is_complex = false;
template <class T> constexpr bool is_complex<std::complex<T>> = true;

// The type of an element in descriptors.
template <class T>
constexpr signed char type_code = is_logical<T> ? 2 : is_complex<T> ? 4 : std::is_integral_v<T> ? 1
                                  : std::is_floating_point_v<T> ? 3 : 5;

// Lets Fortran have an allocatable array with these bounds and elements; where it has one of these extents already,
// that stays in its place.
template <class Element, class T, int Rank> void hand_over(Descriptor<Rank> *to, const Array<T, Rank> &from) {
    bool fits = to->data != nullptr && from.allocated();
    for (int d = 0; d < Rank && fits; ++d) fits = to->extent(d) == from.extent(d + 1);
    if (!fits) {
        std::free(to->data);
        to->data = nullptr;
    }
    if (!from.allocated()) return;
    const std::size_t count = from.size();
    if (!fits) to->data = std::malloc(count ? count * sizeof(Element) : 1);
    *to = {to->data, 0, sizeof(Element), 0, Rank, type_code<Element>, 0, sizeof(Element), {}};
    std::ptrdiff_t stride = 1;
    for (int d = 0; d < Rank; ++d) {
        const std::ptrdiff_t lower = from.lower(d + 1), extent = from.extent(d + 1);
        to->dimensions[d] = {stride, lower, lower + extent - 1};
        to->offset -= static_cast<std::size_t>(stride * lower);
        stride *= extent;
    }
    for (std::size_t i = 0; i < count; ++i) static_cast<Element *>(to->data)[i] = Element(from.data()[i]);
}

// The allocatable array that Fortran has, in one of our own; none where it has none.
template <class T, int Rank, std::size_t... D>
Array<T, Rank> taken(const Descriptor<Rank> *from, std::index_sequence<D...>) {
    Array<T, Rank> result;
    if (!from->data) return result;
    result.allocate(Dimension(static_cast<int>(from->dimensions[D].lower), static_cast<int>(from->dimensions[D].upper))...);
    std::copy_n(static_cast<const T *>(from->data), result.size(), result.data());
    return result;
}
template <class T, int Rank> Array<T, Rank> taken(const Descriptor<Rank> *from) {
    return taken<T>(from, std::make_index_sequence<Rank>());
}

// A procedure that Fortran passes, which takes the addresses of its arguments, as C++ calls it.
template <class Result, class... Parameters> class Passed {
  public:
    Passed(Result (*procedure)(Parameters *...)) : procedure_(procedure) {}
    template <class... Given> Result operator()(Given &&...given) const {
        return procedure_(const_cast<Parameters *>(&static_cast<const Parameters &>(given))...);
    }

  private:
    Result (*procedure_)(Parameters *...);
};

// The same of one that answers a question.
template <class Result, class... Parameters> class PassedTest {
  public:
    PassedTest(Result (*procedure)(Parameters *...)) : procedure_(procedure) {}
    template <class... Given> bool operator()(Given &&...given) const {
        return procedure_(std::forward<Given>(given)...) != 0;
    }

  private:
    Passed<Result, Parameters...> procedure_;
};

// Complex values are returned as those of C.
inline _Complex float returned(std::complex<float> value) {
    _Complex float result;
    __real__ result = value.real();
    __imag__ result = value.imag();
    return result;
}
inline _Complex double returned(std::complex<double> value) {
    _Complex double result;
    __real__ result = value.real();
    __imag__ result = value.imag();
    return result;
}

} // namespace fortran
