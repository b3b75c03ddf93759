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
