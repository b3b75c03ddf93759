#include <math.h>
#include <float.h>
#include <limits.h>

/* dot: x[n] y[n] */
double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* mean_of_floats: x[n] */
float mean_of_floats(int n, const float *x)
{
    double sum = 0;
    if (n <= 0) return 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum / n;
}

/* total: x[n] */
long total(int n, const int *x)
{
    long sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

/* count_above: x[n] */
int count_above(int n, const float *x, float limit)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > limit) count++;
    return count;
}

/* top: x[n] */
float top(int n, const float *x)
{
    float best = -INFINITY;
    for (int i = 0; i < n; i++)
        if (x[i] > best) best = x[i];
    return best;
}

/* lowest: x[n] */
int lowest(int n, const int *x)
{
    int best = INT_MAX;
    for (int i = 0; i < n; i++)
        if (x[i] < best) best = x[i];
    return best;
}

/* position_of_top: x[n] */
int position_of_top(int n, const float *x)
{
    int where = -1;
    float best = -INFINITY;
    for (int i = 0; i < n; i++)
        if (x[i] > best) {
            best = x[i];
            where = i;
        }
    return where;
}

/* histogram: data[n]<256 bins[256] */
void histogram(int n, const unsigned char *data, int *bins)
{
    for (int i = 0; i < n; i++) bins[data[i]]++;
}

/* normalise: x[n] */
void normalise(int n, double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    if (sum == 0) return;
    for (int i = 0; i < n; i++) x[i] /= sum;
}

/* squares: x[n] */
double squares(int n, const float *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)x[i] * x[i];
    return sum;
}

/* running: x[n] y[n] */
void running(int n, const int *x, long *y)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}

/* spread: x[n] limits[2] */
void spread(int n, const float *x, float *limits)
{
    float low = FLT_MAX, high = -FLT_MAX;
    for (int i = 0; i < n; i++) {
        if (x[i] < low) low = x[i];
        if (x[i] > high) high = x[i];
    }
    limits[0] = low;
    limits[1] = high;
}
