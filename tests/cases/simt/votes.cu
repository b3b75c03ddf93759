// run: => exit 0
// run: SIMT_SEED=3 => exit 0
#include "expect.h"

__global__ void votes(unsigned *out, int n) {
    const int lane = threadIdx.x;
    if (lane >= n) return;
    const unsigned odd = __ballot_sync(0xffffffff, lane & 1);
    const int all = __all_sync(0xffffffff, lane < n), some = __any_sync(0xffffffff, lane == n - 1);
    const int none = __any_sync(0xffffffff, lane == n), not_all = __all_sync(0xffffffff, lane != 0);
    if (lane == 0) {
        out[0] = odd, out[1] = all, out[2] = some, out[3] = none, out[4] = not_all;
        out[5] = __activemask();
    }
}

__global__ void branches(unsigned *out) {
    const int lane = threadIdx.x;
    unsigned mask;
    if (lane % 3 == 0) {
        mask = __activemask();
    } else {
        mask = __activemask();
    }
    out[lane] = mask;
}

#ifndef ON_DEVICE  // Votes without a mask are gone there.
__global__ void trips(unsigned *out) {
    unsigned seen = 0;
    for (unsigned i = 0; i < threadIdx.x; ++i) seen = __ballot(1);
    out[threadIdx.x] = seen;
}
#endif

__global__ void matches(unsigned *out) {
    const int lane = threadIdx.x;
    out[lane] = __match_any_sync(0xffffffff, lane / 5);
    int same = 7;
    const unsigned all = __match_all_sync(0xffffffff, 1.5, &same);
    out[32 + lane] = same == 1 ? all : 0;
    out[64 + lane] = __match_all_sync(0xffffffff, lane / 31, &same) + same;
}

__global__ void reductions(int *out) {
    const int lane = threadIdx.x, value = lane - 10;
    if (lane >= 30) return;
    out[lane] = __reduce_add_sync(0xffffffff, value);
    out[32 + lane] = __reduce_min_sync(0xffffffff, value);
    out[64 + lane] = __reduce_max_sync(0xffffffff, static_cast<unsigned>(value));
    out[96 + lane] = __reduce_xor_sync(0xffffffff, static_cast<unsigned>(lane));
}

int main() {
    Buffer<unsigned> words(128);
    votes<<<1, 32>>>(words.device, 20);
    EXPECT_EQUAL(0, words[0], 0x000aaaaau);
    EXPECT_EQUAL(1, words[1], 1u);
    EXPECT_EQUAL(2, words[2], 1u);
    EXPECT_EQUAL(3, words[3], 0u);
    EXPECT_EQUAL(4, words[4], 0u);
    EXPECT_EQUAL(5, words[5], 1u);
    branches<<<1, 32>>>(words.device);
    for (int t = 0; t < 32; ++t) EXPECT_EQUAL(t, words[t], t % 3 == 0 ? 0x49249249u : 0xb6db6db6u);
#ifndef ON_DEVICE
    trips<<<1, 32>>>(words.device);
    EXPECT_EQUAL(31, words[31], 0x80000000u);
    EXPECT_EQUAL(30, words[30], 0xc0000000u);
    EXPECT_EQUAL(1, words[1], 0xfffffffeu);
#endif
    matches<<<1, 32>>>(words.device);
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQUAL(t, words[t], t / 5 == 6 ? 0xc0000000u : 0x1fu << t / 5 * 5);
        EXPECT_EQUAL(t, words[32 + t], 0xffffffffu);
        EXPECT_EQUAL(t, words[64 + t], 0u);
    }
    Buffer<int> ints(128);
    reductions<<<1, 32>>>(ints.device);
    for (int t = 0; t < 30; ++t) {
        EXPECT_EQUAL(t, ints[t], 135);
        EXPECT_EQUAL(t, ints[32 + t], -10);
        EXPECT_EQUAL(t, ints[64 + t], -1);
        EXPECT_EQUAL(t, ints[96 + t], 1);
    }
    return failed_expectations != 0;
}
