/* Functions whose arrays are as long as data say: no formula of the scalars gives it. */

void pick(int batches, int channels, int points, int picked, const float *x, const int *index, float *y)
{
    for (int b = 0; b < batches; b++)
        for (int c = 0; c < channels; c++)
            for (int j = 0; j < picked; j++)
                y[(b * channels + c) * picked + j] = x[(b * channels + c) * points + index[b * picked + j]];
}

void count_hundreds(const int *values, int *bins, int n)
{
    for (int i = 0; i < n; i++) bins[values[i] / 100]++;
}

void twice(const int *sizes, int unused, const float *x, float *y)
{
    const int n = sizes[0];
    for (int i = 0; i < n; i++) y[i] = 2 * x[i];
}

void resampled(int n, float step, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = x[(int)(i * step)];
}

void deposit(int n, int width, const int *row, const int *column, const float *charge, float *cells)
{
    for (int i = 0; i < n; i++) cells[row[i] * width + column[i]] += charge[i];
}

void weighted(int n, float a, float b, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = a * x[i] + b;
}
