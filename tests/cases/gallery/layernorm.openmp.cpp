#include <algorithm>
#include <cassert>
#include <cmath>

// layernorm_forward(out, mean, rstd, inp, weight, bias, N, C, gridDim.x, blockDim.x)
void layernorm_forward(float *out, float *mean, float *rstd, const float *inp, const float *weight,
                       const float *bias, int N, int C, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < threads / 32; ++warp) {
            const int row = (block * threads + warp * 32) / 32;
            if (row >= N) continue;
            const float *x = inp + row * C;

            float sum[32] = {};
            for (int lane = 0; lane < 32; ++lane) {
                for (int i = lane; i < C; i += 32) sum[lane] += x[i];
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                float sum_before[32];
                std::copy_n(sum, 32, sum_before);
                for (int lane = 0; lane < 32; ++lane) {
                    sum[lane] += sum_before[lane ^ mask];
                }
            }
            float m[32];
            float var[32] = {};
            for (int lane = 0; lane < 32; ++lane) {
                m[lane] = sum[lane] / C;
                if (lane == 0) mean[row] = m[lane];
                for (int i = lane; i < C; i += 32) {
                    float diff = x[i] - m[lane];
                    var[lane] += diff * diff;
                }
            }
            for (int mask = 16; mask > 0; mask >>= 1) {
                float var_before[32];
                std::copy_n(var, 32, var_before);
                for (int lane = 0; lane < 32; ++lane) {
                    var[lane] += var_before[lane ^ mask];
                }
            }

            float *o = out + row * C;
            for (int lane = 0; lane < 32; ++lane) {
                float s = 1.0f / sqrtf(var[lane] / C + 1e-5f);
                if (lane == 0) rstd[row] = s;

                for (int c = lane; c < C; c += 32) {
                    float n = s * (x[c] - m[lane]);
                    o[c] = n * weight[c] + bias[c];
                }
            }
        }
    }
}
