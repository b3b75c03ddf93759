// make_float4 and its family.
#ifndef SIMT_VECTOR_FUNCTIONS_H
#define SIMT_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define SIMT_MAKERS(name, scalar)                                                                \
    constexpr name##1 make_##name##1(scalar x) { return name##1 {x}; }                           \
    constexpr name##2 make_##name##2(scalar x, scalar y) { return name##2 {x, y}; }              \
    constexpr name##3 make_##name##3(scalar x, scalar y, scalar z) { return name##3 {x, y, z}; } \
    constexpr name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return name##4 {x, y, z, w}; }

SIMT_MAKERS(char, signed char)
SIMT_MAKERS(uchar, unsigned char)
SIMT_MAKERS(short, short)
SIMT_MAKERS(ushort, unsigned short)
SIMT_MAKERS(int, int)
SIMT_MAKERS(uint, unsigned int)
SIMT_MAKERS(long, long)
SIMT_MAKERS(ulong, unsigned long)
SIMT_MAKERS(longlong, long long)
SIMT_MAKERS(ulonglong, unsigned long long)
SIMT_MAKERS(float, float)
SIMT_MAKERS(double, double)
#undef SIMT_MAKERS

#endif
