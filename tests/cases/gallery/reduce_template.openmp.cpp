// reduce(in, out, n, gridDim.x, blockDim.x)
template <typename T, unsigned int BLOCK>
void reduce(const T *in, T *out, unsigned int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        T s[BLOCK];
        const unsigned int step = BLOCK * 2 * blocks;
        for (unsigned int t = 0; t < threads; ++t) {
            unsigned int i = block * BLOCK * 2 + t;

            T sum = 0;
            while (i < n) {
                sum += in[i];
                if (i + BLOCK < n) sum += in[i + BLOCK];
                i += step;
            }
            s[t] = sum;
        }
        if (BLOCK >= 128) {
            for (unsigned int t = 0; t < threads; ++t) {
                if (t < 64) s[t] += s[t + 64];
            }
        }
        if (BLOCK >= 64) {
            for (unsigned int t = 0; t < threads; ++t) {
                if (t < 32) s[t] += s[t + 32];
            }
        }
        for (unsigned int w = 16; w > 0; w /= 2) {
            for (unsigned int t = 0; t < threads; ++t) {
                if (t < w) s[t] += s[t + w];
            }
        }
        out[block] = s[0];
    }
}
