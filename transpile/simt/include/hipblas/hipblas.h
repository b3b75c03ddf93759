// hipBLAS on a CPU: the emulator's cuBLAS under HIP's names, and what only HIP has.
#ifndef SIMT_HIPBLAS_H
#define SIMT_HIPBLAS_H

#include <cstring>
#include <string>

#include "hip/hip_runtime.h"

#include "cublas_v2.h"

using hipblasHalf = __half;
using hipblasBfloat16 = __nv_bfloat16;
using hipblasDatatype_t = cudaDataType;
#define HIPBLAS_R_16F CUDA_R_16F
#define HIPBLAS_R_32F CUDA_R_32F
#define HIPBLAS_R_64F CUDA_R_64F
#define HIPBLAS_C_32F CUDA_C_32F
#define HIPBLAS_C_64F CUDA_C_64F
#define HIPBLAS_R_8I CUDA_R_8I
#define HIPBLAS_R_32I CUDA_R_32I
#define HIPBLAS_R_16B CUDA_R_16BF

inline const char *hipblasStatusToString(hipblasStatus_t status) {
    static thread_local std::string name;
    name = std::string("HIP") + (cublasGetStatusName(status) + std::strlen("CU"));
    return name.c_str();
}

#endif
