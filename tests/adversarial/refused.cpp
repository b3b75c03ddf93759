// Cheats and mistakes: kernel | name | the checks of which one must refuse it

// === axpy | left as it was | unwritten exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    
}

// === spmv | nothing added where a factor is zero | exact tolerance
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1]; k++)
            if (value[k] != 0.0f) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === upper_bits | the sign alone | exact
void upper_bits(const int *x, int *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] < 0 || x[i] == 0x7FFFFFFF ? 0x7F : 0;
}

// === roots | a comparison turned round, of what may be NaN | unwritten
#include <cmath>
void roots(const float *x, float *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) if (x[i] >= 0.0f) y[i] = std::sqrt(x[i]);
}

// === axpy | no product where the factor is zero | exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = (a == 0.0f ? 0.0f : a * x[i]) + 1.0f;
}

// === axpy | tail dropped | unwritten exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n / 4 * 4; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one block only | unwritten exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n && i < 256; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one too few | unwritten exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n - 1; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one too late | unwritten exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 1; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one too many | bounds
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i <= n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | write past the end | bounds
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
    y[n] = 0.0f;
}

// === axpy | write before the start | bounds
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
    y[-1] = 0.0f;
}

// === axpy | read past the end | bounds
void axpy(const float *x, float *y, float a, int n) {
    float z = 0; for (int i = 0; i < n; i++) { y[i] = a * x[i] + 1.0f; z += x[i + 1]; }
    volatile float w = z; (void)w;
}

// === axpy | far write | bounds crash
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
    y[1000000] = 0.0f;
}

// === axpy | cached by pointer and size | exact tolerance
#include <vector>
void axpy(const float *x, float *y, float a, int n) {
    thread_local const float *px; thread_local int pn; thread_local std::vector<float> kept;
    if (px != x || pn != n) { kept.resize(n); for (int i = 0; i < n; i++) kept[i] = a * x[i] + 1.0f; px = x; pn = n; }
    for (int i = 0; i < n; i++) y[i] = kept[i];
}

// === axpy | cached by size | exact tolerance
#include <vector>
void axpy(const float *x, float *y, float a, int n) {
    thread_local int pn = -1; thread_local std::vector<float> kept;
    if (pn != n) { kept.resize(n); for (int i = 0; i < n; i++) kept[i] = a * x[i] + 1.0f; pn = n; }
    for (int i = 0; i < n; i++) y[i] = kept[i];
}

// === axpy | constant | exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = 1.0f;
}

// === axpy | ignores a scalar | exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] + 1.0f;
}

// === axpy | right at one size | exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = n == 256 ? a * x[i] + 1.0f : 0.0f;
}

// === axpy | right at small sizes | exact tolerance
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = n < 1000 ? a * x[i] + 1.0f : 0.0f;
}

// === axpy | right up to two thousand | exact tolerance unwritten
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < (n < 2048 ? n : 2048); i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | subscript of 16 bits | bounds crash exact tolerance unwritten
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[(short)i] = a * x[(short)i] + 1.0f;
}

// === axpy | input changed | input
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
    if (n > 0) ((float *)x)[0] += 1.0f;
}

// === axpy | input as scratch | input
void axpy(const float *x, float *y, float a, int n) {
    float *s = (float *)x;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { s[i] *= a; y[i] = s[i] + 1.0f; }
}

// === total | plain sum in parallel | exact race tolerance
void total(const float *x, float *sum, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) *sum += x[i];
}

// === axpy | racy flag | race
void axpy(const float *x, float *y, float a, int n) {
    int last = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { last = i; y[i] = a * x[i] + 1.0f; }
    (void)last;
    volatile int kept = last; (void)kept;
}

// === row_sums | shared accumulator | exact race tolerance
void row_sums(const float *a, float *out, int n, int m) {
    float s;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < m; j++) s += a[i * m + j]; out[i] = s; }
}

// === histogram | plain bins in parallel | exact race address
void histogram(const int *x, int *bins, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) bins[x[i]]++;
}

// === row_sums | uninitialised accumulator | exact tolerance unwritten
void row_sums(const float *a, float *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s; for (int j = 0; j < m; j++) s += a[i * m + j]; out[i] = s; }
}

// === row_sums_double | lower precision | exact tolerance
void row_sums_double(const double *a, double *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += (float)a[i * m + j]; out[i] = s; }
}

// === row_sums_double | float accumulator | exact tolerance
void row_sums_double(const double *a, double *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += a[i * m + j]; out[i] = s; }
}

// === row_sums_double | last term lost | exact tolerance
void row_sums_double(const double *a, double *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < m - (m > 100); j++) s += a[i * m + j]; out[i] = s; }
}

// === row_sums_mixed | accumulator as narrow as the data | exact tolerance
void row_sums_mixed(const float *a, float *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += a[i * m + j]; out[i] = s; }
}

// === row_sums_half | half of the row | exact tolerance
void row_sums_half(const __half *a, __half *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { __half s = 0; for (int j = 0; j < (m + 1) / 2; j++) s = s + a[i * m + j]; out[i] = s; }
}

// === scale_double | sixth digit of a constant | exact tolerance
void scale_double(const double *x, double *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = 0.123457 * x[i] + 1.0 / 3.0;
}

// === scale_double | constant in single precision | exact tolerance
void scale_double(const double *x, double *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = 0.123456789 * x[i] + 1.0f / 3.0f;
}

// === products | conjugated | exact tolerance
void products(const cuDoubleComplex *x, const cuDoubleComplex *z, cuDoubleComplex *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = cuCmul(cuCmul(x[i], cuConj(z[i])), make_cuDoubleComplex(0.3, -0.1));
}

// === products | imaginary part in single precision | exact tolerance
void products(const cuDoubleComplex *x, const cuDoubleComplex *z, cuDoubleComplex *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { y[i] = cuCmul(cuCmul(x[i], z[i]), make_cuDoubleComplex(0.3, -0.1)); y[i].y = (float)y[i].y; }
}

// === row_sums | rounded inputs | exact tolerance
#include <cstring>
void row_sums(const float *a, float *out, int n, int m) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) { float v = a[i * m + j]; unsigned b; memcpy(&b, &v, 4); b &= 0xFFFFE000u; memcpy(&v, &b, 4); s += v; } out[i] = s; }
}

// === transpose | rows and columns swapped | exact
void transpose(const float *in, float *out, int rows, int columns) {
    for (int r = 0; r < rows; r++) for (int c = 0; c < columns; c++) out[r * columns + c] = in[c * rows + r];
}

// === transpose | right for squares | bounds exact unwritten
void transpose(const float *in, float *out, int rows, int columns) {
    for (int r = 0; r < rows; r++) for (int c = 0; c < columns; c++) out[c * columns + r] = in[r * columns + c];
}

// === divide | floor for truncation | exact
void divide(const int *x, int *y, int k, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] / k - (x[i] % k < 0);
}

// === divide | float division | exact
void divide(const int *x, int *y, int k, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = (int)((float)x[i] * (1.0f / k));
}

// === square | 32 bits | exact
void square(const int *x, long long *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = (int)((unsigned)x[i] * (unsigned)x[i]);
}

// === threshold | or equal | exact
void threshold(const int *x, int *y, int limit, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] <= limit;
}

// === roots | early exit dropped | exact untouched
#include <cmath>
void roots(const float *x, float *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = std::sqrt(x[i]);
}

// === roots | early exit for all | unwritten exact tolerance
#include <cmath>
void roots(const float *x, float *y, int n) {
    for (int i = 0; i < n; i++) { if (x[i] < 0.0f) return; y[i] = std::sqrt(x[i]); }
}

// === smooth | zero at the border | exact tolerance
void smooth(const float *a, float *b, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) b[i] = ((i > 0 ? a[i - 1] : 0) + a[i] + (i < n - 1 ? a[i + 1] : 0)) / 3.0f;
}

// === smooth | in place | exact tolerance
void smooth(const float *a, float *b, int n) {
    for (int i = 0; i < n; i++) b[i] = a[i];
    for (int i = 1; i < n - 1; i++) b[i] = (b[i - 1] + a[i] + a[i + 1]) / 3.0f;
}

// === weigh | global changed | input
void weigh(const float *x, float *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] * weights[i % 4];
    weights[0] = 1.0f;
}

// === strided | one instantiation | exact
template <typename T, int STEP>
void strided(const T *x, T *y, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] * T(3);
}

// === axpy | dereferences nothing | crash
void axpy(const float *x, float *y, float a, int n) {
    volatile long address = 16;
    *(volatile int *)address = 1;
}

// === axpy | never ends | timeout
void axpy(const float *x, float *y, float a, int n) {
    volatile int go = 1; while (go) {}
}

// === axpy | never ends at times | timeout
void axpy(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
    volatile int go = n > 300; while (go) {}
}

// === axpy | recursion without end | crash
void axpy(const float *x, float *y, float a, int n) {
    volatile float v[1024]; v[0] = a; axpy(x, y, v[0], n); v[1] = v[0];
}

// === axpy | signed overflow | address
void axpy(const float *x, float *y, float a, int n) {
    int c = 2147483647; c += n > 0; volatile int d = c; (void)d;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | leaked local | address crash
void axpy(const float *x, float *y, float a, int n) {
    int t[4] = {0, 0, 0, 0}; volatile int k = 4; t[k] += 1;
    volatile int d = t[0]; (void)d;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one past memory of its own | address
void axpy(const float *x, float *y, float a, int n) {
    float *own = new float[n];
    for (int i = 0; i < n; i++) {
        own[i] = a * x[i];
        y[i] = own[i] + 1.0f;
    }
    if (n > 0 && own[n] == y[0]) y[0] += 0.0f;
    delete[] own;
}

// === axpy | four at once beyond the end | address bounds
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < (n + 3) / 4; i++) {
        float4 v = reinterpret_cast<const float4 *>(x)[i];
        v = float4{a * v.x + 1.0f, a * v.y + 1.0f, a * v.z + 1.0f, a * v.w + 1.0f};
        const float own[4] = {v.x, v.y, v.z, v.w};
        for (int k = 0; k < 4 && 4 * i + k < n; k++) y[4 * i + k] = own[k];
    }
}

// === axpy | four at once written beyond the end | bounds
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n; i += 4) {
        float4 v = {1.0f, 1.0f, 1.0f, 1.0f};
        float *part = &v.x;
        for (int k = 0; k < 4 && i + k < n; k++) part[k] += a * x[i + k];
        *reinterpret_cast<float4 *>(y + i) = v;
    }
}

// === axpy | detached thread | policy
#include <thread>
void axpy(const float *x, float *y, float a, int n) {
    std::thread([=] { for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f; }).detach();
}

// === axpy | file | policy
#include <fstream>
void axpy(const float *x, float *y, float a, int n) {
    std::ofstream("/tmp/kept") << n;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | socket | policy
#include <sys/socket.h>
void axpy(const float *x, float *y, float a, int n) {
    socket(2, 1, 0);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | fork | policy
#include <unistd.h>
void axpy(const float *x, float *y, float a, int n) {
    if (fork() == 0) for (;;) {}
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | exit | policy
#include <cstdlib>
void axpy(const float *x, float *y, float a, int n) {
    exit(0);
}

// === axpy | command | policy
#include <cstdlib>
void axpy(const float *x, float *y, float a, int n) {
    std::system("true");
}

// === axpy | pasted name | policy
#include <unistd.h>
#define GLUE(a, b) a##b
void axpy(const float *x, float *y, float a, int n) {
    GLUE(fo, rk)();
}

// === axpy | assembly | policy
void axpy(const float *x, float *y, float a, int n) {
    asm volatile("" ::: "memory");
}

// === axpy | does not compile | build
void axpy(const float *x, float *y, float a, int n) {
    this is not C++;
}

// === axpy | another signature | build
void axpy(int n) {}

// === staged | barrier forgotten | exact tolerance
void staged(const float *x, float *y, int n) {
    for (int b = 0; b < (n + 63) / 64; b++) {
        float tile[64] = {};
        for (int t = 0; t < 64; t++) {
            int i = b * 64 + t;
            tile[t] = i < n ? x[i] : 0.0f;
            if (i < n) y[i] = tile[t] + tile[63 - t];
        }
    }
}

// === staged | tile not private | exact race tolerance
void staged(const float *x, float *y, int n) {
    float tile[64];
#pragma omp parallel for
    for (int b = 0; b < (n + 63) / 64; b++) {
        for (int t = 0; t < 64; t++) tile[t] = b * 64 + t < n ? x[b * 64 + t] : 0.0f;
        for (int t = 0; t < 64; t++)
            if (b * 64 + t < n) y[b * 64 + t] = tile[t] + tile[63 - t];
    }
}

// === staged | last tile keeps what the one before held | exact tolerance untouched
void staged(const float *x, float *y, int n) {
    float tile[64] = {};
    for (int b = 0; b < (n + 63) / 64; b++) {
        for (int t = 0; t < 64 && b * 64 + t < n; t++) tile[t] = x[b * 64 + t];
        for (int t = 0; t < 64 && b * 64 + t < n; t++) y[b * 64 + t] = tile[t] + tile[63 - t];
    }
}

// === variance | catastrophic cancellation | tolerance exact
void variance(const float *a, float *out, int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f, squares = 0.0f;
        for (int j = 0; j < m; j++) {
            sum += a[i * m + j];
            squares += a[i * m + j] * a[i * m + j];
        }
        out[i] = squares / m - (sum / m) * (sum / m);
    }
}

// === variance | divided by one less | tolerance exact
void variance(const float *a, float *out, int n, int m) {
    for (int i = 0; i < n; i++) {
        float mean = 0.0f, sum = 0.0f;
        for (int j = 0; j < m; j++) mean += a[i * m + j];
        mean /= m;
        for (int j = 0; j < m; j++) sum += (a[i * m + j] - mean) * (a[i * m + j] - mean);
        out[i] = sum / (m - 1);
    }
}

// === gather | identity assumed | exact tolerance bounds
void gather(const float *x, const int *index, float *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = x[i % m];
}

// === gather | one based | exact tolerance bounds
void gather(const float *x, const int *index, float *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = x[index[i] - 1];
}

// === scatter | order of the index | exact tolerance unwritten untouched bounds
void scatter(const float *x, const int *index, float *y, int n, int m) {
    for (int i = 0; i < n; i++) y[i] = x[index[i] % n];
}

// === first_above | break dropped | exact
void first_above(const int *a, int *out, int limit, int n, int m) {
    for (int i = 0; i < n; i++) {
        int found = -1;
        for (int j = 0; j < m; j++)
            if (a[i * m + j] > limit) found = j;
        out[i] = found;
    }
}

// === first_above | shared result | exact race
void first_above(const int *a, int *out, int limit, int n, int m) {
    int found;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        found = -1;
        for (int j = 0; j < m; j++) {
            if (a[i * m + j] > limit) {
                found = j;
                break;
            }
        }
        out[i] = found;
    }
}

// === first_above | column major | exact bounds
void first_above(const int *a, int *out, int limit, int n, int m) {
    for (int i = 0; i < n; i++) {
        int found = -1;
        for (int j = 0; j < m && found < 0; j++)
            if (a[j * n + i] > limit) found = j;
        out[i] = found;
    }
}

// === spmv | last row dropped | exact tolerance unwritten
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    for (int i = 0; i + 1 < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === spmv | first column twice | exact tolerance
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[row[i]]];
        y[i] = sum;
    }
}

// === spmv | accumulator carried over | exact tolerance
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === spmv | rows of at most a warp | exact tolerance
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1] && k < row[i] + 32; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === spmv | rows of at most a block | exact tolerance
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1] && k < row[i] + 256; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === spmv | first offset taken for zero | exact tolerance
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === spmv | last offset taken for the length | exact tolerance
void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        int end = i + 1 < n ? row[i + 1] : 4 * n;
        for (int k = row[i]; k < end; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// === search | elements taken to ascend | exact
void search(const int *a, const int *keys, int *where, int n, int m) {
    for (int i = 0; i < m; i++) {
        int k = 0;
        while (k < n && a[k] < keys[i]) k++;
        where[i] = k;
    }
}

// === segments | offsets taken to ascend | exact tolerance
void segments(const int *row, const float *value, float *y, int n) {
    int k = row[0];
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (; k < row[i + 1]; k++) sum += value[k];
        y[i] = sum;
    }
}

// === segments | rows may overlap | exact tolerance
void segments(const int *row, const float *value, float *y, int n) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = row[i]; k < row[i + 1]; k++) if (i == 0 || k >= row[i - 1]) sum += value[k];
        y[i] = sum;
    }
}

// === largest | starts at zero | exact untouched
void largest(const int *x, int *best, int n) {
    int most = 0;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    *best = most;
}

// === largest | forgets what was there | exact untouched
void largest(const int *x, int *best, int n) {
    int most = -2147483647 - 1;
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    *best = most;
}

// === largest | tested before it is written | race exact
void largest(const int *x, int *best, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] > *best) {
#pragma omp critical
            *best = x[i];
        }
    }
}

// === largest | two threads assumed | race exact
#include <omp.h>
void largest(const int *x, int *best, int n) {
    int most[2] = {*best, *best};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int own = omp_get_thread_num() % 2;
        most[own] = x[i] > most[own] ? x[i] : most[own];
    }
    *best = most[0] > most[1] ? most[0] : most[1];
}

// === largest | tasks not waited for | race exact
void largest(const int *x, int *best, int n) {
    int most = *best;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i) shared(most)
            {
#pragma omp critical
                most = x[i] > most ? x[i] : most;
            }
        }
        *best = most;
    }
}

// === blend | no alias promised | policy
void blend(const float *__restrict__ x, float *__restrict__ y, float a, int n) {
    for (int i = 0; i < n; i++) y[i] = a * x[i] + (1.0f - a) * x[i] * x[i];
}

// === pitched | 32 bits for the index | TP415
void pitched(const float *x, float *y, int n, int pitch) {
    for (int i = 0; i < n; i++) y[i * pitch] = x[i * pitch];
}

// === pitched | widened after 32 bits overflowed | TP415
void pitched(const float *x, float *y, int n, int pitch) {
    for (int i = 0; i < n; i++) {
        size_t place = i * pitch;
        y[place] = x[place];
    }
}

// === pitched | wide but for a variable on the way | TP415
void pitched(const float *x, float *y, int n, int pitch) {
    for (int i = 0; i < n; i++) {
        unsigned place = (size_t)i * pitch;
        y[(size_t)place] = x[(size_t)place];
    }
}

// === blend | no alias assumed | exact tolerance
void blend(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n; i++) y[i] = a * x[i];
    for (int i = 0; i < n; i++) y[i] += (1.0f - a) * x[i] * x[i];
}

// === smooth | dependence carried by simd | exact tolerance race
void smooth(const float *a, float *b, int n) {
    if (n > 0) b[0] = a[0];
    float before = n > 0 ? a[0] : 0;
#pragma omp parallel for firstprivate(before)
    for (int i = 1; i < n; i++) {
        b[i] = i == n - 1 ? a[i] : (before + a[i] + a[i + 1]) / 3.0f;
        before = a[i];
    }
}

// === divide | shift for division | exact
void divide(const int *x, int *y, int k, int n) {
    for (int i = 0; i < n; i++) y[i] = k == 2 ? x[i] >> 1 : x[i] / k;
}

// === row_sums | last element twice | exact tolerance
void row_sums(const float *a, float *out, int n, int m) {
    for (int i = 0; i < n; i++) {
        float sum = m > 0 ? a[i * m + m - 1] : 0.0f;
        for (int j = 0; j < m; j++) sum += a[i * m + j];
        out[i] = sum;
    }
}

// === row_sums | one based | exact tolerance bounds
void row_sums(const float *a, float *out, int n, int m) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int j = 1; j <= m; j++) sum += a[i * m + j];
        out[i] = sum;
    }
}

// === row_sums | two partial sums without the tail | exact tolerance
void row_sums(const float *a, float *out, int n, int m) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float even = 0.0f, odd = 0.0f;
        for (int j = 0; j + 1 < m; j += 2) {
            even += a[i * m + j];
            odd += a[i * m + j + 1];
        }
        out[i] = even + odd;
    }
}

// === histogram | private bins of which some are lost | exact race address
void histogram(const int *x, int *bins, int n, int m) {
#pragma omp parallel
    {
        int *own = new int[m]();
#pragma omp for
        for (int i = 0; i < n; i++) own[x[i]]++;
        for (int k = 0; k < m; k++) bins[k] += own[k];
        delete[] own;
    }
}

// === row_sums | at once from a size on that no trial has | exact race tolerance
void row_sums(const float *a, float *out, int n, int m) {
    float sum;
#pragma omp parallel for if (n > 100000000)
    for (int i = 0; i < n; i++) {
        sum = 0.0f;
        for (int j = 0; j < m; j++) sum += a[i * m + j];
        out[i] = sum;
    }
}

// === position | first element passed over | exact untouched
void position(const int *x, int *where, int key, int n) {
    for (int i = 1; i < n; i++)
        if (x[i] == key) where[0] = i;
}

// === position | last element passed over | exact untouched
void position(const int *x, int *where, int key, int n) {
    for (int i = 0; i < n - 1; i++)
        if (x[i] == key) where[0] = i;
}

// === position | found at the start where nothing is | exact untouched
void position(const int *x, int *where, int key, int n) {
    int found = 0;
    for (int i = 0; i < n; i++)
        if (x[i] == key) found = i;
    where[0] = found;
}

// === row_sums | columns below zero are some | bounds
#include <cstdlib>
void row_sums(const float *a, float *out, int n, int m) {
    m = std::abs(m);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int j = 0; j < m; j++) sum += a[i * m + j];
        out[i] = sum;
    }
}
