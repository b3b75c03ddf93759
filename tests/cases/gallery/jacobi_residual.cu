#include <cmath>
#include <cstdio>

#define BLOCK 64

__global__ void jacobi(const double *A, const double *b, const double *x, double *x_new, double *residual, int n)
{
    __shared__ double part[BLOCK];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    double diff = 0.0;
    if (row < n) {
        double sigma = 0.0;
        for (int j = 0; j < n; j++) {
            if (j != row)
                sigma += A[row * n + j] * x[j];
        }
        double next = (b[row] - sigma) / A[row * n + row];
        x_new[row] = next;
        diff = fabs(next - x[row]);
    }
    part[threadIdx.x] = diff;
    __syncthreads();

    for (unsigned int stride = blockDim.x >> 1; stride >= 1; stride >>= 1) {
        if (threadIdx.x < stride)
            part[threadIdx.x] = max(part[threadIdx.x], part[threadIdx.x + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0) residual[blockIdx.x] = part[0];
}

int main()
{
    const int n = 100, blocks = (n + BLOCK - 1) / BLOCK;
    static double hA[n * n], hb[n], hx[n], hr[blocks];
    for (int i = 0; i < n; ++i) {
        hb[i] = i % 10;
        for (int j = 0; j < n; ++j) hA[i * n + j] = i == j ? 200.0 : (i + j) % 3;
    }
    double *A, *b, *x, *y, *r;
    cudaMalloc(&A, sizeof(hA));
    cudaMalloc(&b, sizeof(hb));
    cudaMalloc(&x, sizeof(hx));
    cudaMalloc(&y, sizeof(hx));
    cudaMalloc(&r, sizeof(hr));
    cudaMemcpy(A, hA, sizeof(hA), cudaMemcpyHostToDevice);
    cudaMemcpy(b, hb, sizeof(hb), cudaMemcpyHostToDevice);
    cudaMemset(x, 0, sizeof(hx));
    for (int k = 0; k < 6; ++k) {
        jacobi<<<blocks, BLOCK>>>(A, b, x, y, r, n);
        double *t = x; x = y; y = t;
    }
    cudaMemcpy(hx, x, sizeof(hx), cudaMemcpyDeviceToHost);
    cudaMemcpy(hr, r, sizeof(hr), cudaMemcpyDeviceToHost);
    printf("%.8f %.8f %.3e\n", hx[1], hx[99], fmax(hr[0], hr[1]));
    cudaFree(A); cudaFree(b); cudaFree(x); cudaFree(y); cudaFree(r);
    return 0;
}
