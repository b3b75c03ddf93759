/* Functions of many kinds, whose contracts and verdicts must not depend on how busy a machine is. */
#include <math.h>
#include <stddef.h>

void fill(int n, float value, float *y) { for (int i = 0; i < n; i++) y[i] = value; }
void copy(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
void scaled(int n, float a, float *x) { for (int i = 0; i < n; i++) x[i] *= a; }
void axpy(int n, double a, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
void shifted(int n, const int *x, int *y) { for (int i = 1; i < n; i++) y[i] = x[i - 1]; }
void reversed(int n, const int *x, int *y) { for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }
void strided(int n, int step, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i * step]; }
void clamped(int n, float low, float high, float *x)
{
    for (int i = 0; i < n; i++) x[i] = x[i] < low ? low : x[i] > high ? high : x[i];
}
float total(int n, const float *x)
{
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
double product_of(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
int largest(int n, const int *x)
{
    int most = x[0];
    for (int i = 1; i < n; i++) if (x[i] > most) most = x[i];
    return most;
}
int where_least(int n, const float *x)
{
    int at = 0;
    for (int i = 1; i < n; i++) if (x[i] < x[at]) at = i;
    return at;
}
int count_above(int n, float limit, const float *x)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += x[i] > limit;
    return count;
}
void running(int n, const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < n; i++) { sum += x[i]; y[i] = sum; }
}
void decayed(int n, float a, float *x) { for (int i = 1; i < n; i++) x[i] += a * x[i - 1]; }
int kept(int n, const float *x, float *y)
{
    int count = 0;
    for (int i = 0; i < n; i++) if (x[i] > 0) y[count++] = x[i];
    return count;
}
void gathered(int n, const int *index, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[index[i]]; }
void scattered(int n, const int *index, const float *x, float *y) { for (int i = 0; i < n; i++) y[index[i]] = x[i]; }
void histogram(int n, const unsigned char *x, int *bins) { for (int i = 0; i < n; i++) bins[x[i]]++; }
void histogram_of(int n, int bins, const int *x, int *counts)
{
    for (int i = 0; i < n; i++) if (x[i] >= 0 && x[i] < bins) counts[x[i]]++;
}
void transpose(int rows, int columns, const float *a, float *b)
{
    for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) b[j * rows + i] = a[i * columns + j];
}
void matrix_vector(int rows, int columns, const double *a, const double *x, double *y)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
        y[i] = sum;
    }
}
void matrix_product(int n, int m, int k, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
            c[i * m + j] = sum;
        }
}
void stencil(int n, const float *x, float *y) { for (int i = 1; i < n - 1; i++) y[i] = 0.5f * (x[i - 1] + x[i + 1]); }
void smoothed(int rows, int columns, const float *in, float *out)
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            out[i * columns + j] = 0.25f * (in[(i - 1) * columns + j] + in[(i + 1) * columns + j]
                                            + in[i * columns + j - 1] + in[i * columns + j + 1]);
}
void sum_rows(int rows, int columns, const float *a, float *sums)
{
    for (int i = 0; i < rows; i++) {
        sums[i] = 0;
        for (int j = 0; j < columns; j++) sums[i] += a[i * columns + j];
    }
}
void sum_columns(int rows, int columns, const float *a, float *sums)
{
    for (int j = 0; j < columns; j++) sums[j] = 0;
    for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) sums[j] += a[i * columns + j];
}
void outer(int n, int m, const float *x, const float *y, float *a)
{
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j] = x[i] * y[j];
}
void leading(int n, int m, int lead, const float *a, float *b)
{
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i * lead + j] = a[i * lead + j] + 1.0f;
}
void convolved(int n, int taps, const float *x, const float *weights, float *y)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < taps; k++) sum += weights[k] * x[i + k];
        y[i] = sum;
    }
}
void sparse(int rows, const int *begins, const int *columns, const double *values, const double *x, double *y)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = begins[i]; k < begins[i + 1]; k++) sum += values[k] * x[columns[k]];
        y[i] = sum;
    }
}
void distances(int n, int m, int dimensions, const float *a, const float *b, float *d)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < dimensions; k++) {
                float apart = a[i * dimensions + k] - b[j * dimensions + k];
                sum += apart * apart;
            }
            d[i * m + j] = sum;
        }
}
void rooted(int n, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = sqrt(fabs(x[i])); }
void waves(int n, float step, float *y) { for (int i = 0; i < n; i++) y[i] = sinf(step * (float)i); }
void escape(int rows, int columns, int most, const float *re, const float *im, int *steps)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float a = 0, b = 0;
            int k = 0;
            while (k < most && a * a + b * b < 4.0f) {
                float next = a * a - b * b + re[j];
                b = 2 * a * b + im[i];
                a = next;
                k++;
            }
            steps[i * columns + j] = k;
        }
}
void sorted(int n, int *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (x[j] > x[j + 1]) { int t = x[j]; x[j] = x[j + 1]; x[j + 1] = t; }
}
int found_at(int n, int wanted, const int *x)
{
    for (int i = 0; i < n; i++) if (x[i] == wanted) return i;
    return -1;
}
void paths(int n, int *d)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i * n + k] + d[k * n + j] < d[i * n + j]) d[i * n + j] = d[i * n + k] + d[k * n + j];
}
void factored(int n, double *a)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
}
void solved(int n, const double *l, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
        x[i] /= l[i * n + i];
    }
}
void polynomial(int n, int degree, const float *c, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float value = 0;
        for (int k = degree; k >= 0; k--) value = value * x[i] + c[k];
        y[i] = value;
    }
}
void normalized(int n, double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    for (int i = 0; i < n; i++) x[i] /= sqrt(sum) + 1.0;
}
void encoded(int n, const unsigned char *x, unsigned char *y, unsigned char key)
{
    for (int i = 0; i < n; i++) y[i] = (unsigned char)(x[i] ^ key);
}
unsigned hashed(int n, const unsigned char *x)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < n; i++) h = (h ^ x[i]) * 16777619u;
    return h;
}
void forces(int n, const float *x, const float *m, float *f)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++) {
            float d = x[j] - x[i];
            sum += m[j] * d / (d * d + 0.01f);
        }
        f[i] = sum;
    }
}
void triangle(int n, const float *a, float *b) { for (int i = 0; i < n; i++) for (int j = i; j < n; j++) b[i * n + j] = a[j * n + i]; }
void planes(int n, int m, int k, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++) b[(i * m + j) * k + l] = 2 * a[(i * m + j) * k + l];
}
void interleaved(int n, const float *x, const float *y, float *z) { for (int i = 0; i < n; i++) { z[2 * i] = x[i]; z[2 * i + 1] = y[i]; } }
void averaged(int n, int width, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        int count = 0;
        for (int j = i - width; j <= i + width; j++) if (j >= 0 && j < n) { sum += x[j]; count++; }
        y[i] = sum / (float)count;
    }
}
void segments(int n, const int *begins, const float *x, float *sums)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = begins[i]; k < begins[i + 1]; k++) sum += x[k];
        sums[i] = sum;
    }
}
void primes(int n, char *is)
{
    for (int i = 0; i < n; i++) is[i] = i > 1;
    for (int i = 2; i * i < n; i++) if (is[i]) for (int j = i * i; j < n; j += i) is[j] = 0;
}
void divisors(int n, int *count) { for (int i = 1; i <= n; i++) { count[i - 1] = 0; for (int d = 1; d <= i; d++) count[i - 1] += i % d == 0; } }
void lengths(int n, const float *x, const float *y, float *l) { for (int i = 0; i < n; i++) l[i] = hypotf(x[i], y[i]); }
void selected(int n, const char *mask, const float *a, const float *b, float *c) { for (int i = 0; i < n; i++) c[i] = mask[i] ? a[i] : b[i]; }
void pooled(int n, const float *x, float *y) { for (int i = 0; i < n / 2; i++) y[i] = x[2 * i] > x[2 * i + 1] ? x[2 * i] : x[2 * i + 1]; }
void energies(int n, const float *x, const int *kind, const float *table, float *e) { for (int i = 0; i < n; i++) e[i] = x[i] * table[kind[i] & 15]; }
