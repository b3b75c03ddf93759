// Integer intrinsics, conversions and reinterpretations.
#ifndef SIMT_INTEGERS_H
#define SIMT_INTEGERS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>

#include "simt/mathematics.h"
#include "simt/words.h"

namespace simt {

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;

template <class To, class From>
inline To reinterpret(From value) {
    static_assert(sizeof(To) == sizeof(From), "bits of another size");
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

// Conversion as on the devices: NaN is 0, what does not fit is the nearest that does.
template <class To, class From>
inline To saturate(From rounded) {
    if (std::isnan(rounded)) return 0;
    if (rounded <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (rounded >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return static_cast<To>(rounded);
}

template <class To, class From>
inline To convert_rounded(From value, int mode) {
    const Rounding rounding(mode);
    const volatile From source = value;
    const volatile To result = static_cast<To>(source);
    return result;
}

}  // namespace simt

inline int __float_as_int(float x) { return simt::reinterpret<int>(x); }
inline unsigned __float_as_uint(float x) { return simt::reinterpret<unsigned>(x); }
inline float __int_as_float(int x) { return simt::reinterpret<float>(x); }
inline float __uint_as_float(unsigned x) { return simt::reinterpret<float>(x); }
inline long long __double_as_longlong(double x) { return simt::reinterpret<long long>(x); }
inline double __longlong_as_double(long long x) { return simt::reinterpret<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(simt::reinterpret<std::uint64_t>(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(simt::reinterpret<std::uint64_t>(x)); }
inline double __hiloint2double(int high, int low) {
    return simt::reinterpret<double>(static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 |
                                     static_cast<unsigned>(low));
}

#define SIMT_TO_INTEGER(prefix, from, name, to)                                                  \
    inline to __##prefix##2##name##_rn(from x) { return simt::saturate<to>(std::nearbyint(x)); } \
    inline to __##prefix##2##name##_rz(from x) { return simt::saturate<to>(std::trunc(x)); }     \
    inline to __##prefix##2##name##_ru(from x) { return simt::saturate<to>(std::ceil(x)); }      \
    inline to __##prefix##2##name##_rd(from x) { return simt::saturate<to>(std::floor(x)); }
SIMT_TO_INTEGER(float, float, int, int)
SIMT_TO_INTEGER(float, float, uint, unsigned)
SIMT_TO_INTEGER(float, float, ll, long long)
SIMT_TO_INTEGER(float, float, ull, unsigned long long)
SIMT_TO_INTEGER(double, double, int, int)
SIMT_TO_INTEGER(double, double, uint, unsigned)
SIMT_TO_INTEGER(double, double, ll, long long)
SIMT_TO_INTEGER(double, double, ull, unsigned long long)
#undef SIMT_TO_INTEGER

#define SIMT_FROM(name, from, to)                                                           \
    inline to __##name##_rn(from x) { return simt::convert_rounded<to>(x, FE_TONEAREST); }  \
    inline to __##name##_rz(from x) { return simt::convert_rounded<to>(x, FE_TOWARDZERO); } \
    inline to __##name##_ru(from x) { return simt::convert_rounded<to>(x, FE_UPWARD); }     \
    inline to __##name##_rd(from x) { return simt::convert_rounded<to>(x, FE_DOWNWARD); }
SIMT_FROM(int2float, int, float)
SIMT_FROM(uint2float, unsigned, float)
SIMT_FROM(ll2float, long long, float)
SIMT_FROM(ull2float, unsigned long long, float)
SIMT_FROM(ll2double, long long, double)
SIMT_FROM(ull2double, unsigned long long, double)
SIMT_FROM(double2float, double, float)
#undef SIMT_FROM
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
// The n-th set bit from `base` upward (n > 0), downward (n < 0), or base itself; all ones where there is none.
inline unsigned __fns(unsigned mask, unsigned base, int n) {
    if (n == 0) return (mask >> (base & 31) & 1) != 0 ? base : ~0u;
    const int step = n > 0 ? 1 : -1;
    int left = n > 0 ? n : -n;
    for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
        if ((mask >> bit & 1) != 0 && --left == 0) return static_cast<unsigned>(bit);
    }
    return ~0u;
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned choice = selector >> 4 * i & 0xF;
        auto byte = static_cast<unsigned>(bytes >> 8 * (choice & 7)) & 0xFF;
        if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
        result |= byte << 8 * i;
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

inline int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
    return static_cast<long long>(static_cast<simt::Signed128>(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return static_cast<unsigned long long>(static_cast<simt::Unsigned128>(x) * y >> 64);
}
inline int mulhi(int x, int y) { return __mulhi(x, y); }
inline unsigned mulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
// The product of the low 24 bits, sign-extended.
inline int __mul24(int x, int y) {
    const int a = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8,
              b = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
    return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
}
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xFFFFFFu) * (y & 0xFFFFFFu); }
inline int mul24(int x, int y) { return __mul24(x, y); }
inline unsigned umul24(unsigned x, unsigned y) { return __umul24(x, y); }
inline unsigned __sad(int x, int y, unsigned z) {
    return z + (x > y ? static_cast<unsigned>(x) - static_cast<unsigned>(y)
                      : static_cast<unsigned>(y) - static_cast<unsigned>(x));
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x > y ? x - y : y - x); }
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

inline int __dp4a(int a, int b, int c) {
    auto sum = static_cast<unsigned>(c);
    for (int i = 0; i < 4; ++i) {
        sum += static_cast<unsigned>(static_cast<std::int8_t>(a >> 8 * i) * static_cast<std::int8_t>(b >> 8 * i));
    }
    return static_cast<int>(sum);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 0xFF) * (b >> 8 * i & 0xFF);
    return c;
}
inline int __dp2a_lo(int a, int b, int c) {
    return static_cast<int>(
        static_cast<unsigned>(c) + static_cast<unsigned>(static_cast<std::int16_t>(a) * static_cast<std::int8_t>(b)) +
        static_cast<unsigned>(static_cast<std::int16_t>(a >> 16) * static_cast<std::int8_t>(b >> 8)));
}
inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }

// Caches and hints: a load is a load.
#define SIMT_LOAD(name)               \
    template <class T>                \
    inline T name(const T *address) { \
        return *address;              \
    }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
#undef SIMT_LOAD
#define SIMT_STORE(name)                    \
    template <class T, class V>             \
    inline void name(T *address, V value) { \
        *address = static_cast<T>(value);   \
    }
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)
#undef SIMT_STORE

inline long long clock64() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<long long>(now.tv_sec) * 1000000000 + now.tv_nsec;  // one tick a nanosecond
}
inline unsigned long long __globaltimer() { return static_cast<unsigned long long>(clock64()); }

#endif
