// Matrices with vectors.
#ifndef SIMT_BLAS_LEVEL2_H
#define SIMT_BLAS_LEVEL2_H

#include <cstddef>
#include <type_traits>
#include <vector>

#include "simt/blas/views.h"

namespace simt::blas {

// What becomes of a number that is written over: what it held counts only where beta is not 0.
template <class T, class Computed>
void update(T &target, Computed alpha, Computed product, Computed beta) {
    const Computed part = alpha * product;
    target = stored<T>(beta == Computed(0) ? part : part + beta * static_cast<Computed>(read(target)));
}

template <class View, class T, class Computed = Value<std::remove_const_t<T>>>
std::vector<Computed> times(const View &matrix, Index rows, const Vector<T> &x) {
    std::vector<Computed> product(static_cast<std::size_t>(rows));
    for (Index j = 0; j < x.count; ++j) {
        const Computed factor = read(x[j]);
        const Rows held = matrix.rows(j, rows);
        for (Index i = held.first; i < held.end; ++i) product[static_cast<std::size_t>(i)] += matrix(i, j) * factor;
    }
    return product;
}

// y = alpha A x + beta y
template <class View, class T>
void multiply_vector(const View &matrix, Value<T> alpha, const Vector<const T> &x, Value<T> beta, const Vector<T> &y) {
    if (alpha == Value<T>(0)) {
        for (Index i = 0; i < y.count; ++i) update(y[i], alpha, Value<T>(0), beta);
        return;
    }
    const auto product = times(matrix, y.count, x);
    for (Index i = 0; i < y.count; ++i) update(y[i], alpha, product[static_cast<std::size_t>(i)], beta);
}

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t operation, Index m, Index n, const T *alpha, const T *a,
                    Index lda, const T *x, Index incx, const T *beta, T *y, Index incy) {
    const bool valid = is_operation(operation) && m >= 0 && n >= 0 && is_leading(lda, m) && incx != 0 && incy != 0;
    if (const cublasStatus_t status = checked(handle, valid && alpha != nullptr && beta != nullptr)) return status;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const Scalar<T> factor(handle, alpha), before(handle, beta);
    const bool as_is = operation == CUBLAS_OP_N;
    const Vector<const T> from{x, as_is ? n : m, incx};
    const Vector<T> to{y, as_is ? m : n, incy};
    return enqueue(handle, [=] { multiply_vector(General<T>(a, lda, operation), factor(), from, before(), to); });
}

template <class T>
cublasStatus_t gbmv(cublasHandle_t handle, cublasOperation_t operation, Index m, Index n, Index below, Index above,
                    const T *alpha, const T *a, Index lda, const T *x, Index incx, const T *beta, T *y, Index incy) {
    const bool valid = is_operation(operation) && m >= 0 && n >= 0 && below >= 0 && above >= 0 &&
                       lda >= below + above + 1 && incx != 0 && incy != 0;
    if (const cublasStatus_t status = checked(handle, valid && alpha != nullptr && beta != nullptr)) return status;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const Scalar<T> factor(handle, alpha), before(handle, beta);
    const bool as_is = operation == CUBLAS_OP_N;
    const Vector<const T> from{x, as_is ? n : m, incx};
    const Vector<T> to{y, as_is ? m : n, incy};
    const Band<T> matrix(a, lda, below, above, operation);
    return enqueue(handle, [=] { multiply_vector(matrix, factor(), from, before(), to); });
}

template <class T, bool hermitian>
cublasStatus_t mirrored_times_vector(cublasHandle_t handle, cublasFillMode_t fill, Index n, const T *alpha, const T *a,
                                     Index lda, const T *x, Index incx, const T *beta, T *y, Index incy) {
    const bool valid = is_triangle(fill) && n >= 0 && is_leading(lda, n) && incx != 0 && incy != 0;
    if (const cublasStatus_t status = checked(handle, valid && alpha != nullptr && beta != nullptr)) return status;
    const Scalar<T> factor(handle, alpha), before(handle, beta);
    const Mirrored<T> matrix(a, lda, fill, hermitian);
    return enqueue(handle, [=] {
        multiply_vector(matrix, factor(), Vector<const T>{x, n, incx}, before(), Vector<T>{y, n, incy});
    });
}
template <class T>
inline constexpr auto &symv = mirrored_times_vector<T, false>;
template <class T>
inline constexpr auto &hemv = mirrored_times_vector<T, true>;

// A += alpha x y^T, or with the conjugate of y.
template <class T, bool conjugated>
cublasStatus_t rank1(cublasHandle_t handle, Index m, Index n, const T *alpha, const T *x, Index incx, const T *y,
                     Index incy, T *a, Index lda) {
    const bool valid = m >= 0 && n >= 0 && is_leading(lda, m) && incx != 0 && incy != 0 && alpha != nullptr;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Scalar<T> factor(handle, alpha);
    return enqueue(handle, [=] {
        const Vector<const T> left{x, m, incx}, right{y, n, incy};
        const Value<T> scale = factor();
        if (scale == Value<T>(0)) return;
        for (Index j = 0; j < n; ++j) {
            const Value<T> column = read(right[j]), by = scale * (conjugated ? conjugate(column) : column);
            for (Index i = 0; i < m; ++i) {
                T &target = a[i + j * lda];
                target = stored<T>(read(target) + read(left[i]) * by);
            }
        }
    });
}
template <class T>
inline constexpr auto &ger = rank1<T, false>;
template <class T>
inline constexpr auto &gerc = rank1<T, true>;

// The triangle that is stored, += alpha x x^T, or with the conjugate; the diagonal of a Hermitian matrix is real.
template <class T, bool hermitian, class Factor>
cublasStatus_t mirrored_rank1(cublasHandle_t handle, cublasFillMode_t fill, Index n, const Factor *alpha, const T *x,
                              Index incx, T *a, Index lda) {
    const bool valid = is_triangle(fill) && n >= 0 && incx != 0 && is_leading(lda, n) && alpha != nullptr;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Scalar<Factor> factor(handle, alpha);
    return enqueue(handle, [=] {
        const Vector<const T> vector{x, n, incx};
        const Value<Factor> scale = factor();
        if (scale == Value<Factor>(0)) return;
        const Triangle<T> triangle(a, lda, fill, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT);
        for (Index j = 0; j < n; ++j) {
            const Value<T> column = read(vector[j]), by = scale * (hermitian ? conjugate(column) : column);
            const Rows held = triangle.rows(j, n);
            for (Index i = held.first; i < held.end; ++i) {
                const Value<T> sum = triangle(i, j) + read(vector[i]) * by;
                a[i + j * lda] = stored<T>(hermitian && i == j ? Value<T>(real_part(sum)) : sum);
            }
        }
    });
}
template <class T>
inline constexpr auto &syr = mirrored_rank1<T, false, T>;
template <class T>
inline constexpr auto &her = mirrored_rank1<T, true, Real<T>>;

// The triangle that is stored, += alpha x y^T + alpha y x^T, or alpha x y^H + conj(alpha) y x^H.
template <class T, bool hermitian>
cublasStatus_t mirrored_rank2(cublasHandle_t handle, cublasFillMode_t fill, Index n, const T *alpha, const T *x,
                              Index incx, const T *y, Index incy, T *a, Index lda) {
    const bool valid = is_triangle(fill) && n >= 0 && incx != 0 && incy != 0 && is_leading(lda, n);
    if (const cublasStatus_t status = checked(handle, valid && alpha != nullptr)) return status;
    const Scalar<T> factor(handle, alpha);
    return enqueue(handle, [=] {
        const auto mirrored = [](Value<T> value) { return hermitian ? conjugate(value) : value; };
        const Vector<const T> first{x, n, incx}, second{y, n, incy};
        const Value<T> scale = factor();
        if (scale == Value<T>(0)) return;
        const Triangle<T> triangle(a, lda, fill, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT);
        for (Index j = 0; j < n; ++j) {
            const Value<T> by_second = scale * mirrored(read(second[j])), by_first = mirrored(scale * read(first[j]));
            const Rows held = triangle.rows(j, n);
            for (Index i = held.first; i < held.end; ++i) {
                const Value<T> sum = triangle(i, j) + read(first[i]) * by_second + read(second[i]) * by_first;
                a[i + j * lda] = stored<T>(hermitian && i == j ? Value<T>(real_part(sum)) : sum);
            }
        }
    });
}
template <class T>
inline constexpr auto &syr2 = mirrored_rank2<T, false>;
template <class T>
inline constexpr auto &her2 = mirrored_rank2<T, true>;

// Solves A x = b by substitution, in the place of b.
template <class T>
void substitute(const Triangle<T> &matrix, const Vector<T> &x) {
    for (Index step = 0; step < x.count; ++step) {
        const Index j = matrix.upper ? x.count - 1 - step : step;
        const Value<T> solved = matrix.unit ? read(x[j]) : read(x[j]) / matrix(j, j);
        x[j] = stored<T>(solved);
        const Rows held = matrix.rows(j, x.count);
        for (Index i = held.first; i < held.end; ++i)
            if (i != j) x[i] = stored<T>(read(x[i]) - matrix(i, j) * solved);
    }
}

inline bool is_triangular(cublasFillMode_t fill, cublasOperation_t operation, cublasDiagType_t diagonal) {
    return is_triangle(fill) && is_operation(operation) &&
           (diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT);
}

template <class T>
cublasStatus_t trmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, Index n, const T *a, Index lda, T *x, Index incx) {
    const bool valid = is_triangular(fill, operation, diagonal) && n >= 0 && is_leading(lda, n) && incx != 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Triangle<T> matrix(a, lda, fill, operation, diagonal);
    return enqueue(handle, [=] {
        const auto product = times(matrix, n, Vector<T>{x, n, incx});
        for (Index i = 0; i < n; ++i) Vector<T>{x, n, incx}[i] = stored<T>(product[static_cast<std::size_t>(i)]);
    });
}

template <class T>
cublasStatus_t trsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, Index n, const T *a, Index lda, T *x, Index incx) {
    const bool valid = is_triangular(fill, operation, diagonal) && n >= 0 && is_leading(lda, n) && incx != 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Triangle<T> matrix(a, lda, fill, operation, diagonal);
    return enqueue(handle, [=] { substitute(matrix, Vector<T>{x, n, incx}); });
}

}  // namespace simt::blas

#endif
