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

template <class Format>
struct alignas(2) SmallFloat {
    std::uint16_t bits;

    SmallFloat() = default;
    template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
    SmallFloat(Number value) : bits(encode<Format>(static_cast<double>(value))) {}
    template <class Other>
    explicit SmallFloat(SmallFloat<Other> other) : SmallFloat(float(other)) {}
    operator float() const { return decode<Format>(bits); }

    static SmallFloat of_bits(std::uint16_t bits) {
        SmallFloat result;
        result.bits = bits;
        return result;
    }

    friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return float(a) + float(b); }
    friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return float(a) - float(b); }
    friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return float(a) * float(b); }
    friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return float(a) / float(b); }
    friend SmallFloat operator+(SmallFloat a) { return a; }
    friend SmallFloat operator-(SmallFloat a) { return of_bits(a.bits ^ 0x8000); }
    friend SmallFloat &operator+=(SmallFloat &a, SmallFloat b) { return a = a + b; }
    friend SmallFloat &operator-=(SmallFloat &a, SmallFloat b) { return a = a - b; }
    friend SmallFloat &operator*=(SmallFloat &a, SmallFloat b) { return a = a * b; }
    friend SmallFloat &operator/=(SmallFloat &a, SmallFloat b) { return a = a / b; }
    friend SmallFloat &operator++(SmallFloat &a) { return a = a + SmallFloat(1); }
    friend SmallFloat &operator--(SmallFloat &a) { return a = a - SmallFloat(1); }
    friend bool operator==(SmallFloat a, SmallFloat b) { return float(a) == float(b); }
    friend bool operator!=(SmallFloat a, SmallFloat b) { return float(a) != float(b); }
    friend bool operator<(SmallFloat a, SmallFloat b) { return float(a) < float(b); }
    friend bool operator<=(SmallFloat a, SmallFloat b) { return float(a) <= float(b); }
    friend bool operator>(SmallFloat a, SmallFloat b) { return float(a) > float(b); }
    friend bool operator>=(SmallFloat a, SmallFloat b) { return float(a) >= float(b); }
};

template <class Format>
struct alignas(4) SmallFloat2 {
    using Half = SmallFloat<Format>;
    Half x, y;

    SmallFloat2() = default;
    SmallFloat2(Half a, Half b) : x(a), y(b) {}

    friend SmallFloat2 operator+(SmallFloat2 a, SmallFloat2 b) { return {a.x + b.x, a.y + b.y}; }
    friend SmallFloat2 operator-(SmallFloat2 a, SmallFloat2 b) { return {a.x - b.x, a.y - b.y}; }
    friend SmallFloat2 operator*(SmallFloat2 a, SmallFloat2 b) { return {a.x * b.x, a.y * b.y}; }
    friend SmallFloat2 operator/(SmallFloat2 a, SmallFloat2 b) { return {a.x / b.x, a.y / b.y}; }
    friend SmallFloat2 operator-(SmallFloat2 a) { return {-a.x, -a.y}; }
    friend SmallFloat2 &operator+=(SmallFloat2 &a, SmallFloat2 b) { return a = a + b; }
    friend SmallFloat2 &operator-=(SmallFloat2 &a, SmallFloat2 b) { return a = a - b; }
    friend SmallFloat2 &operator*=(SmallFloat2 &a, SmallFloat2 b) { return a = a * b; }
    friend bool operator==(SmallFloat2 a, SmallFloat2 b) { return a.x == b.x && a.y == b.y; }
    friend bool operator!=(SmallFloat2 a, SmallFloat2 b) { return a.x != b.x && a.y != b.y; }
};

}  // namespace simt

template <class F>
simt::SmallFloat<F> __hfma(simt::SmallFloat<F> a, simt::SmallFloat<F> b, simt::SmallFloat<F> c) {
    return simt::sum_to_odd(static_cast<double>(float(a)) * static_cast<double>(float(b)),
                            static_cast<double>(float(c)));
}
template <class F>
simt::SmallFloat2<F> __hfma2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b, simt::SmallFloat2<F> c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define SIMT_BINARY(name, expression)                                                   \
    template <class F>                                                                  \
    simt::SmallFloat<F> __h##name(simt::SmallFloat<F> a, simt::SmallFloat<F> b) {       \
        return expression;                                                              \
    }                                                                                   \
    template <class F>                                                                  \
    simt::SmallFloat2<F> __h##name##2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b) { \
        return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                              \
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

#define SIMT_COMPARISON(name, operation)                                                \
    template <class F>                                                                  \
    bool __h##name(simt::SmallFloat<F> a, simt::SmallFloat<F> b) {                      \
        return float(a) operation float(b);                                             \
    }                                                                                   \
    template <class F>                                                                  \
    simt::SmallFloat2<F> __h##name##2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b) { \
        return {__h##name(a.x, b.x) ? 1 : 0, __h##name(a.y, b.y) ? 1 : 0};              \
    }                                                                                   \
    template <class F>                                                                  \
    bool __hb##name##2(simt::SmallFloat2<F> a, simt::SmallFloat2<F> b) {                \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                              \
    }
SIMT_COMPARISON(eq, ==)
SIMT_COMPARISON(ne, !=)
SIMT_COMPARISON(lt, <)
SIMT_COMPARISON(le, <=)
SIMT_COMPARISON(gt, >)
SIMT_COMPARISON(ge, >=)
#undef SIMT_COMPARISON

template <class F>
bool __hisnan(simt::SmallFloat<F> a) {
    return std::isnan(float(a));
}
template <class F>
int __hisinf(simt::SmallFloat<F> a) {
    return std::isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0;
}

// The name of a function of one number, and of its form for pairs.
#define SIMT_UNARY(name, pairs, expression)                              \
    template <class F>                                                   \
    simt::SmallFloat<F> name(simt::SmallFloat<F> a) {                    \
        [[maybe_unused]] const double x = static_cast<double>(float(a)); \
        return expression;                                               \
    }                                                                    \
    template <class F>                                                   \
    simt::SmallFloat2<F> pairs(simt::SmallFloat2<F> a) {                 \
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
#define SIMT_SMALL_FLOAT_NAMES(T, T2, number, pair)                                                     \
    inline T __float2##number(float x) { return x; }                                                    \
    inline T __float2##number##_rn(float x) { return x; }                                               \
    inline T __double2##number(double x) { return x; }                                                  \
    inline float __##number##2float(T x) { return x; }                                                  \
    inline T __int2##number##_rn(int x) { return x; }                                                   \
    inline T __uint2##number##_rn(unsigned x) { return x; }                                             \
    inline T __short2##number##_rn(short x) { return x; }                                               \
    inline T __ushort2##number##_rn(unsigned short x) { return x; }                                     \
    inline T __ll2##number##_rn(long long x) { return x; }                                              \
    inline T __ull2##number##_rn(unsigned long long x) { return x; }                                    \
    inline int __##number##2int_rn(T x) { return __float2int_rn(x); }                                   \
    inline int __##number##2int_rz(T x) { return __float2int_rz(x); }                                   \
    inline int __##number##2int_rd(T x) { return __float2int_rd(x); }                                   \
    inline int __##number##2int_ru(T x) { return __float2int_ru(x); }                                   \
    inline unsigned __##number##2uint_rn(T x) { return __float2uint_rn(x); }                            \
    inline unsigned __##number##2uint_rz(T x) { return __float2uint_rz(x); }                            \
    inline short __##number##2short_rn(T x) { return simt::saturate<short>(std::nearbyint(float(x))); } \
    inline short __##number##_as_short(T x) { return static_cast<short>(x.bits); }                      \
    inline unsigned short __##number##_as_ushort(T x) { return x.bits; }                                \
    inline T __short_as_##number(short x) { return T::of_bits(static_cast<std::uint16_t>(x)); }         \
    inline T __ushort_as_##number(unsigned short x) { return T::of_bits(x); }                           \
    inline T2 __float2##pair##_rn(float x) { return {x, x}; }                                           \
    inline T2 __floats2##pair##_rn(float x, float y) { return {x, y}; }                                 \
    inline T2 __float22##pair##_rn(float2 v) { return {v.x, v.y}; }                                     \
    inline float2 __##pair##2float2(T2 v) { return {v.x, v.y}; }                                        \
    inline T2 __##number##2##pair(T x) { return {x, x}; }                                               \
    inline T2 __halves2##pair(T x, T y) { return {x, y}; }                                              \
    inline T __low2##number(T2 v) { return v.x; }                                                       \
    inline T __high2##number(T2 v) { return v.y; }                                                      \
    inline T2 __low2##pair(T2 v) { return {v.x, v.x}; }                                                 \
    inline T2 __high2##pair(T2 v) { return {v.y, v.y}; }                                                \
    inline T2 __lows2##pair(T2 a, T2 b) { return {a.x, b.x}; }                                          \
    inline T2 __highs2##pair(T2 a, T2 b) { return {a.y, b.y}; }                                         \
    inline float __low2float(T2 v) { return v.x; }                                                      \
    inline float __high2float(T2 v) { return v.y; }                                                     \
    inline T2 make_##pair(T x, T y) { return {x, y}; }                                                  \
    SIMT_QUIET inline T atomicAdd(T *address, T value) {                                                \
        return simt::exchange(address, [=](T old) { return old + value; });                             \
    }                                                                                                   \
    SIMT_QUIET inline T2 atomicAdd(T2 *address, T2 value) {                                             \
        return simt::exchange(address, [=](T2 old) { return old + value; });                            \
    }

#endif
