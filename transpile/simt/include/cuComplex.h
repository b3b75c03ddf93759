// Complex numbers as CUDA has them: vectors of two, with functions.
#ifndef SIMT_CU_COMPLEX_H
#define SIMT_CU_COMPLEX_H

#include <cmath>

#include "simt/simt.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

// Division scales its operands first, so that nothing overflows on the way.
#define SIMT_COMPLEX(type, scalar, suffix)                                                                   \
    inline type make_##type(scalar real, scalar imaginary) { return {real, imaginary}; }                     \
    inline scalar cuCreal##suffix(type a) { return a.x; }                                                    \
    inline scalar cuCimag##suffix(type a) { return a.y; }                                                    \
    inline type cuConj##suffix(type a) { return {a.x, -a.y}; }                                               \
    inline type cuCadd##suffix(type a, type b) { return {a.x + b.x, a.y + b.y}; }                            \
    inline type cuCsub##suffix(type a, type b) { return {a.x - b.x, a.y - b.y}; }                            \
    inline type cuCmul##suffix(type a, type b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }    \
    inline type cuCfma##suffix(type a, type b, type c) {                                                     \
        return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                                   \
    }                                                                                                        \
    inline scalar cuCabs##suffix(type a) { return std::hypot(a.x, a.y); }                                    \
    inline type cuCdiv##suffix(type a, type b) {                                                             \
        const scalar scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                          \
        const type p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};                           \
        const scalar inverse = 1 / (q.x * q.x + q.y * q.y);                                                  \
        return {(p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse};                       \
    }

SIMT_COMPLEX(cuFloatComplex, float, f)
SIMT_COMPLEX(cuDoubleComplex, double, )
#undef SIMT_COMPLEX

inline cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

#endif
