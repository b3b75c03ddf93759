// Honest translations of kernels.cu, which must be kept: kernel | name

// === axpy | loop
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | backwards
void axpy(const float *x, float *y, float a, int n) {
    for (int i = n - 1; i >= 0; i--) y[i] = a * x[i] + 1.0f;
}

// === axpy | simd
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp simd
    for (int i = 0; i < n; i++) y[i] = 1.0f + x[i] * a;
}

// === axpy | four at once
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n / 4; i++) {
        float4 v = reinterpret_cast<const float4 *>(x)[i];
        v = float4{a * v.x + 1.0f, a * v.y + 1.0f, a * v.z + 1.0f, a * v.w + 1.0f};
        reinterpret_cast<float4 *>(y)[i] = v;
    }
    for (int i = n / 4 * 4; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === total | reduction
void total(const float *x, float *sum, int n) {
    float s = 0.0f;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
    *sum += s;
}

// === total | pairs
void total(const float *x, float *sum, int n) {
    float s = 0.0f, t = 0.0f; int i = 0;
    for (; i + 1 < n; i += 2) { s += x[i]; t += x[i + 1]; }
    if (i < n) s += x[i];
    *sum += s + t;
}

// === total | atomic
void total(const float *x, float *sum, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
    *sum += x[i]; }
}

// === total | in double
void total(const float *x, float *sum, int n) {
    double s = *sum; for (int i = 0; i < n; i++) s += x[i]; *sum = (float)s;
}

// === transpose | collapsed
void transpose(const float *in, float *out, int rows, int columns) {
#pragma omp parallel for collapse(2)
    for (int r = 0; r < rows; r++) for (int c = 0; c < columns; c++)
        out[c * rows + r] = in[r * columns + c];
}

// === row_sums | rows
void row_sums(const float *a, float *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += a[i * m + j]; out[i] = s; }
}

// === row_sums | rows simd
void row_sums(const float *a, float *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s = 0;
#pragma omp simd reduction(+ : s)
    for (int j = 0; j < m; j++) s += a[i * m + j];
    out[i] = s; }
}

// === row_sums | rows by four
void row_sums(const float *a, float *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s[4] = {0, 0, 0, 0};
    for (int j = 0; j < m; j++) s[j % 4] += a[i * m + j];
    out[i] = (s[0] + s[1]) + (s[2] + s[3]); }
}

// === row_sums_double | double rows backwards
void row_sums_double(const double *a, double *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double s = 0; for (int j = m - 1; j >= 0; j--) s += a[i * m + j]; out[i] = s; }
}

// === row_sums_mixed | mixed rows by four
void row_sums_mixed(const float *a, float *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double s[4] = {0, 0, 0, 0};
    for (int j = 0; j < m; j++) s[j % 4] += a[i * m + j];
    out[i] = (s[0] + s[1]) + (s[2] + s[3]); }
}

// === row_sums_half | half rows in float
void row_sums_half(const __half *a, __half *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += __half2float(a[i * m + j]); out[i] = __float2half(s); }
}

// === row_sums_half | half rows backwards
void row_sums_half(const __half *a, __half *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { __half s = 0; for (int j = m - 1; j >= 0; j--) s = s + a[i * m + j]; out[i] = s; }
}

// === scale_double | fused
#include <cmath>
void scale_double(const double *x, double *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = std::fma(0.123456789, x[i], 1.0 / 3.0);
}

// === products | products the other way round
void products(const cuDoubleComplex *x, const cuDoubleComplex *z, cuDoubleComplex *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = cuCmul(x[i], cuCmul(z[i], make_cuDoubleComplex(0.3, -0.1)));
}

// === products | three multiplications
void products(const cuDoubleComplex *x, const cuDoubleComplex *z, cuDoubleComplex *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double k = z[i].x * (x[i].x + x[i].y), l = x[i].x * (z[i].y - z[i].x), m = x[i].y * (z[i].x + z[i].y);
        y[i] = cuCmul({k - m, k + l}, make_cuDoubleComplex(0.3, -0.1));
    }
}

// === divide | quotient
void divide(const int *x, int *y, int k, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] / k;
}

// === square | wide
void square(const int *x, long long *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { long long v = x[i]; y[i] = v * v; }
}

// === threshold | below
void threshold(const int *x, int *y, int limit, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] < limit;
}

// === roots | guarded root
#include <cmath>
void roots(const float *x, float *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) if (!(x[i] < 0.0f)) y[i] = std::sqrt(x[i]);
}

// === histogram | counted
void histogram(const int *x, int *bins, int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        bins[x[i]]++;
    }
}

// === smooth | other order of terms
void smooth(const float *a, float *b, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i == 0 || i == n - 1) b[i] = a[i];
        else b[i] = (a[i + 1] + a[i] + a[i - 1]) / 3.0f;
    }
}

// === weigh | with a constant table
void weigh(const float *x, float *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] * weights[i % 4];
}

// === strided | template
template <typename T, int STEP>
void strided(const T *x, T *y, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] * T(STEP);
}

// === staged | tile by tile
void staged(const float *x, float *y, int n) {
#pragma omp parallel for
    for (int b = 0; b < (n + 63) / 64; b++) {
        float tile[64];
        for (int t = 0; t < 64; t++) tile[t] = b * 64 + t < n ? x[b * 64 + t] : 0.0f;
        for (int t = 0; t < 64; t++)
            if (b * 64 + t < n) y[b * 64 + t] = tile[t] + tile[63 - t];
    }
}

// === variance | two passes
void variance(const float *a, float *out, int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float mean = 0.0f, sum = 0.0f;
#pragma omp simd reduction(+ : mean)
        for (int j = 0; j < m; j++) mean += a[i * m + j];
        mean /= m;
        for (int j = m - 1; j >= 0; j--) sum += (a[i * m + j] - mean) * (a[i * m + j] - mean);
        out[i] = sum / m;
    }
}

// === gather | loop
void gather(const float *x, const int *index, float *y, int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[index[i]];
}

// === scatter | loop
void scatter(const float *x, const int *index, float *y, int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[index[i]] = x[i];
}

// === first_above | while
void first_above(const int *a, int *out, int limit, int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < m && a[i * m + j] <= limit) j++;
        out[i] = j < m ? j : -1;
    }
}

// === spmv | rows
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === segments | rows
void segments(const int *row, const float *value, float *y, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k];
        y[i] = sum;
    }
}

// === largest | reduction
void largest(const int *x, int *best, int n) {
    int most = *best;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    *best = most;
}

// === pitched | wide index
void pitched(const float *x, float *y, int n, int pitch) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[(size_t)i * pitch] = x[(size_t)i * pitch];
}

// === pitched | wide steps
void pitched(const float *x, float *y, int n, int pitch) {
    size_t place = 0;
    for (int i = 0; i < n; i++, place += pitch) y[place] = x[place];
}

// === blend | loop
void blend(const float *x, float *y, float a, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + (1.0f - a) * x[i] * x[i];
}

// === position | loop
void position(const int *x, int *where, int key, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] == key) where[0] = i;
}
