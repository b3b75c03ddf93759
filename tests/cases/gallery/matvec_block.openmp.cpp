// matvec(A, x, y, rows, cols, gridDim.x, blockDim.x)
template <int BLOCK>
void matvec(const float *A, const float *x, float *y, int rows, int cols, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float partial[BLOCK];
        for (int row = block; row < rows; row += blocks) {
            for (int t = 0; t < threads; ++t) {
                float acc = 0.f;
                for (int c = t; c < cols; c += BLOCK) acc += A[row * cols + c] * x[c];
                partial[t] = acc;
            }
            for (int s = BLOCK / 2; s > 0; s >>= 1) {
                for (int t = 0; t < threads; ++t) {
                    if (t < s) partial[t] += partial[t + s];
                }
            }
            y[row] = partial[0];
        }
    }
}
