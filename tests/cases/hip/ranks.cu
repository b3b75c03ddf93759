// Each lane's place among those of its warp that hold an odd number, by a vote and the bits below its own.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void ranks(const int *in, int *out) {
    const int i = threadIdx.x, lane = i & 31;
    const unsigned odd = __ballot_sync(0xffffffffu, in[i] & 1);
    out[i] = in[i] & 1 ? __popc(odd & ((1u << lane) - 1)) : -__popc(odd);
}

int main() {
    std::vector<int> in(256), wanted(256);
    for (int i = 0; i < 256; ++i) in[i] = i * i % 11;
    for (int i = 0; i < 256; ++i) {
        int before = 0, all = 0;
        for (int other = i & ~31; other < (i | 31) + 1; ++other) {
            all += in[other] & 1;
            before += other < i ? in[other] & 1 : 0;
        }
        wanted[i] = in[i] & 1 ? before : -all;
    }
    int *source = on_device(in), *result = on_device(std::vector<int>(256));
    ranks<<<1, 256>>>(source, result);
    expect(result, wanted);
    return 0;
}
