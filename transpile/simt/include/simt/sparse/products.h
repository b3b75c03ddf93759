// Products of sparse with dense operands.
#ifndef SIMT_SPARSE_PRODUCTS_H
#define SIMT_SPARSE_PRODUCTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/sparse/context.h"
#include "simt/sparse/descriptors.h"

namespace simt::sparse {

// y = alpha op(A) x + beta y
template <class T>
void multiply(cusparseOperation_t operation, Wide<T> alpha, const SparseMatrix &a, const DenseVector &x, Wide<T> beta,
              const DenseVector &y) {
    std::vector<Wide<T>> sums(static_cast<std::size_t>(y.size));
    for_each_value<T>(a, operation, [&](std::int64_t row, std::int64_t column, Wide<T> value) {
        sums[static_cast<std::size_t>(row)] += value * static_cast<Wide<T>>(x.at<T>(column));
    });
    for (std::int64_t i = 0; i < y.size; ++i)
        y.at<T>(i) = added<T>(alpha * sums[static_cast<std::size_t>(i)], beta, y.at<T>(i));
}

// C = alpha op(A) op(B) + beta C
template <class T>
void multiply(cusparseOperation_t of_a, cusparseOperation_t of_b, Wide<T> alpha, const SparseMatrix &a,
              const DenseMatrix &b, Wide<T> beta, const DenseMatrix &c) {
    std::vector<Wide<T>> sums(static_cast<std::size_t>(c.rows));
    for (std::int64_t column = 0; column < c.columns; ++column) {
        sums.assign(sums.size(), Wide<T>());
        for_each_value<T>(a, of_a, [&](std::int64_t row, std::int64_t inner, Wide<T> value) {
            sums[static_cast<std::size_t>(row)] += value * b.at<T>(of_b, inner, column);
        });
        for (std::int64_t row = 0; row < c.rows; ++row) {
            T &place = c.at<T>(row, column);
            place = added<T>(alpha * sums[static_cast<std::size_t>(row)], beta, place);
        }
    }
}

// C = alpha op(A) op(B) + beta C where C has entries
template <class T>
void sample(cusparseOperation_t of_a, cusparseOperation_t of_b, Wide<T> alpha, const DenseMatrix &a,
            const DenseMatrix &b, Wide<T> beta, const SparseMatrix &c) {
    const std::int64_t inner = extent_of(a, of_a).columns;
    for_each_entry(c, [&](std::int64_t row, std::int64_t column, std::int64_t k) {
        Wide<T> sum{};
        for (std::int64_t i = 0; i < inner; ++i) sum += a.at<T>(of_a, row, i) * b.at<T>(of_b, i, column);
        T &place = c.values_as<T>()[k];
        place = added<T>(alpha * sum, beta, place);
    });
}

}  // namespace simt::sparse

#endif
