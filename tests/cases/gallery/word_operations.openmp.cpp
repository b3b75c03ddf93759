#include <cassert>

// clamp_bytes(in, out, low, high, n)
void clamp_bytes(const unsigned *in, unsigned *out, unsigned low, unsigned high, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        out[i] = __vminu4(__vmaxu4(in[i], low), high);
    }
}

// relu_bytes(in, out, n)
void relu_bytes(const int *in, int *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        out[i] = __vmaxs4(in[i], 0);
    }
}

// apart(a, b, sums, n, gridDim.x, blockDim.x)
void apart(const unsigned *a, const unsigned *b, unsigned *sums, int n, int blocks, int threads)
{
    assert(threads == 128);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        unsigned held[128];
        for (int t = 0; t < threads; ++t) {
            int i = block * threads + t;
            held[t] = i < n ? __vsadu4(a[i], b[i]) + __vabsdiffs2(a[i], b[i]) % 7 : 0;
        }
        for (int half = 64; half > 0; half /= 2) {
            for (int t = 0; t < threads; ++t) {
                if (t < half) held[t] = __vaddus2(held[t], held[t + half]);
            }
        }
        sums[block] = held[0];
    }
}
