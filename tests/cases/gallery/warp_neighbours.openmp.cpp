#include <algorithm>

// neighbours(in, out, from, gridDim.x, blockDim.x)
void neighbours(const int *in, int *out, int *from, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp * 32 < threads; ++warp) {
            const int lanes = std::min<int>(32, threads - warp * 32);
            int value[32];
            for (int lane = 0; lane < lanes; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                value[lane] = in[i];
            }
            int other[32];
            for (int lane = 0; lane < lanes; ++lane) {
                other[lane] = lane >= 1 ? value[lane - 1] : value[lane];
            }
            int value_here[32];
            for (int lane = 0; lane < lanes; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                out[i] = other[lane];
                value_here[lane] = 3 * value[lane] + i;
            }
            int other_here[32];
            for (int lane = 0; lane < lanes; ++lane) {
                other_here[lane] = lane + 2 < lanes ? value_here[lane + 2] : value_here[lane];
            }
            for (int lane = 0; lane < lanes; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                from[2 * i] += other_here[lane];
            }
        }
    }
}
