#include <algorithm>
#include <cassert>

// row_sums(m, sums, rows, columns, gridDim.x, blockDim.x, blockDim.y)
void row_sums(const float *m, float *sums, int rows, int columns, int blocks, int threads_x, int threads_y)
{
    assert(threads_x == 32);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int ty = 0; ty < threads_y; ++ty) {
            int row = block * threads_y + ty;
            if (row >= rows) continue;
            float sum[32] = {};
            for (int tx = 0; tx < 32; ++tx) {
                for (int c = tx; c < columns; c += 32) sum[tx] += m[row * columns + c];
            }
            for (int offset = 16; offset > 0; offset /= 2) {
                for (int tx = 0; tx < 32; ++tx) {
                    sum[tx] += tx + offset < 32 ? sum[tx + offset] : sum[tx];
                }
            }
            sums[row] = sum[0];
        }
    }
}

// row_maxima(m, largest, rows, columns, gridDim.x, blockDim.x, blockDim.y)
void row_maxima(const int *m, int *largest, int rows, int columns, int blocks, int threads_x, int threads_y)
{
    assert(threads_x == 32);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int ty = 0; ty < threads_y; ++ty) {
            const int row = block * threads_y + ty;
            if (row < rows) {
                int most[32];
                for (int lane = 0; lane < 32; ++lane) {
                    most[lane] = lane < columns ? m[row * columns + lane] : 0;
                }
                for (int mask = 16; mask > 0; mask >>= 1) {
                    int most_before[32];
                    std::copy_n(most, 32, most_before);
                    for (int lane = 0; lane < 32; ++lane) {
                        most[lane] = std::max(most[lane], most_before[lane ^ mask]);
                    }
                }
                largest[row] = most[0];
            }
        }
    }
}

// block_sums(in, out, gridDim.x, blockDim.x, blockDim.y)
void block_sums(const int *in, int *out, int blocks, int threads_x, int threads_y)
{
    assert(threads_x == 32);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int parts[8];
        for (int warp = 0; warp < threads_y; ++warp) {
            int v[32];
            for (int lane = 0; lane < 32; ++lane) {
                v[lane] = in[block * 256 + warp * 32 + lane];
            }
            for (int o = 16; o; o >>= 1) {
                int v_before[32];
                std::copy_n(v, 32, v_before);
                for (int lane = 0; lane < 32; ++lane) {
                    v[lane] += v_before[lane ^ o];
                }
            }
            parts[warp] = v[0];
        }
        int s = 0;
        for (int i = 0; i < 8; ++i) s += parts[i];
        out[block] = s;
    }
}
