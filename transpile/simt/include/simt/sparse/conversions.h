// Between dense and sparse matrices, between formats, and into order.
#ifndef SIMT_SPARSE_CONVERSIONS_H
#define SIMT_SPARSE_CONVERSIONS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <tuple>
#include <vector>

#include "simt/sparse/descriptors.h"

namespace simt::sparse {

// Calls with row and column of each number that is not zero, in the order in which the format has them.
template <class T, class Visit>
void for_each_nonzero(const DenseMatrix &dense, cusparseFormat_t format, Visit visit) {
    const bool by_columns = format == CUSPARSE_FORMAT_CSC;
    const std::int64_t lines = by_columns ? dense.columns : dense.rows;
    const std::int64_t length = by_columns ? dense.rows : dense.columns;
    for (std::int64_t line = 0; line < lines; ++line)
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t row = by_columns ? i : line, column = by_columns ? line : i;
            if (dense.at<T>(row, column) != T()) visit(line, i, dense.at<T>(row, column));
        }
}

template <class T>
std::int64_t count_nonzeros(const DenseMatrix &dense, cusparseFormat_t format) {
    std::int64_t count = 0;
    for_each_nonzero<T>(dense, format, [&](std::int64_t, std::int64_t, T) { ++count; });
    return count;
}

// Writes where each line begins, from the ascending lines of the entries.
template <class Line>
void begin_lines(const Indices &offsets, std::int64_t lines, std::int64_t count, Line line) {
    std::int64_t k = 0;
    for (std::int64_t i = 0; i <= lines; ++i) {
        while (k < count && line(k) < i) ++k;
        offsets.set(i, k);
    }
}

template <class T>
void make_sparse(const DenseMatrix &dense, const SparseMatrix &sparse) {
    std::vector<std::int64_t> lines;
    for_each_nonzero<T>(dense, sparse.format, [&](std::int64_t line, std::int64_t i, T value) {
        const auto k = static_cast<std::int64_t>(lines.size());
        lines.push_back(line);
        sparse.minor.set(k, i);
        sparse.values_as<T>()[k] = value;
        if (sparse.format == CUSPARSE_FORMAT_COO) sparse.major.set(k, line);
    });
    if (sparse.format == CUSPARSE_FORMAT_COO) return;
    begin_lines(sparse.major, sparse.lines(), static_cast<std::int64_t>(lines.size()),
                [&](std::int64_t k) { return lines[static_cast<std::size_t>(k)]; });
}

template <class T>
void make_dense(const SparseMatrix &sparse, const DenseMatrix &dense) {
    for (std::int64_t row = 0; row < dense.rows; ++row)
        for (std::int64_t column = 0; column < dense.columns; ++column) dense.at<T>(row, column) = T();
    for_each_entry(sparse, [&](std::int64_t row, std::int64_t column, std::int64_t k) {
        dense.at<T>(row, column) = sparse.values_as<T>()[k];
    });
}

// Writes the columns of a matrix of CSR as CSC; entries of a column keep their order. Values may be left out.
template <class T>
void transpose(const SparseMatrix &rows, const SparseMatrix &columns, bool with_values) {
    std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> entries;
    for_each_entry(rows, [&](std::int64_t row, std::int64_t column, std::int64_t k) {
        entries.push_back({column, row, k});
    });
    std::sort(entries.begin(), entries.end());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto &[column, row, k] = entries[i];
        columns.minor.set(static_cast<std::int64_t>(i), row);
        if (with_values) columns.values_as<T>()[i] = rows.values_as<T>()[k];
    }
    begin_lines(columns.major, columns.columns, static_cast<std::int64_t>(entries.size()),
                [&](std::int64_t k) { return std::get<0>(entries[static_cast<std::size_t>(k)]); });
}

// Brings arrays into the order in which less(i, j) has their numbers; equal ones keep theirs.
template <class Less>
void reorder(std::int64_t count, Less less, std::initializer_list<int *> arrays) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::int64_t i, std::int64_t j) { return less(i, j) || (!less(j, i) && i < j); });
    for (int *array : arrays) {
        if (array == nullptr) continue;
        const std::vector<int> old(array, array + count);
        for (std::size_t i = 0; i < order.size(); ++i) array[i] = old[static_cast<std::size_t>(order[i])];
    }
}

}  // namespace simt::sparse

#endif
