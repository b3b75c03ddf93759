// cuSPARSE: the generic functions, of float, double and their complex numbers, each in one type throughout. Other
// combinations are not supported, and say so.
#ifndef SIMT_CUSPARSE_H
#define SIMT_CUSPARSE_H

// By these names programs ask whether CUDA's header is there.
#ifndef SIMT_HIP
#define CUSPARSEAPI
#endif

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "cuComplex.h"
#include "simt/sparse/gemm.h"
#include "simt/sparse/legacy.h"
#include "simt/sparse/products.h"
#include "simt/sparse/triangles.h"
#include "simt/sparse/vectors.h"

namespace simt::sparse {

// Calls with a number of the type where it is that of all operands, too.
template <class Call>
cusparseStatus_t with_one_type(const Context *context, cudaDataType type, std::initializer_list<cudaDataType> operands,
                               Call call) {
    if (context == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    for (const cudaDataType operand : operands)
        if (operand != type) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return with_number(type, call);
}

}  // namespace simt::sparse

// ------------------------------------------------------------------------------------------- products

inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                                std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void *) {
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                     cusparseDnVecDescr_t y, cudaDataType compute_type, cusparseSpMVAlg_t, void *) {
    const simt::sparse::Extent extent = simt::sparse::extent_of(*a, operation);
    if (y->size != extent.rows || x->size != extent.columns) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, compute_type, {a->type, x->type, y->type}, [&](auto number) {
        using T = decltype(number);
        const simt::sparse::Factor<T> by(*handle, alpha), old(*handle, beta);
        return simt::sparse::in_stream(*handle, [=, a = *a, x = *x, y = *y] {
            simt::sparse::multiply<T>(operation, by.get(), a, x, old.get(), y);
        });
    });
}

inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                const void *, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                                const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                                std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                const void *, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                                const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                                void *) {
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t of_a, cusparseOperation_t of_b,
                                     const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                     const void *beta, cusparseDnMatDescr_t c, cudaDataType compute_type,
                                     cusparseSpMMAlg_t, void *) {
    const simt::sparse::Extent left = simt::sparse::extent_of(*a, of_a), right = simt::sparse::extent_of(*b, of_b);
    if (left.columns != right.rows || simt::sparse::extent_of(*c) != simt::sparse::Extent{left.rows, right.columns})
        return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, compute_type, {a->type, b->type, c->type}, [&](auto number) {
        using T = decltype(number);
        const simt::sparse::Factor<T> by(*handle, alpha), old(*handle, beta);
        return simt::sparse::in_stream(*handle, [=, a = *a, b = *b, c = *c] {
            simt::sparse::multiply<T>(of_a, of_b, by.get(), a, b, old.get(), c);
        });
    });
}

inline cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                 const void *, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                                 const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                                 std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                 const void *, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                                 const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                                 void *) {
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t of_a, cusparseOperation_t of_b,
                                      const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                      const void *beta, cusparseSpMatDescr_t c, cudaDataType compute_type,
                                      cusparseSDDMMAlg_t, void *) {
    const simt::sparse::Extent left = simt::sparse::extent_of(*a, of_a), right = simt::sparse::extent_of(*b, of_b);
    if (left.columns != right.rows || simt::sparse::extent_of(*c) != simt::sparse::Extent{left.rows, right.columns})
        return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, compute_type, {a->type, b->type, c->type}, [&](auto number) {
        using T = decltype(number);
        const simt::sparse::Factor<T> by(*handle, alpha), old(*handle, beta);
        return simt::sparse::in_stream(*handle, [=, a = *a, b = *b, c = *c] {
            simt::sparse::sample<T>(of_a, of_b, by.get(), a, b, old.get(), c);
        });
    });
}

// ---------------------------------------------------------------------------------- triangular systems

typedef struct cusparseSpSVDescr {
} *cusparseSpSVDescr_t;

inline cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *description) {
    *description = new cusparseSpSVDescr;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t description) {
    delete description;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                                cusparseSpSVDescr_t, std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void *,
                                              cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                              cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                              cusparseSpSVDescr_t, void *) {
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                           cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                           cusparseDnVecDescr_t y, cudaDataType compute_type, cusparseSpSVAlg_t,
                                           cusparseSpSVDescr_t) {
    if (a->rows != a->columns || x->size != a->rows || y->size != a->rows) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, compute_type, {a->type, x->type, y->type}, [&](auto number) {
        using T = decltype(number);
        const simt::sparse::Factor<T> by(*handle, alpha);
        return simt::sparse::in_stream(*handle, [=, a = *a, x = *x, y = *y] {
            simt::sparse::solve<T>(operation, by.get(), a, x, y);
        });
    });
}

// --------------------------------------------------------------------------- products of sparse matrices

typedef struct cusparseSpGEMMDescr {
    simt::sparse::SparseProduct product;
} *cusparseSpGEMMDescr_t;

inline cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *description) {
    *description = new cusparseSpGEMMDescr;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description) {
    delete description;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                      const void *, cusparseConstSpMatDescr_t,
                                                      cusparseConstSpMatDescr_t, const void *, cusparseSpMatDescr_t,
                                                      cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t,
                                                      std::size_t *size, void *buffer) {
    return buffer == nullptr ? simt::sparse::give_size(size) : CUSPARSE_STATUS_SUCCESS;
}
// The product is ready when the call with a buffer returns: the caller asks for its size next.
inline cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t of_a,
                                               cusparseOperation_t of_b, const void *alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c, cudaDataType compute_type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t description,
                                               std::size_t *size, void *buffer) {
    if (buffer == nullptr) return simt::sparse::give_size(size);
    if (a->columns != b->rows || simt::sparse::extent_of(*c) != simt::sparse::Extent{a->rows, b->columns})
        return CUSPARSE_STATUS_INVALID_VALUE;
    const bool plain = !simt::sparse::is_transposed(of_a) && !simt::sparse::is_transposed(of_b);
    if (!plain || c->format != CUSPARSE_FORMAT_CSR) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return simt::sparse::with_one_type(handle, compute_type, {a->type, b->type, c->type}, [&](auto number) {
        using T = decltype(number);
        using Wide = simt::sparse::Wide<T>;
        const simt::sparse::Factor<T> by(*handle, alpha), old(*handle, beta);
        bool added = false;
        simt::sparse::at_once(*handle, [&] {
            added = old.get() != Wide();
            if (!added) description->product = simt::sparse::multiplied<T>(by.get(), *a, *b);
        });
        if (added) return CUSPARSE_STATUS_NOT_SUPPORTED;
        c->nonzeros = description->product.nonzeros();
        return CUSPARSE_STATUS_SUCCESS;
    });
}
inline cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t,
                                            const void *, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                            const void *, cusparseSpMatDescr_t c, cudaDataType compute_type,
                                            cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t description) {
    if (description->product.nonzeros() != c->nonzeros) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, compute_type, {c->type}, [&](auto number) {
        return simt::sparse::in_stream(*handle, [c = *c, product = description->product] {
            simt::sparse::store<decltype(number)>(product, c);
        });
    });
}

// ----------------------------------------------------------------------------------------- conversions

inline cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t,
                                                         cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t,
                                                         std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                              cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t, void *) {
    if (simt::sparse::extent_of(*sparse) != simt::sparse::extent_of(*dense)) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, sparse->type, {dense->type}, [&](auto number) {
        return simt::sparse::in_stream(*handle, [sparse = *sparse, dense = *dense] {
            simt::sparse::make_dense<decltype(number)>(sparse, dense);
        });
    });
}
inline cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseConstDnMatDescr_t,
                                                         cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t,
                                                         std::size_t *size) {
    return simt::sparse::give_size(size);
}
// The caller may ask for the number of entries when this returns.
inline cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                       cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                       void *) {
    if (simt::sparse::extent_of(*sparse) != simt::sparse::extent_of(*dense)) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, dense->type, {sparse->type}, [&](auto number) {
        return simt::sparse::at_once(*handle, [&] {
            sparse->nonzeros = simt::sparse::count_nonzeros<decltype(number)>(*dense, sparse->format);
        });
    });
}
inline cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                      cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                      void *) {
    return simt::sparse::with_one_type(handle, dense->type, {sparse->type}, [&](auto number) {
        return simt::sparse::in_stream(*handle, [dense = *dense, sparse = *sparse] {
            simt::sparse::make_sparse<decltype(number)>(dense, sparse);
        });
    });
}

// ------------------------------------------------------------------------------------- sparse vectors

inline cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                                      const void *beta, cusparseDnVecDescr_t y) {
    if (x->size != y->size) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, x->type, {y->type}, [&](auto number) {
        using T = decltype(number);
        const simt::sparse::Factor<T> by(*handle, alpha), old(*handle, beta);
        return simt::sparse::in_stream(*handle, [=, x = *x, y = *y] {
            simt::sparse::add<T>(by.get(), x, old.get(), y);
        });
    });
}
inline cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
    if (x->size != y->size) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, x->type, {y->type}, [&](auto number) {
        return simt::sparse::in_stream(*handle, [x = *x, y = *y] {
            simt::sparse::gather<decltype(number)>(y, x);
        });
    });
}
inline cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
    if (x->size != y->size) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, x->type, {y->type}, [&](auto number) {
        return simt::sparse::in_stream(*handle, [x = *x, y = *y] {
            simt::sparse::scatter<decltype(number)>(x, y);
        });
    });
}
inline cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
                                                cusparseConstDnVecDescr_t, const void *, cudaDataType,
                                                std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t operation,
                                     cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, void *result,
                                     cudaDataType compute_type, void *) {
    if (x->size != y->size) return CUSPARSE_STATUS_INVALID_VALUE;
    return simt::sparse::with_one_type(handle, compute_type, {x->type, y->type}, [&](auto number) {
        using T = decltype(number);
        const auto action = [=, x = *x, y = *y] {
            *static_cast<T *>(result) = simt::sparse::dot<T>(operation, x, y);
        };
        return handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST ? simt::sparse::at_once(*handle, action)
                                                                  : simt::sparse::in_stream(*handle, action);
    });
}

#endif
