#include <vector>

// matrixMulCUDA(C, A, B, wA, wB, gridDim.x, gridDim.y, blockDim.x, blockDim.y)
template <int BLOCK_SIZE>
void matrixMulCUDA(float *C, const float *A, const float *B, int wA, int wB,
                   int blocks_x, int blocks_y, int threads_x, int threads_y)
{
    #pragma omp parallel for collapse(2)
    for (int by = 0; by < blocks_y; ++by)
        for (int bx = 0; bx < blocks_x; ++bx) {
            float As[BLOCK_SIZE][BLOCK_SIZE];
            float Bs[BLOCK_SIZE][BLOCK_SIZE];
            int aBegin = wA * BLOCK_SIZE * by;
            int aEnd = aBegin + wA - 1;
            int aStep = BLOCK_SIZE;
            int bBegin = BLOCK_SIZE * bx;
            int bStep = BLOCK_SIZE * wB;

            std::vector<float> Csub(threads_x * threads_y, 0);

            // Loop over all the sub-matrices of A and B
            for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
                for (int ty = 0; ty < threads_y; ++ty)
                    for (int tx = 0; tx < threads_x; ++tx) {
                        As[ty][tx] = A[a + wA * ty + tx];
                        Bs[ty][tx] = B[b + wB * ty + tx];
                    }

                for (int ty = 0; ty < threads_y; ++ty)
                    for (int tx = 0; tx < threads_x; ++tx) {
                        for (int k = 0; k < BLOCK_SIZE; ++k) {
                            Csub[ty * threads_x + tx] += As[ty][k] * Bs[k][tx];
                        }
                    }
            }

            int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    C[c + wB * ty + tx] = Csub[ty * threads_x + tx];
                }
        }
}
