// The routines that are told the types of their numbers when they are called. What the library does not have for a
// choice of types is not supported here either.
#ifndef SIMT_BLAS_EXTENDED_H
#define SIMT_BLAS_EXTENDED_H

#include <cstdint>
#include <type_traits>

#include "simt/blas/level1.h"
#include "simt/blas/level3.h"

namespace simt::blas {

// Vectors of numbers of a type, and the type that factors are of and that is computed in.
template <class T, class Factor = T>
struct VectorTypes {
    using Element = T;
    using Scale = Factor;
    using Magnitude = std::conditional_t<std::is_same_v<T, Factor>, Real<T>, T>;
};

// Calls `routine` for vectors of the type, computed in the type that the library has for them.
template <class Routine>
cublasStatus_t with_vectors(cudaDataType type, cudaDataType computed, Routine routine) {
    const bool small = type == CUDA_R_16F || type == CUDA_R_16BF;
    if (computed != (small ? CUDA_R_32F : type)) return CUBLAS_STATUS_NOT_SUPPORTED;
    switch (type) {
        case CUDA_R_16F: return routine(VectorTypes<__half, float>{});
        case CUDA_R_16BF: return routine(VectorTypes<__nv_bfloat16, float>{});
        case CUDA_R_32F: return routine(VectorTypes<float>{});
        case CUDA_R_64F: return routine(VectorTypes<double>{});
        case CUDA_C_32F: return routine(VectorTypes<cuComplex>{});
        case CUDA_C_64F: return routine(VectorTypes<cuDoubleComplex>{});
        default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}

inline cudaDataType real_of(cudaDataType type) {
    return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

template <bool conjugated>
cublasStatus_t inner_product_of(cublasHandle_t handle, Index n, const void *x, cudaDataType x_type, Index incx,
                                const void *y, cudaDataType y_type, Index incy, void *result, cudaDataType result_type,
                                cudaDataType computed) {
    if (y_type != x_type || result_type != x_type) return CUBLAS_STATUS_NOT_SUPPORTED;
    return with_vectors(x_type, computed, [=](auto types) {
        using T = typename decltype(types)::Element;
        return inner_product<T, conjugated>(handle, n, static_cast<const T *>(x), incx, static_cast<const T *>(y),
                                            incy, static_cast<T *>(result));
    });
}

// Matrices of a product: of what numbers they are, and its factors.
template <class In, class Out, class Factor>
struct ProductTypes {
    using Left = In;
    using Result = Out;
    using Scale = Factor;
};

inline bool is_computed_in_float(cublasComputeType_t computed) {
    return computed == CUBLAS_COMPUTE_32F || computed == CUBLAS_COMPUTE_32F_PEDANTIC;
}

template <class Routine>
cublasStatus_t with_floats(cudaDataType in, cudaDataType out, bool exact, Routine routine) {
    if (in == CUDA_R_32F && out == CUDA_R_32F) return routine(ProductTypes<float, float, float>{});
    if (in == CUDA_C_32F && out == CUDA_C_32F) return routine(ProductTypes<cuComplex, cuComplex, cuComplex>{});
    if (!exact) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (in == CUDA_R_16F && out == CUDA_R_16F) return routine(ProductTypes<__half, __half, float>{});
    if (in == CUDA_R_16F && out == CUDA_R_32F) return routine(ProductTypes<__half, float, float>{});
    if (in == CUDA_R_16BF && out == CUDA_R_16BF) return routine(ProductTypes<__nv_bfloat16, __nv_bfloat16, float>{});
    if (in == CUDA_R_16BF && out == CUDA_R_32F) return routine(ProductTypes<__nv_bfloat16, float, float>{});
    if (in == CUDA_R_8I && out == CUDA_R_32F) return routine(ProductTypes<std::int8_t, float, float>{});
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

// Calls `routine` for matrices of the types, where the library has their product.
template <class Routine>
cublasStatus_t with_product(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t computed,
                            Routine routine) {
    if (a != b) return CUBLAS_STATUS_NOT_SUPPORTED;
    switch (computed) {
        case CUBLAS_COMPUTE_16F:
        case CUBLAS_COMPUTE_16F_PEDANTIC:
            if (a == CUDA_R_16F && c == CUDA_R_16F) return routine(ProductTypes<__half, __half, __half>{});
            return CUBLAS_STATUS_NOT_SUPPORTED;
        case CUBLAS_COMPUTE_32I:
        case CUBLAS_COMPUTE_32I_PEDANTIC:
            if (a == CUDA_R_8I && c == CUDA_R_32I)
                return routine(ProductTypes<std::int8_t, std::int32_t, std::int32_t>{});
            return CUBLAS_STATUS_NOT_SUPPORTED;
        case CUBLAS_COMPUTE_64F:
        case CUBLAS_COMPUTE_64F_PEDANTIC:
            if (a == CUDA_R_64F && c == CUDA_R_64F) return routine(ProductTypes<double, double, double>{});
            if (a == CUDA_C_64F && c == CUDA_C_64F)
                return routine(ProductTypes<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>{});
            return CUBLAS_STATUS_NOT_SUPPORTED;
        default: return with_floats(a, c, is_computed_in_float(computed), routine);
    }
}

// What a product is computed in, which callers of before CUDA 11 name by a type.
struct Computation {
    cublasComputeType_t type;

    Computation(cublasComputeType_t given) : type(given) {}
    Computation(cudaDataType given)
        : type(given == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
               : given == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
               : given == CUDA_R_64F || given == CUDA_C_64F ? CUBLAS_COMPUTE_64F
                                                           : CUBLAS_COMPUTE_32F) {}
};

}  // namespace simt::blas

inline cublasStatus_t cublasAxpyEx(cublasHandle_t handle, simt::blas::Index n, const void *alpha,
                                   cudaDataType alpha_type, const void *x, cudaDataType x_type, simt::blas::Index incx,
                                   void *y, cudaDataType y_type, simt::blas::Index incy, cudaDataType computed) {
    if (y_type != x_type || alpha_type != computed) return CUBLAS_STATUS_NOT_SUPPORTED;
    return simt::blas::with_vectors(x_type, computed, [=](auto types) {
        using T = typename decltype(types)::Element;
        using Factor = typename decltype(types)::Scale;
        return simt::blas::axpy<T, Factor>(handle, n, static_cast<const Factor *>(alpha), static_cast<const T *>(x),
                                           incx, static_cast<T *>(y), incy);
    });
}

inline cublasStatus_t cublasScalEx(cublasHandle_t handle, simt::blas::Index n, const void *alpha,
                                   cudaDataType alpha_type, void *x, cudaDataType x_type, simt::blas::Index incx,
                                   cudaDataType computed) {
    if (alpha_type != computed) return CUBLAS_STATUS_NOT_SUPPORTED;
    return simt::blas::with_vectors(x_type, computed, [=](auto types) {
        using T = typename decltype(types)::Element;
        using Factor = typename decltype(types)::Scale;
        return simt::blas::scal<T, Factor>(handle, n, static_cast<const Factor *>(alpha), static_cast<T *>(x), incx);
    });
}

inline constexpr auto &cublasDotEx = simt::blas::inner_product_of<false>;
inline constexpr auto &cublasDotcEx = simt::blas::inner_product_of<true>;

inline cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, simt::blas::Index n, const void *x, cudaDataType x_type,
                                   simt::blas::Index incx, void *result, cudaDataType result_type,
                                   cudaDataType computed) {
    const bool fits = result_type == simt::blas::real_of(x_type) && computed == simt::blas::real_of(computed);
    const bool complex = x_type != result_type;
    if (!fits || (complex && computed != result_type)) return CUBLAS_STATUS_NOT_SUPPORTED;
    return simt::blas::with_vectors(x_type, complex ? x_type : computed, [=](auto types) {
        using T = typename decltype(types)::Element;
        using Result = typename decltype(types)::Magnitude;
        return simt::blas::nrm2<T, Result>(handle, n, static_cast<const T *>(x), incx, static_cast<Result *>(result));
    });
}

inline cublasStatus_t cublasRotEx(cublasHandle_t handle, simt::blas::Index n, void *x, cudaDataType x_type,
                                  simt::blas::Index incx, void *y, cudaDataType y_type, simt::blas::Index incy,
                                  const void *c, const void *s, cudaDataType factor_type, cudaDataType computed) {
    const bool real_factors = factor_type == simt::blas::real_of(x_type);
    if (y_type != x_type || (!real_factors && factor_type != x_type)) return CUBLAS_STATUS_NOT_SUPPORTED;
    return simt::blas::with_vectors(x_type, computed, [=](auto types) {
        using T = typename decltype(types)::Element;
        using Cosine = typename decltype(types)::Magnitude;
        auto *first = static_cast<T *>(x), *second = static_cast<T *>(y);
        const auto *cosine = static_cast<const Cosine *>(c);
        if (real_factors)
            return simt::blas::rot(handle, n, first, incx, second, incy, cosine, static_cast<const Cosine *>(s));
        return simt::blas::rot(handle, n, first, incx, second, incy, cosine, static_cast<const T *>(s));
    });
}

inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right,
                                   simt::blas::Index m, simt::blas::Index n, simt::blas::Index k, const void *alpha,
                                   const void *a, cudaDataType a_type, simt::blas::Index lda, const void *b,
                                   cudaDataType b_type, simt::blas::Index ldb, const void *beta, void *c,
                                   cudaDataType c_type, simt::blas::Index ldc, simt::blas::Computation computed,
                                   cublasGemmAlgo_t) {
    return simt::blas::with_product(a_type, b_type, c_type, computed.type, [=](auto types) {
        using In = typename decltype(types)::Left;
        using Out = typename decltype(types)::Result;
        using Factor = typename decltype(types)::Scale;
        return simt::blas::gemm<In, Out, Factor>(handle, left, right, m, n, k, static_cast<const Factor *>(alpha),
                                                 static_cast<const In *>(a), lda, static_cast<const In *>(b), ldb,
                                                 static_cast<const Factor *>(beta), static_cast<Out *>(c), ldc);
    });
}

inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right,
                                          simt::blas::Index m, simt::blas::Index n, simt::blas::Index k,
                                          const void *alpha, const void *const a[], cudaDataType a_type,
                                          simt::blas::Index lda, const void *const b[], cudaDataType b_type,
                                          simt::blas::Index ldb, const void *beta, void *const c[],
                                          cudaDataType c_type, simt::blas::Index ldc, simt::blas::Index count,
                                          simt::blas::Computation computed, cublasGemmAlgo_t) {
    return simt::blas::with_product(a_type, b_type, c_type, computed.type, [=](auto types) {
        using In = typename decltype(types)::Left;
        using Out = typename decltype(types)::Result;
        using Factor = typename decltype(types)::Scale;
        return simt::blas::gemm_batched<In, Out, Factor>(
            handle, left, right, m, n, k, static_cast<const Factor *>(alpha), reinterpret_cast<const In *const *>(a),
            lda, reinterpret_cast<const In *const *>(b), ldb, static_cast<const Factor *>(beta),
            reinterpret_cast<Out *const *>(c), ldc, count);
    });
}

inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t left,
                                                 cublasOperation_t right, simt::blas::Index m, simt::blas::Index n,
                                                 simt::blas::Index k, const void *alpha, const void *a,
                                                 cudaDataType a_type, simt::blas::Index lda, long long apart_a,
                                                 const void *b, cudaDataType b_type, simt::blas::Index ldb,
                                                 long long apart_b, const void *beta, void *c, cudaDataType c_type,
                                                 simt::blas::Index ldc, long long apart_c, simt::blas::Index count,
                                                 simt::blas::Computation computed, cublasGemmAlgo_t) {
    return simt::blas::with_product(a_type, b_type, c_type, computed.type, [=](auto types) {
        using In = typename decltype(types)::Left;
        using Out = typename decltype(types)::Result;
        using Factor = typename decltype(types)::Scale;
        return simt::blas::gemm_strided<In, Out, Factor>(
            handle, left, right, m, n, k, static_cast<const Factor *>(alpha), static_cast<const In *>(a), lda, apart_a,
            static_cast<const In *>(b), ldb, apart_b, static_cast<const Factor *>(beta), static_cast<Out *>(c), ldc,
            apart_c, count);
    });
}

// Products in float whose matrices may be of smaller types.
#define SIMT_BLAS_GEMM_EX(name, Factor)                                                                           \
    inline cublasStatus_t name(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right,            \
                               simt::blas::Index m, simt::blas::Index n, simt::blas::Index k, const Factor *alpha, \
                               const void *a, cudaDataType a_type, simt::blas::Index lda, const void *b,          \
                               cudaDataType b_type, simt::blas::Index ldb, const Factor *beta, void *c,           \
                               cudaDataType c_type, simt::blas::Index ldc) {                                      \
        return cublasGemmEx(handle, left, right, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, \
                            ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);                                        \
    }
SIMT_BLAS_GEMM_EX(cublasSgemmEx, float)
SIMT_BLAS_GEMM_EX(cublasCgemmEx, cuComplex)
#undef SIMT_BLAS_GEMM_EX

#endif
