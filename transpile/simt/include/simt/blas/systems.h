// Batches of small square matrices: factors, solutions, inverses. Pivots and what is told of each matrix are the
// device's; rows count from 1, and a matrix that is singular is told by the number of its first pivot that is 0.
#ifndef SIMT_BLAS_SYSTEMS_H
#define SIMT_BLAS_SYSTEMS_H

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "simt/blas/level2.h"

namespace simt::blas {

template <class T>
void exchange_rows(T *matrix, Index leading, Index columns, Index one, Index other) {
    for (Index j = 0; one != other && j < columns; ++j)
        std::swap(matrix[one + j * leading], matrix[other + j * leading]);
}

// L and U in the place of the matrix; without pivots its rows stay where they are.
template <class T>
int factorize(T *a, Index n, Index lda, int *pivots) {
    int singular = 0;
    for (Index k = 0; k < n; ++k) {
        Index pivot = k;
        for (Index i = k + 1; pivots != nullptr && i < n; ++i)
            if (size_of(read(a[i + k * lda])) > size_of(read(a[pivot + k * lda]))) pivot = i;
        if (pivots != nullptr) pivots[k] = static_cast<int>(pivot) + 1;
        if (read(a[pivot + k * lda]) == Value<T>(0)) {
            if (singular == 0) singular = static_cast<int>(k) + 1;
            continue;
        }
        exchange_rows(a, lda, n, k, pivot);
        const Value<T> divisor = read(a[k + k * lda]);
        for (Index i = k + 1; i < n; ++i) {
            const Value<T> factor = read(a[i + k * lda]) / divisor;
            a[i + k * lda] = stored<T>(factor);
            for (Index j = k + 1; j < n; ++j)
                a[i + j * lda] = stored<T>(read(a[i + j * lda]) - factor * read(a[k + j * lda]));
        }
    }
    return singular;
}

// op(A) X = B in the place of B, by the factors of A.
template <class T>
void solve_factorized(cublasOperation_t operation, Index n, Index columns, const T *a, Index lda, const int *pivots,
                      T *b, Index ldb) {
    const Triangle<T> lower(a, lda, CUBLAS_FILL_MODE_LOWER, operation, CUBLAS_DIAG_UNIT);
    const Triangle<T> upper(a, lda, CUBLAS_FILL_MODE_UPPER, operation, CUBLAS_DIAG_NON_UNIT);
    const bool as_is = operation == CUBLAS_OP_N;
    for (Index k = 0; as_is && pivots != nullptr && k < n; ++k) exchange_rows(b, ldb, columns, k, Index{pivots[k]} - 1);
    for (Index j = 0; j < columns; ++j) {
        substitute(as_is ? lower : upper, Vector<T>{b + j * ldb, n, 1});
        substitute(as_is ? upper : lower, Vector<T>{b + j * ldb, n, 1});
    }
    for (Index k = n; !as_is && pivots != nullptr && k-- > 0;) exchange_rows(b, ldb, columns, k, Index{pivots[k]} - 1);
}

// The inverse by the factors; what is told is that of factorize.
template <class T>
int invert_factorized(Index n, const T *a, Index lda, const int *pivots, T *inverse, Index ldc) {
    for (Index k = 0; k < n; ++k)
        if (read(a[k + k * lda]) == Value<T>(0)) return static_cast<int>(k) + 1;
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) inverse[i + j * ldc] = stored<T>(Value<T>(i == j ? 1 : 0));
    solve_factorized(CUBLAS_OP_N, n, n, a, lda, pivots, inverse, ldc);
    return 0;
}

template <class T>
cublasStatus_t getrf_batched(cublasHandle_t handle, Index n, T *const a[], Index lda, int *pivots, int *info,
                             Index count) {
    const bool valid = n >= 0 && is_leading(lda, n) && count >= 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    return enqueue(handle, [=] {
        for (Index i = 0; i < count; ++i) info[i] = factorize(a[i], n, lda, pivots == nullptr ? pivots : pivots + i * n);
    });
}

// `info` is the host's: the number of the first argument that is refused, negative.
template <class T>
cublasStatus_t getrs_batched(cublasHandle_t handle, cublasOperation_t operation, Index n, Index columns,
                             const T *const a[], Index lda, const int *pivots, T *const b[], Index ldb, int *info,
                             Index count) {
    if (const cublasStatus_t status = checked(handle, info != nullptr)) return status;
    *info = !is_operation(operation) ? -1
            : n < 0                  ? -2
            : columns < 0            ? -3
            : !is_leading(lda, n)    ? -5
            : !is_leading(ldb, n)    ? -8
            : count < 0              ? -10
                                     : 0;
    if (*info != 0) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue(handle, [=] {
        for (Index i = 0; i < count; ++i) {
            const int *own = pivots == nullptr ? pivots : pivots + i * n;
            solve_factorized(operation, n, columns, a[i], lda, own, b[i], ldb);
        }
    });
}

template <class T>
cublasStatus_t getri_batched(cublasHandle_t handle, Index n, const T *const a[], Index lda, const int *pivots,
                             T *const inverse[], Index ldc, int *info, Index count) {
    const bool valid = n >= 0 && is_leading(lda, n) && is_leading(ldc, n) && count >= 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    return enqueue(handle, [=] {
        for (Index i = 0; i < count; ++i) {
            const int *own = pivots == nullptr ? pivots : pivots + i * n;
            info[i] = invert_factorized(n, a[i], lda, own, inverse[i], ldc);
        }
    });
}

// Factors and inverse in one; the library has it for matrices that a warp holds.
template <class T>
cublasStatus_t matinv_batched(cublasHandle_t handle, Index n, const T *const a[], Index lda, T *const inverse[],
                              Index ldc, int *info, Index count) {
    const bool valid = n >= 0 && n <= 32 && is_leading(lda, n) && is_leading(ldc, n) && count >= 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    return enqueue(handle, [=] {
        const auto order = static_cast<std::size_t>(n);
        std::vector<T> factors(order * order);
        std::vector<int> pivots(order);
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < n; ++j) std::copy(a[i] + j * lda, a[i] + j * lda + n, factors.data() + j * n);
            info[i] = factorize(factors.data(), n, n, pivots.data());
            if (info[i] == 0) invert_factorized(n, factors.data(), n, pivots.data(), inverse[i], ldc);
        }
    });
}

}  // namespace simt::blas

#endif
