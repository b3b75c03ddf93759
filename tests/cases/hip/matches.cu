// How many lanes of its warp hold what a lane holds, and which of them is the first; old shuffles beside.
#include <cuda_runtime.h>

#include "expect.h"

#define FULL_MASK 0xffffffffu
#define BROADCAST(value, lane) __shfl_sync(FULL_MASK, value, lane)

__global__ void matches(const int *in, int *out) {
    const int i = threadIdx.x;
    const unsigned same = __match_any_sync(FULL_MASK, in[i]);
    const int agree = __all_sync(FULL_MASK, in[i] < 4) + 2 * __any_sync(FULL_MASK, in[i] == 3);
    __syncwarp();
    out[i] = __popc(same) * 10000 + (__ffs(same) - 1) * 100 + BROADCAST(in[i], 31) * 10 + agree;
    out[i] += 1000000 * __reduce_max_sync(FULL_MASK, in[i]);
}

int main() {
    std::vector<int> in(192), wanted(192);
    for (int i = 0; i < 192; ++i) in[i] = i / 32 % 2 ? i % 4 : i * 3 % 5;
    for (int i = 0; i < 192; ++i) {
        const int first = i & ~31;
        int count = 0, least = 31, largest = 0, agree = 1, some = 0;
        for (int lane = 31; lane >= 0; --lane) {
            const int other = in[first + lane];
            if (other == in[i]) ++count, least = lane;
            largest = other > largest ? other : largest;
            agree &= other < 4;
            some |= other == 3;
        }
        wanted[i] = count * 10000 + least * 100 + in[first + 31] * 10 + agree + 2 * some + 1000000 * largest;
    }
    int *source = on_device(in), *result = on_device(std::vector<int>(192));
    matches<<<1, 192>>>(source, result);
    expect(result, wanted);
    return 0;
}
