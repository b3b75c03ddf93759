// Vectors with vectors.
#ifndef SIMT_BLAS_LEVEL1_H
#define SIMT_BLAS_LEVEL1_H

#include <cmath>
#include <utility>

#include "simt/blas/views.h"

namespace simt::blas {

template <class T, class Factor = T>
cublasStatus_t axpy(cublasHandle_t handle, Index n, const Factor *alpha, const T *x, Index incx, T *y, Index incy) {
    if (const cublasStatus_t status = checked(handle, alpha != nullptr)) return status;
    const Scalar<Factor> factor(handle, alpha);
    return enqueue(handle, [=] {
        const Vector<const T> from{x, n, incx};
        const Vector<T> to{y, n, incy};
        const Value<Factor> a = factor();
        if (a == Value<Factor>(0)) return;
        for (Index i = 0; i < n; ++i) to[i] = stored<T>(a * read(from[i]) + read(to[i]));
    });
}

template <class T, class Factor = T>
cublasStatus_t scal(cublasHandle_t handle, Index n, const Factor *alpha, T *x, Index incx) {
    if (const cublasStatus_t status = checked(handle, alpha != nullptr)) return status;
    const Scalar<Factor> factor(handle, alpha);
    return enqueue(handle, [=] {
        const Value<Factor> a = factor();
        for (Index i = 0; incx > 0 && i < n; ++i) x[i * incx] = stored<T>(a * read(x[i * incx]));
    });
}

template <class T>
cublasStatus_t copy(cublasHandle_t handle, Index n, const T *x, Index incx, T *y, Index incy) {
    if (const cublasStatus_t status = checked(handle, true)) return status;
    return enqueue(handle, [=] {
        for (Index i = 0; i < n; ++i) Vector<T>{y, n, incy}[i] = Vector<const T>{x, n, incx}[i];
    });
}

template <class T>
cublasStatus_t swap(cublasHandle_t handle, Index n, T *x, Index incx, T *y, Index incy) {
    if (const cublasStatus_t status = checked(handle, true)) return status;
    return enqueue(handle, [=] {
        for (Index i = 0; i < n; ++i) std::swap(Vector<T>{x, n, incx}[i], Vector<T>{y, n, incy}[i]);
    });
}

template <class T, bool conjugated>
cublasStatus_t inner_product(cublasHandle_t handle, Index n, const T *x, Index incx, const T *y, Index incy,
                             T *result) {
    if (const cublasStatus_t status = checked(handle, result != nullptr)) return status;
    return answer(handle, result, [=] {
        Value<T> sum = 0;
        for (Index i = 0; i < n; ++i) {
            const Value<T> left = read(Vector<const T>{x, n, incx}[i]);
            sum += (conjugated ? conjugate(left) : left) * read(Vector<const T>{y, n, incy}[i]);
        }
        return stored<T>(sum);
    });
}
template <class T>
inline constexpr auto &dot = inner_product<T, false>;
template <class T>
inline constexpr auto &dotc = inner_product<T, true>;

// The squares are those of parts of the largest number, so that none overflows.
template <class T>
Real<T> euclidean_norm(Index n, const T *x, Index incx) {
    Real<T> scale = 0, sum = 0;
    for (Index i = 0; incx > 0 && i < n; ++i) {
        const Real<T> size = std::abs(read(x[i * incx]));
        if (size == 0) continue;
        const bool larger = scale < size;
        const Real<T> part = size == scale ? 1 : larger ? scale / size : size / scale;
        sum = larger ? 1 + sum * part * part : sum + part * part;
        if (larger) scale = size;
    }
    return scale * std::sqrt(sum);
}

template <class T, class Result = Real<T>>
cublasStatus_t nrm2(cublasHandle_t handle, Index n, const T *x, Index incx, Result *result) {
    if (const cublasStatus_t status = checked(handle, result != nullptr)) return status;
    return answer(handle, result, [=] { return stored<Result>(euclidean_norm(n, x, incx)); });
}

template <class T>
cublasStatus_t asum(cublasHandle_t handle, Index n, const T *x, Index incx, Real<T> *result) {
    if (const cublasStatus_t status = checked(handle, result != nullptr)) return status;
    return answer(handle, result, [=] {
        Real<T> sum = 0;
        for (Index i = 0; incx > 0 && i < n; ++i) sum += size_of(read(x[i * incx]));
        return sum;
    });
}

// The first of the largest or smallest numbers, counted from 1.
template <class T, class Position, class Better>
cublasStatus_t extreme(cublasHandle_t handle, Index n, const T *x, Index incx, Position *result, Better better) {
    if (const cublasStatus_t status = checked(handle, result != nullptr)) return status;
    return answer(handle, result, [=] {
        Index best = n > 0 && incx > 0 ? 1 : 0;
        for (Index i = 1; best > 0 && i < n; ++i)
            if (better(size_of(read(x[i * incx])), size_of(read(x[(best - 1) * incx])))) best = i + 1;
        return static_cast<Position>(best);
    });
}
template <class T, class Position>
cublasStatus_t amax(cublasHandle_t handle, Index n, const T *x, Index incx, Position *result) {
    return extreme(handle, n, x, incx, result, [](auto a, auto b) { return a > b; });
}
template <class T, class Position>
cublasStatus_t amin(cublasHandle_t handle, Index n, const T *x, Index incx, Position *result) {
    return extreme(handle, n, x, incx, result, [](auto a, auto b) { return a < b; });
}

template <class T, class Cosine, class Sine>
cublasStatus_t rot(cublasHandle_t handle, Index n, T *x, Index incx, T *y, Index incy, const Cosine *c,
                   const Sine *s) {
    if (const cublasStatus_t status = checked(handle, c != nullptr && s != nullptr)) return status;
    const Scalar<Cosine> cosine(handle, c);
    const Scalar<Sine> sine(handle, s);
    return enqueue(handle, [=] {
        const Value<Cosine> along = cosine();
        const Value<Sine> across = sine();
        for (Index i = 0; i < n; ++i) {
            T &first = Vector<T>{x, n, incx}[i], &second = Vector<T>{y, n, incy}[i];
            const Value<T> a = read(first), b = read(second);
            first = stored<T>(along * a + across * b);
            second = stored<T>(along * b - conjugate(across) * a);
        }
    });
}

// The rotation that takes b to 0; b becomes what both factors can be found from again.
template <class R>
void rotation(R &a, R &b, R &c, R &s) {
    const bool first = std::fabs(a) > std::fabs(b);
    const R length = std::copysign(std::hypot(a, b), first ? a : b);
    c = length == 0 ? 1 : a / length;
    s = length == 0 ? 0 : b / length;
    b = first || length == 0 ? s : c != 0 ? 1 / c : 1;
    a = length;
}
template <class R>
void rotation(std::complex<R> &a, std::complex<R> &b, R &c, std::complex<R> &s) {
    const R size = std::abs(a), length = std::hypot(size, std::abs(b));
    const std::complex<R> direction = size == 0 ? std::complex<R>(1) : a / size;
    c = size == 0 ? 0 : size / length;
    s = size == 0 ? std::complex<R>(1) : direction * std::conj(b) / length;
    a = size == 0 ? b : direction * length;
}

template <class T>
cublasStatus_t rotg(cublasHandle_t handle, T *a, T *b, Real<T> *c, T *s) {
    const bool given = a != nullptr && b != nullptr && c != nullptr && s != nullptr;
    if (const cublasStatus_t status = checked(handle, given)) return status;
    const auto rotate = [=] {
        Value<T> first = read(*a), second = read(*b), sine;
        rotation(first, second, *c, sine);
        *a = stored<T>(first), *b = stored<T>(second), *s = stored<T>(sine);
    };
    if (!by_host(handle)) return enqueue(handle, rotate);
    rotate();
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace simt::blas

#endif
