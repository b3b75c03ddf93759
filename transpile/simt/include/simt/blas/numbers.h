// The numbers in vectors and matrices, and what they are computed with: complex numbers of the standard library,
// and for small types wider ones.
#ifndef SIMT_BLAS_NUMBERS_H
#define SIMT_BLAS_NUMBERS_H

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace simt::blas {

template <class T, class Computed = T>
struct RealNumber {
    using Value = Computed;
    using Real = Computed;
    static Value read(T number) { return static_cast<Value>(number); }
    static T stored(Value value) { return static_cast<T>(value); }
};

template <class T, class Part>
struct ComplexNumber {
    using Value = std::complex<Part>;
    using Real = Part;
    static Value read(T number) { return {number.x, number.y}; }
    static T stored(Value value) { return {value.real(), value.imag()}; }
};

// Complex numbers are told by their parts, since `float` may be another name of `double` (see traits.h).
template <class T, class = void>
struct Number : RealNumber<T> {};
template <class T>
struct Number<T, std::void_t<decltype(T::y)>> : ComplexNumber<T, decltype(T::x)> {};
template <class Format>
struct Number<SmallFloat<Format>> : RealNumber<SmallFloat<Format>, float> {};
template <>
struct Number<std::int8_t> : RealNumber<std::int8_t, std::int32_t> {};

template <class T>
using Value = typename Number<T>::Value;
template <class T>
using Real = typename Number<T>::Real;

template <class T>
Value<T> read(const T &number) {
    return Number<T>::read(number);
}
template <class T>
T stored(Value<T> value) {
    return Number<T>::stored(value);
}

template <class R>
R conjugate(R value) {
    return value;
}
template <class R>
std::complex<R> conjugate(std::complex<R> value) {
    return std::conj(value);
}

template <class R>
R real_part(R value) {
    return value;
}
template <class R>
R real_part(std::complex<R> value) {
    return value.real();
}

// The size of a number as BLAS takes it for sums and extremes.
template <class R>
R size_of(R value) {
    return std::fabs(value);
}
template <class R>
R size_of(std::complex<R> value) {
    return std::fabs(value.real()) + std::fabs(value.imag());
}

}  // namespace simt::blas

#endif
