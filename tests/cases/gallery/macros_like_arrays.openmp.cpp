#include <vector>

// product(m, n, k, alpha, A, B, beta, C, gridDim.x, gridDim.y, blockDim.x, blockDim.y)
void product(int m, int n, int k, float alpha, float *A, float *B, float beta, float *C,
             int blocks_x, int blocks_y, int threads_x, int threads_y)
{
    #pragma omp parallel for collapse(2)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
        for (int block_x = 0; block_x < blocks_x; ++block_x) {
            float *my_A = A;
            float *my_B = B;
            float *my_C = C;
            int lda = m, ldb = k, ldc = m;
            my_A = &my_A[((block_x << 3)) + 0*lda];
            my_B = &my_B[0 + ((block_y << 3))*ldb];
            my_C = &my_C[((block_x << 3)) + ((block_y << 3))*ldc];
            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    float sum = 0;
                    for (int i = 0; i < k; i++) sum += my_A[tx + i*lda] * my_B[i + ty*ldb];
                    my_C[tx + ty*ldc] = alpha * sum + beta * my_C[tx + ty*ldc];
                }
        }
}

// tiled(m, k, A, C, gridDim.x, blockDim.x, blockDim.y)
void tiled(int m, int k, float *A, float *C, int blocks, int threads_x, int threads_y)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float tile[64];
        float *my_A = A;
        int lda = m;
        int ldc = m;
        my_A = &my_A[((block << 3)) + 0*lda];
        std::vector<float> sum(threads_x * threads_y, 0);
        for (int i = 0; i < k; i += 8) {
            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    tile[(tx << 3) + ty] = my_A[tx + ty*lda];
                }
            my_A += lda << 3;
            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    for (int inner = 0; inner < 8; inner++) sum[ty * threads_x + tx] += tile[(tx << 3) + inner];
                }
        }
        for (int ty = 0; ty < threads_y; ++ty)
            for (int tx = 0; tx < threads_x; ++tx) {
                C[(block << 3) + tx + ty * ldc] = sum[ty * threads_x + tx];
            }
    }
}
