// Words from a seed: the generator SplitMix64 (Steele, Lea and Flood, 2014).
#ifndef SIMT_RANDOM_SEEDING_H
#define SIMT_RANDOM_SEEDING_H

#include <cstdint>

#include "simt/qualifiers.h"

namespace simt::random {

struct SplitMix {
    std::uint64_t state;

    SIMT_QUIET std::uint64_t next() {
        std::uint64_t z = state += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
};

}  // namespace simt::random

#endif
