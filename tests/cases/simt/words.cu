// run: => exit 0
// Operations on parts of a word, each against the same by parts, and the values at which they differ.
#include "expect.h"

__device__ int part(unsigned word, int bits, int index, bool is_signed) {
    const unsigned value = word >> index * bits & ((1u << bits) - 1);
    return is_signed && (value >> (bits - 1)) != 0 ? static_cast<int>(value) - (1 << bits) : static_cast<int>(value);
}

__device__ int within(int value, int bits, bool is_signed) {
    const int least = is_signed ? -(1 << (bits - 1)) : 0, most = is_signed ? -least - 1 : (1 << bits) - 1;
    return value < least ? least : value > most ? most : value;
}

#define AGREES(call, width, is_signed, expression)                                  \
    {                                                                               \
        unsigned wanted = 0;                                                        \
        for (int k = 0; k < 32 / (width); ++k) {                                    \
            const int a = part(x, width, k, is_signed), b = part(y, width, k, is_signed); \
            wanted |= (static_cast<unsigned>(expression) & ((1u << (width)) - 1)) << k * (width); \
            (void)a, (void)b;                                                       \
        }                                                                           \
        if ((call) != wanted) return __LINE__;                                      \
    }
#define BOTH(name, is_signed, expression)                    \
    AGREES(__v##name##4(x, y), 8, is_signed, expression)     \
    AGREES(__v##name##2(x, y), 16, is_signed, expression)
#define CLAMPED(name, is_signed, expression)                                     \
    AGREES(__v##name##4(x, y), 8, is_signed, within(expression, 8, is_signed))   \
    AGREES(__v##name##2(x, y), 16, is_signed, within(expression, 16, is_signed))

__device__ int line_that_differs(unsigned x, unsigned y) {
    BOTH(add, false, a + b)
    BOTH(sub, false, a - b)
    CLAMPED(addss, true, a + b)
    CLAMPED(addus, false, a + b)
    CLAMPED(subss, true, a - b)
    CLAMPED(subus, false, a - b)
    BOTH(maxs, true, a > b ? a : b)
    BOTH(maxu, false, a > b ? a : b)
    BOTH(mins, true, a < b ? a : b)
    BOTH(minu, false, a < b ? a : b)
    BOTH(absdiffs, true, a > b ? a - b : b - a)
    BOTH(absdiffu, false, a > b ? a - b : b - a)
    BOTH(avgu, false, (a + b + 1) / 2)
    BOTH(haddu, false, (a + b) / 2)
    BOTH(cmpeq, false, a == b ? -1 : 0)
    BOTH(cmpne, false, a != b ? -1 : 0)
    BOTH(cmpgts, true, a > b ? -1 : 0)
    BOTH(cmpgeu, false, a >= b ? -1 : 0)
    BOTH(setges, true, a >= b)
    BOTH(setgtu, false, a > b)
    BOTH(setlts, true, a < b)
    BOTH(setleu, false, a <= b)
    BOTH(seteq, false, a == b)
    AGREES(__vneg4(x), 8, true, -a)
    AGREES(__vnegss2(x), 16, true, within(-a, 16, true))
    AGREES(__vabs2(x), 16, true, a < 0 ? -a : a)
    AGREES(__vabsss4(x), 8, true, within(a < 0 ? -a : a, 8, true))
    return 0;
}

__global__ void words(int *out) {
    unsigned x = 0x80000000u + threadIdx.x, y = 12345u;
    int line = 0;
    for (int turn = 0; turn < 200 && line == 0; ++turn) {
        line = line_that_differs(x, y);
        x = x * 1664525u + 1013904223u;
        y ^= x << 7 ^ x >> 9;
    }
    out[threadIdx.x] = line;
}

__global__ void edges(int *out) {
    int i = 0;
    out[i++] = __vabs4(0x80FF7F00u) == 0x80017F00u && __vabsss4(0x80FF7F00u) == 0x7F017F00u;
    out[i++] = __vneg2(0x80000001u) == 0x8000FFFFu && __vnegss2(0x80000001u) == 0x7FFFFFFFu;
    // What lies in the middle goes away from zero: of -3 and -2, of -1 and 0, of 0 and 1, of 2 and 3.
    out[i++] = __vavgs4(0xFDFF0002u, 0xFE000103u) == 0xFDFF0103u;
    out[i++] = __vavgs2(0xFFFF0000u, 0x00000001u) == 0xFFFF0001u;
    out[i++] = __vaddss4(0x7F807F80u, 0x01FF8080u) == 0x7F80FF80u && __vaddus4(0xFF010000u, 0x01FF0001u) == 0xFFFF0001u;
    out[i++] = __vsubss2(0x80000000u, 0x00018000u) == 0x80007FFFu && __vsubus2(0x00010002u, 0x00020001u) == 0x00000001u;
}

int main() {
    Buffer<int> lines(64), held(6);
    words<<<1, 64>>>(lines.device);
    for (int i = 0; i < 64; ++i) EXPECT_EQUAL(i, lines[i], 0);
    edges<<<1, 1>>>(held.device);
    for (int i = 0; i < 6; ++i) EXPECT_EQUAL(i, held[i], 1);
    return failed_expectations != 0;
}
