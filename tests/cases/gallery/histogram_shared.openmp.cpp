// histogram(data, n, bins, gridDim.x, blockDim.x)
void histogram(const unsigned char *data, size_t n, unsigned int *bins, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        unsigned int local[BINS];
        for (unsigned b = 0; b < BINS; ++b) local[b] = 0;

        const size_t stride = (size_t)threads * blocks;
        for (int t = 0; t < threads; ++t) {
            for (size_t i = (size_t)block * threads + t; i < n; i += stride)
                local[data[i] % BINS] += 1u;
        }

        for (unsigned b = 0; b < BINS; ++b)
            if (local[b] > 0) {
                #pragma omp atomic
                bins[b] += local[b];
            }
    }
}
