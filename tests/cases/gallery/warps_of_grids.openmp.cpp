#include <algorithm>
#include <cassert>

// tile_sums(m, sums, columns, gridDim.x, gridDim.y, blockDim.x, blockDim.y)
void tile_sums(const float *m, float *sums, int columns,
               int blocks_x, int blocks_y, int threads_x, int threads_y)
{
    assert(threads_x == 16);
    assert(threads_y == 8);
    #pragma omp parallel for collapse(2)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
        for (int block_x = 0; block_x < blocks_x; ++block_x) {
            float parts[4];
            for (int warp = 0; warp < threads_x * threads_y / 32; ++warp) {
                float sum[32];
                for (int lane = 0; lane < 32; ++lane) {
                    const int tid = warp * 32 + lane;
                    const int tx = tid % threads_x;
                    const int ty = tid / threads_x;
                    sum[lane] = m[(block_y * 8 + ty) * columns + block_x * 16 + tx];
                }
                for (int offset = 16; offset > 0; offset >>= 1) {
                    for (int lane = 0; lane < 32; ++lane) {
                        sum[lane] += lane + offset < 32 ? sum[lane + offset] : sum[lane];
                    }
                }
                parts[warp] = sum[0];
            }
            sums[block_y * blocks_x + block_x] = parts[0] + parts[1] + parts[2] + parts[3];
        }
}

// column_maxima(m, largest, rows, columns, gridDim.x, blockDim.x, blockDim.y)
void column_maxima(const int *m, int *largest, int rows, int columns,
                   int blocks, int threads_x, int threads_y)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int best[32];
        for (int warp = 0; warp * 32 < threads_x * threads_y; ++warp) {
            const int lanes = std::min<int>(32, threads_x * threads_y - warp * 32);
            int most[32] = {};
            for (int lane = 0; lane < lanes; ++lane) {
                const int tid = warp * 32 + lane;
                const int tx = tid % threads_x;
                const int ty = tid / threads_x;
                const int column = block * threads_x + tx;
                for (int row = ty; row < rows; row += threads_y)
                    if (column < columns) most[lane] = std::max(most[lane], m[row * columns + column]);
            }
            unsigned any = 0;
            for (int lane = 0; lane < lanes; ++lane) {
                if (most[lane] > 0) any |= 1u << lane;
            }
            for (int mask = 16; mask > 0; mask /= 2) {
                int other[32];
                for (int lane = 0; lane < lanes; ++lane) {
                    other[lane] = ((lane ^ mask) < lanes ? most[lane ^ mask] : most[lane]);
                }
                for (int lane = 0; lane < lanes; ++lane) {
                    most[lane] = std::max(most[lane], other[lane]);
                }
            }
            for (int lane = 0; lane < lanes; ++lane) {
                const int tid = warp * 32 + lane;
                if (tid % 32 == 0) best[tid / 32] = any ? most[lane] : 0;
            }
        }
        for (int w = 1; w < threads_x * threads_y / 32; ++w) best[0] = std::max(best[0], best[w]);
        largest[block] = best[0];
    }
}

// turned(in, out, gridDim.x, blockDim.x, blockDim.y, blockDim.z)
void turned(const int *in, int *out, int blocks, int threads_x, unsigned threads_y, unsigned threads_z)
{
    assert(threads_x == 4);
    assert(threads_y == 8);
    assert(threads_z == 4);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < threads_x * threads_y * threads_z / 32; ++warp) {
            int v[32];
            for (int lane = 0; lane < 32; ++lane) {
                const int place = warp * 32 + lane;
                v[lane] = in[block * 128 + place];
            }
            int other[32];
            for (int lane = 0; lane < 32; ++lane) {
                const int place = warp * 32 + lane;
                const int tx = place % threads_x;
                other[lane] = v[(lane & ~3) + ((tx + 1) & 3)];
            }
            for (int lane = 0; lane < 32; ++lane) {
                const int place = warp * 32 + lane;
                const unsigned ty = place / threads_x % threads_y;
                const unsigned tz = place / threads_x / threads_y;
                out[block * 128 + place] = 10 * v[lane] + other[lane] + ty - tz;
            }
        }
    }
}
