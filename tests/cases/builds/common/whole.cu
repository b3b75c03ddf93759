#include <cstdio>

__global__ void axpy_kernel(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

int main()
{
    float *x, *y, sum = 0;
    cudaMallocManaged(&x, 1000 * sizeof(float));
    cudaMallocManaged(&y, 1000 * sizeof(float));
    for (int i = 0; i < 1000; i++) x[i] = i % 7, y[i] = 1;
    axpy_kernel<<<8, 128>>>(1000, 2, x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1000; i++) sum += y[i];
    printf("%g\n", sum);
    return 0;
}
