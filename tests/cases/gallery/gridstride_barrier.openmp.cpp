// smooth_tiles(in, out, tiles, gridDim.x, blockDim.x)
void smooth_tiles(const float *in, float *out, int tiles, int blocks, unsigned threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float tile[W];
        for (int k = block; k < tiles; k += blocks) {
            for (unsigned t = 0; t < threads; ++t) {
                tile[t] = in[k * W + t];
            }
            for (unsigned t = 0; t < threads; ++t) {
                const float left = tile[t == 0 ? 0 : t - 1];
                const float right = tile[t == W - 1 ? W - 1 : t + 1];
                out[k * W + t] = (left + 2.0f * tile[t] + right) * 0.25f;
            }
        }
    }
}
