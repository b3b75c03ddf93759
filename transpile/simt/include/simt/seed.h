// The seed of a run: in which order threads go on, and what memory holds that nobody has written.
#ifndef SIMT_SEED_H
#define SIMT_SEED_H

#include <cstdint>
#include <cstdlib>

#include "simt/qualifiers.h"

namespace simt {

inline std::uint64_t seed_of_environment() {
    const char *text = std::getenv("SIMT_SEED");
    return text == nullptr ? 0 : std::strtoull(text, nullptr, 0);
}

// Order of blocks, warps and threads: 0 is forward, others are shuffled.
inline std::uint64_t schedule_seed = seed_of_environment();

// Each byte of memory before it is written: of a NaN or -1 in the forward order, of other values in others, so
// that what was never written is right in one of them at most.
SIMT_QUIET inline unsigned char poison_byte() {
    if (schedule_seed == 0) return 0xFF;
    return (schedule_seed & 1) != 0 ? 0x3C : 0xC3;
}

}  // namespace simt

#endif
