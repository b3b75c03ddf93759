// Generators of the host API. Numbers are drawn when they are asked for, and reach their memory in stream order.
#ifndef SIMT_RANDOM_GENERATOR_H
#define SIMT_RANDOM_GENERATOR_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <variant>
#include <vector>

#include "simt/launch.h"
#include "simt/random/distributions.h"
#include "simt/random/mrg32k3a.h"
#include "simt/random/philox.h"
#include "simt/random/xorwow.h"

namespace simt::random {

struct MersenneTwister {
    std::mt19937 engine;

    void seed(std::uint64_t seed) { engine.seed(static_cast<std::uint32_t>(seed ^ seed >> 32)); }
    void skip(std::uint64_t draws) { engine.discard(draws); }
    std::uint32_t draw() { return static_cast<std::uint32_t>(engine()); }
};

using AnyGenerator = std::variant<Xorwow, Philox, Mrg32k3a, MersenneTwister>;

struct HostGenerator {
    AnyGenerator generator;
    bool on_host = false;
    cudaStream_t stream = nullptr;
    std::uint64_t seed = 0, offset = 0;
    bool begun = false;  // with this seed and offset

    // Fills an array with what draw(generator) gives.
    template <class T, class Draw>
    void generate(T *output, std::size_t count, Draw draw) {
        const auto values = std::make_shared<std::vector<T>>(count);
        std::visit(
            [&](auto &chosen) {
                begin(chosen);
                for (T &value : *values) value = static_cast<T>(draw(chosen));
            },
            generator);
        if (on_host) {
            std::copy(values->begin(), values->end(), output);
            return;
        }
        const Exclusive exclusive;
        perform(stream, [output, values] {
            const BothSides reach;
            std::copy(values->begin(), values->end(), output);
        });
    }

private:
    template <class Generator>
    void begin(Generator &chosen) {
        if (begun) return;
        begun = true;
        chosen.seed(seed);
        chosen.skip(offset);
    }
};

}  // namespace simt::random

#endif
