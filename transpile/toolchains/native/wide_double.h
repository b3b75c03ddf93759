// The types of wide.h, and what the emulator lacks for long double. C has no overloads: its functions of doubles
// stay what they are, which costs the reference one rounding a call.
#pragma once

#ifdef __cplusplus
#include <cmath>
#include <type_traits>
#endif

typedef double transpile_double;
typedef long double transpile_extended;

#ifdef TRANSPILE_EMULATED
using transpile_double1 = double1;
using transpile_double2 = double2;
using transpile_double3 = double3;
using transpile_double4 = double4;
constexpr double1 transpile_make_double1(double x) { return {x}; }
constexpr double2 transpile_make_double2(double x, double y) { return {x, y}; }
constexpr double3 transpile_make_double3(double x, double y, double z) { return {x, y, z}; }
constexpr double4 transpile_make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }
#define float1 transpile_double1
#define float2 transpile_double2
#define float3 transpile_double3
#define float4 transpile_double4
#define make_float1 transpile_make_double1
#define make_float2 transpile_make_double2
#define make_float3 transpile_make_double3
#define make_float4 transpile_make_double4
#endif

#ifdef TRANSPILE_WIDER_DOUBLES

#ifdef TRANSPILE_EMULATED
struct transpile_extended1 { long double x; };
struct transpile_extended2 { long double x, y; };
struct transpile_extended3 { long double x, y, z; };
struct transpile_extended4 { long double x, y, z, w; };
constexpr transpile_extended1 transpile_make_extended1(long double x) { return {x}; }
constexpr transpile_extended2 transpile_make_extended2(long double x, long double y) { return {x, y}; }
constexpr transpile_extended3 transpile_make_extended3(long double x, long double y, long double z) {
    return {x, y, z};
}
constexpr transpile_extended4 transpile_make_extended4(long double x, long double y, long double z, long double w) {
    return {x, y, z, w};
}
#define double1 transpile_extended1
#define double2 transpile_extended2
#define double3 transpile_extended3
#define double4 transpile_extended4
#define make_double1 transpile_make_extended1
#define make_double2 transpile_make_extended2
#define make_double3 transpile_make_extended3
#define make_double4 transpile_make_extended4

template <class A, class B>
using TranspileExtended =
    std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> &&
                         (std::is_same_v<A, long double> || std::is_same_v<B, long double>),
                     long double>;
template <class A, class B>
inline TranspileExtended<A, B> min(A a, B b) {
    return std::fmin(static_cast<long double>(a), static_cast<long double>(b));
}
template <class A, class B>
inline TranspileExtended<A, B> max(A a, B b) {
    return std::fmax(static_cast<long double>(a), static_cast<long double>(b));
}

// Functions that exist for float and double, so that a third type would be ambiguous.
inline long double rsqrt(long double x) { return 1 / std::sqrt(x); }
inline long double rcbrt(long double x) { return 1 / std::cbrt(x); }
inline long double exp10(long double x) { return std::pow(10.0L, x); }
inline long double sinpi(long double x) { return std::sin(3.14159265358979323846264338327950288L * x); }
inline long double cospi(long double x) { return std::cos(3.14159265358979323846264338327950288L * x); }
inline void sincos(long double x, long double *s, long double *c) { *s = std::sin(x), *c = std::cos(x); }
inline void sincospi(long double x, long double *s, long double *c) { *s = sinpi(x), *c = cospi(x); }
#endif

#define double transpile_extended

#define __dadd_rn(a, b) ((a) + (b))
#define __dsub_rn(a, b) ((a) - (b))
#define __dmul_rn(a, b) ((a) * (b))
#define __ddiv_rn(a, b) ((a) / (b))
#define __fma_rn fma
#define __drcp_rn(a) (1 / (a))
#define __dsqrt_rn sqrt

#endif
