// Inline PTX of lanes and bits, which takes warps of 32 for granted.
#include <cuda_runtime.h>

#include "expect.h"

// The sum of the lanes up to this one.
__device__ int prefix(int value) {
    for (int by = 1; by < 32; by *= 2) {
        asm volatile(
            "{ .reg .s32 other; .reg .pred p;"
            "  shfl.sync.up.b32 other|p, %0, %1, 0, 0xffffffff;"
            "  @p add.s32 %0, other, %0; }"
            : "+r"(value)
            : "r"(by));
    }
    return value;
}

#define LANE(lane) asm("mov.u32 %0, %%laneid;" : "=r"(lane))

__global__ void sums(const int *in, int *out, unsigned *votes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane, below, odd, reversed, field;
    LANE(lane);
    out[i] = prefix(in[i]);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(odd)
                 : "r"(in[i] & 1));
    asm("brev.b32 %0, %1;" : "=r"(reversed) : "r"(lane));
    asm("bfe.u32 %0, %1, 27, 5;" : "=r"(field) : "r"(reversed));
    votes[i] = __popc(odd & below) + 100 * field + 10000 * lane;
}

int main() {
    std::vector<int> in(256), sum(256);
    std::vector<unsigned> votes(256);
    for (int i = 0; i < 256; ++i) in[i] = i * 37 % 101 - 50;
    for (int i = 0; i < 256; ++i) {
        unsigned odd = 0, mirrored = 0;
        for (int j = i / 32 * 32; j <= i; ++j) sum[i] += in[j];
        for (int j = i / 32 * 32; j < i; ++j) odd += in[j] & 1;
        for (int bit = 0; bit < 5; ++bit) mirrored |= (i % 32 >> bit & 1) << (4 - bit);
        votes[i] = odd + 100 * mirrored + 10000 * (i % 32);
    }
    int *source = on_device(in), *result = on_device(std::vector<int>(256));
    unsigned *counts = on_device(std::vector<unsigned>(256));
    sums<<<2, 128>>>(source, result, counts);
    expect(result, sum);
    expect(counts, votes);
    return 0;
}
