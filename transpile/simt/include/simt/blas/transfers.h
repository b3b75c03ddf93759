// Vectors and matrices between host and device.
#ifndef SIMT_BLAS_TRANSFERS_H
#define SIMT_BLAS_TRANSFERS_H

#include <cstddef>

#include "simt/blas/handle.h"

namespace simt::blas {

inline cublasStatus_t transferred(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

// How a transfer waits, where it is, and what the record of a run calls it.
struct Transfer {
    const char *name;
    cudaMemcpyKind kind;
    bool waits = true;
    cudaStream_t stream = nullptr;

    cublasStatus_t vector(Index n, Index size, const void *x, Index incx, void *y, Index incy) const {
        if (n < 0 || size <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
        const auto count = static_cast<std::size_t>(n), bytes = static_cast<std::size_t>(size);
        if (incx == 1 && incy == 1)
            return transferred(copy_rows(y, n * bytes, x, n * bytes, n * bytes, 1, kind, name, waits, stream));
        const std::size_t from = static_cast<std::size_t>(incx) * bytes, to = static_cast<std::size_t>(incy) * bytes;
        return transferred(copy_rows(y, to, x, from, bytes, count, kind, name, waits, stream));
    }
    cublasStatus_t matrix(Index rows, Index columns, Index size, const void *a, Index lda, void *b, Index ldb) const {
        if (rows < 0 || columns < 0 || size <= 0 || lda <= 0 || ldb <= 0 || lda < rows || ldb < rows)
            return CUBLAS_STATUS_INVALID_VALUE;
        const auto bytes = static_cast<std::size_t>(size), width = static_cast<std::size_t>(rows) * bytes;
        const std::size_t from = static_cast<std::size_t>(lda) * bytes, to = static_cast<std::size_t>(ldb) * bytes;
        const auto count = static_cast<std::size_t>(columns);
        return transferred(copy_rows(b, to, a, from, width, count, kind, name, waits, stream));
    }
};

}  // namespace simt::blas

#define SIMT_BLAS_TRANSFER(direction, vector_name, matrix_name, vector_async, matrix_async)                           \
    inline cublasStatus_t vector_name(simt::blas::Index n, simt::blas::Index size, const void *x,                     \
                                      simt::blas::Index incx, void *y, simt::blas::Index incy) {                      \
        return simt::blas::Transfer{#vector_name, direction}.vector(n, size, x, incx, y, incy);                       \
    }                                                                                                                 \
    inline cublasStatus_t vector_async(simt::blas::Index n, simt::blas::Index size, const void *x,                    \
                                       simt::blas::Index incx, void *y, simt::blas::Index incy, cudaStream_t stream) { \
        return simt::blas::Transfer{#vector_async, direction, false, stream}.vector(n, size, x, incx, y, incy);       \
    }                                                                                                                 \
    inline cublasStatus_t matrix_name(simt::blas::Index rows, simt::blas::Index columns, simt::blas::Index size,      \
                                      const void *a, simt::blas::Index lda, void *b, simt::blas::Index ldb) {         \
        return simt::blas::Transfer{#matrix_name, direction}.matrix(rows, columns, size, a, lda, b, ldb);             \
    }                                                                                                                 \
    inline cublasStatus_t matrix_async(simt::blas::Index rows, simt::blas::Index columns, simt::blas::Index size,     \
                                       const void *a, simt::blas::Index lda, void *b, simt::blas::Index ldb,          \
                                       cudaStream_t stream) {                                                         \
        return simt::blas::Transfer{#matrix_async, direction, false, stream}.matrix(rows, columns, size, a, lda, b,   \
                                                                                    ldb);                             \
    }
SIMT_BLAS_TRANSFER(cudaMemcpyHostToDevice, cublasSetVector, cublasSetMatrix, cublasSetVectorAsync, cublasSetMatrixAsync)
SIMT_BLAS_TRANSFER(cudaMemcpyDeviceToHost, cublasGetVector, cublasGetMatrix, cublasGetVectorAsync, cublasGetMatrixAsync)
#undef SIMT_BLAS_TRANSFER

#endif
