// Matrices with matrices.
#ifndef SIMT_BLAS_LEVEL3_H
#define SIMT_BLAS_LEVEL3_H

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "simt/blas/level2.h"

namespace simt::blas {

inline bool is_side(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT; }

// Calls store(i, j, sum) for each element of the product of two matrices of m x k and k x n. The sums grow in the
// type that is computed in, by columns of the left matrix, which is read before all; a column of the right one is read
// before that of the product is stored, which may lie in its place.
template <class Computed, class Left, class Right, class Store>
void multiply(const Left &left, const Right &right, Index m, Index n, Index k, Store store) {
    const auto height = static_cast<std::size_t>(m);
    std::vector<Computed> gathered(height * static_cast<std::size_t>(k)), sums(height);
    for (Index p = 0; p < k; ++p) {
        const Rows held = left.rows(p, m);
        for (Index i = held.first; i < held.end; ++i)
            gathered[static_cast<std::size_t>(p * m + i)] = static_cast<Computed>(left(i, p));
    }
    for (Index j = 0; j < n; ++j) {
        std::fill(sums.begin(), sums.end(), Computed(0));
        const Rows across = right.rows(j, k);
        for (Index p = across.first; p < across.end; ++p) {
            const auto factor = static_cast<Computed>(right(p, j));
            const Computed *column = gathered.data() + p * m;
            const Rows held = left.rows(p, m);
            for (Index i = held.first; i < held.end; ++i) sums[static_cast<std::size_t>(i)] += column[i] * factor;
        }
        for (Index i = 0; i < m; ++i) store(i, j, sums[static_cast<std::size_t>(i)]);
    }
}

// C = alpha A B + beta C, where the product is left out if it counts for nothing.
template <class Computed, class Left, class Right, class T>
void multiply_into(T *c, Index ldc, const Left &left, const Right &right, Index m, Index n, Index k, Computed alpha,
                   Computed beta) {
    multiply<Computed>(left, right, m, n, alpha == Computed(0) ? 0 : k,
                       [=](Index i, Index j, Computed sum) { update(c[i + j * ldc], alpha, sum, beta); });
}

// A product of general matrices of one shape; the factors are of the type that is computed in, but for its width.
template <class In, class Out, class Factor>
struct Gemm {
    cublasOperation_t left, right;
    Index m, n, k, lda, ldb, ldc;
    Scalar<Factor> alpha, beta;

    void operator()(const In *a, const In *b, Out *c) const {
        multiply_into(c, ldc, General<In>(a, lda, left), General<In>(b, ldb, right), m, n, k, alpha(), beta());
    }
    static bool valid(cublasOperation_t left, cublasOperation_t right, Index m, Index n, Index k, Index lda, Index ldb,
                      Index ldc, const Factor *alpha, const Factor *beta) {
        return is_operation(left) && is_operation(right) && m >= 0 && n >= 0 && k >= 0 &&
               is_leading(lda, left == CUBLAS_OP_N ? m : k) && is_leading(ldb, right == CUBLAS_OP_N ? k : n) &&
               is_leading(ldc, m) && alpha != nullptr && beta != nullptr;
    }
};

template <class In, class Out = In, class Factor = In>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right, Index m, Index n, Index k,
                    const Factor *alpha, const In *a, Index lda, const In *b, Index ldb, const Factor *beta, Out *c,
                    Index ldc) {
    using Product = Gemm<In, Out, Factor>;
    const bool valid = Product::valid(left, right, m, n, k, lda, ldb, ldc, alpha, beta);
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Product product{left, right, m, n, k, lda, ldb, ldc, {handle, alpha}, {handle, beta}};
    return enqueue(handle, [=] { product(a, b, c); });
}

template <class In, class Out = In, class Factor = In>
cublasStatus_t gemm_batched(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right, Index m, Index n,
                            Index k, const Factor *alpha, const In *const a[], Index lda, const In *const b[],
                            Index ldb, const Factor *beta, Out *const c[], Index ldc, Index count) {
    using Product = Gemm<In, Out, Factor>;
    const bool valid = Product::valid(left, right, m, n, k, lda, ldb, ldc, alpha, beta) && count >= 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Product product{left, right, m, n, k, lda, ldb, ldc, {handle, alpha}, {handle, beta}};
    return enqueue(handle, [=] {
        for (Index i = 0; i < count; ++i) product(a[i], b[i], c[i]);
    });
}

template <class In, class Out = In, class Factor = In>
cublasStatus_t gemm_strided(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right, Index m, Index n,
                            Index k, const Factor *alpha, const In *a, Index lda, long long apart_a, const In *b,
                            Index ldb, long long apart_b, const Factor *beta, Out *c, Index ldc, long long apart_c,
                            Index count) {
    using Product = Gemm<In, Out, Factor>;
    const bool valid = Product::valid(left, right, m, n, k, lda, ldb, ldc, alpha, beta) && count >= 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Product product{left, right, m, n, k, lda, ldb, ldc, {handle, alpha}, {handle, beta}};
    return enqueue(handle, [=] {
        for (Index i = 0; i < count; ++i) product(a + i * apart_a, b + i * apart_b, c + i * apart_c);
    });
}

// C = alpha op(A) + beta op(B); what counts for nothing is not read.
template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right, Index m, Index n,
                    const T *alpha, const T *a, Index lda, const T *beta, const T *b, Index ldb, T *c, Index ldc) {
    const bool in_place_a = a != c || (left == CUBLAS_OP_N && lda == ldc);
    const bool in_place_b = b != c || (right == CUBLAS_OP_N && ldb == ldc);
    const bool valid = is_operation(left) && is_operation(right) && m >= 0 && n >= 0 && in_place_a && in_place_b &&
                       is_leading(lda, left == CUBLAS_OP_N ? m : n) && is_leading(ldc, m) &&
                       is_leading(ldb, right == CUBLAS_OP_N ? m : n) && alpha != nullptr && beta != nullptr;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Scalar<T> first(handle, alpha), second(handle, beta);
    return enqueue(handle, [=] {
        const General<T> one(a, lda, left), other(b, ldb, right);
        const Value<T> of_one = first(), of_other = second(), none = 0;
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m; ++i)
                c[i + j * ldc] = stored<T>((of_one == none ? none : of_one * one(i, j)) +
                                           (of_other == none ? none : of_other * other(i, j)));
    });
}

template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, Index m, Index n, const T *a, Index lda, const T *x,
                    Index incx, T *c, Index ldc) {
    const bool valid = is_side(side) && m >= 0 && n >= 0 && is_leading(lda, m) && is_leading(ldc, m);
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const bool on_rows = side == CUBLAS_SIDE_LEFT;
    return enqueue(handle, [=] {
        const Vector<const T> diagonal{x, on_rows ? m : n, incx};
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m; ++i)
                c[i + j * ldc] = stored<T>(read(a[i + j * lda]) * read(diagonal[on_rows ? i : j]));
    });
}

template <class T, bool hermitian>
cublasStatus_t mirrored_times_matrix(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, Index m,
                                     Index n, const T *alpha, const T *a, Index lda, const T *b, Index ldb,
                                     const T *beta, T *c, Index ldc) {
    const bool on_left = side == CUBLAS_SIDE_LEFT;
    const bool valid = is_side(side) && is_triangle(fill) && m >= 0 && n >= 0 && is_leading(lda, on_left ? m : n) &&
                       is_leading(ldb, m) && is_leading(ldc, m) && alpha != nullptr && beta != nullptr;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Scalar<T> factor(handle, alpha), before(handle, beta);
    return enqueue(handle, [=] {
        const Mirrored<T> mirrored(a, lda, fill, hermitian);
        const General<T> general(b, ldb, CUBLAS_OP_N);
        if (on_left) {
            multiply_into(c, ldc, mirrored, general, m, n, m, factor(), before());
        } else {
            multiply_into(c, ldc, general, mirrored, m, n, n, factor(), before());
        }
    });
}
template <class T>
inline constexpr auto &symm = mirrored_times_matrix<T, false>;
template <class T>
inline constexpr auto &hemm = mirrored_times_matrix<T, true>;

// What an update of a triangle takes for the other operation of its matrices.
inline cublasOperation_t opposite(cublasOperation_t operation, bool hermitian) {
    if (operation != CUBLAS_OP_N) return CUBLAS_OP_N;
    return hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
}

inline bool is_update(cublasFillMode_t fill, cublasOperation_t operation, bool hermitian, bool complex) {
    const bool transposes = operation == (hermitian ? CUBLAS_OP_C : CUBLAS_OP_T);
    return is_triangle(fill) && (operation == CUBLAS_OP_N || transposes || (!complex && operation == CUBLAS_OP_C));
}

// The triangle of C that is stored: C = alpha op(A) op(B)^T + beta C, or with the conjugate.
template <class T, bool hermitian>
struct TriangleUpdate {
    cublasFillMode_t fill;
    cublasOperation_t operation;
    Index n, k;
    T *c;
    Index ldc;

    void operator()(const T *a, Index lda, const T *b, Index ldb, Value<T> alpha, Value<T> beta) const {
        const General<T> left(a, lda, operation), right(b, ldb, opposite(operation, hermitian));
        const bool upper = fill == CUBLAS_FILL_MODE_UPPER;
        const auto store = [=, into = c, leading = ldc](Index i, Index j, Value<T> sum) {
            if (i != j && upper != (i < j)) return;
            T &target = into[i + j * leading];
            update(target, alpha, sum, beta);
            if (hermitian && i == j) target = stored<T>(real_part(read(target)));
        };
        multiply<Value<T>>(left, right, n, n, alpha == Value<T>(0) ? 0 : k, store);
    }
};

template <class T, bool hermitian, class Factor>
cublasStatus_t rank_k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation, Index n, Index k,
                      const Factor *alpha, const T *a, Index lda, const Factor *beta, T *c, Index ldc) {
    const bool valid = is_update(fill, operation, hermitian, !std::is_same_v<T, Real<T>>) && n >= 0 && k >= 0 &&
                       is_leading(lda, operation == CUBLAS_OP_N ? n : k) && is_leading(ldc, n) && alpha != nullptr &&
                       beta != nullptr;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Scalar<Factor> factor(handle, alpha), before(handle, beta);
    const TriangleUpdate<T, hermitian> into{fill, operation, n, k, c, ldc};
    return enqueue(handle, [=] { into(a, lda, a, lda, factor(), before()); });
}
template <class T>
inline constexpr auto &syrk = rank_k<T, false, T>;
template <class T>
inline constexpr auto &herk = rank_k<T, true, Real<T>>;

// With both products of two matrices, or with the first of them alone where that is known to be symmetric.
template <class T, bool hermitian, class Factor, bool both>
cublasStatus_t rank_2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation, Index n, Index k,
                       const T *alpha, const T *a, Index lda, const T *b, Index ldb, const Factor *beta, T *c,
                       Index ldc) {
    const Index rows = operation == CUBLAS_OP_N ? n : k;
    const bool valid = is_update(fill, operation, hermitian, !std::is_same_v<T, Real<T>>) && n >= 0 && k >= 0 &&
                       is_leading(lda, rows) && is_leading(ldb, rows) && is_leading(ldc, n) && alpha != nullptr &&
                       beta != nullptr;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Scalar<T> factor(handle, alpha);
    const Scalar<Factor> before(handle, beta);
    const TriangleUpdate<T, hermitian> into{fill, operation, n, k, c, ldc};
    return enqueue(handle, [=] {
        const Value<T> scale = factor();
        into(a, lda, b, ldb, scale, before());
        if (both) into(b, ldb, a, lda, hermitian ? conjugate(scale) : scale, Value<T>(1));
    });
}
template <class T>
inline constexpr auto &syr2k = rank_2k<T, false, T, true>;
template <class T>
inline constexpr auto &her2k = rank_2k<T, true, Real<T>, true>;
template <class T>
inline constexpr auto &syrkx = rank_2k<T, false, T, false>;
template <class T>
inline constexpr auto &herkx = rank_2k<T, true, Real<T>, false>;

template <class T>
cublasStatus_t trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, Index m, Index n, const T *alpha, const T *a, Index lda, const T *b,
                    Index ldb, T *c, Index ldc) {
    const bool on_left = side == CUBLAS_SIDE_LEFT;
    const bool valid = is_side(side) && is_triangular(fill, operation, diagonal) && m >= 0 && n >= 0 &&
                       is_leading(lda, on_left ? m : n) && is_leading(ldb, m) && is_leading(ldc, m) && alpha != nullptr;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Scalar<T> factor(handle, alpha);
    const Triangle<T> triangle(a, lda, fill, operation, diagonal);
    return enqueue(handle, [=] {
        const General<T> general(b, ldb, CUBLAS_OP_N);
        if (on_left) {
            multiply_into(c, ldc, triangle, general, m, n, m, factor(), Value<T>(0));
        } else {
            multiply_into(c, ldc, general, triangle, m, n, n, factor(), Value<T>(0));
        }
    });
}

// Solves op(A) X = alpha B or X op(A) = alpha B for systems of one shape, in the place of B.
template <class T>
struct Trsm {
    cublasSideMode_t side;
    cublasFillMode_t fill;
    cublasOperation_t operation;
    cublasDiagType_t diagonal;
    Index m, n, lda, ldb;
    Scalar<T> alpha;

    void operator()(const T *a, T *b) const {
        const Triangle<T> triangle(a, lda, fill, operation, diagonal);
        const Value<T> factor = alpha();
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m; ++i) update(b[i + j * ldb], Value<T>(0), Value<T>(0), factor);
        if (factor == Value<T>(0)) return;
        if (side == CUBLAS_SIDE_LEFT) {
            for (Index j = 0; j < n; ++j) substitute(triangle, Vector<T>{b + j * ldb, m, 1});
        } else {
            for (Index i = 0; i < m; ++i) substitute(triangle.transposed(), Vector<T>{b + i, n, ldb});
        }
    }
    static bool valid(cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t operation,
                      cublasDiagType_t diagonal, Index m, Index n, const T *alpha, Index lda, Index ldb) {
        return is_side(side) && is_triangular(fill, operation, diagonal) && m >= 0 && n >= 0 && alpha != nullptr &&
               is_leading(lda, side == CUBLAS_SIDE_LEFT ? m : n) && is_leading(ldb, m);
    }
};

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, Index m, Index n, const T *alpha, const T *a, Index lda, T *b,
                    Index ldb) {
    const bool valid = Trsm<T>::valid(side, fill, operation, diagonal, m, n, alpha, lda, ldb);
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Trsm<T> solve{side, fill, operation, diagonal, m, n, lda, ldb, {handle, alpha}};
    return enqueue(handle, [=] { solve(a, b); });
}

template <class T>
cublasStatus_t trsm_batched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                            cublasOperation_t operation, cublasDiagType_t diagonal, Index m, Index n, const T *alpha,
                            const T *const a[], Index lda, T *const b[], Index ldb, Index count) {
    const bool valid = Trsm<T>::valid(side, fill, operation, diagonal, m, n, alpha, lda, ldb) && count >= 0;
    if (const cublasStatus_t status = checked(handle, valid)) return status;
    const Trsm<T> solve{side, fill, operation, diagonal, m, n, lda, ldb, {handle, alpha}};
    return enqueue(handle, [=] {
        for (Index i = 0; i < count; ++i) solve(a[i], b[i]);
    });
}

}  // namespace simt::blas

#endif
