#include <cassert>

// by_macro(m, sums, rows, gridDim.x, blockDim.x)
void by_macro(const float *m, float *sums, int rows, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < threads / 32; ++warp) {
            int row = (block * threads + warp * 32) / 32;
            if (row < rows) {
                float sum[32];
                for (int lane = 0; lane < 32; ++lane) {
                    sum[lane] = m[row * LANES + lane];
                }
                for (int half = LANES / 2; half > 0; half /= 2) {
                    for (int lane = 0; lane < 32; ++lane) {
                        sum[lane] += lane + half < 32 ? sum[lane + half] : sum[lane];
                    }
                }
                sums[row] = sum[0];
            }
        }
    }
}

// by_constant(m, sums, rows, gridDim.x, blockDim.x)
void by_constant(const float *m, float *sums, int rows, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        using namespace shape;
        for (int warp = 0; warp < threads / 32; ++warp) {
            int row = (block * threads + warp * 32) / 32;
            if (row < rows) {
                float sum[32];
                for (int lane = 0; lane < 32; ++lane) {
                    sum[lane] = m[row * WIDTH + lane];
                }
                for (int half = 16; half > 0; half /= 2) {
                    for (int lane = 0; lane < 32; ++lane) {
                        sum[lane] += lane + half < 32 ? sum[lane + half] : sum[lane];
                    }
                }
                sums[row] = sum[0];
            }
        }
    }
}

// by_variable(m, sums, rows, gridDim.x, blockDim.x)
void by_variable(const float *m, float *sums, int rows, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        const int width = 32;
        for (int warp = 0; warp < threads / 32; ++warp) {
            int row = (block * threads + warp * 32) / 32;
            if (row >= rows) continue;
            float sum[32];
            for (int lane = 0; lane < 32; ++lane) {
                sum[lane] = m[row * width + lane];
            }
            for (int half = width / 2; half > 0; half /= 2) {
                for (int lane = 0; lane < 32; ++lane) {
                    sum[lane] += lane + half < 32 ? sum[lane + half] : sum[lane];
                }
            }
            sums[row] = sum[0];
        }
    }
}
