// Distributions from the words of a generator. What they draw is the same in wider arithmetic, as inputs are.
#ifndef SIMT_RANDOM_DISTRIBUTIONS_H
#define SIMT_RANDOM_DISTRIBUTIONS_H

#include <cmath>
#include <cstdint>

#include "simt/fail.h"
#include "simt/mathematics.h"
#include "simt/qualifiers.h"
#include "simt/traits.h"

namespace simt::random {

// Numbers in (0, 1), exact in their type and symmetric around 1/2.
template <class Generator>
SIMT_QUIET double open_unit(Generator &generator) {
    return (generator.draw() + 0.5) * 0x1p-32;
}
template <class Generator>
SIMT_QUIET double open_unit_double(Generator &generator) {
    const std::uint64_t low = generator.draw();
    const std::uint64_t word = static_cast<std::uint64_t>(generator.draw()) << 32 | low;
    return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52;
}

// The upper half mirrors the lower, where numbers are closer to each other.
SIMT_QUIET inline double normal_of(double unit) {
    return unit < 0.5 ? inverse_normal(unit) : -inverse_normal(1.0 - unit);
}

// In (0, 1]: the largest numbers round to 1.
template <class Generator>
SIMT_QUIET Single uniform(Generator &generator) {
    return static_cast<Single>(open_unit(generator));
}
template <class Generator>
SIMT_QUIET double uniform_double(Generator &generator) {
    return open_unit_double(generator);
}
template <class Generator>
SIMT_QUIET Single normal(Generator &generator) {
    return static_cast<Single>(normal_of(open_unit(generator)));
}
template <class Generator>
SIMT_QUIET double normal_double(Generator &generator) {
    return normal_of(open_unit_double(generator));
}

// Counts the events of a Poisson process within one unit of time.
template <class Generator>
SIMT_QUIET std::uint32_t small_poisson(Generator &generator, double mean) {
    const double end = std::exp(-mean);
    std::uint32_t events = 0;
    for (double left = open_unit_double(generator); left > end; left *= open_unit_double(generator)) ++events;
    return events;
}

// Transformed rejection with squeeze (Hörmann, "The transformed rejection method", 1993: PTRS).
template <class Generator>
SIMT_QUIET std::uint32_t large_poisson(Generator &generator, double mean) {
    const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2.0);
    for (;;) {
        const double u = open_unit_double(generator) - 0.5, v = open_unit_double(generator);
        const double distance = 0.5 - std::fabs(u);
        const double count = std::floor((2.0 * a / distance + b) * u + mean + 0.43);
        if (distance >= 0.07 && v <= accepted) return static_cast<std::uint32_t>(count);
        if (count < 0.0 || (distance < 0.013 && v > distance)) continue;
        int sign;
        const double density = count * std::log(mean) - mean - lgamma_r(count + 1.0, &sign);
        if (std::log(v * inverse_alpha / (a / (distance * distance) + b)) <= density)
            return static_cast<std::uint32_t>(count);
    }
}

template <class Generator>
SIMT_QUIET std::uint32_t poisson(Generator &generator, double mean) {
    if (!(mean > 0.0)) return 0;
    if (mean > 0x1p31) fail("a Poisson distribution of a mean beyond 2^31");
    return mean < 10.0 ? small_poisson(generator, mean) : large_poisson(generator, mean);
}

}  // namespace simt::random

#endif
