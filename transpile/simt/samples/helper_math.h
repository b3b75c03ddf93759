// Arithmetic of vector types by the interface that CUDA's samples have, for programs whose own copy is not there.
#ifndef SIMT_HELPER_MATH_H
#define SIMT_HELPER_MATH_H

#include "simt/simt.h"

#include <math.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define SIMT_HELPER inline __host__ __device__

// A vector of what an expression gives for each element, with `e` for the element's name.
#define SIMT_VECTOR_2(V, of) make_##V(of(x), of(y))
#define SIMT_VECTOR_3(V, of) make_##V(of(x), of(y), of(z))
#define SIMT_VECTOR_4(V, of) make_##V(of(x), of(y), of(z), of(w))

#define SIMT_SUM(e) a.e + b.e
#define SIMT_SUM_BY(e) a.e + s
#define SIMT_DIFFERENCE(e) a.e - b.e
#define SIMT_DIFFERENCE_BY(e) a.e - s
#define SIMT_DIFFERENCE_FROM(e) s - a.e
#define SIMT_PRODUCT(e) a.e *b.e
#define SIMT_PRODUCT_BY(e) a.e *s
#define SIMT_NEGATIVE(e) -a.e
#define SIMT_LEAST(e) (a.e < b.e ? a.e : b.e)
#define SIMT_MOST(e) (a.e > b.e ? a.e : b.e)
#define SIMT_QUOTIENT(e) a.e / b.e
#define SIMT_QUOTIENT_BY(e) a.e / s
#define SIMT_QUOTIENT_FROM(e) s / a.e
#define SIMT_FLOOR(e) floorf(a.e)
#define SIMT_ABSOLUTE(e) fabsf(a.e)
#define SIMT_FRACTION(e) (a.e - floorf(a.e))
#define SIMT_REMAINDER(e) fmodf(a.e, b.e)
#define SIMT_SAME(e) s

#define SIMT_ARITHMETIC(V, S, MADE)                                         \
    SIMT_HELPER V operator+(V a, V b) { return MADE(V, SIMT_SUM); }         \
    SIMT_HELPER V operator+(V a, S s) { return MADE(V, SIMT_SUM_BY); }      \
    SIMT_HELPER V operator+(S s, V a) { return MADE(V, SIMT_SUM_BY); }      \
    SIMT_HELPER V operator-(V a, V b) { return MADE(V, SIMT_DIFFERENCE); }  \
    SIMT_HELPER V operator-(V a, S s) { return MADE(V, SIMT_DIFFERENCE_BY); } \
    SIMT_HELPER V operator-(S s, V a) { return MADE(V, SIMT_DIFFERENCE_FROM); } \
    SIMT_HELPER V operator*(V a, V b) { return MADE(V, SIMT_PRODUCT); }     \
    SIMT_HELPER V operator*(V a, S s) { return MADE(V, SIMT_PRODUCT_BY); }  \
    SIMT_HELPER V operator*(S s, V a) { return MADE(V, SIMT_PRODUCT_BY); }  \
    SIMT_HELPER void operator+=(V &a, V b) { a = a + b; }                   \
    SIMT_HELPER void operator+=(V &a, S s) { a = a + s; }                   \
    SIMT_HELPER void operator-=(V &a, V b) { a = a - b; }                   \
    SIMT_HELPER void operator-=(V &a, S s) { a = a - s; }                   \
    SIMT_HELPER void operator*=(V &a, V b) { a = a * b; }                   \
    SIMT_HELPER void operator*=(V &a, S s) { a = a * s; }                   \
    SIMT_HELPER V make_##V(S s) { return MADE(V, SIMT_SAME); }              \
    SIMT_HELPER V clamp(V a, V low, V high);                                \
    SIMT_HELPER V clamp(V a, S low, S high) { return clamp(a, make_##V(low), make_##V(high)); }

#define SIMT_LEAST_AND_MOST(V, MADE, least, most)               \
    SIMT_HELPER V least(V a, V b) { return MADE(V, SIMT_LEAST); } \
    SIMT_HELPER V most(V a, V b) { return MADE(V, SIMT_MOST); }   \
    SIMT_HELPER V clamp(V a, V low, V high) { return most(low, least(a, high)); }

#define SIMT_WHOLE(V, S, MADE)  \
    SIMT_ARITHMETIC(V, S, MADE) \
    SIMT_LEAST_AND_MOST(V, MADE, min, max)

#define SIMT_FLOATING(V, MADE)                                                                \
    SIMT_ARITHMETIC(V, float, MADE)                                                           \
    SIMT_HELPER V operator/(V a, V b) { return MADE(V, SIMT_QUOTIENT); }                      \
    SIMT_HELPER V operator/(V a, float s) { return MADE(V, SIMT_QUOTIENT_BY); }               \
    SIMT_HELPER V operator/(float s, V a) { return MADE(V, SIMT_QUOTIENT_FROM); }             \
    SIMT_HELPER void operator/=(V &a, V b) { a = a / b; }                                     \
    SIMT_HELPER void operator/=(V &a, float s) { a = a / s; }                                 \
    SIMT_LEAST_AND_MOST(V, MADE, fminf, fmaxf)                                                \
    SIMT_HELPER V floorf(V a) { return MADE(V, SIMT_FLOOR); }                                 \
    SIMT_HELPER V fabs(V a) { return MADE(V, SIMT_ABSOLUTE); }                                \
    SIMT_HELPER V fracf(V a) { return MADE(V, SIMT_FRACTION); }                               \
    SIMT_HELPER V fmodf(V a, V b) { return MADE(V, SIMT_REMAINDER); }                         \
    SIMT_HELPER float length(V a) { return sqrtf(dot(a, a)); }                                \
    SIMT_HELPER V normalize(V a) { return a * rsqrtf(dot(a, a)); }                            \
    SIMT_HELPER V lerp(V a, V b, float t) { return a + t * (b - a); }                         \
    SIMT_HELPER V reflect(V a, V normal) { return a - 2.0f * normal * dot(normal, a); }       \
    SIMT_HELPER V smoothstep(V a, V b, V at) {                                                \
        const V t = clamp((at - a) / (b - a), 0.0f, 1.0f);                                    \
        return t * t * (make_##V(3.0f) - make_##V(2.0f) * t);                                 \
    }

#define SIMT_SIGNED(V, MADE) \
    SIMT_HELPER V operator-(V a) { return MADE(V, SIMT_NEGATIVE); }

#define SIMT_DOT(V, S)                                                                              \
    SIMT_HELPER S dot(V##2 a, V##2 b) { return a.x * b.x + a.y * b.y; }                             \
    SIMT_HELPER S dot(V##3 a, V##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                 \
    SIMT_HELPER S dot(V##4 a, V##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

SIMT_HELPER float lerp(float a, float b, float t) { return a + t * (b - a); }
SIMT_HELPER float fracf(float value) { return value - floorf(value); }
SIMT_HELPER float clamp(float value, float low, float high) { return fmaxf(low, fminf(value, high)); }
SIMT_HELPER int clamp(int value, int low, int high) { return max(low, min(value, high)); }
SIMT_HELPER uint clamp(uint value, uint low, uint high) { return max(low, min(value, high)); }
SIMT_HELPER float smoothstep(float a, float b, float at) {
    const float t = clamp((at - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

SIMT_DOT(float, float)
SIMT_DOT(int, int)
SIMT_DOT(uint, uint)
SIMT_FLOATING(float2, SIMT_VECTOR_2)
SIMT_FLOATING(float3, SIMT_VECTOR_3)
SIMT_FLOATING(float4, SIMT_VECTOR_4)
SIMT_WHOLE(int2, int, SIMT_VECTOR_2)
SIMT_WHOLE(int3, int, SIMT_VECTOR_3)
SIMT_WHOLE(int4, int, SIMT_VECTOR_4)
SIMT_WHOLE(uint2, uint, SIMT_VECTOR_2)
SIMT_WHOLE(uint3, uint, SIMT_VECTOR_3)
SIMT_WHOLE(uint4, uint, SIMT_VECTOR_4)
SIMT_SIGNED(float2, SIMT_VECTOR_2)
SIMT_SIGNED(float3, SIMT_VECTOR_3)
SIMT_SIGNED(float4, SIMT_VECTOR_4)
SIMT_SIGNED(int2, SIMT_VECTOR_2)
SIMT_SIGNED(int3, SIMT_VECTOR_3)
SIMT_SIGNED(int4, SIMT_VECTOR_4)

SIMT_HELPER float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// Vectors of others: fewer elements, more of them, or of another type.
#define SIMT_CONVERSIONS(V, S, other)                                                                                 \
    SIMT_HELPER V##2 make_##V##2(V##3 a) { return make_##V##2(a.x, a.y); }                                            \
    SIMT_HELPER V##2 make_##V##2(other##2 a) { return make_##V##2(S(a.x), S(a.y)); }                                  \
    SIMT_HELPER V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, S(0)); }                                      \
    SIMT_HELPER V##3 make_##V##3(V##2 a, S z) { return make_##V##3(a.x, a.y, z); }                                    \
    SIMT_HELPER V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); }                                       \
    SIMT_HELPER V##3 make_##V##3(other##3 a) { return make_##V##3(S(a.x), S(a.y), S(a.z)); }                          \
    SIMT_HELPER V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, S(0)); }                                 \
    SIMT_HELPER V##4 make_##V##4(V##3 a, S w) { return make_##V##4(a.x, a.y, a.z, w); }                               \
    SIMT_HELPER V##4 make_##V##4(other##4 a) { return make_##V##4(S(a.x), S(a.y), S(a.z), S(a.w)); }

SIMT_CONVERSIONS(float, float, int)
SIMT_CONVERSIONS(int, int, uint)
SIMT_CONVERSIONS(uint, uint, int)
SIMT_HELPER int2 make_int2(float2 a) { return make_int2(int(a.x), int(a.y)); }
SIMT_HELPER int3 make_int3(float3 a) { return make_int3(int(a.x), int(a.y), int(a.z)); }
SIMT_HELPER int4 make_int4(float4 a) { return make_int4(int(a.x), int(a.y), int(a.z), int(a.w)); }
SIMT_HELPER float2 make_float2(uint2 a) { return make_float2(float(a.x), float(a.y)); }
SIMT_HELPER float3 make_float3(uint3 a) { return make_float3(float(a.x), float(a.y), float(a.z)); }
SIMT_HELPER float4 make_float4(uint4 a) { return make_float4(float(a.x), float(a.y), float(a.z), float(a.w)); }

#undef SIMT_HELPER
#undef SIMT_VECTOR_2
#undef SIMT_VECTOR_3
#undef SIMT_VECTOR_4
#undef SIMT_SUM
#undef SIMT_SUM_BY
#undef SIMT_DIFFERENCE
#undef SIMT_DIFFERENCE_BY
#undef SIMT_DIFFERENCE_FROM
#undef SIMT_PRODUCT
#undef SIMT_PRODUCT_BY
#undef SIMT_NEGATIVE
#undef SIMT_LEAST
#undef SIMT_MOST
#undef SIMT_QUOTIENT
#undef SIMT_QUOTIENT_BY
#undef SIMT_QUOTIENT_FROM
#undef SIMT_FLOOR
#undef SIMT_ABSOLUTE
#undef SIMT_FRACTION
#undef SIMT_REMAINDER
#undef SIMT_SAME
#undef SIMT_ARITHMETIC
#undef SIMT_LEAST_AND_MOST
#undef SIMT_WHOLE
#undef SIMT_FLOATING
#undef SIMT_SIGNED
#undef SIMT_DOT
#undef SIMT_CONVERSIONS

#endif
