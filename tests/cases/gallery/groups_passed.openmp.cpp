#include <cassert>

// block_sums(in, out, n, gridDim.x, blockDim.x)
void block_sums(const float *in, float *out, int n, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float partial[BLOCK / 32];
        float total;
        for (int warp = 0; warp < threads / 32; ++warp) {
            float value[32];
            for (int lane = 0; lane < 32; ++lane) {
                unsigned rank = warp * 32 + lane;
                const int i = block * BLOCK + rank;
                value[lane] = i < n ? in[i] : 0.0f;
            }
            for (int step = 32 / 2; step > 0; step /= 2) {
                for (int lane = 0; lane < 32; ++lane) {
                    value[lane] += lane + step < 32 ? value[lane + step] : value[lane];
                }
            }
            partial[(warp * 32) / 32] = value[0];
        }
        total = partial[0] + partial[1];
        out[block] = total;
    }
}
