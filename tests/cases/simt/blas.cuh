// Numbers of BLAS's four types in host and device memory, and elements of matrices as its definition has them.
// All are small integers, so that every order of summation gives the same.
#pragma once

#include <complex>
#include <vector>

#include <cublas_v2.h>

#include "expect.h"

using Wide = std::complex<double>;

inline Wide wide(float x) { return x; }
inline Wide wide(double x) { return x; }
inline Wide wide(cuComplex x) { return {x.x, x.y}; }
inline Wide wide(cuDoubleComplex x) { return {x.x, x.y}; }

template <class T>
T narrow(Wide x) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(x.real());
    } else {
        using Part = decltype(T::x);
        return {static_cast<Part>(x.real()), static_cast<Part>(x.imag())};
    }
}

// What a number of a type becomes by conjugation, which real ones do not notice.
template <class T>
Wide rounded(Wide x) {
    return wide(narrow<T>(x));
}

// Device memory that holds a vector of the host's.
template <class T>
struct Device {
    T *data = nullptr;
    std::size_t count;

    explicit Device(const std::vector<T> &values) : count(values.size()) {
        EXPECT(cudaMalloc(&data, (count + 1) * sizeof(T)) == cudaSuccess);
        EXPECT(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
    }
    Device(const Device &) = delete;
    ~Device() { cudaFree(data); }
    operator T *() const { return data; }
    std::vector<T> host() const {
        std::vector<T> values(count);
        EXPECT(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
        return values;
    }
};

template <class T>
std::vector<T> numbers(int count, int seed) {
    std::vector<T> values;
    for (int i = 0; i < count; ++i)
        values.push_back(narrow<T>(Wide((i * 7 + seed * 5) % 11 - 5, (i * 3 + seed) % 7 - 3)));
    return values;
}

// All of it, padding and gaps included.
template <class T>
void expect_same(const std::vector<T> &got, const std::vector<T> &expected, int line, double tolerance = 0) {
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double apart = std::abs(wide(got[i]) - wide(expected[i]));
        if (apart <= tolerance) continue;
        ++failed_expectations;
        std::printf("line %d: at %d: (%g, %g) instead of (%g, %g)\n", line, static_cast<int>(i), wide(got[i]).real(),
                    wide(got[i]).imag(), wide(expected[i]).real(), wide(expected[i]).imag());
        return;
    }
}

inline int place(int i, int n, int increment) { return (increment < 0 ? i - n + 1 : i) * increment; }
inline int room(int n, int increment) { return n == 0 ? 0 : 1 + (n - 1) * std::abs(increment); }

template <class T>
Wide element(const std::vector<T> &a, int lda, cublasOperation_t operation, int i, int j) {
    const Wide value = wide(operation == CUBLAS_OP_N ? a[static_cast<std::size_t>(i + j * lda)] : a[static_cast<std::size_t>(j + i * lda)]);
    return operation == CUBLAS_OP_C ? rounded<T>(std::conj(value)) : value;
}

inline bool takes_host_pointers(cublasHandle_t handle) {
    cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
    EXPECT(cublasGetPointerMode(handle, &mode) == CUBLAS_STATUS_SUCCESS);
    return mode == CUBLAS_POINTER_MODE_HOST;
}

// A factor where the pointer mode wants it.
template <class T>
struct Factor {
    T value;
    Device<T> there;
    bool by_host;

    Factor(cublasHandle_t handle, Wide number)
        : value(narrow<T>(number)), there({value}), by_host(takes_host_pointers(handle)) {}
    operator const T *() const { return by_host ? &value : there.data; }
    Wide wide() const { return ::wide(value); }
};

// The routines by the type of their numbers.
#define BLAS_ROUTINES(row)                                                                                                              \
    row(axpy, cublasSaxpy, cublasDaxpy, cublasCaxpy, cublasZaxpy)                                                                       \
    row(copy, cublasScopy, cublasDcopy, cublasCcopy, cublasZcopy)                                                                       \
    row(swap, cublasSswap, cublasDswap, cublasCswap, cublasZswap)                                                                       \
    row(scal, cublasSscal, cublasDscal, cublasCscal, cublasZscal)                                                                       \
    row(gemv, cublasSgemv, cublasDgemv, cublasCgemv, cublasZgemv)                                                                       \
    row(gbmv, cublasSgbmv, cublasDgbmv, cublasCgbmv, cublasZgbmv)                                                                       \
    row(symv, cublasSsymv, cublasDsymv, cublasCsymv, cublasZsymv)                                                                       \
    row(syr, cublasSsyr, cublasDsyr, cublasCsyr, cublasZsyr)                                                                            \
    row(syr2, cublasSsyr2, cublasDsyr2, cublasCsyr2, cublasZsyr2)                                                                       \
    row(trmv, cublasStrmv, cublasDtrmv, cublasCtrmv, cublasZtrmv)                                                                       \
    row(trsv, cublasStrsv, cublasDtrsv, cublasCtrsv, cublasZtrsv)                                                                       \
    row(gemm, cublasSgemm, cublasDgemm, cublasCgemm, cublasZgemm)                                                                       \
    row(geam, cublasSgeam, cublasDgeam, cublasCgeam, cublasZgeam)                                                                       \
    row(dgmm, cublasSdgmm, cublasDdgmm, cublasCdgmm, cublasZdgmm)                                                                       \
    row(symm, cublasSsymm, cublasDsymm, cublasCsymm, cublasZsymm)                                                                       \
    row(syrk, cublasSsyrk, cublasDsyrk, cublasCsyrk, cublasZsyrk)                                                                       \
    row(syr2k, cublasSsyr2k, cublasDsyr2k, cublasCsyr2k, cublasZsyr2k)                                                                  \
    row(syrkx, cublasSsyrkx, cublasDsyrkx, cublasCsyrkx, cublasZsyrkx)                                                                  \
    row(trmm, cublasStrmm, cublasDtrmm, cublasCtrmm, cublasZtrmm)                                                                       \
    row(trsm, cublasStrsm, cublasDtrsm, cublasCtrsm, cublasZtrsm)                                                                       \
    row(gemmBatched, cublasSgemmBatched, cublasDgemmBatched, cublasCgemmBatched, cublasZgemmBatched)                                    \
    row(gemmStridedBatched, cublasSgemmStridedBatched, cublasDgemmStridedBatched, cublasCgemmStridedBatched, cublasZgemmStridedBatched) \
    row(getrfBatched, cublasSgetrfBatched, cublasDgetrfBatched, cublasCgetrfBatched, cublasZgetrfBatched)                               \
    row(getrsBatched, cublasSgetrsBatched, cublasDgetrsBatched, cublasCgetrsBatched, cublasZgetrsBatched)                               \
    row(getriBatched, cublasSgetriBatched, cublasDgetriBatched, cublasCgetriBatched, cublasZgetriBatched)                               \
    row(matinvBatched, cublasSmatinvBatched, cublasDmatinvBatched, cublasCmatinvBatched, cublasZmatinvBatched)                          \
    row(trsmBatched, cublasStrsmBatched, cublasDtrsmBatched, cublasCtrsmBatched, cublasZtrsmBatched)                                    \
    row(amax, cublasIsamax, cublasIdamax, cublasIcamax, cublasIzamax)                                                                   \
    row(amin, cublasIsamin, cublasIdamin, cublasIcamin, cublasIzamin)

template <class T>
struct Blas;
#define BLAS_MEMBER(name, s, d, c, z) static constexpr auto &name = s;
template <>
struct Blas<float> {
    using Real = float;
    BLAS_ROUTINES(BLAS_MEMBER)
};
#undef BLAS_MEMBER
#define BLAS_MEMBER(name, s, d, c, z) static constexpr auto &name = d;
template <>
struct Blas<double> {
    using Real = double;
    BLAS_ROUTINES(BLAS_MEMBER)
};
#undef BLAS_MEMBER
#define BLAS_MEMBER(name, s, d, c, z) static constexpr auto &name = c;
template <>
struct Blas<cuComplex> {
    using Real = float;
    BLAS_ROUTINES(BLAS_MEMBER)
};
#undef BLAS_MEMBER
#define BLAS_MEMBER(name, s, d, c, z) static constexpr auto &name = z;
template <>
struct Blas<cuDoubleComplex> {
    using Real = double;
    BLAS_ROUTINES(BLAS_MEMBER)
};
#undef BLAS_MEMBER

// Runs a test by both pointer modes in a stream of its own and in the default one.
template <class Test>
void in_all_modes(Test test) {
    cublasHandle_t handle = nullptr;
    cudaStream_t stream = nullptr, found = nullptr;
    EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS && cudaStreamCreate(&stream) == cudaSuccess);
    for (const cudaStream_t in : {cudaStream_t{}, stream})
        for (const auto mode : {CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE}) {
            EXPECT(cublasSetStream(handle, in) == CUBLAS_STATUS_SUCCESS);
            EXPECT(cublasGetStream(handle, &found) == CUBLAS_STATUS_SUCCESS && found == in);
            EXPECT(cublasSetPointerMode(handle, mode) == CUBLAS_STATUS_SUCCESS);
            test(handle);
        }
    EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS && cudaStreamDestroy(stream) == cudaSuccess);
}

// Keeps host and device memory apart, so that with a seed the work of streams waits, where the case is run so.
inline void keep_apart(int count) { simt::isolation.wanted = simt::Isolation::possible && count > 1; }
