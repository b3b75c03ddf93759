#include <cassert>

// smooth_and_sharpen(input, output, n, gridDim.x, blockDim.x)
void smooth_and_sharpen(const float *input, float *output, int n, int blocks, unsigned threads)
{
    assert(threads == 128);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float smooth[128];
        float kept[128];
        float before[128];
        for (unsigned t = 0; t < threads; ++t) {
            smooth[t] = 1.0f;
            float &slot = smooth[t];
            const int i = block * 128 + t;
            float left = i > 0 && i < n ? input[i - 1] : 0.0f;
            float right = i < n - 1 ? input[i + 1] : 0.0f;
            kept[t] = i < n ? input[i] : 0.0f;
            before[t] = slot;
            slot = 0.25f * (left + 2.0f * kept[t] + right);
        }
        for (int step = 0; step < 2; ++step) {
            for (unsigned t = 0; t < threads; ++t) {
                int place = t > 0 ? t - 1 : 0;
                float left = smooth[place];
                place = t < 127 ? t + 1 : 127;
                float right = smooth[place];
            }
            for (unsigned t = 0; t < threads; ++t) {
                float &slot = smooth[t];
                int place = t;
                slot = smooth[place] + 0.5f * kept[t];
            }
        }
        for (unsigned t = 0; t < threads; ++t) {
            int place = block * 128 + t;
            if (place < n) {
                float left = smooth[t];
                output[place] = 2.0f * kept[t] - left + before[t];
            }
        }
    }
}

// levels(input, output, n, m, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y)
void levels(const float *input, float *output, size_t n, int m,
            int blocks_x, int blocks_y, int blocks_z, int threads_x, int threads_y)
{
    #pragma omp parallel for collapse(3)
    for (int block_z = 0; block_z < blocks_z; ++block_z)
        for (int block_y = 0; block_y < blocks_y; ++block_y)
            for (int block_x = 0; block_x < blocks_x; ++block_x) {
                size_t block = block_x + (size_t)(block_y * blocks_x) + (size_t)(blocks_x * blocks_y * block_z);
                for (int ty = 0; ty < threads_y; ++ty)
                    for (int tx = 0; tx < threads_x; ++tx) {
                        size_t i = block * (size_t)(threads_x * threads_y) + (size_t)(ty * threads_x) + tx;
                        if (i >= n)
                            continue;
                        float level, sum;
                        sum = 1.0f;
                        level = 2.0f * m;
                        output[i] = input[i] + level;
                        #define square level
                        sum += level;

                        square = sum * sum;
                        #undef square
                        if (input[i] > level)
                            output[n + i] = level;
                    }
            }
}
