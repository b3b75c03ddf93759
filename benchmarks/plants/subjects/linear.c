#include <math.h>
#include <float.h>

/* axpy: x[n] y[n] */
void axpy(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

/* copy_reversed: from[n] to[n] */
void copy_reversed(int n, const int *from, int *to)
{
    for (int i = 0; i < n; i++) to[n - 1 - i] = from[i];
}

/* ratio: a[n] b[n] c[n] */
void ratio(int n, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++) c[i] = b[i] != 0 ? a[i] / b[i] : 0;
}

/* polynomial: x[n] y[n] */
void polynomial(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double value = 3;
        value = value * x[i] - 2;
        value = value * x[i] + 5;
        y[i] = value * x[i] + 1;
    }
}

/* clamp: x[n] */
void clamp(int n, float low, float high, float *x)
{
    for (int i = 0; i < n; i++) {
        if (x[i] < low) x[i] = low;
        if (x[i] > high) x[i] = high;
    }
}

/* lengths: x[n] y[n] out[n] */
void lengths(int n, const double *x, const double *y, double *out)
{
    for (int i = 0; i < n; i++) out[i] = hypot(x[i], y[i]);
}

/* nearest: x[n] out[n] */
void nearest(int n, const double *x, double *out)
{
    for (int i = 0; i < n; i++) out[i] = round(x[i]);
}

/* lower_of: a[n] b[n] out[n] */
void lower_of(int n, const float *a, const float *b, float *out)
{
    for (int i = 0; i < n; i++) out[i] = fminf(a[i], b[i]);
}

/* roots: x[n] y[n] */
void roots(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = sqrtf(x[i]);
}

/* decay: x[n] y[n] */
void decay(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = exp(x[i]);
}

/* without_gaps: x[n] y[n] */
void without_gaps(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = x[i] != x[i] ? 0 : x[i];
}

/* every_third: x[3*n] y[n] */
void every_third(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++) y[i] = x[3 * i] - x[3 * i + 2];
}
