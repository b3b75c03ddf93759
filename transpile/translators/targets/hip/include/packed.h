// Operations on the four bytes or the two halves of a word, which HIP lacks.
#ifndef PACKED_H
#define PACKED_H

#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__)

#include <hip/hip_runtime.h>

namespace packed {

template <class Part>
__device__ inline int part(unsigned word, int place) {
    return static_cast<int>(static_cast<Part>(word >> place));
}

}  // namespace packed

#define PACKED_WIDTH(name, type, bits, expression)                                    \
    __device__ inline unsigned name(unsigned x, unsigned y) {                         \
        unsigned result = 0;                                                          \
        for (int place = 0; place < 32; place += bits) {                              \
            const int a = packed::part<type>(x, place), b = packed::part<type>(y, place); \
            result |= (static_cast<unsigned>(expression) & ((1u << bits) - 1)) << place;  \
        }                                                                             \
        return result;                                                                \
    }
#define PACKED_OPERATION(name, sign, expression)             \
    PACKED_WIDTH(__v##name##4, sign char, 8, expression)     \
    PACKED_WIDTH(__v##name##2, sign short, 16, expression)

PACKED_OPERATION(add, unsigned, a + b)
PACKED_OPERATION(sub, unsigned, a - b)
PACKED_OPERATION(maxs, signed, a > b ? a : b)
PACKED_OPERATION(maxu, unsigned, a > b ? a : b)
PACKED_OPERATION(mins, signed, a < b ? a : b)
PACKED_OPERATION(minu, unsigned, a < b ? a : b)
PACKED_OPERATION(absdiffs, signed, a > b ? a - b : b - a)
PACKED_OPERATION(absdiffu, unsigned, a > b ? a - b : b - a)
PACKED_OPERATION(avgu, unsigned, (a + b + 1) >> 1)
PACKED_OPERATION(cmpeq, unsigned, a == b ? -1 : 0)
PACKED_OPERATION(cmpne, unsigned, a != b ? -1 : 0)
PACKED_OPERATION(cmpgts, signed, a > b ? -1 : 0)
PACKED_OPERATION(cmpgtu, unsigned, a > b ? -1 : 0)
PACKED_OPERATION(cmpltu, unsigned, a < b ? -1 : 0)
PACKED_OPERATION(cmplts, signed, a < b ? -1 : 0)
PACKED_OPERATION(cmpges, signed, a >= b ? -1 : 0)
PACKED_OPERATION(cmpgeu, unsigned, a >= b ? -1 : 0)
PACKED_OPERATION(cmples, signed, a <= b ? -1 : 0)
PACKED_OPERATION(cmpleu, unsigned, a <= b ? -1 : 0)
PACKED_OPERATION(haddu, unsigned, (a + b) >> 1)
PACKED_OPERATION(seteq, unsigned, a == b ? 1 : 0)
PACKED_OPERATION(setne, unsigned, a != b ? 1 : 0)
#undef PACKED_OPERATION
#undef PACKED_WIDTH

// Sums of what the parts differ by.
#define PACKED_SUM(name, differences, bits)                                                        \
    __device__ inline unsigned name(unsigned x, unsigned y) {                                      \
        const unsigned all = differences(x, y);                                                    \
        unsigned sum = 0;                                                                          \
        for (int place = 0; place < 32; place += bits) sum += all >> place & ((1u << bits) - 1);   \
        return sum;                                                                                \
    }
PACKED_SUM(__vsadu4, __vabsdiffu4, 8)
PACKED_SUM(__vsads4, __vabsdiffs4, 8)
PACKED_SUM(__vsadu2, __vabsdiffu2, 16)
PACKED_SUM(__vsads2, __vabsdiffs2, 16)
#undef PACKED_SUM

#endif

#endif
