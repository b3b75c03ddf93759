#include <math.h>

/* smooth: a[n] b[n] */
void smooth(int n, const double *a, double *b)
{
    for (int i = 1; i < n - 1; i++) b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
}

/* five_points: in[h*w] out[h*w] */
void five_points(int h, int w, const float *in, float *out)
{
    for (int r = 1; r < h - 1; r++)
        for (int c = 1; c < w - 1; c++)
            out[r * w + c] = in[r * w + c - 1] + in[r * w + c + 1] + in[(r - 1) * w + c] + in[(r + 1) * w + c]
                             - 4 * in[r * w + c];
}

/* transpose: in[rows*columns] out[rows*columns] */
void transpose(int rows, int columns, const int *in, int *out)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) out[c * rows + r] = in[r * columns + c];
}

/* rows_of: x[n*m] y[n] */
void rows_of(int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += x[i * m + j];
        y[i] = sum;
    }
}

/* matvec: a[n*m] x[m] y[n] */
void matvec(int n, int m, const float *a, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}

/* matmul: a[n*k] b[k*m] c[n*m] */
void matmul(int n, int m, int k, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
            c[i * m + j] = sum;
        }
}

/* columns_of: x[n*m] y[m] */
void columns_of(int n, int m, const int *x, long *y)
{
    for (int j = 0; j < m; j++) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += x[i * m + j];
        y[j] = sum;
    }
}

/* add_border: in[h*w] out[(h+2)*(w+2)] */
void add_border(int h, int w, const unsigned char *in, unsigned char *out)
{
    for (int r = 0; r < h + 2; r++)
        for (int c = 0; c < w + 2; c++)
            out[r * (w + 2) + c] = r > 0 && r <= h && c > 0 && c <= w ? in[(r - 1) * w + c - 1] : 0;
}
