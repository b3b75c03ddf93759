// add_left(x, y, n, gridDim.x, blockDim.x)
void add_left(const float *x, float *y, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float part[BLOCK];
        for (int t = 0; t < threads; ++t) {
            int i = block * BLOCK + t;
            if (i >= n) continue;
            part[t] = x[i];
        }
        for (int t = 0; t < threads; ++t) {
            int i = block * BLOCK + t;
            if (i >= n) continue;
            float left = t > 0 ? part[t - 1] : 0.0f;
            y[i] = left + part[t];
        }
    }
}
