#include <cstdio>

#include <cublas_v2.h>
#include <cuda_runtime.h>

void scaled(cublasHandle_t handle, float *data, float factor, int n)
{
    float *vector;
    cudaMalloc(&vector, n * sizeof(float));
    cublasSetVector(n, sizeof(float), data, 1, vector, 1);
    cublasSscal(handle, n, &factor, vector, 1);
    cublasGetVector(n, sizeof(float), vector, 1, data, 1);
    cudaFree(vector);
}

int main()
{
    cublasHandle_t handle;
    cublasCreate(&handle);
    float data[3] = {1, 2, 3};
    scaled(handle, data, 2, 3);
    cublasDestroy(handle);
    std::printf("%g %g %g\n", data[0], data[1], data[2]);
}
