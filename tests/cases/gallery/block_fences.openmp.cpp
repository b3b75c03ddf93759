#include <cassert>

// exchanged(in, out, n, gridDim.x, blockDim.x)
void exchanged(const int *in, int *out, int n, int blocks, int threads)
{
    assert(threads == 128);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int held[128];
        int come;
        come = 0;
        int *come2 = &come;
        for (int t = 0; t < threads; ++t) {
            const int i = block * threads + t;
            int *slot = &held[t];
            int value = i < n ? in[i] : 0;

            *slot = value;
            *come2 += 1;
        }
        for (int t = 0; t < threads; ++t) {
            const int i = block * threads + t;
            if (i < n) out[i] = held[t ^ 1] + come;
        }
    }
}

// published(in, out, n, gridDim.x, blockDim.x)
void published(const int *in, int *out, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int t = 0; t < threads; ++t) {
            const int i = block * threads + t;
            if (i >= n) continue;
            out[2 * i] = in[i];
            out[2 * i + 1] = in[i] + 1;
        }
    }
}
