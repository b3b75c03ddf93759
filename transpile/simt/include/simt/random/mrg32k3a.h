// MRG32k3a: two combined multiple recursive generators (L'Ecuyer, 1999), with substreams of 2^76 draws.
#ifndef SIMT_RANDOM_MRG32K3A_H
#define SIMT_RANDOM_MRG32K3A_H

#include <cstdint>

#include "simt/qualifiers.h"
#include "simt/random/seeding.h"

namespace simt::random {

struct Mrg32k3a {
    std::uint32_t first[3], second[3];

    static constexpr std::uint64_t first_modulus = 4294967087u, second_modulus = 4294944443u;
    static constexpr int sequence_bits = 76;

    SIMT_QUIET void seed(std::uint64_t seed) {
        SplitMix words{seed};
        for (auto &word : first) word = static_cast<std::uint32_t>(1 + words.next() % (first_modulus - 1));
        for (auto &word : second) word = static_cast<std::uint32_t>(1 + words.next() % (second_modulus - 1));
    }
    SIMT_QUIET void skip(std::uint64_t draws) { leap(draws, 0); }
    SIMT_QUIET void skip_sequences(std::uint64_t sequences) { leap(sequences, sequence_bits); }

    SIMT_QUIET std::uint32_t draw() {
        const auto x = next(1403580u, first[1], first_modulus - 810728u, first[0], first_modulus);
        const auto y = next(527612u, second[2], second_modulus - 1370589u, second[0], second_modulus);
        push(first, x);
        push(second, y);
        return static_cast<std::uint32_t>(x > y ? x - y : x + first_modulus - y);
    }

private:
    SIMT_QUIET static std::uint64_t next(std::uint64_t a, std::uint64_t x, std::uint64_t b, std::uint64_t y,
                                         std::uint64_t modulus) {
        return (a * x + b * y % modulus) % modulus;
    }
    SIMT_QUIET static void push(std::uint32_t (&words)[3], std::uint64_t next) {
        words[0] = words[1];
        words[1] = words[2];
        words[2] = static_cast<std::uint32_t>(next);
    }
    SIMT_QUIET void leap(std::uint64_t count, int first_power);
};

// A number of steps of one of the two generators: a matrix modulo m.
struct MrgLeap {
    std::uint64_t entry[3][3];

    SIMT_QUIET void apply(std::uint32_t (&words)[3], std::uint64_t modulus) const {
        std::uint32_t image[3];
        for (int i = 0; i < 3; ++i) {
            std::uint64_t sum = 0;
            for (int j = 0; j < 3; ++j) sum += entry[i][j] * words[j] % modulus;
            image[i] = static_cast<std::uint32_t>(sum % modulus);
        }
        for (int i = 0; i < 3; ++i) words[i] = image[i];
    }
    SIMT_QUIET MrgLeap twice(std::uint64_t modulus) const {
        MrgLeap product{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 3; ++k)
                    product.entry[i][j] = (product.entry[i][j] + entry[i][k] * entry[k][j] % modulus) % modulus;
        return product;
    }
};

// Leaps of 2^0, 2^1, ... draws.
struct MrgLeaps {
    static constexpr int count = 64 + Mrg32k3a::sequence_bits;
    MrgLeap first[count], second[count];

    SIMT_QUIET MrgLeaps() : first{}, second{} {
        first[0] = {{{0, 1, 0}, {0, 0, 1}, {Mrg32k3a::first_modulus - 810728u, 1403580u, 0}}};
        second[0] = {{{0, 1, 0}, {0, 0, 1}, {Mrg32k3a::second_modulus - 1370589u, 0, 527612u}}};
        for (int k = 1; k < count; ++k) {
            first[k] = first[k - 1].twice(Mrg32k3a::first_modulus);
            second[k] = second[k - 1].twice(Mrg32k3a::second_modulus);
        }
    }
};

inline void Mrg32k3a::leap(std::uint64_t count, int first_power) {
    static const MrgLeaps leaps;
    for (int k = first_power; count != 0; ++k, count >>= 1) {
        if ((count & 1) == 0) continue;
        leaps.first[k].apply(first, first_modulus);
        leaps.second[k].apply(second, second_modulus);
    }
}

}  // namespace simt::random

#endif
