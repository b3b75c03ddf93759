// Operations on the four bytes or the two halves of a word (CUDA Math API, "SIMD Intrinsics").
#ifndef SIMT_WORDS_H
#define SIMT_WORDS_H

#ifndef SIMT_HIP  // which has none of these

#include <cstdint>
#include <limits>

namespace simt {

template <class Part, class Operation>
inline unsigned by_parts(unsigned a, unsigned b, Operation operation) {
    unsigned result = 0;
    constexpr unsigned bits = sizeof(Part) * 8;
    for (unsigned shift = 0; shift < 32; shift += bits) {
        const int value =
            operation(static_cast<int>(static_cast<Part>(a >> shift)), static_cast<int>(static_cast<Part>(b >> shift)));
        result |= (static_cast<unsigned>(value) & ((1u << bits) - 1)) << shift;
    }
    return result;
}

// The nearest number that a part can hold.
template <class Part>
inline int clamped(int value) {
    constexpr int least = std::numeric_limits<Part>::min(), most = std::numeric_limits<Part>::max();
    return value < least ? least : value > most ? most : value;
}

}  // namespace simt

#define SIMT_WORD_OF_ONE(name, part, expression)                           \
    inline unsigned name(unsigned x) {                                     \
        using Part [[maybe_unused]] = part;                                \
        return simt::by_parts<Part>(x, x, [](int a, int) { return expression; }); \
    }
#define SIMT_WORD_OF_TWO(name, part, expression)                                    \
    inline unsigned name(unsigned x, unsigned y) {                                  \
        using Part [[maybe_unused]] = part;                                         \
        return simt::by_parts<Part>(x, y, [](int a, int b) { return expression; }); \
    }
#define SIMT_SIGNED(words, name, expression)             \
    words(__v##name##4, std::int8_t, expression)         \
    words(__v##name##2, std::int16_t, expression)
#define SIMT_UNSIGNED(words, name, expression)           \
    words(__v##name##4, std::uint8_t, expression)        \
    words(__v##name##2, std::uint16_t, expression)
// A comparison, as a mask and as a number.
#define SIMT_COMPARISON(kind, name, expression)                       \
    kind(SIMT_WORD_OF_TWO, cmp##name, (expression) ? -1 : 0)          \
    kind(SIMT_WORD_OF_TWO, set##name, (expression) ? 1 : 0)

SIMT_UNSIGNED(SIMT_WORD_OF_TWO, add, a + b)
SIMT_SIGNED(SIMT_WORD_OF_TWO, addss, simt::clamped<Part>(a + b))
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, addus, simt::clamped<Part>(a + b))
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, sub, a - b)
SIMT_SIGNED(SIMT_WORD_OF_TWO, subss, simt::clamped<Part>(a - b))
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, subus, simt::clamped<Part>(a - b))
SIMT_SIGNED(SIMT_WORD_OF_ONE, neg, -a)
SIMT_SIGNED(SIMT_WORD_OF_ONE, negss, simt::clamped<Part>(-a))
SIMT_SIGNED(SIMT_WORD_OF_ONE, abs, a < 0 ? -a : a)
SIMT_SIGNED(SIMT_WORD_OF_ONE, absss, simt::clamped<Part>(a < 0 ? -a : a))
SIMT_SIGNED(SIMT_WORD_OF_TWO, maxs, a > b ? a : b)
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, maxu, a > b ? a : b)
SIMT_SIGNED(SIMT_WORD_OF_TWO, mins, a < b ? a : b)
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, minu, a < b ? a : b)
SIMT_SIGNED(SIMT_WORD_OF_TWO, absdiffs, a > b ? a - b : b - a)
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, absdiffu, a > b ? a - b : b - a)
// What lies in the middle goes away from zero.
SIMT_SIGNED(SIMT_WORD_OF_TWO, avgs, (a + b < 0 ? a + b : a + b + 1) >> 1)
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, avgu, (a + b + 1) >> 1)
SIMT_UNSIGNED(SIMT_WORD_OF_TWO, haddu, (a + b) >> 1)
SIMT_COMPARISON(SIMT_UNSIGNED, eq, a == b)
SIMT_COMPARISON(SIMT_UNSIGNED, ne, a != b)
SIMT_COMPARISON(SIMT_SIGNED, gts, a > b)
SIMT_COMPARISON(SIMT_UNSIGNED, gtu, a > b)
SIMT_COMPARISON(SIMT_SIGNED, ges, a >= b)
SIMT_COMPARISON(SIMT_UNSIGNED, geu, a >= b)
SIMT_COMPARISON(SIMT_SIGNED, lts, a < b)
SIMT_COMPARISON(SIMT_UNSIGNED, ltu, a < b)
SIMT_COMPARISON(SIMT_SIGNED, les, a <= b)
SIMT_COMPARISON(SIMT_UNSIGNED, leu, a <= b)
#undef SIMT_COMPARISON
#undef SIMT_UNSIGNED
#undef SIMT_SIGNED
#undef SIMT_WORD_OF_TWO
#undef SIMT_WORD_OF_ONE

// Sums of differences of the parts.
#define SIMT_SUM_OF_DIFFERENCES(name, differences, bits)                                            \
    inline unsigned name(unsigned x, unsigned y) {                                                  \
        const unsigned all = differences(x, y);                                                     \
        unsigned sum = 0;                                                                           \
        for (unsigned part = 0; part < 32; part += bits) sum += all >> part & ((1u << bits) - 1);   \
        return sum;                                                                                 \
    }
SIMT_SUM_OF_DIFFERENCES(__vsadu4, __vabsdiffu4, 8)
SIMT_SUM_OF_DIFFERENCES(__vsads4, __vabsdiffs4, 8)
SIMT_SUM_OF_DIFFERENCES(__vsadu2, __vabsdiffu2, 16)
SIMT_SUM_OF_DIFFERENCES(__vsads2, __vabsdiffs2, 16)
#undef SIMT_SUM_OF_DIFFERENCES
#endif

#endif
