// run: => exit 0
// Programs ask for CUDA's headers by the names that those define, and tell errors of what is there alone.
#include "expect.h"

#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>

#include <cstring>

const char *text_of(cudaError_t error) { return cudaGetErrorName(error); }
#ifdef CUBLAS_API_H_
const char *text_of(cublasStatus_t status) { return status == CUBLAS_STATUS_NOT_INITIALIZED ? "cuBLAS" : "none"; }
#endif
#ifdef _CUFFT_H_
const char *text_of(cufftResult result) { return result == CUFFT_INVALID_PLAN ? "cuFFT" : "none"; }
#endif
#ifdef CURAND_H_
const char *text_of(curandStatus_t status) { return status == CURAND_STATUS_OUT_OF_RANGE ? "cuRAND" : "none"; }
#endif
#ifdef CUSPARSEAPI
const char *text_of(cusparseStatus_t status) { return status == CUSPARSE_STATUS_ZERO_PIVOT ? "cuSPARSE" : "none"; }
#endif

#ifdef CUBLAS_V2_H_
#define CUBLAS(call) (cublas##call == CUBLAS_STATUS_SUCCESS)
#endif

int main() {
    EXPECT(std::strcmp(text_of(cudaErrorMisalignedAddress), "cudaErrorMisalignedAddress") == 0);
    EXPECT(std::strcmp(text_of(CUBLAS_STATUS_NOT_INITIALIZED), "cuBLAS") == 0);
    EXPECT(std::strcmp(text_of(CUFFT_INVALID_PLAN), "cuFFT") == 0);
    EXPECT(std::strcmp(text_of(CURAND_STATUS_OUT_OF_RANGE), "cuRAND") == 0);
    EXPECT(std::strcmp(text_of(CUSPARSE_STATUS_ZERO_PIVOT), "cuSPARSE") == 0);
    cublasHandle_t handle;
    EXPECT(CUBLAS(Create(&handle)));
    EXPECT(CUBLAS(Destroy(handle)));
    return failed_expectations;
}
