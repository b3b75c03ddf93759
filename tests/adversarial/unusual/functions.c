/* Functions whose translations look unlike them: see openmp.c and cuda.cu. */
#include <stddef.h>

void axpy(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void rows(int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += x[i * m + j];
        y[i] = sum;
    }
}

void histogram(int n, const unsigned char *x, int *bins)
{
    for (int b = 0; b < 256; b++) bins[b] = 0;
    for (int i = 0; i < n; i++) bins[x[i]]++;
}

int largest(int n, const float *x)
{
    int best = -1;
    for (int i = 0; i < n; i++)
        if (best < 0 || x[i] > x[best]) best = i;
    return best;
}

void smooth(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float left = i > 0 ? x[i - 1] : x[i], right = i + 1 < n ? x[i + 1] : x[i];
        y[i] = 0.25f * left + 0.5f * x[i] + 0.25f * right;
    }
}

void blend(int n, float alpha, float beta, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = alpha * x[i] + beta * y[i];
}

void prefix(int n, const unsigned *x, unsigned *y)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}

int count(int n, const int *x, int key)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        if (x[i] == key) found++;
    return found;
}

void relax(int n, int steps, double *a, double *b)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) b[i] = i > 0 && i + 1 < n ? 0.5 * (a[i - 1] + a[i + 1]) : a[i];
        for (int i = 0; i < n; i++) a[i] = b[i];
    }
}

void pick(int n, int stride, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = 2 * x[(size_t)i * stride];
}

void transpose(int n, int m, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j * n + i] = a[i * m + j];
}

void bits(int n, const unsigned *x, int *y)
{
    for (int i = 0; i < n; i++) {
        int found = 0;
        for (unsigned rest = x[i]; rest; rest >>= 1) found += rest & 1;
        y[i] = found;
    }
}
