// Functions of cuSPARSE on plain arrays that CUDA 12 still has.
#ifndef SIMT_SPARSE_LEGACY_H
#define SIMT_SPARSE_LEGACY_H

#include <cstddef>
#include <cstdint>

#include "simt/sparse/conversions.h"
#include "simt/sparse/handles.h"

namespace simt::sparse {

struct LegacyMatrix {
    cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
    cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};

inline Indices integers(const int *data, cusparseIndexBase_t base) { return indices(data, CUSPARSE_INDEX_32I, base); }

// No function needs memory of the caller; some programs take zero bytes for a mistake.
inline cusparseStatus_t give_size(std::size_t *size) {
    *size = 8;
    return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace simt::sparse

typedef simt::sparse::LegacyMatrix *cusparseMatDescr_t;

inline cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *matrix) {
    *matrix = new simt::sparse::LegacyMatrix;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix) {
    delete matrix;
    return CUSPARSE_STATUS_SUCCESS;
}
#define SIMT_LEGACY_PROPERTY(set, get, property, member)                      \
    inline cusparseStatus_t set(cusparseMatDescr_t matrix, property value) {  \
        matrix->member = value;                                               \
        return CUSPARSE_STATUS_SUCCESS;                                       \
    }                                                                         \
    inline property get(cusparseMatDescr_t matrix) { return matrix->member; }
SIMT_LEGACY_PROPERTY(cusparseSetMatType, cusparseGetMatType, cusparseMatrixType_t, type)
SIMT_LEGACY_PROPERTY(cusparseSetMatIndexBase, cusparseGetMatIndexBase, cusparseIndexBase_t, base)
SIMT_LEGACY_PROPERTY(cusparseSetMatFillMode, cusparseGetMatFillMode, cusparseFillMode_t, fill)
SIMT_LEGACY_PROPERTY(cusparseSetMatDiagType, cusparseGetMatDiagType, cusparseDiagType_t, diagonal)
#undef SIMT_LEGACY_PROPERTY

inline cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nonzeros, int m, int *offsets,
                                         cusparseIndexBase_t base) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    return simt::sparse::in_stream(*handle, [=] {
        const auto from = simt::sparse::integers(rows, base);
        simt::sparse::begin_lines(simt::sparse::integers(offsets, base), m, nonzeros,
                                  [&](std::int64_t k) { return from[k]; });
    });
}
inline cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int, int m, int *rows,
                                         cusparseIndexBase_t base) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    return simt::sparse::in_stream(*handle, [=] {
        const auto from = simt::sparse::integers(offsets, base), to = simt::sparse::integers(rows, base);
        for (std::int64_t row = 0; row < m; ++row)
            for (std::int64_t k = from[row]; k < from[row + 1]; ++k) to.set(k, row);
    });
}

inline cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int count, int *permutation) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    return simt::sparse::in_stream(*handle, [=] {
        for (int i = 0; i < count; ++i) permutation[i] = i;
    });
}
inline cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *,
                                                       std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int, int, const cusparseMatDescr_t matrix,
                                         const int *offsets, int *columns, int *permutation, void *) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    const auto from = simt::sparse::integers(offsets, matrix->base);
    return simt::sparse::in_stream(*handle, [=] {
        for (std::int64_t row = 0; row < m; ++row) {
            int *first = columns + from[row], *moved = permutation == nullptr ? nullptr : permutation + from[row];
            simt::sparse::reorder(
                from[row + 1] - from[row], [=](std::int64_t i, std::int64_t j) { return first[i] < first[j]; },
                {moved, first});
        }
    });
}
inline cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *,
                                                       std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int nonzeros, int *rows, int *columns,
                                              int *permutation, void *) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    return simt::sparse::in_stream(*handle, [=] {
        const auto less = [=](std::int64_t i, std::int64_t j) {
            return rows[i] != rows[j] ? rows[i] < rows[j] : columns[i] < columns[j];
        };
        simt::sparse::reorder(nonzeros, less, {permutation, rows, columns});
    });
}
inline cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nonzeros, int *rows,
                                                 int *columns, int *permutation, void *buffer) {
    return cusparseXcoosortByRow(handle, n, m, nonzeros, columns, rows, permutation, buffer);
}

inline cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *, const int *,
                                                      const int *, void *, int *, int *, cudaDataType,
                                                      cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                                      std::size_t *size) {
    return simt::sparse::give_size(size);
}
inline cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nonzeros, const void *values,
                                           const int *row_offsets, const int *columns, void *new_values,
                                           int *column_offsets, int *rows, cudaDataType type, cusparseAction_t action,
                                           cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void *) {
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
    using simt::sparse::integers;
    const simt::sparse::SparseMatrix from{
        CUSPARSE_FORMAT_CSR, m,   n, nonzeros, integers(row_offsets, base), integers(columns, base),
        const_cast<void *>(values), type};
    const simt::sparse::SparseMatrix to{
        CUSPARSE_FORMAT_CSC, m, n, nonzeros, integers(column_offsets, base), integers(rows, base), new_values, type};
    return simt::sparse::with_number(type, [=](auto number) {
        return simt::sparse::in_stream(*handle, [=] {
            simt::sparse::transpose<decltype(number)>(from, to, action == CUSPARSE_ACTION_NUMERIC);
        });
    });
}

#endif
