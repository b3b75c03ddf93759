// flags: -DSIMT_HIP
// run: => exit 0
// run: SIMT_SEED=9 => exit 0
#include "expect.h"

#include <cstring>
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>

__global__ void ramp(double *data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i % 5 - 2;
}

int main() {
    const int n = 10;
    double *a = nullptr, *b = nullptr, *c = nullptr, there[n * n], alpha = 2, beta = 0, length = 0;
    EXPECT(hipMalloc(&a, sizeof there) == hipSuccess && hipMalloc(&b, sizeof there) == hipSuccess && hipMalloc(&c, sizeof there) == hipSuccess);
    hipStream_t stream = nullptr;
    hipblasHandle_t handle = nullptr;
    EXPECT(hipStreamCreate(&stream) == hipSuccess && hipblasCreate(&handle) == HIPBLAS_STATUS_SUCCESS);
    EXPECT(hipblasSetStream(handle, stream) == HIPBLAS_STATUS_SUCCESS && hipblasSetPointerMode(handle, HIPBLAS_POINTER_MODE_HOST) == HIPBLAS_STATUS_SUCCESS);
    ramp<<<2, 64, 0, stream>>>(a, n * n);
    ramp<<<2, 64, 0, stream>>>(b, n * n);
    EXPECT(hipblasDgemm(handle, HIPBLAS_OP_T, HIPBLAS_OP_N, n, n, n, &alpha, a, n, b, n, &beta, c, n) == HIPBLAS_STATUS_SUCCESS);
    EXPECT(hipStreamSynchronize(stream) == hipSuccess);
    EXPECT(hipblasGetMatrix(n, n, sizeof(double), c, n, there, n) == HIPBLAS_STATUS_SUCCESS);
    double squares = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            for (int p = 0; p < n; ++p) sum += ((p + i * n) % 5 - 2) * ((p + j * n) % 5 - 2);
            EXPECT_EQUAL(i + j * n, there[i + j * n], 2 * sum);
            squares += 4 * sum * sum;
        }
    EXPECT(hipblasDnrm2(handle, n * n, c, 1, &length) == HIPBLAS_STATUS_SUCCESS && std::fabs(length * length / squares - 1) < 1e-12);

    const hipDoubleComplex z[] = {{1, 2}, {3, -1}};
    hipDoubleComplex product, i_times{0, 1};
    hipDoubleComplex *vector = nullptr;
    EXPECT(hipMalloc(&vector, sizeof z) == hipSuccess && hipMemcpy(vector, z, sizeof z, hipMemcpyHostToDevice) == hipSuccess);
    EXPECT(hipblasZscal_v2(handle, 2, &i_times, vector, 1) == HIPBLAS_STATUS_SUCCESS);
    EXPECT(hipblasZdotc(handle, 2, vector, 1, vector, 1, &product) == HIPBLAS_STATUS_SUCCESS && product.x == 15 && product.y == 0);
    EXPECT(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, &alpha, a, HIPBLAS_R_64F, 1, a, HIPBLAS_R_64F, 1, &beta, c, HIPBLAS_R_64F, 1, HIPBLAS_R_64F, HIPBLAS_GEMM_DEFAULT) == HIPBLAS_STATUS_SUCCESS);
    EXPECT(hipblasGemmEx_v2(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, &alpha, a, HIP_R_64F, 1, a, HIP_R_64F, 1, &beta, c, HIP_R_64F, 1, HIPBLAS_COMPUTE_64F, HIPBLAS_GEMM_DEFAULT) == HIPBLAS_STATUS_SUCCESS);
    EXPECT(hipMemcpyAsync(there, c, sizeof(double), hipMemcpyDeviceToHost, stream) == hipSuccess && hipStreamSynchronize(stream) == hipSuccess && there[0] == 8);
    EXPECT(hipblasDscal(nullptr, 1, &alpha, c, 1) == HIPBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(std::strcmp(hipblasStatusToString(HIPBLAS_STATUS_INVALID_VALUE), "HIPBLAS_STATUS_INVALID_VALUE") == 0);
    EXPECT(hipblasDestroy(handle) == HIPBLAS_STATUS_SUCCESS && hipStreamDestroy(stream) == hipSuccess);
    EXPECT(hipFree(a) == hipSuccess && hipFree(b) == hipSuccess && hipFree(c) == hipSuccess && hipFree(vector) == hipSuccess);
    return failed_expectations != 0;
}
