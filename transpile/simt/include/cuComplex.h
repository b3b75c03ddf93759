// Complex numbers as CUDA has them: vectors of two, with functions.
#ifndef SIMT_CU_COMPLEX_H
#define SIMT_CU_COMPLEX_H

#include <cmath>

#include "simt/simt.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

// Division scales its operands first, so that nothing overflows on the way. All is inlined, since g++ reports no
// access where an argument is read from memory by the call alone.
#define SIMT_COMPLEX(type, scalar, suffix)                                                                     \
    SIMT_INLINE type make_##type(scalar real, scalar imaginary) { return {real, imaginary}; }                  \
    SIMT_INLINE scalar cuCreal##suffix(type a) { return a.x; }                                                 \
    SIMT_INLINE scalar cuCimag##suffix(type a) { return a.y; }                                                 \
    SIMT_INLINE type cuConj##suffix(type a) { return {a.x, -a.y}; }                                            \
    SIMT_INLINE type cuCadd##suffix(type a, type b) { return {a.x + b.x, a.y + b.y}; }                         \
    SIMT_INLINE type cuCsub##suffix(type a, type b) { return {a.x - b.x, a.y - b.y}; }                         \
    SIMT_INLINE type cuCmul##suffix(type a, type b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
    SIMT_INLINE type cuCfma##suffix(type a, type b, type c) {                                                  \
        return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                                     \
    }                                                                                                          \
    SIMT_INLINE scalar cuCabs##suffix(type a) { return std::hypot(a.x, a.y); }                                 \
    SIMT_INLINE type cuCdiv##suffix(type a, type b) {                                                          \
        const scalar scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                            \
        const type p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};                             \
        const scalar inverse = 1 / (q.x * q.x + q.y * q.y);                                                    \
        return {(p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse};                         \
    }

SIMT_COMPLEX(cuFloatComplex, float, f)
SIMT_COMPLEX(cuDoubleComplex, double, )
#undef SIMT_COMPLEX

SIMT_INLINE cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
SIMT_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
SIMT_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

#endif
