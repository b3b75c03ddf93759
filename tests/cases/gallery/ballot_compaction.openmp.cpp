#include <cassert>

// compact_slices(in, out, kept, n, gridDim.x, blockDim.x)
void compact_slices(const int *in, int *out, int *kept, int n, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp_index = 0; warp_index < threads / 32; ++warp_index) {
            int warp = (block * threads + warp_index * 32) >> 5;
            bool keep[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp_index * 32 + lane;
                int i = block * threads + t;

                keep[lane] = i < n && in[i] > 0;
            }
            unsigned int votes = 0;
            for (int lane = 0; lane < 32; ++lane) {
                if (keep[lane]) votes |= 1u << lane;
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp_index * 32 + lane;
                int i = block * threads + t;
                if (keep[lane]) {
                    int before = __builtin_popcount(votes & ((1u << lane) - 1));
                    out[warp * 32 + before] = in[i];
                }
            }
            kept[warp] = __builtin_popcount(votes);
        }
    }
}
