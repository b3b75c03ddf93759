// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011).
#ifndef SIMT_RANDOM_PHILOX_H
#define SIMT_RANDOM_PHILOX_H

#include <cstdint>

#include "simt/qualifiers.h"

namespace simt::random {

struct Philox {
    // Any bits are a state, and none are padding: kernels are tried with such, and compared by theirs.
    std::uint64_t position, sequence, key;  // the counter has the position below the sequence
    std::uint32_t block[4];
    std::uint64_t used;

    SIMT_QUIET void seed(std::uint64_t seed) {
        key = seed;
        position = sequence = used = 0;
        fill();
    }
    SIMT_QUIET void skip(std::uint64_t draws) {
        used = used % 4 + draws % 4;
        const std::uint64_t blocks = draws / 4 + used / 4;
        used %= 4;
        position += blocks;
        if (position < blocks) ++sequence;
        fill();
    }
    SIMT_QUIET void skip_sequences(std::uint64_t sequences) {
        sequence += sequences;
        fill();
    }
    SIMT_QUIET std::uint32_t draw() {
        const std::uint32_t drawn = block[used % 4];
        if (used % 4 == 3) {
            skip(1);
        } else {
            ++used;
        }
        return drawn;
    }

    // The published function of counter and key.
    SIMT_QUIET void fill() {
        std::uint32_t c[] = {low(position), high(position), low(sequence), high(sequence)};
        std::uint32_t k[] = {low(key), high(key)};
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0], b = std::uint64_t{0xCD9E8D57u} * c[2];
            c[0] = high(b) ^ c[1] ^ k[0];
            c[1] = low(b);
            c[2] = high(a) ^ c[3] ^ k[1];
            c[3] = low(a);
            k[0] += 0x9E3779B9u;
            k[1] += 0xBB67AE85u;
        }
        for (int i = 0; i < 4; ++i) block[i] = c[i];
    }

private:
    SIMT_QUIET static std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
    SIMT_QUIET static std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
};

}  // namespace simt::random

#endif
