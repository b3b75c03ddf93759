#include <cassert>

// spmv_csr_vector_kernel(num_rows, ptr, indices, data, x, y, gridDim.x, blockDim.x)
void spmv_csr_vector_kernel(const int num_rows, const int *ptr, const int *indices, const double *data,
                            const double *x, double *y, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < threads / 32; ++warp) {
            int warp_id = (threads * block + warp * 32) / 32;

            // one warp per row
            int row = warp_id;
            if (row < num_rows) {
                int row_start = ptr[row];
                int row_end = ptr[row + 1];

                double sum[32] = {};
                // compute running sum per thread
                for (int lane = 0; lane < 32; ++lane) {
                    for (int jj = row_start + lane; jj < row_end; jj += 32)
                        sum[lane] += data[jj] * x[indices[jj]];
                }

                // parallel reduction in the warp
                for (int offset = 16; offset > 0; offset /= 2) {
                    for (int lane = 0; lane < 32; ++lane) {
                        sum[lane] += lane + offset < 32 ? sum[lane + offset] : sum[lane];
                    }
                }

                // first thread writes the result

                y[row] += sum[0];
            }
        }
    }
}
