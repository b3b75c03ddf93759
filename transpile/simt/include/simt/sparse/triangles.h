// Triangular systems.
#ifndef SIMT_SPARSE_TRIANGLES_H
#define SIMT_SPARSE_TRIANGLES_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simt/sparse/descriptors.h"

namespace simt::sparse {

// Solves op(A) y = alpha x with the triangle of A that its fill mode names.
template <class T>
void solve(cusparseOperation_t operation, Wide<T> alpha, const SparseMatrix &a, const DenseVector &x,
           const DenseVector &y) {
    const bool lower = (a.fill == CUSPARSE_FILL_MODE_LOWER) != is_transposed(operation);
    const bool unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    const auto size = static_cast<std::size_t>(a.rows);
    std::vector<Wide<T>> diagonal(size, unit ? Wide<T>(1) : Wide<T>()), solution(size);
    std::vector<std::vector<std::pair<std::int64_t, Wide<T>>>> rows(size);
    for_each_value<T>(a, operation, [&](std::int64_t row, std::int64_t column, Wide<T> value) {
        if (row == column && !unit) diagonal[static_cast<std::size_t>(row)] = value;
        if (row != column && (column < row) == lower) rows[static_cast<std::size_t>(row)].push_back({column, value});
    });
    for (std::size_t step = 0; step < size; ++step) {
        const std::size_t row = lower ? step : size - 1 - step;
        Wide<T> rest = alpha * static_cast<Wide<T>>(x.at<T>(static_cast<std::int64_t>(row)));
        for (const auto &[column, value] : rows[row]) rest -= value * solution[static_cast<std::size_t>(column)];
        solution[row] = rest / diagonal[row];
    }
    for (std::int64_t row = 0; row < y.size; ++row)
        y.at<T>(row) = static_cast<T>(solution[static_cast<std::size_t>(row)]);
}

}  // namespace simt::sparse

#endif
