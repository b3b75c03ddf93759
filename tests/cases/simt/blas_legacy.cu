// run: => exit 0
// run: letter => abort cuBLAS is given the letter 'x' for one of "ntc"
#include "expect.h"

#include <cublas.h>

int main(int count, char **) {
    const float numbers[] = {1, 2, 3, 4};
    float back[4] = {}, *a = nullptr, *b = nullptr, *c = nullptr;
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    EXPECT(cublasInit() == CUBLAS_STATUS_SUCCESS && cublasSetKernelStream(stream) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasAlloc(4, sizeof(float), (void **)&a) == CUBLAS_STATUS_SUCCESS && cublasAlloc(4, 4, &b) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasAlloc(4, sizeof(float), &c) == CUBLAS_STATUS_SUCCESS && cublasAlloc(0, 4, &c) == CUBLAS_STATUS_INVALID_VALUE);
    cublasSetMatrix(2, 2, sizeof(float), numbers, 2, a, 2);
    cublasSetVector(4, sizeof(float), numbers, 1, b, 1);
    cublasSgemm(count > 1 ? 'x' : 't', 'N', 2, 2, 2, 2.0f, a, 2, b, 2, 0.0f, c, 2);
    cublasGetMatrix(2, 2, sizeof(float), c, 2, back, 2);
    EXPECT(back[0] == 10 && back[1] == 22 && back[2] == 22 && back[3] == 50);
    cublasSaxpy(4, -1.0f, a, 1, c, 1);
    EXPECT(cublasSdot(4, a, 1, c, 1) == 9 + 40 + 57 + 184);
    EXPECT(cublasSasum(4, c, 1) == 9 + 20 + 19 + 46 && cublasIsamax(4, c, 1) == 4 && cublasIsamin(4, c, 1) == 1);
    cublasStrsm('L', 'u', 'n', 'N', 2, 1, 1.0f, a, 2, b, 2);
    cublasGetVector(2, sizeof(float), b, 1, back, 1);
    EXPECT(back[0] == -0.5f && back[1] == 0.5f);
    EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
    cublasSger(2, 2, 1.0f, a, 1, b, 1, c, 1);
    EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE && cublasGetError() == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasFree(a) == CUBLAS_STATUS_SUCCESS && cublasFree(b) == CUBLAS_STATUS_SUCCESS && cublasFree(c) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasShutdown() == CUBLAS_STATUS_SUCCESS && cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED);
    cudaStreamDestroy(stream);
    return failed_expectations != 0;
}
