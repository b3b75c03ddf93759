int limited(int value, int most) { return max(0, min(value, most)); }

// capped(a, b, length, most, gridDim.x * blockDim.x)
void capped(int *a, const int *b, int length, int most, int threads)
{
    #pragma omp parallel for
    for (int i = 0; i < threads; ++i) {
        int each = (length + threads - 1) / threads;
        for (int k = i * each; k < min((i + 1) * each, length); k++) a[k] = limited(b[k], most);
    }
}

// largest(x, y, length, gridDim.x, blockDim.x)
void largest(const float *x, float *y, int length, int blocks_count, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks_count; ++block) {
        float part[128];
        for (int t = 0; t < threads; ++t) {
            int i = block * threads + t;
            part[t] = i < length ? fabsf(x[i]) : 0.0f;
        }
        for (int half = threads / 2; half > 0; half /= 2) {
            for (int t = 0; t < half; ++t) {
                part[t] = fmaxf(part[t], part[t + half]);
            }
        }
        y[block] = max(part[0], 1.0f);
    }
}
