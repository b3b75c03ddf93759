// run: => exit 0
#include "expect.h"

#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

// The nearest of all numbers of the format, the even one of two as near, by search.
template <class T>
unsigned nearest(float value, T (*of_bits)(unsigned short), unsigned infinity) {
    unsigned best = 0;
    double distance = 1e300;
    for (unsigned bits = 0; bits <= infinity; ++bits) {
        // Where the next number would have been stands in for infinity.
        const double previous = float(of_bits(static_cast<unsigned short>(bits - 1))), before = float(of_bits(static_cast<unsigned short>(bits - 2)));
        const double candidate = bits == infinity ? previous + (previous - before) : float(of_bits(static_cast<unsigned short>(bits)));
        const double apart = std::fabs(candidate - std::fabs(static_cast<double>(value)));
        if (apart < distance || (apart == distance && bits % 2 == 0)) best = bits, distance = apart;
    }
    return best | (std::signbit(value) ? 0x8000u : 0u);
}

__global__ void arithmetic(const half *a, half *out) {
    out[0] = a[0] + a[1];
    out[1] = __hfma(a[0], a[1], a[2]);
    out[2] = hsqrt(a[1]);
    const half2 pair = __hmul2(__halves2half2(a[0], a[1]), __float2half2_rn(2.0f));
    out[3] = __low2half(pair);
    out[4] = __high2half(pair);
    out[5] = __hgt(a[0], a[1]) ? a[0] : a[1];
    atomicAdd(out + 6, a[0]);
}

__global__ void groups(int *out) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const int t = static_cast<int>(block.thread_rank());
    out[t] = cg::reduce(tile, t, cg::plus<int>());
    out[64 + t] = static_cast<int>(tile.meta_group_rank()) * 100 + static_cast<int>(tile.thread_rank());
    out[128 + t] = -1;
    if (t % 2 == 1) {
        const auto active = cg::coalesced_threads();
        out[128 + t] = static_cast<int>(active.size()) * 100 + static_cast<int>(active.thread_rank());
        out[192 + t] = active.shfl(t, 0);
    }
    block.sync();
}

int main() {
    unsigned random = 1;
    for (int i = 0; i < 40; ++i) {
        random = random * 1664525u + 1013904223u;
        const float value = std::ldexp(static_cast<float>(static_cast<int>(random)), static_cast<int>(random >> 8) % 25 - 40);
        EXPECT_EQUAL(i, __half_as_ushort(__float2half(value)), nearest<half>(value, __ushort_as_half, 0x7C00));
        EXPECT_EQUAL(i, __bfloat16_as_ushort(__float2bfloat16(value)), nearest<__nv_bfloat16>(value, __ushort_as_bfloat16, 0x7F80));
    }
    const float ties[] = {65519.0f, 65520.0f, 2049.0f, 2051.0f, 2.9802322387695312e-8f, 8.9406967163085938e-8f};
    for (float tie : ties) EXPECT_EQUAL(tie, __half_as_ushort(__float2half(tie)), nearest<half>(tie, __ushort_as_half, 0x7C00));
    for (unsigned bits = 0; bits < 0x7C00; ++bits) {
        EXPECT_EQUAL(bits, __half_as_ushort(__float2half(__half2float(__ushort_as_half(static_cast<unsigned short>(bits))))), bits);
    }

    Buffer<half> in(3), out(7);
    in.set(0, 1.5f), in.set(1, 0.0999755859375f), in.set(2, -0.15f), out.set(6, 1.0f);
    arithmetic<<<1, 4>>>(in.device, out.device);
    EXPECT_EQUAL(0, float(out[0]), 1.599609375f);
    EXPECT_EQUAL(1, float(out[1]), static_cast<float>(1.5 * 0.0999755859375 - 0.1500244140625));
    EXPECT_EQUAL(2, float(out[2]), 0.316162109375f);
    EXPECT_EQUAL(3, float(out[3]), 3.0f);
    EXPECT_EQUAL(4, float(out[4]), 0.199951171875f);
    EXPECT_EQUAL(5, float(out[5]), 1.5f);
    EXPECT_EQUAL(6, float(out[6]), 7.0f);

    Buffer<int> ints(256);
    groups<<<1, 64>>>(ints.device);
    for (int t = 0; t < 64; ++t) {
        EXPECT_EQUAL(t, ints[t], t / 8 * 64 + 28);
        EXPECT_EQUAL(t, ints[64 + t], t / 8 * 100 + t % 8);
        EXPECT_EQUAL(t, ints[128 + t], t % 2 == 1 ? 1600 + t % 32 / 2 : -1);
        if (t % 2 == 1) EXPECT_EQUAL(t, ints[192 + t], t / 32 * 32 + 1);
    }
    return failed_expectations != 0;
}
