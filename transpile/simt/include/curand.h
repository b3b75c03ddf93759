// cuRAND's functions of the host: the pseudorandom generators. Others end the program with a message.
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H

// By these names programs ask whether CUDA's header is there.
#ifndef SIMT_HIP
#define CURAND_H_
#endif

#include <cmath>
#include <cstddef>
#include <optional>

#include "simt/simt.h"

#include "simt/random/generator.h"

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef simt::random::HostGenerator *curandGenerator_t;

namespace simt::random {

inline std::optional<AnyGenerator> generator_of(curandRngType_t type) {
    switch (type) {
        case CURAND_RNG_PSEUDO_DEFAULT:
        case CURAND_RNG_PSEUDO_XORWOW: return Xorwow{};
        case CURAND_RNG_PSEUDO_MRG32K3A: return Mrg32k3a{};
        case CURAND_RNG_PSEUDO_MT19937: return MersenneTwister{};
        case CURAND_RNG_PSEUDO_PHILOX4_32_10: return Philox{};
        case CURAND_RNG_PSEUDO_MTGP32: fail("cuRAND's generator MTGP32");
        case CURAND_RNG_QUASI_DEFAULT:
        case CURAND_RNG_QUASI_SOBOL32:
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
        case CURAND_RNG_QUASI_SOBOL64:
        case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: fail("cuRAND's quasirandom generators");
        default: return std::nullopt;
    }
}

inline curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
    const auto made = generator_of(type);
    if (!made) return CURAND_STATUS_TYPE_ERROR;
    *generator = new HostGenerator{*made, on_host};
    return CURAND_STATUS_SUCCESS;
}

template <class T, class Draw>
curandStatus_t generate(curandGenerator_t generator, T *output, std::size_t count, Draw draw) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->generate(output, count, draw);
    return CURAND_STATUS_SUCCESS;
}

// Normal numbers come in pairs.
template <class T, class Draw>
curandStatus_t generate_pairs(curandGenerator_t generator, T *output, std::size_t count, Draw draw) {
    return count % 2 != 0 ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : generate(generator, output, count, draw);
}

}  // namespace simt::random

inline curandStatus_t curandGetVersion(int *version) {
    *version = 10305;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    return simt::random::create(generator, type, false);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    return simt::random::create(generator, type, true);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    generator->begun = false;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->offset = offset;
    generator->begun = false;
    return CURAND_STATUS_SUCCESS;
}
// All orderings of the pseudorandom generators are one here.
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_OUT_OF_RANGE : CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *output, std::size_t count) {
    return simt::random::generate(generator, output, count, [](auto &from) { return from.draw(); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, std::size_t count) {
    return simt::random::generate(generator, output, count, [](auto &from) { return simt::random::uniform(from); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output, std::size_t count) {
    return simt::random::generate(generator, output, count,
                                  [](auto &from) { return simt::random::uniform_double(from); });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, std::size_t count, float mean,
                                           float deviation) {
    return simt::random::generate_pairs(generator, output, count, [=](auto &from) {
        return mean + deviation * simt::random::normal(from);
    });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, std::size_t count,
                                                 double mean, double deviation) {
    return simt::random::generate_pairs(generator, output, count, [=](auto &from) {
        return mean + deviation * simt::random::normal_double(from);
    });
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, std::size_t count,
                                              float mean, float deviation) {
    return simt::random::generate_pairs(generator, output, count, [=](auto &from) {
        return std::exp(mean + deviation * simt::random::normal(from));
    });
}
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output, std::size_t count,
                                                    double mean, double deviation) {
    return simt::random::generate_pairs(generator, output, count, [=](auto &from) {
        return std::exp(mean + deviation * simt::random::normal_double(from));
    });
}
inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *output, std::size_t count,
                                            double mean) {
    if (!(mean > 0.0 && mean <= 400000.0)) return CURAND_STATUS_OUT_OF_RANGE;
    return simt::random::generate(generator, output, count,
                                  [=](auto &from) { return simt::random::poisson(from, mean); });
}

#endif
