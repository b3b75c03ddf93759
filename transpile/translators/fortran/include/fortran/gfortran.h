// Calls as gfortran makes them, for functions that take the place of Fortran's.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "array.h"

namespace fortran {

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

template <class T, int Rank> View<T, Rank> described(const Descriptor<Rank> &from) {
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
