__global__ void gemv(int rows, int columns, const double *a, const double *x, double *y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    double sum = 0.0;
    for (int j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
    y[i] = sum;
}
