#include <algorithm>
#include <vector>

// block_scan(in, out, totals, gridDim.x, blockDim.x)
void block_scan(const int *in, int *out, int *totals, int blocks, unsigned threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int warp_sums[32];
        std::vector<int> value(threads);
        for (int warp = 0; warp * 32 < threads; ++warp) {
            const int lanes = std::min<int>(32, threads - warp * 32);
            for (int lane = 0; lane < lanes; ++lane) {
                unsigned t = warp * 32 + lane;
                const int i = block * threads + t;

                value[t] = in[i];
            }
            for (int d = 1; d < 32; d <<= 1) {
                int up[32];
                for (int lane = 0; lane < lanes; ++lane) {
                    unsigned t = warp * 32 + lane;
                    up[lane] = lane >= d ? value[t - d] : value[t];
                }
                for (int lane = 0; lane < lanes; ++lane) {
                    unsigned t = warp * 32 + lane;
                    if (lane >= d) value[t] += up[lane];
                }
            }
            for (int lane = 0; lane < lanes; ++lane) {
                unsigned t = warp * 32 + lane;
                if (lane == 31) warp_sums[warp] = value[t];
            }
        }

        for (int warp = 0; warp * 32 < threads; ++warp) {
            const int lanes = std::min<int>(32, threads - warp * 32);
            if (warp == 0) {
                int sum[32];
                for (int lane = 0; lane < lanes; ++lane) {
                    sum[lane] = lane < threads / 32 ? warp_sums[lane] : 0;
                }
                for (int d = 1; d < 32; d <<= 1) {
                    int up[32];
                    for (int lane = 0; lane < lanes; ++lane) {
                        up[lane] = lane >= d ? sum[lane - d] : sum[lane];
                    }
                    for (int lane = 0; lane < lanes; ++lane) {
                        if (lane >= d) sum[lane] += up[lane];
                    }
                }
                for (int lane = 0; lane < lanes; ++lane) {
                    warp_sums[lane] = sum[lane];
                }
            }
        }

        for (unsigned t = 0; t < threads; ++t) {
            const int warp = t >> 5;
            const int i = block * threads + t;
            if (warp > 0) value[t] += warp_sums[warp - 1];
            out[i] = value[t];
            if (t == threads - 1) totals[block] = value[t];
        }
    }
}
