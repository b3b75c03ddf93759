#include <cstdio>
#include <vector>

__global__ void spmv_csr_vector_kernel(const int num_rows, const int *ptr, const int *indices, const double *data,
                                       const double *x, double *y)
{
    int thread_id = blockDim.x * blockIdx.x + threadIdx.x;  // global thread index
    int warp_id = thread_id / 32;                           // global warp index
    int lane = threadIdx.x & (32 - 1);                      // thread index within the warp

    // one warp per row
    int row = warp_id;
    if (row < num_rows) {
        int row_start = ptr[row];
        int row_end = ptr[row + 1];

        // compute running sum per thread
        double sum = 0;
        for (int jj = row_start + lane; jj < row_end; jj += 32)
            sum += data[jj] * x[indices[jj]];

        // parallel reduction in the warp
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);

        // first thread writes the result
        if (lane == 0)
            y[row] += sum;
    }
}

int main()
{
    const int rows = 9;
    std::vector<int> ptr(rows + 1), col;
    std::vector<double> val, x(50), y(rows, 1.0);
    for (int i = 0; i < 50; ++i) x[i] = i % 5;
    for (int r = 0; r < rows; ++r) {
        ptr[r] = (int)col.size();
        for (int k = 0; k < (r * 19) % 50; ++k) {
            col.push_back((k * 7 + r) % 50);
            val.push_back(1 + k % 3);
        }
    }
    ptr[rows] = (int)col.size();
    int *dp, *dc;
    double *dv, *dx, *dy;
    cudaMalloc(&dp, ptr.size() * sizeof(int));
    cudaMalloc(&dc, col.size() * sizeof(int));
    cudaMalloc(&dv, val.size() * sizeof(double));
    cudaMalloc(&dx, x.size() * sizeof(double));
    cudaMalloc(&dy, y.size() * sizeof(double));
    cudaMemcpy(dp, ptr.data(), ptr.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dc, col.data(), col.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dv, val.data(), val.size() * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), x.size() * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), y.size() * sizeof(double), cudaMemcpyHostToDevice);
    spmv_csr_vector_kernel<<<(rows + 1) / 2, 64>>>(rows, dp, dc, dv, dx, dy);
    cudaMemcpy(y.data(), dy, y.size() * sizeof(double), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) printf("%.0f ", y[r]);
    printf("\n");
    cudaFree(dp); cudaFree(dc); cudaFree(dv); cudaFree(dx); cudaFree(dy);
    return 0;
}
