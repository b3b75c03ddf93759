// to_half(in, out, n)
void to_half(const float *in, __half *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        out[i] = __float2half(in[i] * 0.5f);
    }
}

// axpy(x, y, a, pairs)
void axpy(const __half2 *x, __half2 *y, float a, int pairs)
{
    #pragma omp parallel for
    for (int i = 0; i < pairs; ++i) {
        y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
    }
}

// positive(in, out, n)
void positive(const half *in, half *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i)
        out[i] = __hgt(in[i], __float2half(0.0f)) ? in[i] : __float2half(0.0f);
}

// dot(a, b, out, n, gridDim.x, blockDim.x)
void dot(const __half *a, const __half *b, float *out, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float part[BLOCK];
        for (int t = 0; t < threads; ++t) {
            const int i = block * BLOCK + t;
            part[t] = i < n ? __half2float(a[i]) * __half2float(b[i]) : 0.0f;
        }
        for (int half_of = BLOCK / 2; half_of > 0; half_of /= 2) {
            for (int t = 0; t < threads; ++t) {
                if (t < half_of) part[t] += part[t + half_of];
            }
        }
        out[block] = part[0];
    }
}
