// Matrices and vectors on the device, sparse and dense.
#ifndef SIMT_SPARSE_DESCRIPTORS_H
#define SIMT_SPARSE_DESCRIPTORS_H

#include <cstdint>

#include "simt/fail.h"
#include "simt/sparse/values.h"

namespace simt::sparse {

struct SparseMatrix {
    cusparseFormat_t format;
    std::int64_t rows, columns, nonzeros;
    Indices major;  // where each row (or column of CSC) begins; the rows of COO
    Indices minor;  // the columns (or rows of CSC)
    void *values;
    cudaDataType type;
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;

    template <class T>
    T *values_as() const {
        return static_cast<T *>(values);
    }
    std::int64_t lines() const { return format == CUSPARSE_FORMAT_CSC ? columns : rows; }
};

struct DenseMatrix {
    std::int64_t rows, columns, leading;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;

    template <class T>
    T &at(std::int64_t row, std::int64_t column) const {
        const std::int64_t place = order == CUSPARSE_ORDER_ROW ? row * leading + column : column * leading + row;
        return static_cast<T *>(values)[place];
    }
    // An element of the matrix under an operation.
    template <class T>
    Wide<T> at(cusparseOperation_t operation, std::int64_t row, std::int64_t column) const {
        return operated(operation, is_transposed(operation) ? at<T>(column, row) : at<T>(row, column));
    }
};

struct DenseVector {
    std::int64_t size;
    void *values;
    cudaDataType type;

    template <class T>
    T &at(std::int64_t i) const {
        return static_cast<T *>(values)[i];
    }
};

struct SparseVector {
    std::int64_t size, nonzeros;
    Indices indices;
    void *values;
    cudaDataType type;

    template <class T>
    T &at(std::int64_t i) const {
        return static_cast<T *>(values)[i];
    }
    std::int64_t index(std::int64_t i) const {
        const std::int64_t found = indices[i];
        if (found < 0 || found >= size)
            fail("cuSPARSE: the index %lld of a vector of %lld", static_cast<long long>(found),
                 static_cast<long long>(size));
        return found;
    }
};

struct Extent {
    std::int64_t rows, columns;
    bool operator==(const Extent &other) const { return rows == other.rows && columns == other.columns; }
    bool operator!=(const Extent &other) const { return !(*this == other); }
};

template <class Matrix>
Extent extent_of(const Matrix &matrix, cusparseOperation_t operation = CUSPARSE_OPERATION_NON_TRANSPOSE) {
    if (is_transposed(operation)) return {matrix.columns, matrix.rows};
    return {matrix.rows, matrix.columns};
}

inline void check_entry(const SparseMatrix &matrix, std::int64_t row, std::int64_t column) {
    if (row < 0 || row >= matrix.rows || column < 0 || column >= matrix.columns)
        fail("cuSPARSE: an entry in row %lld, column %lld of a matrix of %lld x %lld", static_cast<long long>(row),
             static_cast<long long>(column), static_cast<long long>(matrix.rows),
             static_cast<long long>(matrix.columns));
}

// Calls with row, column and number of each entry, in the order of memory.
template <class Visit>
void for_each_entry(const SparseMatrix &matrix, Visit visit) {
    const auto checked = [&](std::int64_t row, std::int64_t column, std::int64_t k) {
        check_entry(matrix, row, column);
        visit(row, column, k);
    };
    if (matrix.format == CUSPARSE_FORMAT_COO) {
        for (std::int64_t k = 0; k < matrix.nonzeros; ++k) checked(matrix.major[k], matrix.minor[k], k);
        return;
    }
    for (std::int64_t line = 0; line < matrix.lines(); ++line)
        for (std::int64_t k = matrix.major[line]; k < matrix.major[line + 1]; ++k)
            matrix.format == CUSPARSE_FORMAT_CSR ? checked(line, matrix.minor[k], k)
                                                 : checked(matrix.minor[k], line, k);
}

// The same of the matrix under an operation.
template <class T, class Visit>
void for_each_value(const SparseMatrix &matrix, cusparseOperation_t operation, Visit visit) {
    const T *values = matrix.values_as<T>();
    for_each_entry(matrix, [&](std::int64_t row, std::int64_t column, std::int64_t k) {
        const Wide<T> value = operated(operation, values[k]);
        is_transposed(operation) ? visit(column, row, value) : visit(row, column, value);
    });
}

}  // namespace simt::sparse

#endif
