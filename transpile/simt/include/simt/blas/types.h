// Types and constants of cuBLAS, with CUDA's numbers.
#ifndef SIMT_BLAS_TYPES_H
#define SIMT_BLAS_TYPES_H

#include "library_types.h"

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 4
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#define SIMT_BLAS_STATUSES(row)                                                    \
    row(CUBLAS_STATUS_SUCCESS, 0, "success")                                       \
    row(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")       \
    row(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")           \
    row(CUBLAS_STATUS_INVALID_VALUE, 7, "an invalid value was passed to a call")   \
    row(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the device lacks a feature")              \
    row(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to memory failed")             \
    row(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the work on the device failed")       \
    row(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an operation inside the library failed") \
    row(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the call asks for what is not supported") \
    row(CUBLAS_STATUS_LICENSE_ERROR, 16, "the license could not be checked")

#define SIMT_ROW(name, number, text) name = number,
typedef enum { SIMT_BLAS_STATUSES(SIMT_ROW) } cublasStatus_t;
#undef SIMT_ROW
typedef cublasStatus_t cublasStatus;

#define SIMT_ROW(name, number, text) \
    case name: return #name;
inline const char *cublasGetStatusName(cublasStatus_t status) {
    switch (status) { SIMT_BLAS_STATUSES(SIMT_ROW) }
    return "CUBLAS_STATUS_UNKNOWN";
}
#undef SIMT_ROW

#define SIMT_ROW(name, number, text) \
    case name: return text;
inline const char *cublasGetStatusString(cublasStatus_t status) {
    switch (status) { SIMT_BLAS_STATUSES(SIMT_ROW) }
    return "unknown status";
}
#undef SIMT_ROW

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = CUBLAS_OP_C,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

// Any of the library's algorithms may be asked for by number.
typedef enum : int {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;

#endif
