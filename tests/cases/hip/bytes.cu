// The largest of four bytes at once, over a warp of 32, and how far two rows of bytes are apart.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void bytes(const unsigned *in, unsigned *out) {
    unsigned value = in[threadIdx.x];
    const unsigned apart = __vsadu4(value, in[threadIdx.x ^ 1]);
    for (int offset = 16; offset > 0; offset /= 2) value = __vmaxs4(value, __shfl_xor_sync(0xffffffff, value, offset));
    out[threadIdx.x] = value ^ apart << 8 ^ __vcmpgtu2(value, in[threadIdx.x]);
}

int main() {
    std::vector<unsigned> in(128), wanted(128);
    for (int i = 0; i < 128; ++i) in[i] = 2654435761u * i;
    for (int i = 0; i < 128; ++i) {
        unsigned value = 0, apart = 0, above = 0;
        for (int place = 0; place < 32; place += 8) {
            int most = -128;
            for (int lane = 0; lane < 32; ++lane) {
                const int other = static_cast<signed char>(in[(i & ~31) + lane] >> place);
                most = other > most ? other : most;
            }
            value |= (most & 0xFFu) << place;
            const int a = in[i] >> place & 0xFF, b = in[i ^ 1] >> place & 0xFF;
            apart += a > b ? a - b : b - a;
        }
        for (int place = 0; place < 32; place += 16) {
            if ((value >> place & 0xFFFF) > (in[i] >> place & 0xFFFF)) above |= 0xFFFFu << place;
        }
        wanted[i] = value ^ apart << 8 ^ above;
    }
    unsigned *source = on_device(in), *result = on_device(std::vector<unsigned>(128));
    bytes<<<1, 128>>>(source, result);
    expect(result, wanted);
    return 0;
}
