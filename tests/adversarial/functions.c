/* Functions whose CUDA versions are judged: what is refused, and what is kept. */
#include <stddef.h>

static const float factors[1] = {1};

static float product(float a, float b)
{
    return a * b;
}

void axpy(int n, float a, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void average(int rows, int columns, const float *in, float *out)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            float left = c > 0 ? in[r * columns + c - 1] : 0;
            float right = c + 1 < columns ? in[r * columns + c + 1] : 0;
            out[r * columns + c] = 0.25f * left + 0.5f * in[r * columns + c] + 0.25f * right;
        }
}

void multiply(int n, int m, int k, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
            c[i * m + j] = sum;
        }
}

void histogram(const unsigned char *data, int n, int *bins)
{
    for (int b = 0; b < 256; b++) bins[b] = 0;
    for (int i = 0; i < n; i++) bins[data[i]]++;
}

int first(const int *x, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (x[i] == key) return i;
    return -1;
}

void halve(const int *x, int *out, int n)
{
    for (int i = 0; i < n; i++) out[i] = x[i] / 2;
}

void shift(double *x, int n)
{
    for (int i = 0; i + 1 < n; i++) x[i] = x[i + 1];
}

void signs(const float *x, int *out, int n)
{
    for (int i = 0; i < n; i++) {
        if (x[i] >= 0) out[i] = 1;
        else out[i] = -1;
    }
}
