// Arrays by columns: each has a macro of its own name, and threads move their pointers.
#define A(i, j) A[(i) + (j)*lda]
#define B(i, j) B[(i) + (j)*ldb]
#define C(i, j) C[(i) + (j)*ldc]
#define tile(i, j) tile[((i) << 3) + (j)]

__global__ void product(int m, int n, int k, float alpha, float *A, float *B, float beta, float *C)
{
    int lda = m, ldb = k, ldc = m;
    int tx = threadIdx.x, ty = threadIdx.y;
    A = &A((blockIdx.x << 3), 0);
    B = &B(0, (blockIdx.y << 3));
    C = &C((blockIdx.x << 3), (blockIdx.y << 3));
    float sum = 0;
    for (int i = 0; i < k; i++) sum += A(tx, i) * B(i, ty);
    C(tx, ty) = alpha * sum + beta * C(tx, ty);
}

__global__ void tiled(int m, int k, float *A, float *C)
{
    int lda = m, ldc = m;
    int tx = threadIdx.x, ty = threadIdx.y;
    __shared__ float tile[64];
    A = &A((blockIdx.x << 3), 0);
    float sum = 0;
    for (int i = 0; i < k; i += 8) {
        tile(tx, ty) = A(tx, ty);
        A += lda << 3;
        __syncthreads();
        for (int inner = 0; inner < 8; inner++) sum += tile(tx, inner);
        __syncthreads();
    }
    C[(blockIdx.x << 3) + tx + ty * ldc] = sum;
}
