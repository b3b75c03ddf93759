// apply_lut(pixels, lut, n, gridDim.x, blockDim.x)
void apply_lut(byte *pixels, const byte *lut, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        byte table[256];
        for (int tid = 0; tid < 256; ++tid) {
            table[tid] = lut[tid];
        }

        for (int t = 0; t < threads; ++t) {
            for (int i = block * threads + t; i < n; i += threads * blocks)
                pixels[i] = table[pixels[i]];
        }
    }
}
