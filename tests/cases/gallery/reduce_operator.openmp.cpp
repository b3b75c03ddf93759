#include <algorithm>
#include <cassert>

// row_spread(m, spread, sums, columns, gridDim.x, blockDim.x)
void row_spread(const float *m, float *spread, float *sums, int columns, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        const float *row = m + block * columns;
        for (int warp = 0; warp < threads / 32; ++warp) {
            float most[32];
            float sum[32] = {};
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                most[lane] = row[0];
                for (int i = t; i < columns; i += 32) {
                    most[lane] = fmaxf(most[lane], row[i]);
                    sum[lane] += row[i];
                }
            }
            for (int other = 32 / 2; other > 0; other /= 2) {
                float most_before[32];
                std::copy_n(most, 32, most_before);
                for (int lane = 0; lane < 32; ++lane) {
                    most[lane] = Greater<float>()(most[lane], most_before[lane ^ other]);
                }
            }
            for (int other = 32 / 2; other > 0; other /= 2) {
                float sum_before[32];
                std::copy_n(sum, 32, sum_before);
                for (int lane = 0; lane < 32; ++lane) {
                    sum[lane] = Plus<float>()(sum[lane], sum_before[lane ^ other]);
                }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (t == 0) {
                    spread[block] = most[lane] - sum[lane] / columns;
                    sums[block] = sum[lane];
                }
            }
        }
    }
}
