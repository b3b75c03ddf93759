// Sparse vectors with dense ones.
#ifndef SIMT_SPARSE_VECTORS_H
#define SIMT_SPARSE_VECTORS_H

#include <cstdint>

#include "simt/sparse/context.h"
#include "simt/sparse/descriptors.h"

namespace simt::sparse {

// y = alpha x + beta y
template <class T>
void add(Wide<T> alpha, const SparseVector &x, Wide<T> beta, const DenseVector &y) {
    for (std::int64_t i = 0; i < y.size; ++i) y.at<T>(i) = added<T>(Wide<T>(), beta, y.at<T>(i));
    for (std::int64_t i = 0; i < x.nonzeros; ++i) {
        T &place = y.at<T>(x.index(i));
        place = static_cast<T>(static_cast<Wide<T>>(place) + alpha * static_cast<Wide<T>>(x.at<T>(i)));
    }
}

template <class T>
void gather(const DenseVector &from, const SparseVector &to) {
    for (std::int64_t i = 0; i < to.nonzeros; ++i) to.at<T>(i) = from.at<T>(to.index(i));
}

template <class T>
void scatter(const SparseVector &from, const DenseVector &to) {
    for (std::int64_t i = 0; i < from.nonzeros; ++i) to.at<T>(from.index(i)) = from.at<T>(i);
}

template <class T>
T dot(cusparseOperation_t operation, const SparseVector &x, const DenseVector &y) {
    Wide<T> sum{};
    for (std::int64_t i = 0; i < x.nonzeros; ++i)
        sum += operated(operation, x.at<T>(i)) * static_cast<Wide<T>>(y.at<T>(x.index(i)));
    return static_cast<T>(sum);
}

}  // namespace simt::sparse

#endif
