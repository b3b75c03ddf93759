#include <math.h>
#include <stdint.h>

void rotated(int n, uint64_t by, const uint64_t *x, uint64_t *y)
{
    for (int i = 0; i < n; i++) y[i] = x[i] + by;
}

int over(int n, double least, const double *x)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += x[i] > least;
    return count;
}

int settled(int n, double *u, double close, int rounds)
{
    int round = 0;
    double change = 0;
    if (n < 3) return 0;
    do {
        change = 0;
        for (int i = 1; i + 1 < n; i++) {
            double next = 0.5 * (u[i - 1] + u[i + 1]);
            change = fmax(change, fabs(next - u[i]));
            u[i] = next;
        }
        round++;
    } while (change > close && round < rounds);
    return round;
}

void rounded(int n, float scale, const float *x, int *y)
{
    for (int i = 0; i < n; i++) {
        float v = x[i] * scale;
        y[i] = v >= 0 && v < 1e6f ? (int)(v + 0.5f) : 0;
    }
}

double greatest(int n, const double *x)
{
    double most = -INFINITY;
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    return most;
}

int signs(int n, const float *x)
{
    int count = 0;
    for (int i = 1; i < n; i++) count += (x[i] < 0) != (x[i - 1] < 0);
    return count;
}

void doubled(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++) y[i] = (int)(2u * (unsigned)x[i]);
}

int lowest(int n, const double *x)
{
    int place = -1;
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        if (x[i] < least) {
            least = x[i];
            place = i;
        }
    return place;
}

void keyed(int n, unsigned key, unsigned *x)
{
    int red = key >> 16 & 255;
    for (int i = 0; i < n; i++) {
        int away = (int)(x[i] >> 16 & 255) - red;
        if (away < 0) away = -away;
        if (away < 9) x[i] = 0;
    }
}

void turned(int n, double *angle)
{
    for (int i = 0; i < n; i++)
        if (angle[i] > M_PI) angle[i] -= 2 * M_PI;
}

void gathered(int n, int width, const int *at, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < width; k++) {
            int place = at[k * n + i];
            if (place < 0) break;
            s += x[place];
        }
        y[i] = s;
    }
}
