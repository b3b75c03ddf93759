// Arithmetic of Fortran where C++ has none or another.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace fortran {

// Rounds half away from zero.
template <class Integer = int, class Real> Integer nint(Real x) { return static_cast<Integer>(std::llround(x)); }
template <class Integer = int, class Real> Integer floor(Real x) { return static_cast<Integer>(std::floor(x)); }
template <class Integer = int, class Real> Integer ceiling(Real x) { return static_cast<Integer>(std::ceil(x)); }

// The remainder with the sign of the divisor.
template <class T> T modulo(T a, T p) {
    if constexpr (std::is_integral_v<T>) {
        const T rest = static_cast<T>(a % p);
        return rest != 0 && ((rest < 0) != (p < 0)) ? static_cast<T>(rest + p) : rest;
    } else {
        const T rest = std::fmod(a, p);
        if (rest == 0) return std::copysign(T(0), p);
        return (rest < 0) != (p < 0) ? rest + p : rest;
    }
}

template <class T> T sign(T a, T b) {
    if constexpr (std::is_integral_v<T>)
        return (a < 0) != (b < 0) ? static_cast<T>(-a) : a;
    else
        return std::copysign(a, b);
}

// Extremes of real numbers, the second where neither is greater: those of std take the first.
template <class T> constexpr T max(T a, T b) { return a > b ? a : b; }
template <class T> constexpr T min(T a, T b) { return a < b ? a : b; }

// The difference where it is positive, else zero.
template <class T> T dim(T a, T b) { return a > b ? static_cast<T>(a - b) : T(0); }

// Integer powers: a negative exponent gives zero but for bases 1 and -1.
template <class Base, class Exponent> Base integer_power(Base base, Exponent exponent) {
    if (exponent < 0) {
        if (base == 1) return 1;
        if (base == -1) return exponent % 2 ? Base(-1) : Base(1);
        return base == 0 ? Base(1) / base : Base(0);
    }
    using Wide = std::make_unsigned_t<Base>;
    Wide result = 1, factor = static_cast<Wide>(base);
    for (auto rest = static_cast<std::make_unsigned_t<Exponent>>(exponent); rest; rest >>= 1) {
        if (rest & 1) result = static_cast<Wide>(result * factor);
        factor = static_cast<Wide>(factor * factor);
    }
    return static_cast<Base>(result);
}

// The builtins multiply in the order in which gfortran's code does.
inline double power(double x, int n) { return __builtin_powi(x, n); }
inline float power(float x, int n) { return __builtin_powif(x, n); }

template <class T> std::complex<T> multiply(std::complex<T> a, std::complex<T> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class T> std::complex<T> divide(std::complex<T> a, std::complex<T> b) {
    if (std::abs(b.real()) < std::abs(b.imag())) {
        const T ratio = b.real() / b.imag(), scale = b.real() * ratio + b.imag();
        return {(a.real() * ratio + a.imag()) / scale, (a.imag() * ratio - a.real()) / scale};
    }
    const T ratio = b.imag() / b.real(), scale = b.imag() * ratio + b.real();
    return {(a.imag() * ratio + a.real()) / scale, (a.imag() - a.real() * ratio) / scale};
}

template <class T> std::complex<T> power(std::complex<T> x, int n) {
    std::complex<T> result(1);
    if (n < 0) x = divide(result, x);
    for (unsigned rest = n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n); rest; rest >>= 1) {
        if (rest & 1) result = multiply(result, x);
        if (rest > 1) x = multiply(x, x);
    }
    return result;
}

template <class T> std::complex<T> square(std::complex<T> x) { return multiply(x, x); }
template <class T> std::complex<T> reciprocal(std::complex<T> x) { return divide(std::complex<T>(1), x); }

// The bits of a value as those of another type.
template <class To, class From> To transfer(const From &value) {
    static_assert(sizeof(To) == sizeof(From));
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

// The number of times that a loop runs.
template <class T> std::int64_t trips(T first, T last, T step) {
    const std::int64_t count = (static_cast<std::int64_t>(last) - first + step) / step;
    return count > 0 ? count : 0;
}

// Bits, as ISHFT, IBITS and their kin see them.
template <class T> T shift(T value, int by) {
    using Bits = std::make_unsigned_t<T>;
    constexpr int width = std::numeric_limits<Bits>::digits;
    if (by >= width || by <= -width) return 0;
    const auto bits = static_cast<Bits>(value);
    return static_cast<T>(by >= 0 ? static_cast<Bits>(bits << by) : static_cast<Bits>(bits >> -by));
}
template <class T> T circular_shift(T value, int by, int size = std::numeric_limits<std::make_unsigned_t<T>>::digits) {
    using Bits = std::make_unsigned_t<T>;
    const auto mask = size == std::numeric_limits<Bits>::digits ? static_cast<Bits>(~Bits(0))
                                                                : static_cast<Bits>((Bits(1) << size) - 1);
    const auto bits = static_cast<Bits>(value);
    const auto low = static_cast<Bits>(bits & mask);
    by = modulo(by, size);
    if (by == 0) return value;
    const auto turned = static_cast<Bits>(((low << by) | (low >> (size - by))) & mask);
    return static_cast<T>((bits & static_cast<Bits>(~mask)) | turned);
}
template <class T> T bits(T value, int position, int length) {
    using Bits = std::make_unsigned_t<T>;
    if (length == 0) return 0;
    const auto mask = static_cast<Bits>(static_cast<Bits>(~Bits(0)) >> (std::numeric_limits<Bits>::digits - length));
    return static_cast<T>((static_cast<Bits>(value) >> position) & mask);
}
template <class T> bool bit_test(T value, int position) { return (static_cast<std::make_unsigned_t<T>>(value) >> position) & 1; }
template <class T> T bit_set(T value, int position) { return static_cast<T>(value | static_cast<T>(std::make_unsigned_t<T>(1) << position)); }
template <class T> T bit_clear(T value, int position) {
    return static_cast<T>(value & static_cast<T>(~(std::make_unsigned_t<T>(1) << position)));
}
template <class T> int leading_zeros(T value) {
    int count = 0;
    for (int bit = std::numeric_limits<std::make_unsigned_t<T>>::digits - 1; bit >= 0 && !bit_test(value, bit); --bit) ++count;
    return count;
}
template <class T> int trailing_zeros(T value) {
    const int width = std::numeric_limits<std::make_unsigned_t<T>>::digits;
    int count = 0;
    while (count < width && !bit_test(value, count)) ++count;
    return count;
}
template <class T> int set_bits(T value) {
    int count = 0;
    for (auto rest = static_cast<std::make_unsigned_t<T>>(value); rest; rest >>= 1) count += rest & 1;
    return count;
}

// The model of real numbers.
template <class T> int exponent(T x) {
    if (x == 0) return 0;
    int result = 0;
    std::frexp(x, &result);
    return result;
}
template <class T> T fraction(T x) {
    int ignored = 0;
    return x == 0 ? x : std::frexp(x, &ignored);
}
template <class T> T spacing(T x) {
    if (x == 0) return std::numeric_limits<T>::min();
    const int least = exponent(x) - std::numeric_limits<T>::digits;
    return std::max(std::ldexp(T(1), least), std::numeric_limits<T>::min());
}
template <class T> T nearest(T x, T direction) {
    return std::nextafter(x, direction > 0 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity());
}

} // namespace fortran
