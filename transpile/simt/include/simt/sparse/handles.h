// cuSPARSE's handles: contexts, and descriptors of matrices and vectors.
#ifndef SIMT_SPARSE_HANDLES_H
#define SIMT_SPARSE_HANDLES_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simt/simt.h"
#include "simt/sparse/context.h"
#include "simt/sparse/descriptors.h"

typedef simt::sparse::Context *cusparseHandle_t;
typedef simt::sparse::SparseMatrix *cusparseSpMatDescr_t;
typedef const simt::sparse::SparseMatrix *cusparseConstSpMatDescr_t;
typedef simt::sparse::DenseMatrix *cusparseDnMatDescr_t;
typedef const simt::sparse::DenseMatrix *cusparseConstDnMatDescr_t;
typedef simt::sparse::DenseVector *cusparseDnVecDescr_t;
typedef const simt::sparse::DenseVector *cusparseConstDnVecDescr_t;
typedef simt::sparse::SparseVector *cusparseSpVecDescr_t;
typedef const simt::sparse::SparseVector *cusparseConstSpVecDescr_t;

// ------------------------------------------------------------------------------------------- contexts

inline cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
    *handle = new simt::sparse::Context;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
    delete handle;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *version) {
    *version = 12300;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->pointer_mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    *mode = handle->pointer_mode;
    return CUSPARSE_STATUS_SUCCESS;
}
inline const char *cusparseGetErrorName(cusparseStatus_t status) {
    switch (status) {
        case CUSPARSE_STATUS_SUCCESS: return "CUSPARSE_STATUS_SUCCESS";
        case CUSPARSE_STATUS_NOT_INITIALIZED: return "CUSPARSE_STATUS_NOT_INITIALIZED";
        case CUSPARSE_STATUS_ALLOC_FAILED: return "CUSPARSE_STATUS_ALLOC_FAILED";
        case CUSPARSE_STATUS_INVALID_VALUE: return "CUSPARSE_STATUS_INVALID_VALUE";
        case CUSPARSE_STATUS_ARCH_MISMATCH: return "CUSPARSE_STATUS_ARCH_MISMATCH";
        case CUSPARSE_STATUS_MAPPING_ERROR: return "CUSPARSE_STATUS_MAPPING_ERROR";
        case CUSPARSE_STATUS_EXECUTION_FAILED: return "CUSPARSE_STATUS_EXECUTION_FAILED";
        case CUSPARSE_STATUS_INTERNAL_ERROR: return "CUSPARSE_STATUS_INTERNAL_ERROR";
        case CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED: return "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED";
        case CUSPARSE_STATUS_ZERO_PIVOT: return "CUSPARSE_STATUS_ZERO_PIVOT";
        case CUSPARSE_STATUS_NOT_SUPPORTED: return "CUSPARSE_STATUS_NOT_SUPPORTED";
        case CUSPARSE_STATUS_INSUFFICIENT_RESOURCES: return "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES";
    }
    return "unrecognized error code";
}
inline const char *cusparseGetErrorString(cusparseStatus_t status) {
    switch (status) {
        case CUSPARSE_STATUS_SUCCESS: return "success";
        case CUSPARSE_STATUS_NOT_INITIALIZED: return "initialization error";
        case CUSPARSE_STATUS_INVALID_VALUE: return "invalid value";
        case CUSPARSE_STATUS_NOT_SUPPORTED: return "operation not supported";
        default: return cusparseGetErrorName(status);
    }
}

// ------------------------------------------------------------------------------------ sparse matrices

namespace simt::sparse {

inline bool known(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I; }

inline Indices indices(const void *data, cusparseIndexType_t type, cusparseIndexBase_t base) {
    return {const_cast<void *>(data), type, base == CUSPARSE_INDEX_BASE_ONE};
}

// `Handle` may be one of constant matrices.
template <class Handle>
cusparseStatus_t create(Handle *handle, cusparseFormat_t format, std::int64_t rows, std::int64_t columns,
                        std::int64_t nonzeros, const Indices &major, const Indices &minor, const void *values,
                        cudaDataType type) {
    if (rows < 0 || columns < 0 || nonzeros < 0) return CUSPARSE_STATUS_INVALID_VALUE;
    if (!known(major.type) || !known(minor.type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    *handle = new SparseMatrix{format, rows, columns, nonzeros, major, minor, const_cast<void *>(values), type};
    return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t set_pointers(SparseMatrix *matrix, cusparseFormat_t format, void *major, void *minor,
                                     void *values) {
    if (matrix == nullptr || matrix->format != format) return CUSPARSE_STATUS_INVALID_VALUE;
    matrix->major.data = major;
    matrix->minor.data = minor;
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseIndexBase_t base_of(const Indices &indices) {
    return indices.base != 0 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
}

}  // namespace simt::sparse

// Of each function there is one more, for constant data. Names stand whole, to be found.
#define SIMT_CREATE_COMPRESSED(name, handle, pointer, format)                                                       \
    inline cusparseStatus_t name(handle *matrix, std::int64_t rows, std::int64_t columns, std::int64_t nonzeros,    \
                                 pointer offsets, pointer indices, pointer values, cusparseIndexType_t offset_type, \
                                 cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {     \
        return simt::sparse::create(matrix, format, rows, columns, nonzeros,                                        \
                                    simt::sparse::indices(offsets, offset_type, base),                              \
                                    simt::sparse::indices(indices, index_type, base), values, type);                \
    }
SIMT_CREATE_COMPRESSED(cusparseCreateCsr, cusparseSpMatDescr_t, void *, CUSPARSE_FORMAT_CSR)
SIMT_CREATE_COMPRESSED(cusparseCreateCsc, cusparseSpMatDescr_t, void *, CUSPARSE_FORMAT_CSC)
SIMT_CREATE_COMPRESSED(cusparseCreateConstCsr, cusparseConstSpMatDescr_t, const void *, CUSPARSE_FORMAT_CSR)
SIMT_CREATE_COMPRESSED(cusparseCreateConstCsc, cusparseConstSpMatDescr_t, const void *, CUSPARSE_FORMAT_CSC)
#undef SIMT_CREATE_COMPRESSED

#define SIMT_CREATE_COORDINATES(name, handle, pointer)                                                           \
    inline cusparseStatus_t name(handle *matrix, std::int64_t rows, std::int64_t columns, std::int64_t nonzeros, \
                                 pointer row_indices, pointer column_indices, pointer values,                    \
                                 cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {  \
        return simt::sparse::create(matrix, CUSPARSE_FORMAT_COO, rows, columns, nonzeros,                        \
                                    simt::sparse::indices(row_indices, index_type, base),                        \
                                    simt::sparse::indices(column_indices, index_type, base), values, type);      \
    }
SIMT_CREATE_COORDINATES(cusparseCreateCoo, cusparseSpMatDescr_t, void *)
SIMT_CREATE_COORDINATES(cusparseCreateConstCoo, cusparseConstSpMatDescr_t, const void *)
#undef SIMT_CREATE_COORDINATES

#define SIMT_CREATE_VECTOR(name, handle, pointer)                                                                  \
    inline cusparseStatus_t name(handle *vector, std::int64_t size, std::int64_t nonzeros, pointer indices,        \
                                 pointer values, cusparseIndexType_t index_type, cusparseIndexBase_t base,         \
                                 cudaDataType type) {                                                              \
        if (size < 0 || nonzeros < 0 || nonzeros > size) return CUSPARSE_STATUS_INVALID_VALUE;                     \
        if (!simt::sparse::known(index_type)) return CUSPARSE_STATUS_NOT_SUPPORTED;                                \
        *vector = new simt::sparse::SparseVector{size, nonzeros, simt::sparse::indices(indices, index_type, base), \
                                                 const_cast<void *>(static_cast<const void *>(values)), type};     \
        return CUSPARSE_STATUS_SUCCESS;                                                                            \
    }
SIMT_CREATE_VECTOR(cusparseCreateSpVec, cusparseSpVecDescr_t, void *)
SIMT_CREATE_VECTOR(cusparseCreateConstSpVec, cusparseConstSpVecDescr_t, const void *)
#undef SIMT_CREATE_VECTOR

#define SIMT_CREATE_DENSE_VECTOR(name, handle, pointer)                                                             \
    inline cusparseStatus_t name(handle *vector, std::int64_t size, pointer values, cudaDataType type) {            \
        if (size < 0) return CUSPARSE_STATUS_INVALID_VALUE;                                                         \
        *vector = new simt::sparse::DenseVector{size, const_cast<void *>(static_cast<const void *>(values)), type}; \
        return CUSPARSE_STATUS_SUCCESS;                                                                             \
    }
SIMT_CREATE_DENSE_VECTOR(cusparseCreateDnVec, cusparseDnVecDescr_t, void *)
SIMT_CREATE_DENSE_VECTOR(cusparseCreateConstDnVec, cusparseConstDnVecDescr_t, const void *)
#undef SIMT_CREATE_DENSE_VECTOR

#define SIMT_CREATE_DENSE_MATRIX(name, handle, pointer)                                                         \
    inline cusparseStatus_t name(handle *matrix, std::int64_t rows, std::int64_t columns, std::int64_t leading, \
                                 pointer values, cudaDataType type, cusparseOrder_t order) {                    \
        if (rows < 0 || columns < 0 || leading < (order == CUSPARSE_ORDER_ROW ? columns : rows))                \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                               \
        *matrix = new simt::sparse::DenseMatrix{                                                                \
            rows, columns, leading, const_cast<void *>(static_cast<const void *>(values)), type, order};        \
        return CUSPARSE_STATUS_SUCCESS;                                                                         \
    }
SIMT_CREATE_DENSE_MATRIX(cusparseCreateDnMat, cusparseDnMatDescr_t, void *)
SIMT_CREATE_DENSE_MATRIX(cusparseCreateConstDnMat, cusparseConstDnMatDescr_t, const void *)
#undef SIMT_CREATE_DENSE_MATRIX

inline cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
    delete matrix;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
    delete vector;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
    delete matrix;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
    delete vector;
    return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                               void *values) {
    return simt::sparse::set_pointers(matrix, CUSPARSE_FORMAT_CSR, offsets, indices, values);
}
inline cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                               void *values) {
    return simt::sparse::set_pointers(matrix, CUSPARSE_FORMAT_CSC, offsets, indices, values);
}
inline cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *rows, void *columns, void *values) {
    return simt::sparse::set_pointers(matrix, CUSPARSE_FORMAT_COO, rows, columns, values);
}
inline cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, std::int64_t *rows,
                                             std::int64_t *columns, std::int64_t *nonzeros) {
    *rows = matrix->rows;
    *columns = matrix->columns;
    *nonzeros = matrix->nonzeros;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format) {
    *format = matrix->format;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t *base) {
    *base = simt::sparse::base_of(matrix->minor);
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values) {
    *values = matrix->values;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values) {
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                                  void *data, std::size_t size) {
    if (matrix == nullptr || data == nullptr || size != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
    if (attribute == CUSPARSE_SPMAT_FILL_MODE) {
        std::memcpy(&matrix->fill, data, size);
    } else {
        std::memcpy(&matrix->diagonal, data, size);
    }
    return CUSPARSE_STATUS_SUCCESS;
}

// ------------------------------------------------------------------------------------- dense operands

inline cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, std::int64_t *size, void **values,
                                         cudaDataType *type) {
    *size = vector->size;
    *values = vector->values;
    *type = vector->type;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values) {
    *values = vector->values;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values) {
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, std::int64_t *rows, std::int64_t *columns,
                                         std::int64_t *leading, void **values, cudaDataType *type,
                                         cusparseOrder_t *order) {
    *rows = matrix->rows;
    *columns = matrix->columns;
    *leading = matrix->leading;
    *values = matrix->values;
    *type = matrix->type;
    *order = matrix->order;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values) {
    *values = matrix->values;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values) {
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

#endif
