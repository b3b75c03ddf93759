// run: => exit 0
#include "expect.h"

// CUDA gives a thread up to 512 KiB of local memory.
template <int Bytes>
__global__ void fill_local(int *out) {
    volatile char local[Bytes];
    for (int i = 0; i < Bytes; i += 4096) local[i] = static_cast<char>(i / 4096);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < Bytes; i += 4096) sum += local[i] + (local[i] < 0 ? 256 : 0);
    out[threadIdx.x] = sum;
}

int main() {
    Buffer<int> out(64);
    fill_local<1 << 10><<<1, 64>>>(out.device);
    EXPECT(out[63] == 0);
    fill_local<511 << 10><<<1, 64>>>(out.device);
    EXPECT(out[0] == 127 * 128 / 2 && out[63] == 127 * 128 / 2);
    return failed_expectations != 0;
}
