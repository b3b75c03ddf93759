// Calls as gfortran makes them, for functions that take the place of Fortran's.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "array.h"

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
};

// Its elements; none where a call leaves the array out.
template <class T, int Rank> View<T, Rank> described(const Descriptor<Rank> *array) {
    if (!array || !array->data) return {};
    const Descriptor<Rank> &from = *array;
    int lower[Rank], extent[Rank];
    std::ptrdiff_t stride[Rank];
    for (int d = 0; d < Rank; ++d) {
        const auto &dimension = from.dimensions[d];
        lower[d] = 1;
        extent[d] = dimension.upper < dimension.lower ? 0 : static_cast<int>(dimension.upper - dimension.lower + 1);
        stride[d] = dimension.stride;
    }
    return View<T, Rank>(static_cast<T *>(from.data), lower, extent, stride);
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
