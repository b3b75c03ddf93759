// Bounds and strides that macros of the source hide, some of them defined differently elsewhere.
#ifdef FIXED_SIZES
#define BOUND(fixed, given) fixed
#else
#define BOUND(fixed, given) given
#endif
#define ROWS 300
#define COLUMNS 512
#define LAST_ROW BOUND(ROWS, rows)
#define LAST_COLUMN columns

__global__ void row_products(int rows, int columns, const float *a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < LAST_ROW) {
        float sum = 0;
        for (int j = 0; j < LAST_COLUMN; j++) sum += a[i * COLUMNS + j] * x[j];
        y[i] = sum;
    }
}

__global__ void scaled(int rows, int columns, float factor, float *a)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < LAST_ROW && j < BOUND(COLUMNS, columns)) a[i * COLUMNS + j] *= factor;
}
