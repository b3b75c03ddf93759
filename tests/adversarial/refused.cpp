// Cheats and mistakes: kernel | name | the checks of which one must refuse it

// === axpy | left as it was | unwritten
void axpy(const float *x, float *y, float a, int n) {
    
}

// === axpy | tail dropped | unwritten
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n / 4 * 4; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one block only | unwritten
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n && i < 256; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one too few | unwritten
void axpy(const float *x, float *y, float a, int n) {
    for (int i = 0; i < n - 1; i++) y[i] = a * x[i] + 1.0f;
}

// === axpy | one too late | unwritten
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
    static const float *px; static int pn; static std::vector<float> kept;
    if (px != x || pn != n) { kept.resize(n); for (int i = 0; i < n; i++) kept[i] = a * x[i] + 1.0f; px = x; pn = n; }
    for (int i = 0; i < n; i++) y[i] = kept[i];
}

// === axpy | cached by size | exact tolerance
#include <vector>
void axpy(const float *x, float *y, float a, int n) {
    static int pn = -1; static std::vector<float> kept;
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

// === histogram | plain bins in parallel | exact race
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

// === roots | early exit for all | unwritten
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
