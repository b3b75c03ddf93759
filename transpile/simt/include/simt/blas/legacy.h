// The interface of before cuBLAS 4: one handle for all, factors by value, results returned, letters for what is asked.
#ifndef SIMT_BLAS_LEGACY_H
#define SIMT_BLAS_LEGACY_H

#include <cctype>
#include <cstddef>

#include "simt/blas/level1.h"
#include "simt/blas/level3.h"
#include "simt/blas/transfers.h"

namespace simt::blas::legacy {

inline cublasHandle_t handle = nullptr;
inline cublasStatus_t last_status = CUBLAS_STATUS_SUCCESS;

inline void note(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) last_status = status;
}

// What a letter stands for, of either case, among the letters of a choice.
template <class Choice>
Choice chosen(char letter, const char *letters, const Choice *choices) {
    for (std::size_t i = 0; letters[i] != 0; ++i)
        if (std::tolower(static_cast<unsigned char>(letter)) == letters[i]) return choices[i];
    fail("cuBLAS is given the letter '%c' for one of \"%s\"", letter, letters);
}
inline cublasOperation_t operation(char letter) {
    static constexpr cublasOperation_t choices[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    return chosen(letter, "ntc", choices);
}
inline cublasFillMode_t fill(char letter) {
    static constexpr cublasFillMode_t choices[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
    return chosen(letter, "lu", choices);
}
inline cublasSideMode_t side(char letter) {
    static constexpr cublasSideMode_t choices[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
    return chosen(letter, "lr", choices);
}
inline cublasDiagType_t diagonal(char letter) {
    static constexpr cublasDiagType_t choices[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
    return chosen(letter, "nu", choices);
}

// What a routine answers, or zeros where it could not.
template <class T, class Routine, class... Arguments>
T answered(Routine routine, Arguments... arguments) {
    T result = {};
    note(routine(handle, arguments..., &result));
    return result;
}

template <class T, class Factor = T>
void axpy(int n, Factor alpha, const T *x, int incx, T *y, int incy) {
    note(blas::axpy<T, Factor>(handle, n, &alpha, x, incx, y, incy));
}
template <class T, class Factor = T>
void scal(int n, Factor alpha, T *x, int incx) {
    note(blas::scal<T, Factor>(handle, n, &alpha, x, incx));
}
template <class T>
void copy(int n, const T *x, int incx, T *y, int incy) {
    note(blas::copy<T>(handle, n, x, incx, y, incy));
}
template <class T>
void swap(int n, T *x, int incx, T *y, int incy) {
    note(blas::swap<T>(handle, n, x, incx, y, incy));
}
template <class T>
T dot(int n, const T *x, int incx, const T *y, int incy) {
    return answered<T>(inner_product<T, false>, n, x, incx, y, incy);
}
template <class T>
T dotc(int n, const T *x, int incx, const T *y, int incy) {
    return answered<T>(inner_product<T, true>, n, x, incx, y, incy);
}
template <class T>
Real<T> nrm2(int n, const T *x, int incx) {
    return answered<Real<T>>(blas::nrm2<T>, n, x, incx);
}
template <class T>
Real<T> asum(int n, const T *x, int incx) {
    return answered<Real<T>>(blas::asum<T>, n, x, incx);
}
template <class T>
int amax(int n, const T *x, int incx) {
    return answered<int>(blas::amax<T, int>, n, x, incx);
}
template <class T>
int amin(int n, const T *x, int incx) {
    return answered<int>(blas::amin<T, int>, n, x, incx);
}
template <class T, class Cosine, class Sine>
void rot(int n, T *x, int incx, T *y, int incy, Cosine c, Sine s) {
    note(blas::rot(handle, n, x, incx, y, incy, &c, &s));
}

template <class T>
void gemv(char trans, int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    note(blas::gemv<T>(handle, operation(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy));
}
template <class T>
void symv(char uplo, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    note(blas::symv<T>(handle, fill(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy));
}
template <class T>
void hemv(char uplo, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy) {
    note(blas::hemv<T>(handle, fill(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy));
}
template <class T>
void ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    note(blas::ger<T>(handle, m, n, &alpha, x, incx, y, incy, a, lda));
}
template <class T>
void gerc(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda) {
    note(blas::gerc<T>(handle, m, n, &alpha, x, incx, y, incy, a, lda));
}
template <class T>
void syr(char uplo, int n, T alpha, const T *x, int incx, T *a, int lda) {
    note(blas::syr<T>(handle, fill(uplo), n, &alpha, x, incx, a, lda));
}
template <class T>
void her(char uplo, int n, Real<T> alpha, const T *x, int incx, T *a, int lda) {
    note(blas::her<T>(handle, fill(uplo), n, &alpha, x, incx, a, lda));
}
template <class T>
void trmv(char uplo, char trans, char diag, int n, const T *a, int lda, T *x, int incx) {
    note(blas::trmv<T>(handle, fill(uplo), operation(trans), diagonal(diag), n, a, lda, x, incx));
}
template <class T>
void trsv(char uplo, char trans, char diag, int n, const T *a, int lda, T *x, int incx) {
    note(blas::trsv<T>(handle, fill(uplo), operation(trans), diagonal(diag), n, a, lda, x, incx));
}

template <class T>
void gemm(char transa, char transb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta,
          T *c, int ldc) {
    note(blas::gemm<T>(handle, operation(transa), operation(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
template <class T>
void symm(char where, char uplo, int m, int n, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c,
          int ldc) {
    note(blas::symm<T>(handle, side(where), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
template <class T>
void hemm(char where, char uplo, int m, int n, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c,
          int ldc) {
    note(blas::hemm<T>(handle, side(where), fill(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
template <class T>
void syrk(char uplo, char trans, int n, int k, T alpha, const T *a, int lda, T beta, T *c, int ldc) {
    note(blas::syrk<T>(handle, fill(uplo), operation(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
template <class T>
void herk(char uplo, char trans, int n, int k, Real<T> alpha, const T *a, int lda, Real<T> beta, T *c, int ldc) {
    note(blas::herk<T>(handle, fill(uplo), operation(trans), n, k, &alpha, a, lda, &beta, c, ldc));
}
template <class T>
void trmm(char where, char uplo, char trans, char diag, int m, int n, T alpha, const T *a, int lda, T *b, int ldb) {
    note(blas::trmm<T>(handle, side(where), fill(uplo), operation(trans), diagonal(diag), m, n, &alpha, a, lda, b, ldb,
                       b, ldb));
}
template <class T>
void trsm(char where, char uplo, char trans, char diag, int m, int n, T alpha, const T *a, int lda, T *b, int ldb) {
    note(blas::trsm<T>(handle, side(where), fill(uplo), operation(trans), diagonal(diag), m, n, &alpha, a, lda, b,
                       ldb));
}

}  // namespace simt::blas::legacy

inline cublasStatus_t cublasInit() {
    return simt::blas::legacy::handle != nullptr ? CUBLAS_STATUS_SUCCESS : cublasCreate(&simt::blas::legacy::handle);
}
inline cublasStatus_t cublasShutdown() {
    const cublasStatus_t status = cublasDestroy(simt::blas::legacy::handle);
    simt::blas::legacy::handle = nullptr;
    return status;
}
inline cublasStatus_t cublasGetError() {
    const cublasStatus_t status = simt::blas::legacy::last_status;
    simt::blas::legacy::last_status = CUBLAS_STATUS_SUCCESS;
    return status;
}
inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
    return cublasSetStream(simt::blas::legacy::handle, stream);
}
template <class T>
cublasStatus_t cublasAlloc(int count, int size, T **pointer) {
    if (count <= 0 || size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    const std::size_t bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
    return cudaMalloc(pointer, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasFree(void *pointer) { return simt::blas::transferred(cudaFree(pointer)); }

#define SIMT_LEGACY(name, ...) inline constexpr auto &name = simt::blas::legacy::__VA_ARGS__;
SIMT_LEGACY(cublasSaxpy, axpy<float>)
SIMT_LEGACY(cublasDaxpy, axpy<double>)
SIMT_LEGACY(cublasCaxpy, axpy<cuComplex>)
SIMT_LEGACY(cublasZaxpy, axpy<cuDoubleComplex>)
SIMT_LEGACY(cublasSscal, scal<float>)
SIMT_LEGACY(cublasDscal, scal<double>)
SIMT_LEGACY(cublasCscal, scal<cuComplex>)
SIMT_LEGACY(cublasZscal, scal<cuDoubleComplex>)
SIMT_LEGACY(cublasCsscal, scal<cuComplex, float>)
SIMT_LEGACY(cublasZdscal, scal<cuDoubleComplex, double>)
SIMT_LEGACY(cublasScopy, copy<float>)
SIMT_LEGACY(cublasDcopy, copy<double>)
SIMT_LEGACY(cublasCcopy, copy<cuComplex>)
SIMT_LEGACY(cublasZcopy, copy<cuDoubleComplex>)
SIMT_LEGACY(cublasSswap, swap<float>)
SIMT_LEGACY(cublasDswap, swap<double>)
SIMT_LEGACY(cublasCswap, swap<cuComplex>)
SIMT_LEGACY(cublasZswap, swap<cuDoubleComplex>)
SIMT_LEGACY(cublasSdot, dot<float>)
SIMT_LEGACY(cublasDdot, dot<double>)
SIMT_LEGACY(cublasCdotu, dot<cuComplex>)
SIMT_LEGACY(cublasZdotu, dot<cuDoubleComplex>)
SIMT_LEGACY(cublasCdotc, dotc<cuComplex>)
SIMT_LEGACY(cublasZdotc, dotc<cuDoubleComplex>)
SIMT_LEGACY(cublasSnrm2, nrm2<float>)
SIMT_LEGACY(cublasDnrm2, nrm2<double>)
SIMT_LEGACY(cublasScnrm2, nrm2<cuComplex>)
SIMT_LEGACY(cublasDznrm2, nrm2<cuDoubleComplex>)
SIMT_LEGACY(cublasSasum, asum<float>)
SIMT_LEGACY(cublasDasum, asum<double>)
SIMT_LEGACY(cublasScasum, asum<cuComplex>)
SIMT_LEGACY(cublasDzasum, asum<cuDoubleComplex>)
SIMT_LEGACY(cublasIsamax, amax<float>)
SIMT_LEGACY(cublasIdamax, amax<double>)
SIMT_LEGACY(cublasIcamax, amax<cuComplex>)
SIMT_LEGACY(cublasIzamax, amax<cuDoubleComplex>)
SIMT_LEGACY(cublasIsamin, amin<float>)
SIMT_LEGACY(cublasIdamin, amin<double>)
SIMT_LEGACY(cublasIcamin, amin<cuComplex>)
SIMT_LEGACY(cublasIzamin, amin<cuDoubleComplex>)
SIMT_LEGACY(cublasSrot, rot<float, float, float>)
SIMT_LEGACY(cublasDrot, rot<double, double, double>)
SIMT_LEGACY(cublasCsrot, rot<cuComplex, float, float>)
SIMT_LEGACY(cublasZdrot, rot<cuDoubleComplex, double, double>)
SIMT_LEGACY(cublasCrot, rot<cuComplex, float, cuComplex>)
SIMT_LEGACY(cublasZrot, rot<cuDoubleComplex, double, cuDoubleComplex>)
SIMT_LEGACY(cublasSgemv, gemv<float>)
SIMT_LEGACY(cublasDgemv, gemv<double>)
SIMT_LEGACY(cublasCgemv, gemv<cuComplex>)
SIMT_LEGACY(cublasZgemv, gemv<cuDoubleComplex>)
SIMT_LEGACY(cublasSsymv, symv<float>)
SIMT_LEGACY(cublasDsymv, symv<double>)
SIMT_LEGACY(cublasChemv, hemv<cuComplex>)
SIMT_LEGACY(cublasZhemv, hemv<cuDoubleComplex>)
SIMT_LEGACY(cublasSger, ger<float>)
SIMT_LEGACY(cublasDger, ger<double>)
SIMT_LEGACY(cublasCgeru, ger<cuComplex>)
SIMT_LEGACY(cublasZgeru, ger<cuDoubleComplex>)
SIMT_LEGACY(cublasCgerc, gerc<cuComplex>)
SIMT_LEGACY(cublasZgerc, gerc<cuDoubleComplex>)
SIMT_LEGACY(cublasSsyr, syr<float>)
SIMT_LEGACY(cublasDsyr, syr<double>)
SIMT_LEGACY(cublasCher, her<cuComplex>)
SIMT_LEGACY(cublasZher, her<cuDoubleComplex>)
SIMT_LEGACY(cublasStrmv, trmv<float>)
SIMT_LEGACY(cublasDtrmv, trmv<double>)
SIMT_LEGACY(cublasCtrmv, trmv<cuComplex>)
SIMT_LEGACY(cublasZtrmv, trmv<cuDoubleComplex>)
SIMT_LEGACY(cublasStrsv, trsv<float>)
SIMT_LEGACY(cublasDtrsv, trsv<double>)
SIMT_LEGACY(cublasCtrsv, trsv<cuComplex>)
SIMT_LEGACY(cublasZtrsv, trsv<cuDoubleComplex>)
SIMT_LEGACY(cublasSgemm, gemm<float>)
SIMT_LEGACY(cublasDgemm, gemm<double>)
SIMT_LEGACY(cublasCgemm, gemm<cuComplex>)
SIMT_LEGACY(cublasZgemm, gemm<cuDoubleComplex>)
SIMT_LEGACY(cublasSsymm, symm<float>)
SIMT_LEGACY(cublasDsymm, symm<double>)
SIMT_LEGACY(cublasCsymm, symm<cuComplex>)
SIMT_LEGACY(cublasZsymm, symm<cuDoubleComplex>)
SIMT_LEGACY(cublasChemm, hemm<cuComplex>)
SIMT_LEGACY(cublasZhemm, hemm<cuDoubleComplex>)
SIMT_LEGACY(cublasSsyrk, syrk<float>)
SIMT_LEGACY(cublasDsyrk, syrk<double>)
SIMT_LEGACY(cublasCsyrk, syrk<cuComplex>)
SIMT_LEGACY(cublasZsyrk, syrk<cuDoubleComplex>)
SIMT_LEGACY(cublasCherk, herk<cuComplex>)
SIMT_LEGACY(cublasZherk, herk<cuDoubleComplex>)
SIMT_LEGACY(cublasStrmm, trmm<float>)
SIMT_LEGACY(cublasDtrmm, trmm<double>)
SIMT_LEGACY(cublasCtrmm, trmm<cuComplex>)
SIMT_LEGACY(cublasZtrmm, trmm<cuDoubleComplex>)
SIMT_LEGACY(cublasStrsm, trsm<float>)
SIMT_LEGACY(cublasDtrsm, trsm<double>)
SIMT_LEGACY(cublasCtrsm, trsm<cuComplex>)
SIMT_LEGACY(cublasZtrsm, trsm<cuDoubleComplex>)
#undef SIMT_LEGACY

#endif
