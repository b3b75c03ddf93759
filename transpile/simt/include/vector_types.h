// CUDA's vector types, with its alignments, and dim3.
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H

#include "simt/traits.h"

#define SIMT_VECTORS(name, scalar, align2, align4)                                 \
    struct name##1 {                                                               \
        scalar x;                                                                  \
        SIMT_ASSIGNMENT(name##1, x = from.x)                                       \
    };                                                                             \
    struct alignas(align2) name##2 {                                               \
        scalar x, y;                                                               \
        SIMT_ASSIGNMENT(name##2, (x = from.x, y = from.y))                         \
    };                                                                             \
    struct name##3 {                                                               \
        scalar x, y, z;                                                            \
        SIMT_ASSIGNMENT(name##3, (x = from.x, y = from.y, z = from.z))             \
    };                                                                             \
    struct alignas(align4) name##4 {                                               \
        scalar x, y, z, w;                                                         \
        SIMT_ASSIGNMENT(name##4, (x = from.x, y = from.y, z = from.z, w = from.w)) \
    };

SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(uint, unsigned int, 8, 16)
SIMT_VECTORS(long, long, 16, 16)
SIMT_VECTORS(ulong, unsigned long, 16, 16)
SIMT_VECTORS(longlong, long long, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)
#undef SIMT_VECTORS

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
