// run: => exit 0
// run: SIMT_SEED=7 => exit 0
// run: SIMT_SEED=7 apart => exit 0
// "apart" keeps host and device memory apart, and lets work wait in its stream.
#include "expect.h"

#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <vector>

// ------------------------------------------------------------------------------------ the generators

// The known answers of Salmon et al. for Philox4x32-10, and of L'Ecuyer for MRG32k3a from words of 12345.
__global__ void published(unsigned *out, double *unit) {
    curandStatePhilox4_32_10_t zeros;
    curand_init(0, 0, 0, &zeros);
    for (int i = 0; i < 4; ++i) out[i] = curand(&zeros);
    curandStatePhilox4_32_10_t all{~0ull, ~0ull, ~0ull, {}, 0};
    all.fill();
    const uint4 drawn = curand4(&all);
    out[4] = drawn.x, out[5] = drawn.y, out[6] = drawn.z, out[7] = drawn.w;
    curandStateMRG32k3a state{{12345, 12345, 12345}, {12345, 12345, 12345}};
    for (int i = 0; i < 3; ++i) unit[i] = curand(&state) / 4294967088.0;
}

void known_answers() {
    Buffer<unsigned> out(8);
    Buffer<double> unit(3);
    published<<<1, 1>>>(out.device, unit.device);
    const unsigned expected[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8,
                                 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    for (int i = 0; i < 8; ++i) EXPECT_EQUAL(i, out[i], expected[i]);
    const double lecuyers[] = {0.127011, 0.318528, 0.309186};
    for (int i = 0; i < 3; ++i) EXPECT(std::fabs(unit[i] - lecuyers[i]) < 1e-6);
}

__global__ void xorwow(curandState *state, unsigned *out, int count) {
    curand_init(1234, 5, 6, state);
    curandState local = *state;
    for (int i = 0; i < count; ++i) out[i] = curand(&local);
}

// Marsaglia's recurrence, from the state where it stood.
void marsaglias() {
    Buffer<curandState> begun(1);
    Buffer<unsigned> out(50);
    xorwow<<<1, 1>>>(begun.device, out.device, 50);
    const curandState state = begun[0];
    unsigned x = state.v[0], y = state.v[1], z = state.v[2], w = state.v[3], v = state.v[4], d = state.d;
    for (int i = 0; i < 50; ++i) {
        const unsigned t = x ^ (x >> 2);
        x = y, y = z, z = w, w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        EXPECT_EQUAL(i, out[i], (d += 362437) + v);
    }
}

// ------------------------------------------------------------------------------- skipping ahead

// Each thread says where a way of skipping does not lead where drawing or another way leads.
template <class State>
__global__ void ways(int sequence_bits, unsigned *wrong) {
    const int draws = 37 * threadIdx.x;
    State drawn, skipped, begun;
    curand_init(99, 3, 0, &drawn);
    skipped = drawn;
    for (int i = 0; i < draws; ++i) curand(&drawn);
    skipahead(draws, &skipped);
    curand_init(99, 3, draws, &begun);
    State far, farther;
    curand_init(99, 4, 11, &farther);
    curand_init(99, 3, 11, &far);
    for (int i = 0; i < 1 << (sequence_bits - 63); ++i) skipahead(1ull << 63, &far);
    State sequences;
    curand_init(99, 0, 11, &sequences);
    skipahead_sequence(4, &sequences);
    for (int i = 0; i < 9; ++i) {
        const unsigned expected = curand(&drawn), next = curand(&farther);
        wrong[threadIdx.x] += curand(&skipped) != expected;
        wrong[threadIdx.x] += curand(&begun) != expected;
        wrong[threadIdx.x] += curand(&far) != next;
        wrong[threadIdx.x] += curand(&sequences) != next;
        wrong[threadIdx.x] += expected == next;
    }
}

template <class State>
void skips(int sequence_bits) {
    Buffer<unsigned> wrong(8);
    wrong.clear();
    ways<State><<<1, 8>>>(sequence_bits, wrong.device);
    for (int i = 0; i < 8; ++i) EXPECT_EQUAL(i, wrong[i], 0);
}

// --------------------------------------------------------------------------------- distributions

struct Moments {
    double least = 1e300, largest = -1e300, sum = 0, squares = 0, cubes = 0;
    int count = 0;

    void add(double value) {
        least = value < least ? value : least;
        largest = value > largest ? value : largest;
        sum += value;
        squares += value * value;
        cubes += value * value * value;
        ++count;
    }
    double mean() const { return sum / count; }
    double variance() const { return squares / count - mean() * mean(); }
    double third() const { return cubes / count - 3 * mean() * squares / count + 2 * mean() * mean() * mean(); }

    // Within so many standard errors of the moments of a distribution, whose fourth central moment is given.
    bool agree(double expected_mean, double expected_variance, double fourth) const {
        const double mean_error = std::sqrt(expected_variance / count);
        const double variance_error = std::sqrt((fourth - expected_variance * expected_variance) / count);
        return std::fabs(mean() - expected_mean) < 5 * mean_error &&
               std::fabs(variance() - expected_variance) < 5 * variance_error;
    }
};

constexpr int kinds = 9, per_thread = 200, threads = 128;

template <class State>
__global__ void draws(unsigned long long seed, double *out) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    State state;
    curand_init(seed, thread, 0, &state);
    for (int i = 0; i < per_thread; ++i, out += kinds * stride) {
        double *column = out + thread;
        column[0 * stride] = curand_uniform(&state);
        column[1 * stride] = curand_uniform_double(&state);
        column[2 * stride] = curand_normal(&state);
        column[3 * stride] = curand_normal_double(&state);
        column[4 * stride] = std::log(curand_log_normal_double(&state, 0.5, 2.0));
        column[5 * stride] = curand_poisson(&state, 3.5);
        column[6 * stride] = curand_poisson(&state, 80.0);
        const float2 pair = curand_normal2(&state);
        column[7 * stride] = pair.x * pair.y;
        const double2 units = curand_uniform2_double(&state);
        column[8 * stride] = units.x * units.y;
    }
}

template <class State>
void moments() {
    std::vector<double> values(std::size_t{kinds} * per_thread * threads);
    double *device;
    cudaMalloc(&device, values.size() * sizeof(double));
    draws<State><<<2, threads / 2>>>(42, device);
    cudaMemcpy(values.data(), device, values.size() * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(device);
    Moments of[kinds];
    for (std::size_t i = 0; i < values.size(); ++i) of[i / threads % kinds].add(values[i]);
    for (int kind = 0; kind < 2; ++kind) {
        EXPECT(of[kind].least > 0.0 && of[kind].largest <= 1.0);
        EXPECT(of[kind].agree(0.5, 1.0 / 12, 1.0 / 80));
    }
    for (int kind = 2; kind < 4; ++kind) {
        EXPECT(of[kind].agree(0.0, 1.0, 3.0));
        EXPECT(std::fabs(of[kind].third()) < 5 * std::sqrt(15.0 / of[kind].count));
        EXPECT(of[kind].largest > 3.0 && of[kind].least < -3.0);
    }
    EXPECT(of[4].agree(0.5, 4.0, 48.0));
    EXPECT(of[5].agree(3.5, 3.5, 3.5 * (1 + 3 * 3.5)));
    EXPECT(of[6].agree(80.0, 80.0, 80.0 * (1 + 3 * 80.0)));
    EXPECT(of[7].agree(0.0, 1.0, 9.0));
    EXPECT(of[8].agree(0.25, 1.0 / 9 - 1.0 / 16, 0.0106));
}

// Counts have the frequencies of the distribution, by Pearson's test at about six standard deviations.
void frequencies(double mean) {
    curandStatePhilox4_32_10_t state;
    curand_init(1, 2, 3, &state);
    const int draws = 300000, most = 60;
    std::vector<int> counts(most);
    for (int i = 0; i < draws; ++i) ++counts[min(static_cast<int>(curand_poisson(&state, mean)), most - 1)];
    double distance = 0, freedom = -1;
    for (int k = 0; k < most; ++k) {
        const double expected = draws * std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
        if (expected < 20) continue;
        distance += (counts[k] - expected) * (counts[k] - expected) / expected;
        ++freedom;
    }
    EXPECT(freedom > 15 && distance < freedom + 6 * std::sqrt(2 * freedom));
}

// Four at once are what single calls draw.
__global__ void fours(unsigned *wrong) {
    curandStatePhilox4_32_10_t one, four;
    curand_init(5, 6, 1, &one);
    four = one;
    const uint4 words = curand4(&four);
    *wrong += words.x != curand(&one) || words.y != curand(&one) || words.z != curand(&one) || words.w != curand(&one);
    const float4 units = curand_uniform4(&four), normals = curand_normal4(&four);
    *wrong += units.x != curand_uniform(&one) || units.y != curand_uniform(&one);
    *wrong += units.z != curand_uniform(&one) || units.w != curand_uniform(&one);
    *wrong += normals.x != curand_normal(&one) || normals.y != curand_normal(&one);
    *wrong += normals.z != curand_normal(&one) || normals.w != curand_normal(&one);
    const double4 doubles = curand_uniform4_double(&four);
    *wrong += doubles.x != curand_uniform_double(&one) || doubles.y != curand_uniform_double(&one);
    *wrong += doubles.z != curand_uniform_double(&one) || doubles.w != curand_uniform_double(&one);
    const uint4 counts = curand_poisson4(&four, 12.0);
    *wrong += counts.x != curand_poisson(&one, 12.0) || counts.y != curand_poisson(&one, 12.0);
}

// The ends of the words: never 0, and 1 only by rounding.
struct Constant {
    unsigned value;
    unsigned draw() const { return value; }
};

void ends() {
    Constant zeros{0}, ones{~0u};
    EXPECT(simt::random::uniform(zeros) > 0.0f && simt::random::uniform(ones) == 1.0f);
    EXPECT(simt::random::uniform_double(zeros) > 0.0 && simt::random::uniform_double(ones) <= 1.0);
    EXPECT(std::isfinite(simt::random::normal(zeros)) && std::isfinite(simt::random::normal(ones)));
    EXPECT(simt::random::normal_double(zeros) < -8.0);
    EXPECT(simt::random::normal_double(zeros) == -simt::random::normal_double(ones));
    EXPECT_EQUAL(0, simt::random::poisson(ones, 0.0), 0);
}

// ------------------------------------------------------------------------------------- the host's API

__global__ void clear(float *data, int count) {
    for (int i = 0; i < count; ++i) data[i] = 0;
}

void whole_arrays(curandRngType_t type) {
    const int n = 20000;
    Buffer<float> out(n);
    Buffer<unsigned> counts(n);
    curandGenerator_t device, host;
    EXPECT(curandCreateGenerator(&device, type) == CURAND_STATUS_SUCCESS);
    EXPECT(curandCreateGeneratorHost(&host, type) == CURAND_STATUS_SUCCESS);
    for (curandGenerator_t generator : {device, host})
        EXPECT(curandSetPseudoRandomGeneratorSeed(generator, 11) == CURAND_STATUS_SUCCESS);
    EXPECT(curandSetGeneratorOrdering(device, CURAND_ORDERING_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    EXPECT(curandSetStream(device, stream) == CURAND_STATUS_SUCCESS);

    std::vector<float> same(n), seen(n);
    clear<<<1, 1, 0, stream>>>(out.device, n);
    EXPECT(curandGenerateUniform(device, out.device, n) == CURAND_STATUS_SUCCESS);
    EXPECT(curandGenerateUniform(host, same.data(), n) == CURAND_STATUS_SUCCESS);
    cudaMemcpyAsync(seen.data(), out.device, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    EXPECT(seen == same);
    Moments uniform, normal, poisson;
    for (float value : seen) uniform.add(value);
    EXPECT(uniform.agree(0.5, 1.0 / 12, 1.0 / 80));

    EXPECT(curandGenerateNormal(device, out.device, n, 2.0f, 3.0f) == CURAND_STATUS_SUCCESS);
    EXPECT(curandGenerateNormal(device, out.device, 3, 2.0f, 3.0f) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandGeneratePoisson(device, counts.device, n, 25.0) == CURAND_STATUS_SUCCESS);
    EXPECT(curandGeneratePoisson(device, counts.device, n, -1.0) == CURAND_STATUS_OUT_OF_RANGE);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) normal.add(out[i]), poisson.add(counts[i]);
    EXPECT(normal.agree(2.0, 9.0, 243.0));
    EXPECT(poisson.agree(25.0, 25.0, 25.0 * 76));

    // An offset is the number of words left out.
    std::vector<unsigned> words(100), later(60);
    curandSetPseudoRandomGeneratorSeed(host, 12);
    EXPECT(curandGenerate(host, words.data(), 100) == CURAND_STATUS_SUCCESS);
    EXPECT(curandSetGeneratorOffset(host, 40) == CURAND_STATUS_SUCCESS);
    EXPECT(curandGenerate(host, later.data(), 60) == CURAND_STATUS_SUCCESS);
    for (int i = 0; i < 60; ++i) EXPECT_EQUAL(i, later[i], words[40 + i]);
    cudaStreamDestroy(stream);
    EXPECT(curandDestroyGenerator(device) == CURAND_STATUS_SUCCESS);
    EXPECT(curandDestroyGenerator(host) == CURAND_STATUS_SUCCESS);
}

void doubles() {
    curandGenerator_t generator;
    curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    std::vector<double> values(20000);
    Moments uniform, normal, logarithms;
    EXPECT(curandGenerateUniformDouble(generator, values.data(), values.size()) == CURAND_STATUS_SUCCESS);
    for (double value : values) uniform.add(value);
    EXPECT(curandGenerateNormalDouble(generator, values.data(), values.size(), 1.0, 2.0) == CURAND_STATUS_SUCCESS);
    for (double value : values) normal.add(value);
    EXPECT(curandGenerateLogNormalDouble(generator, values.data(), values.size(), 1.0, 2.0) == CURAND_STATUS_SUCCESS);
    for (double value : values) logarithms.add(std::log(value));
    EXPECT(uniform.agree(0.5, 1.0 / 12, 1.0 / 80) && normal.agree(1.0, 4.0, 48.0) && logarithms.agree(1.0, 4.0, 48.0));
    curandDestroyGenerator(generator);
    EXPECT(curandGenerateUniformDouble(nullptr, values.data(), 1) == CURAND_STATUS_NOT_INITIALIZED);
    EXPECT(curandCreateGenerator(&generator, static_cast<curandRngType_t>(7)) == CURAND_STATUS_TYPE_ERROR);
}

int main(int count, char **) {
    simt::isolation.wanted = count > 1;
    known_answers();
    marsaglias();
    skips<curandStateXORWOW_t>(67);
    skips<curandStatePhilox4_32_10_t>(66);
    skips<curandStateMRG32k3a_t>(76);
    moments<curandState_t>();
    moments<curandStatePhilox4_32_10_t>();
    moments<curandStateMRG32k3a_t>();
    Buffer<unsigned> wrong(1);
    wrong.clear();
    fours<<<1, 1>>>(wrong.device);
    EXPECT_EQUAL(0, wrong[0], 0);
    ends();
    frequencies(9.5);
    frequencies(11.0);
    for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MT19937,
                                 CURAND_RNG_PSEUDO_PHILOX4_32_10})
        whole_arrays(type);
    doubles();
    return failed_expectations;
}
