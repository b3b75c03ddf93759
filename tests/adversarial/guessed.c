/* Functions whose data decide how far arrays are reached. */
void gather(int groups, int planes, int points, int picked, const float *from, const int *at, float *to)
{
    for (int g = 0; g < groups; g++)
        for (int p = 0; p < planes; p++)
            for (int k = 0; k < picked; k++)
                to[(g * planes + p) * picked + k] = from[(g * planes + p) * points + at[g * picked + k]];
}

void bins(const int *price, int *sold, int n)
{
    for (int i = 0; i < n; i++) sold[price[i] / 50]++;
}

void sized(const int *header, float *body, float by, int flags)
{
    int length = header[0];
    for (int i = 0; i < length; i++) body[i] *= by;
}

void resample(const float *in, float *out, int n, float rate)
{
    for (int i = 0; i < n; i++) out[i] = in[(int)(i * rate)];
}

void scatter(float *grid, const int *column, const int *row, const float *charge, int width, int n)
{
    for (int i = 0; i < n; i++) grid[row[i] * width + column[i]] += charge[i];
}

void multiply(int rows, const int *first, const int *column, const double *value, const double *x, double *y)
{
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int k = first[r]; k < first[r + 1]; k++) sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}

void relax(int n, int m, const double *weight, const double *value, double *rest)
{
    for (int i = 0; i < n; i++) {
        double sum = value[i];
        for (int k = 0; k < m; k++) sum -= weight[k] * value[i * m + k];
        rest[i] = sum;
    }
}
