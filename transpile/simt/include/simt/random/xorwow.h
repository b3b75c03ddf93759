// xorwow: xorshift of five words and a Weyl sequence (Marsaglia, "Xorshift RNGs", 2003).
#ifndef SIMT_RANDOM_XORWOW_H
#define SIMT_RANDOM_XORWOW_H

#include <cstdint>

#include "simt/qualifiers.h"
#include "simt/random/seeding.h"

namespace simt::random {

struct Xorwow {
    std::uint32_t d, v[5];

    SIMT_QUIET void seed(std::uint64_t seed);
    SIMT_QUIET void skip(std::uint64_t draws);
    SIMT_QUIET void skip_sequences(std::uint64_t sequences);

    SIMT_QUIET void step() {
        const std::uint32_t first = v[0] ^ (v[0] >> 2), last = v[4];
        for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
        v[4] = last ^ (last << 4) ^ first ^ (first << 1);
    }
    SIMT_QUIET std::uint32_t draw() {
        step();
        d += weyl;
        return v[4] + d;
    }

    static constexpr std::uint32_t weyl = 362437;
    static constexpr int bits = 160;
    static constexpr int sequence_bits = 67;  // a sequence has 2^67 draws
};

// A number of steps, which are linear in the bits of the words: the image of every value of every four bits.
struct XorwowLeap {
    std::uint32_t image[Xorwow::bits / 4][16][5];

    SIMT_QUIET void apply(std::uint32_t (&v)[5]) const {
        std::uint32_t sum[5] = {};
        for (int digit = 0; digit < Xorwow::bits / 4; ++digit) {
            const std::uint32_t(&taken)[5] = image[digit][v[digit / 8] >> 4 * (digit % 8) & 15];
            for (int i = 0; i < 5; ++i) sum[i] ^= taken[i];
        }
        for (int i = 0; i < 5; ++i) v[i] = sum[i];
    }
    SIMT_QUIET const std::uint32_t (&of_bit(int bit) const)[5] { return image[bit / 4][1 << bit % 4]; }
    // Bits are told in order: the values below one bit have their images when it is told.
    SIMT_QUIET void tell_bit(int bit, const std::uint32_t (&v)[5]) {
        for (int below = 0; below < 1 << bit % 4; ++below)
            for (int i = 0; i < 5; ++i)
                image[bit / 4][below | 1 << bit % 4][i] = image[bit / 4][below][i] ^ v[i];
    }
};

// Leaps of 2^0, 2^1, ... steps.
struct XorwowLeaps {
    XorwowLeap power[64 + Xorwow::sequence_bits];

    SIMT_QUIET XorwowLeaps() : power{} {
        for (int bit = 0; bit < Xorwow::bits; ++bit) {
            Xorwow single{};
            single.v[bit / 32] = 1u << bit % 32;
            single.step();
            power[0].tell_bit(bit, single.v);
        }
        for (int k = 1; k < 64 + Xorwow::sequence_bits; ++k)
            for (int bit = 0; bit < Xorwow::bits; ++bit) {
                std::uint32_t v[5];
                for (int i = 0; i < 5; ++i) v[i] = power[k - 1].of_bit(bit)[i];
                power[k - 1].apply(v);
                power[k].tell_bit(bit, v);
            }
    }

    SIMT_QUIET void leap(std::uint32_t (&v)[5], std::uint64_t count, int first) const {
        for (int k = 0; count != 0; ++k, count >>= 1)
            if ((count & 1) != 0) power[first + k].apply(v);
    }
};

SIMT_QUIET inline const XorwowLeaps &xorwow_leaps() {
    static const XorwowLeaps leaps;
    return leaps;
}

inline void Xorwow::seed(std::uint64_t seed) {
    const std::uint32_t marsaglias[] = {123456789, 362436069, 521288629, 88675123, 5783321};
    SplitMix words{seed};
    for (int i = 0; i < 5; ++i) v[i] = marsaglias[i] ^ static_cast<std::uint32_t>(words.next());
    d = 6615241 ^ static_cast<std::uint32_t>(words.next());
}
inline void Xorwow::skip(std::uint64_t draws) {
    if (draws != 0) xorwow_leaps().leap(v, draws, 0);
    d += weyl * static_cast<std::uint32_t>(draws);
}
// The Weyl sequence is where it was after a multiple of 2^32 draws.
inline void Xorwow::skip_sequences(std::uint64_t sequences) {
    if (sequences != 0) xorwow_leaps().leap(v, sequences, sequence_bits);
}

}  // namespace simt::random

#endif
