// Mathematical functions that CUDA has beyond C's, and the overloads that device code finds without std::.
#ifndef SIMT_MATHEMATICS_H
#define SIMT_MATHEMATICS_H

#include <cfenv>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------- minimum and maximum

#define SIMT_MINIMUM(type_a, type_b, result)                                                                      \
    constexpr result min(type_a a, type_b b) {                                                                    \
        return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b); \
    }                                                                                                             \
    constexpr result max(type_a a, type_b b) {                                                                    \
        return static_cast<result>(a) > static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b); \
    }
SIMT_MINIMUM(int, int, int)
SIMT_MINIMUM(unsigned, unsigned, unsigned)
SIMT_MINIMUM(int, unsigned, unsigned)
SIMT_MINIMUM(unsigned, int, unsigned)
SIMT_MINIMUM(long, long, long)
SIMT_MINIMUM(unsigned long, unsigned long, unsigned long)
SIMT_MINIMUM(long, unsigned long, unsigned long)
SIMT_MINIMUM(unsigned long, long, unsigned long)
SIMT_MINIMUM(long long, long long, long long)
SIMT_MINIMUM(unsigned long long, unsigned long long, unsigned long long)
SIMT_MINIMUM(long long, unsigned long long, unsigned long long)
SIMT_MINIMUM(unsigned long long, long long, unsigned long long)
#undef SIMT_MINIMUM

// NaN gives the other argument, as on the devices.
#define SIMT_MINIMUM(type_a, type_b, result)                                                                    \
    inline result min(type_a a, type_b b) { return std::fmin(static_cast<result>(a), static_cast<result>(b)); } \
    inline result max(type_a a, type_b b) { return std::fmax(static_cast<result>(a), static_cast<result>(b)); }
SIMT_MINIMUM(float, float, float)
SIMT_MINIMUM(double, double, double)
SIMT_MINIMUM(float, double, double)
SIMT_MINIMUM(double, float, double)
#undef SIMT_MINIMUM

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// ------------------------------------------------------------------------------- functions that C lacks

namespace simt {

inline constexpr double pi = 3.14159265358979323846;

// sin(pi x) with the argument reduced first, so that multiples of 1/2 are exact.
inline double sine_of_pi(double x) {
    const double turns = std::remainder(x, 2.0), magnitude = std::fabs(turns);
    if (magnitude == 0.0 || magnitude == 1.0) return std::copysign(0.0, x);
    return magnitude > 0.5 ? std::copysign(std::sin(pi * (1.0 - magnitude)), turns) : std::sin(pi * turns);
}
inline double cosine_of_pi(double x) {
    const double magnitude = std::fabs(std::remainder(x, 2.0));
    if (magnitude == 0.5) return 0.0;
    return magnitude < 0.25 ? std::cos(pi * magnitude)
                            : (magnitude > 0.75 ? -std::cos(pi * (1.0 - magnitude)) : std::sin(pi * (0.5 - magnitude)));
}

// The inverse of the normal distribution: Acklam's rational approximation, then two steps of Halley.
SIMT_QUIET inline double inverse_normal(double p) {
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -INFINITY : INFINITY;
    const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                        1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                        -1.328068155288572e+01};
    const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                        -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    double x;
    const double tail = p < 0.5 ? p : 1.0 - p;
    if (tail < 0.02425) {
        const double q = std::sqrt(-2.0 * std::log(tail));
        x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
            ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0);
        if (p > 0.5) x = -x;
    } else {
        const double q = p - 0.5, r = q * q;
        x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
            (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0);
    }
    for (int step = 0; step < 2; ++step) {
        const double error = 0.5 * std::erfc(-x / std::sqrt(2.0)) - p;
        const double u = error * std::sqrt(2.0 * pi) * std::exp(x * x / 2.0);
        x -= u / (1.0 + x * u / 2.0);
    }
    return x;
}

// The scaled complementary error function: directly, and by its continued fraction where exp overflows.
inline double scaled_erfc(double x) {
    if (x < 25.0) return std::exp(x * x) * std::erfc(x);
    double fraction = 0.0;
    for (int term = 40; term >= 1; --term) fraction = term / 2.0 / (x + fraction);
    return 1.0 / (std::sqrt(pi) * (x + fraction));
}

// The modified Bessel function of a whole order, by its series; all terms have one sign.
inline double modified_bessel(int order, double x) {
    double term = order == 0 ? 1.0 : x / 2.0, sum = term;
    for (int k = 1; std::fabs(term) > std::fabs(sum) * 1e-17; ++k) {
        term *= x / 2.0 / k * (x / 2.0 / (k + order));
        sum += term;
    }
    return sum;
}

}  // namespace simt

inline double cyl_bessel_i0(double x) { return simt::modified_bessel(0, x); }
inline double cyl_bessel_i1(double x) { return simt::modified_bessel(1, x); }
inline float cyl_bessel_i0f(float x) {
    return static_cast<float>(simt::modified_bessel(0, static_cast<double>(x)));
}
inline float cyl_bessel_i1f(float x) {
    return static_cast<float>(simt::modified_bessel(1, static_cast<double>(x)));
}
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrtf(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
inline float rcbrtf(float x) { return static_cast<float>(1.0 / std::cbrt(static_cast<double>(x))); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline double sinpi(double x) { return simt::sine_of_pi(x); }
inline float sinpif(float x) { return static_cast<float>(simt::sine_of_pi(static_cast<double>(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline double cospi(double x) { return simt::cosine_of_pi(x); }
inline float cospif(float x) { return static_cast<float>(simt::cosine_of_pi(static_cast<double>(x))); }
inline float cospi(float x) { return cospif(x); }
inline void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
inline void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
inline void sincos(float x, float *s, float *c) { *s = std::sin(x), *c = std::cos(x); }
inline double erfcinv(double x) { return -simt::inverse_normal(x / 2.0) / std::sqrt(2.0); }
inline float erfcinvf(float x) { return static_cast<float>(erfcinv(static_cast<double>(x))); }
inline double erfinv(double x) { return simt::inverse_normal((x + 1.0) / 2.0) / std::sqrt(2.0); }
inline float erfinvf(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
inline double erfcx(double x) { return simt::scaled_erfc(x); }
inline float erfcxf(float x) { return static_cast<float>(simt::scaled_erfc(static_cast<double>(x))); }
inline double normcdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
inline float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
inline double normcdfinv(double x) { return simt::inverse_normal(x); }
inline float normcdfinvf(float x) { return static_cast<float>(simt::inverse_normal(static_cast<double>(x))); }
inline double rhypot(double x, double y) { return 1.0 / std::hypot(x, y); }
inline float rhypotf(float x, float y) { return 1.0f / std::hypot(x, y); }
inline double norm(int count, const double *x) {
    double length = 0.0;
    for (int i = 0; i < count; ++i) length = std::hypot(length, x[i]);
    return length;
}
inline float normf(int count, const float *x) {
    double length = 0.0;
    for (int i = 0; i < count; ++i) length = std::hypot(length, static_cast<double>(x[i]));
    return static_cast<float>(length);
}
inline double norm3d(double x, double y, double z) { return std::hypot(std::hypot(x, y), z); }
inline float norm3df(float x, float y, float z) { return static_cast<float>(norm3d(x, y, z)); }
inline double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline float rnorm3df(float x, float y, float z) { return static_cast<float>(rnorm3d(x, y, z)); }
inline double norm4d(double x, double y, double z, double w) { return std::hypot(norm3d(x, y, z), w); }
inline float norm4df(float x, float y, float z, float w) { return static_cast<float>(norm4d(x, y, z, w)); }
inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
inline float rnorm4df(float x, float y, float z, float w) { return static_cast<float>(rnorm4d(x, y, z, w)); }
inline float fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
#ifndef __USE_GNU
inline double exp10(double x) { return std::pow(10.0, x); }
inline float exp10f(float x) { return std::pow(10.0f, x); }
#endif
inline float exp10(float x) { return exp10f(x); }

// Of an integer they are those of a double.
#define SIMT_OF_INTEGER(name)                                            \
    template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> \
    double name(T x) {                                                   \
        return name(static_cast<double>(x));                             \
    }
SIMT_OF_INTEGER(rsqrt)
SIMT_OF_INTEGER(rcbrt)
SIMT_OF_INTEGER(sinpi)
SIMT_OF_INTEGER(cospi)
#undef SIMT_OF_INTEGER

// -------------------------------------------------------------------------------- fast-math intrinsics

inline float __saturatef(float x) { return std::isnan(x) || x <= 0.0f ? 0.0f : (x >= 1.0f ? 1.0f : x); }
inline float __expf(float x) { return std::exp(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return std::log(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __log10f(float x) { return std::log10(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __tanf(float x) { return std::tan(x); }
inline float __tanhf(float x) { return std::tanh(x); }
inline void __sincosf(float x, float *s, float *c) { *s = std::sin(x), *c = std::cos(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }

// ------------------------------------------------------------------------ arithmetic by rounding mode

namespace simt {

// Holds a rounding mode for the time of one operation on volatile operands.
struct Rounding {
    int before = std::fegetround();
    explicit Rounding(int mode) { std::fesetround(mode); }
    ~Rounding() { std::fesetround(before); }
    Rounding(const Rounding &) = delete;
    Rounding &operator=(const Rounding &) = delete;
};

}  // namespace simt

#define SIMT_ROUNDED(suffix, mode)                                                       \
    inline float __fadd_##suffix(float a, float b) {                                     \
        const simt::Rounding rounding(mode);                                             \
        const volatile float x = a, y = b;                                               \
        const volatile float z = x + y;                                                  \
        return z;                                                                        \
    }                                                                                    \
    inline float __fsub_##suffix(float a, float b) { return __fadd_##suffix(a, -b); }    \
    inline float __fmul_##suffix(float a, float b) {                                     \
        const simt::Rounding rounding(mode);                                             \
        const volatile float x = a, y = b;                                               \
        const volatile float z = x * y;                                                  \
        return z;                                                                        \
    }                                                                                    \
    inline float __fdiv_##suffix(float a, float b) {                                     \
        const simt::Rounding rounding(mode);                                             \
        const volatile float x = a, y = b;                                               \
        const volatile float z = x / y;                                                  \
        return z;                                                                        \
    }                                                                                    \
    inline float __frcp_##suffix(float a) { return __fdiv_##suffix(1.0f, a); }           \
    inline float __fsqrt_##suffix(float a) {                                             \
        const simt::Rounding rounding(mode);                                             \
        const volatile float x = a;                                                      \
        const volatile float z = std::sqrt(x);                                           \
        return z;                                                                        \
    }                                                                                    \
    inline float __fmaf_##suffix(float a, float b, float c) {                            \
        const simt::Rounding rounding(mode);                                             \
        const volatile float x = a, y = b, w = c;                                        \
        const volatile float z = std::fma(x, y, w);                                      \
        return z;                                                                        \
    }                                                                                    \
    inline double __dadd_##suffix(double a, double b) {                                  \
        const simt::Rounding rounding(mode);                                             \
        const volatile double x = a, y = b;                                              \
        const volatile double z = x + y;                                                 \
        return z;                                                                        \
    }                                                                                    \
    inline double __dsub_##suffix(double a, double b) { return __dadd_##suffix(a, -b); } \
    inline double __dmul_##suffix(double a, double b) {                                  \
        const simt::Rounding rounding(mode);                                             \
        const volatile double x = a, y = b;                                              \
        const volatile double z = x * y;                                                 \
        return z;                                                                        \
    }                                                                                    \
    inline double __ddiv_##suffix(double a, double b) {                                  \
        const simt::Rounding rounding(mode);                                             \
        const volatile double x = a, y = b;                                              \
        const volatile double z = x / y;                                                 \
        return z;                                                                        \
    }                                                                                    \
    inline double __drcp_##suffix(double a) { return __ddiv_##suffix(1.0, a); }          \
    inline double __dsqrt_##suffix(double a) {                                           \
        const simt::Rounding rounding(mode);                                             \
        const volatile double x = a;                                                     \
        const volatile double z = std::sqrt(x);                                          \
        return z;                                                                        \
    }                                                                                    \
    inline double __fma_##suffix(double a, double b, double c) {                         \
        const simt::Rounding rounding(mode);                                             \
        const volatile double x = a, y = b, w = c;                                       \
        const volatile double z = std::fma(x, y, w);                                     \
        return z;                                                                        \
    }
SIMT_ROUNDED(rn, FE_TONEAREST)
SIMT_ROUNDED(rz, FE_TOWARDZERO)
SIMT_ROUNDED(ru, FE_UPWARD)
SIMT_ROUNDED(rd, FE_DOWNWARD)
#undef SIMT_ROUNDED

#endif
