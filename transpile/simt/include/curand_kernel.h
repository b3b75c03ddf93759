// cuRAND's functions of the device, on the generators that it names. The sequences are those of the published
// generators, and not always NVIDIA's: seeds are expanded in another way, and normal numbers are the inverse of
// the distribution at one uniform number.
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H

#include <cmath>

#include "curand.h"
#include "simt/random/device.h"

typedef simt::random::Xorwow curandStateXORWOW, curandStateXORWOW_t, curandState, curandState_t;
typedef simt::random::Philox curandStatePhilox4_32_10, curandStatePhilox4_32_10_t;
typedef simt::random::Mrg32k3a curandStateMRG32k3a, curandStateMRG32k3a_t;

template <class State>
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             State *state) {
    State begun{};
    begun.seed(seed);
    begun.skip_sequences(sequence);
    begun.skip(offset);
    *state = begun;
}
template <class State>
SIMT_INLINE void skipahead(unsigned long long draws, State *state) {
    State next = *state;
    next.skip(draws);
    *state = next;
}
template <class State>
SIMT_INLINE void skipahead_sequence(unsigned long long sequences, State *state) {
    State next = *state;
    next.skip_sequences(sequences);
    *state = next;
}

template <class State>
SIMT_INLINE unsigned curand(State *state) {
    return simt::random::drawn(state, simt::random::word<State>);
}
template <class State>
SIMT_INLINE float curand_uniform(State *state) {
    return simt::random::drawn(state, simt::random::uniform<State>);
}
template <class State>
SIMT_INLINE double curand_uniform_double(State *state) {
    return simt::random::drawn(state, simt::random::uniform_double<State>);
}
template <class State>
SIMT_INLINE float curand_normal(State *state) {
    return simt::random::drawn(state, simt::random::normal<State>);
}
template <class State>
SIMT_INLINE double curand_normal_double(State *state) {
    return simt::random::drawn(state, simt::random::normal_double<State>);
}
template <class State>
SIMT_INLINE float curand_log_normal(State *state, float mean, float deviation) {
    return std::exp(mean + deviation * curand_normal(state));
}
template <class State>
SIMT_INLINE double curand_log_normal_double(State *state, double mean, double deviation) {
    return std::exp(mean + deviation * curand_normal_double(state));
}
template <class State>
SIMT_INLINE unsigned curand_poisson(State *state, double mean) {
    return simt::random::drawn(state, simt::random::poisson<State>, mean);
}

// Several numbers at once: those that as many calls would give.
template <class State>
SIMT_INLINE double2 curand_uniform2_double(State *state) {
    const double x = curand_uniform_double(state);
    return {x, curand_uniform_double(state)};
}
template <class State>
SIMT_INLINE float2 curand_normal2(State *state) {
    const float x = curand_normal(state);
    return {x, curand_normal(state)};
}
template <class State>
SIMT_INLINE double2 curand_normal2_double(State *state) {
    const double x = curand_normal_double(state);
    return {x, curand_normal_double(state)};
}
template <class State>
SIMT_INLINE float2 curand_log_normal2(State *state, float mean, float deviation) {
    const float x = curand_log_normal(state, mean, deviation);
    return {x, curand_log_normal(state, mean, deviation)};
}
template <class State>
SIMT_INLINE double2 curand_log_normal2_double(State *state, double mean, double deviation) {
    const double x = curand_log_normal_double(state, mean, deviation);
    return {x, curand_log_normal_double(state, mean, deviation)};
}

// Four numbers come from Philox alone.
SIMT_INLINE uint4 curand4(curandStatePhilox4_32_10_t *state) {
    const unsigned x = curand(state), y = curand(state), z = curand(state);
    return {x, y, z, curand(state)};
}
SIMT_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    const float x = curand_uniform(state), y = curand_uniform(state), z = curand_uniform(state);
    return {x, y, z, curand_uniform(state)};
}
SIMT_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
    const double2 low = curand_uniform2_double(state), high = curand_uniform2_double(state);
    return {low.x, low.y, high.x, high.y};
}
SIMT_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    const float2 low = curand_normal2(state), high = curand_normal2(state);
    return {low.x, low.y, high.x, high.y};
}
SIMT_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
    const double2 low = curand_normal2_double(state), high = curand_normal2_double(state);
    return {low.x, low.y, high.x, high.y};
}
SIMT_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float deviation) {
    const float2 low = curand_log_normal2(state, mean, deviation);
    const float2 high = curand_log_normal2(state, mean, deviation);
    return {low.x, low.y, high.x, high.y};
}
SIMT_INLINE double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double deviation) {
    const double2 low = curand_log_normal2_double(state, mean, deviation);
    const double2 high = curand_log_normal2_double(state, mean, deviation);
    return {low.x, low.y, high.x, high.y};
}
SIMT_INLINE uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean) {
    const unsigned x = curand_poisson(state, mean), y = curand_poisson(state, mean), z = curand_poisson(state, mean);
    return {x, y, z, curand_poisson(state, mean)};
}

#endif
