void gemv(int rows, int columns, const float *a, const float *x, float *y) {
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
        y[i] = sum;
    }
}
