// run: => exit 0
// run: SIMT_SEED=11 => exit 0
#include "expect.h"

__global__ void histogram(const int *values, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[values[i]], 1);
}

__device__ double add_by_swapping(double *address, double value) {
    auto *bits = reinterpret_cast<unsigned long long *>(address);
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void sums(float *f, double *d, unsigned long long *u) {
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    add_by_swapping(d + 1, 1.5);
    atomicAdd(u, 1ull << 33);
    atomicAdd_system(u + 1, 2ull);
}

__global__ void every_kind(int *i, unsigned *u) {
    const int t = threadIdx.x;
    atomicMin(i, -t);
    atomicMax(i + 1, t * 3);
    atomicSub(i + 2, 2);
    atomicAnd(i + 3, ~(1 << t % 8));
    atomicOr_block(i + 4, 1 << t % 8);
    atomicXor(i + 5, t);
    atomicMin(u, static_cast<unsigned>(100 - t));
    atomicMax(u + 1, static_cast<unsigned>(t));
    atomicInc(u + 2, 6);
    atomicDec(u + 3, 6);
    if (t == 9) i[6] = atomicExch(i + 7, 42);
}

int main() {
    const int n = 5000;
    Buffer<int> values(n);
    Buffer<unsigned> bins(10);
    for (int i = 0; i < n; ++i) values.set(i, i * i % 10);
    bins.clear();
    histogram<<<7, 96>>>(values.device, bins.device, n);
    unsigned expected[10] = {};
    for (int i = 0; i < n; ++i) ++expected[i * i % 10];
    for (int b = 0; b < 10; ++b) EXPECT_EQUAL(b, bins[b], expected[b]);

    Buffer<float> f(1);
    Buffer<double> d(2);
    Buffer<unsigned long long> u(2);
    f.clear(), d.clear(), u.clear();
    sums<<<3, 50>>>(f.device, d.device, u.device);
    EXPECT_EQUAL(0, f[0], 75.0f);
    EXPECT_EQUAL(0, d[0], 37.5);
    EXPECT_EQUAL(1, d[1], 225.0);
    EXPECT_EQUAL(0, u[0], 150ull << 33);
    EXPECT_EQUAL(1, u[1], 300ull);

    Buffer<int> ints(8);
    Buffer<unsigned> words(4);
    ints.clear(), words.clear();
    ints.set(3, 0xfff);
    words.set(0, 1000);
    every_kind<<<1, 64>>>(ints.device, words.device);
    const int results[] = {-63, 189, -128, 0xf00, 0xff, 0, 0, 42};
    for (int i = 0; i < 8; ++i) EXPECT_EQUAL(i, ints[i], results[i]);
    const unsigned word_results[] = {37, 63, 64 % 7, (7 * 10 - 64) % 7};
    for (int i = 0; i < 4; ++i) EXPECT_EQUAL(i, words[i], word_results[i]);
    return failed_expectations != 0;
}
