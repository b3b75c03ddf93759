#include <cmath>

// jacobi(A, b, x, x_new, residual, n, gridDim.x, blockDim.x)
void jacobi(const double *A, const double *b, const double *x, double *x_new, double *residual, int n,
            int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        double part[BLOCK];
        for (int t = 0; t < threads; ++t) {
            int row = block * threads + t;
            double diff = 0.0;
            if (row < n) {
                double sigma = 0.0;
                for (int j = 0; j < n; j++) {
                    if (j != row)
                        sigma += A[row * n + j] * x[j];
                }
                double next = (b[row] - sigma) / A[row * n + row];
                x_new[row] = next;
                diff = std::fabs(next - x[row]);
            }
            part[t] = diff;
        }

        for (unsigned int stride = threads >> 1; stride >= 1; stride >>= 1) {
            for (int t = 0; t < stride; ++t) {
                part[t] = std::fmax(part[t], part[t + stride]);
            }
        }
        residual[block] = part[0];
    }
}
