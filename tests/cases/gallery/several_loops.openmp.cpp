#include <cassert>

// strided_total(input, output, len, gridDim.x, blockDim.x)
void strided_total(const float *input, float *output, int len, int blocks, int threads)
{
    assert(threads == 64);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float part[BLOCK];
        for (int thread = 0; thread < threads; ++thread) {
            part[thread] = 0;
            for (int i = block * BLOCK + thread; i < len; i += blocks * BLOCK) part[thread] += input[i];
        }
        for (int i = BLOCK >> 1; i > 0; i >>= 1) {
            for (int thread = 0; thread < threads; ++thread) {
                if (thread < i) part[thread] += part[thread + i];
            }
        }
        output[block] = part[0];
    }
}
