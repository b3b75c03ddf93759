// The product of two sparse matrices, kept until the caller has memory for it.
#ifndef SIMT_SPARSE_GEMM_H
#define SIMT_SPARSE_GEMM_H

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "simt/sparse/descriptors.h"

namespace simt::sparse {

// Rows of columns in ascending order. Entries that cancel stay, as in the library.
struct SparseProduct {
    std::vector<std::map<std::int64_t, std::complex<double>>> rows;

    std::int64_t nonzeros() const {
        std::size_t count = 0;
        for (const auto &row : rows) count += row.size();
        return static_cast<std::int64_t>(count);
    }
};

template <class T>
using Rows = std::vector<std::vector<std::pair<std::int64_t, Wide<T>>>>;

template <class T>
Rows<T> rows_of(const SparseMatrix &matrix) {
    Rows<T> rows(static_cast<std::size_t>(matrix.rows));
    for_each_value<T>(matrix, CUSPARSE_OPERATION_NON_TRANSPOSE,
                      [&](std::int64_t row, std::int64_t column, Wide<T> value) {
                          rows[static_cast<std::size_t>(row)].push_back({column, value});
                      });
    return rows;
}

template <class T>
SparseProduct multiplied(Wide<T> alpha, const SparseMatrix &a, const SparseMatrix &b) {
    SparseProduct product;
    const auto right = rows_of<T>(b);
    for (const auto &left : rows_of<T>(a)) {
        std::map<std::int64_t, Wide<T>> sums;
        for (const auto &[inner, x] : left)
            for (const auto &[column, y] : right[static_cast<std::size_t>(inner)]) sums[column] += x * y;
        auto &row = product.rows.emplace_back();
        for (const auto &[column, sum] : sums) row.emplace(column, alpha * sum);
    }
    return product;
}

template <class T>
T narrowed(std::complex<double> value) {
    if constexpr (std::is_same_v<Wide<T>, std::complex<double>>) {
        return static_cast<T>(value);
    } else {
        return static_cast<T>(value.real());
    }
}

template <class T>
void store(const SparseProduct &product, const SparseMatrix &c) {
    std::int64_t k = 0, line = 0;
    for (const auto &row : product.rows) {
        c.major.set(line++, k);
        for (const auto &[column, value] : row) {
            c.minor.set(k, column);
            c.values_as<T>()[k++] = narrowed<T>(value);
        }
    }
    c.major.set(line, k);
}

}  // namespace simt::sparse

#endif
