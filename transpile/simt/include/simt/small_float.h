// Floating-point numbers of 16 bits: half and bfloat16. Each operation is computed exactly enough in a wider
// type and rounded once, to nearest even.
#ifndef SIMT_SMALL_FLOAT_H
#define SIMT_SMALL_FLOAT_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/traits.h"

namespace simt {

struct HalfFormat {
    static constexpr int mantissa = 10, bias = 15;
};
struct BfloatFormat {
    static constexpr int mantissa = 7, bias = 127;
};

template <class Format>
constexpr std::uint16_t infinite_bits = static_cast<std::uint16_t>((2 * Format::bias + 1) << Format::mantissa);

template <class Format>
inline std::uint16_t encode(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return 0x7FFF;
    const double magnitude = std::fabs(value);
    if (std::isinf(value)) return sign | infinite_bits<Format>;
    if (magnitude == 0.0) return sign;
    int exponent = std::ilogb(magnitude);
    if (exponent < 1 - Format::bias) exponent = 1 - Format::bias;
    if (exponent > Format::bias) return sign | infinite_bits<Format>;
    // In units of the last place; a carry out of the mantissa runs into the exponent, up to infinity.
    const auto units = static_cast<unsigned>(std::rint(std::ldexp(magnitude, Format::mantissa - exponent)));
    const auto below = static_cast<unsigned>(exponent + Format::bias - 1) << Format::mantissa;
    return static_cast<std::uint16_t>(sign | (below + units));
}

template <class Format>
inline Single decode(std::uint16_t bits) {
    const unsigned magnitude = bits & 0x7FFFu, exponent = magnitude >> Format::mantissa;
    const unsigned fraction = magnitude & ((1u << Format::mantissa) - 1);
    std::uint32_t wide;
    if (exponent == 2 * Format::bias + 1) {
        wide = 0x7F800000u | fraction << (23 - Format::mantissa);
    } else if (exponent == 0 && Format::bias != 127) {
        const Single small = std::ldexp(static_cast<Single>(fraction), 1 - Format::bias - Format::mantissa);
        return (bits & 0x8000) != 0 ? -small : small;
    } else {
        wide = (exponent + 127 - Format::bias) << 23 | fraction << (23 - Format::mantissa);
    }
    wide |= static_cast<std::uint32_t>(bits & 0x8000) << 16;
    Single value;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

// a + b rounded to odd, so that rounding it again to fewer digits is as if it had been exact.
inline double sum_to_odd(double a, double b) {
    const double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    const double b_part = sum - a, error = (a - (sum - b_part)) + (b - b_part);
    std::uint64_t bits;
    std::memcpy(&bits, &sum, sizeof bits);
    if (error == 0.0 || (bits & 1) != 0) return sum;
    return std::nextafter(sum, error > 0.0 ? INFINITY : -INFINITY);
}

// How a number is held: as its 16 bits or, for the reference that tolerances are measured against, unrounded.
#ifdef SIMT_WIDE
using Held = Single;
template <class Format>
inline Held hold(double value) {
    return static_cast<Held>(value);
}
template <class Format>
inline Single held(Held value) {
    return value;
}
template <class Format>
inline Held hold_bits(std::uint16_t bits) {
    return decode<Format>(bits);
}
template <class Format>
inline std::uint16_t bits_of(Held value) {
    return encode<Format>(static_cast<double>(value));
}
#else
using Held = std::uint16_t;
template <class Format>
inline Held hold(double value) {
    return encode<Format>(value);
}
template <class Format>
inline Single held(Held bits) {
    return decode<Format>(bits);
}
template <class Format>
inline Held hold_bits(std::uint16_t bits) {
    return bits;
}
template <class Format>
inline std::uint16_t bits_of(Held bits) {
    return bits;
}
#endif

// All is inlined: g++ reports no access where an argument is read from memory by the call alone.
template <class Format>
struct alignas(sizeof(Held)) SmallFloat {
    Held value;

    SmallFloat() = default;
    SIMT_ASSIGNMENT(SmallFloat, value = from.value)
    template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
    SmallFloat(Number number) : value(hold<Format>(static_cast<double>(number))) {}
    template <class Other>
    SIMT_INLINE explicit SmallFloat(SmallFloat<Other> other) : SmallFloat(float(other)) {}
    operator float() const { return held<Format>(value); }

    static SmallFloat of_bits(std::uint16_t bits) {
        SmallFloat result;
        result.value = hold_bits<Format>(bits);
        return result;
    }
    std::uint16_t bits() const { return bits_of<Format>(value); }

    SIMT_INLINE friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return float(a) + float(b); }
    SIMT_INLINE friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return float(a) - float(b); }
    SIMT_INLINE friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return float(a) * float(b); }
    SIMT_INLINE friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return float(a) / float(b); }
    SIMT_INLINE friend SmallFloat operator+(SmallFloat a) { return a; }
    SIMT_INLINE friend SmallFloat operator-(SmallFloat a) {
#ifdef SIMT_WIDE
        a.value = -a.value;
#else
        a.value ^= 0x8000;
#endif
        return a;
    }
    SIMT_INLINE friend SmallFloat &operator+=(SmallFloat &a, SmallFloat b) { return a = a + b; }
    SIMT_INLINE friend SmallFloat &operator-=(SmallFloat &a, SmallFloat b) { return a = a - b; }
    SIMT_INLINE friend SmallFloat &operator*=(SmallFloat &a, SmallFloat b) { return a = a * b; }
    SIMT_INLINE friend SmallFloat &operator/=(SmallFloat &a, SmallFloat b) { return a = a / b; }
    SIMT_INLINE friend SmallFloat &operator++(SmallFloat &a) { return a = a + SmallFloat(1); }
    SIMT_INLINE friend SmallFloat &operator--(SmallFloat &a) { return a = a - SmallFloat(1); }
    SIMT_INLINE friend bool operator==(SmallFloat a, SmallFloat b) { return float(a) == float(b); }
    SIMT_INLINE friend bool operator!=(SmallFloat a, SmallFloat b) { return float(a) != float(b); }
    SIMT_INLINE friend bool operator<(SmallFloat a, SmallFloat b) { return float(a) < float(b); }
    SIMT_INLINE friend bool operator<=(SmallFloat a, SmallFloat b) { return float(a) <= float(b); }
    SIMT_INLINE friend bool operator>(SmallFloat a, SmallFloat b) { return float(a) > float(b); }
    SIMT_INLINE friend bool operator>=(SmallFloat a, SmallFloat b) { return float(a) >= float(b); }
};

template <class Format>
struct alignas(2 * sizeof(Held)) SmallFloat2 {
    using Half = SmallFloat<Format>;
    Half x, y;

    SmallFloat2() = default;
    SIMT_ASSIGNMENT(SmallFloat2, (x = from.x, y = from.y))
    SIMT_INLINE SmallFloat2(Half a, Half b) : x(a), y(b) {}

    SIMT_INLINE friend SmallFloat2 operator+(SmallFloat2 a, SmallFloat2 b) { return {a.x + b.x, a.y + b.y}; }
    SIMT_INLINE friend SmallFloat2 operator-(SmallFloat2 a, SmallFloat2 b) { return {a.x - b.x, a.y - b.y}; }
    SIMT_INLINE friend SmallFloat2 operator*(SmallFloat2 a, SmallFloat2 b) { return {a.x * b.x, a.y * b.y}; }
    SIMT_INLINE friend SmallFloat2 operator/(SmallFloat2 a, SmallFloat2 b) { return {a.x / b.x, a.y / b.y}; }
    SIMT_INLINE friend SmallFloat2 operator-(SmallFloat2 a) { return {-a.x, -a.y}; }
    SIMT_INLINE friend SmallFloat2 &operator+=(SmallFloat2 &a, SmallFloat2 b) { return a = a + b; }
    SIMT_INLINE friend SmallFloat2 &operator-=(SmallFloat2 &a, SmallFloat2 b) { return a = a - b; }
    SIMT_INLINE friend SmallFloat2 &operator*=(SmallFloat2 &a, SmallFloat2 b) { return a = a * b; }
    SIMT_INLINE friend bool operator==(SmallFloat2 a, SmallFloat2 b) { return a.x == b.x && a.y == b.y; }
    SIMT_INLINE friend bool operator!=(SmallFloat2 a, SmallFloat2 b) { return a.x != b.x && a.y != b.y; }
};

}  // namespace simt

template <class F>
SIMT_INLINE simt::SmallFloat<F> __hfma(simt::SmallFloat<F> a, simt::SmallFloat<F> b, simt::SmallFloat<F> c) {
    return simt::sum_to_odd(static_cast<double>(float(a)) * static_cast<double>(float(b)),
                            static_cast<double>(float(c)));
}
template <class F>
SIMT_INLINE simt::SmallFloat2<F> __hfma2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b, simt::SmallFloat2<F> c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define SIMT_BINARY(name, expression)                                                               \
    template <class F>                                                                              \
    SIMT_INLINE simt::SmallFloat<F> __h##name(simt::SmallFloat<F> a, simt::SmallFloat<F> b) {       \
        return expression;                                                                          \
    }                                                                                               \
    template <class F>                                                                              \
    SIMT_INLINE simt::SmallFloat2<F> __h##name##2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b) { \
        return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                                          \
    }
SIMT_BINARY(add, a + b)
SIMT_BINARY(sub, a - b)
SIMT_BINARY(mul, a *b)
SIMT_BINARY(div, a / b)
SIMT_BINARY(add_rn, a + b)
SIMT_BINARY(sub_rn, a - b)
SIMT_BINARY(mul_rn, a *b)
SIMT_BINARY(min, std::fmin(float(a), float(b)))
SIMT_BINARY(max, std::fmax(float(a), float(b)))
#undef SIMT_BINARY

#define SIMT_COMPARISON(name, operation)                                                            \
    template <class F>                                                                              \
    SIMT_INLINE bool __h##name(simt::SmallFloat<F> a, simt::SmallFloat<F> b) {                      \
        return float(a) operation float(b);                                                         \
    }                                                                                               \
    template <class F>                                                                              \
    SIMT_INLINE simt::SmallFloat2<F> __h##name##2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b) { \
        return {__h##name(a.x, b.x) ? 1 : 0, __h##name(a.y, b.y) ? 1 : 0};                          \
    }                                                                                               \
    template <class F>                                                                              \
    SIMT_INLINE bool __hb##name##2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b) {                \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                          \
    }
SIMT_COMPARISON(eq, ==)
SIMT_COMPARISON(ne, !=)
SIMT_COMPARISON(lt, <)
SIMT_COMPARISON(le, <=)
SIMT_COMPARISON(gt, >)
SIMT_COMPARISON(ge, >=)
#undef SIMT_COMPARISON

template <class F>
SIMT_INLINE bool __hisnan(simt::SmallFloat<F> a) {
    return std::isnan(float(a));
}
template <class F>
SIMT_INLINE int __hisinf(simt::SmallFloat<F> a) {
    return std::isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0;
}

// The name of a function of one number, and of its form for pairs.
#define SIMT_UNARY(name, pairs, expression)                              \
    template <class F>                                                   \
    SIMT_INLINE simt::SmallFloat<F> name(simt::SmallFloat<F> a) {        \
        [[maybe_unused]] const double x = static_cast<double>(float(a)); \
        return expression;                                               \
    }                                                                    \
    template <class F>                                                   \
    SIMT_INLINE simt::SmallFloat2<F> pairs(simt::SmallFloat2<F> a) {     \
        return {name(a.x), name(a.y)};                                   \
    }
SIMT_UNARY(__hneg, __hneg2, -a)
SIMT_UNARY(__habs, __habs2, std::fabs(x))
SIMT_UNARY(hsqrt, h2sqrt, std::sqrt(x))
SIMT_UNARY(hrsqrt, h2rsqrt, 1.0 / std::sqrt(x))
SIMT_UNARY(hrcp, h2rcp, 1.0 / x)
SIMT_UNARY(hexp, h2exp, std::exp(x))
SIMT_UNARY(hexp2, h2exp2, std::exp2(x))
SIMT_UNARY(hexp10, h2exp10, std::pow(10.0, x))
SIMT_UNARY(hlog, h2log, std::log(x))
SIMT_UNARY(hlog2, h2log2, std::log2(x))
SIMT_UNARY(hlog10, h2log10, std::log10(x))
SIMT_UNARY(hsin, h2sin, std::sin(x))
SIMT_UNARY(hcos, h2cos, std::cos(x))
SIMT_UNARY(htanh, h2tanh, std::tanh(x))
SIMT_UNARY(hfloor, h2floor, std::floor(x))
SIMT_UNARY(hceil, h2ceil, std::ceil(x))
SIMT_UNARY(htrunc, h2trunc, std::trunc(x))
SIMT_UNARY(hrint, h2rint, std::nearbyint(x))
#undef SIMT_UNARY

// Conversions, whose names hold the type's: number, as in __float2half, and pair, as in __floats2half2_rn.
#define SIMT_SMALL_FLOAT_NAMES(T, T2, number, pair)                                                          \
    SIMT_INLINE T __float2##number(float x) { return x; }                                                    \
    SIMT_INLINE T __float2##number##_rn(float x) { return x; }                                               \
    SIMT_INLINE T __double2##number(double x) { return x; }                                                  \
    SIMT_INLINE float __##number##2float(T x) { return x; }                                                  \
    SIMT_INLINE T __int2##number##_rn(int x) { return x; }                                                   \
    SIMT_INLINE T __uint2##number##_rn(unsigned x) { return x; }                                             \
    SIMT_INLINE T __short2##number##_rn(short x) { return x; }                                               \
    SIMT_INLINE T __ushort2##number##_rn(unsigned short x) { return x; }                                     \
    SIMT_INLINE T __ll2##number##_rn(long long x) { return x; }                                              \
    SIMT_INLINE T __ull2##number##_rn(unsigned long long x) { return x; }                                    \
    SIMT_INLINE int __##number##2int_rn(T x) { return __float2int_rn(x); }                                   \
    SIMT_INLINE int __##number##2int_rz(T x) { return __float2int_rz(x); }                                   \
    SIMT_INLINE int __##number##2int_rd(T x) { return __float2int_rd(x); }                                   \
    SIMT_INLINE int __##number##2int_ru(T x) { return __float2int_ru(x); }                                   \
    SIMT_INLINE unsigned __##number##2uint_rn(T x) { return __float2uint_rn(x); }                            \
    SIMT_INLINE unsigned __##number##2uint_rz(T x) { return __float2uint_rz(x); }                            \
    SIMT_INLINE short __##number##2short_rn(T x) { return simt::saturate<short>(std::nearbyint(float(x))); } \
    SIMT_INLINE short __##number##_as_short(T x) { return static_cast<short>(x.bits()); }                    \
    SIMT_INLINE unsigned short __##number##_as_ushort(T x) { return x.bits(); }                              \
    SIMT_INLINE T __short_as_##number(short x) { return T::of_bits(static_cast<std::uint16_t>(x)); }         \
    SIMT_INLINE T __ushort_as_##number(unsigned short x) { return T::of_bits(x); }                           \
    SIMT_INLINE T2 __float2##pair##_rn(float x) { return {x, x}; }                                           \
    SIMT_INLINE T2 __floats2##pair##_rn(float x, float y) { return {x, y}; }                                 \
    SIMT_INLINE T2 __float22##pair##_rn(float2 v) { return {v.x, v.y}; }                                     \
    SIMT_INLINE float2 __##pair##2float2(T2 v) { return {v.x, v.y}; }                                        \
    SIMT_INLINE T2 __##number##2##pair(T x) { return {x, x}; }                                               \
    SIMT_INLINE T2 __halves2##pair(T x, T y) { return {x, y}; }                                              \
    SIMT_INLINE T __low2##number(T2 v) { return v.x; }                                                       \
    SIMT_INLINE T __high2##number(T2 v) { return v.y; }                                                      \
    SIMT_INLINE T2 __low2##pair(T2 v) { return {v.x, v.x}; }                                                 \
    SIMT_INLINE T2 __high2##pair(T2 v) { return {v.y, v.y}; }                                                \
    SIMT_INLINE T2 __lows2##pair(T2 a, T2 b) { return {a.x, b.x}; }                                          \
    SIMT_INLINE T2 __highs2##pair(T2 a, T2 b) { return {a.y, b.y}; }                                         \
    SIMT_INLINE float __low2float(T2 v) { return v.x; }                                                      \
    SIMT_INLINE float __high2float(T2 v) { return v.y; }                                                     \
    SIMT_INLINE T2 make_##pair(T x, T y) { return {x, y}; }                                                  \
    SIMT_QUIET SIMT_INLINE T atomicAdd(T *address, T value) {                                                \
        return simt::exchange(address, [=](T old) { return old + value; });                                  \
    }                                                                                                        \
    SIMT_QUIET SIMT_INLINE T2 atomicAdd(T2 *address, T2 value) {                                             \
        return simt::exchange(address, [=](T2 old) { return old + value; });                                 \
    }

#endif
