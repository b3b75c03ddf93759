// Vectors and matrices as the routines see them: increments, transpositions and the ways of storing are told here,
// so that each algorithm is written once. A matrix has its element (i, j), and the rows in which its column j has
// any: what is not stored is neither read nor multiplied.
#ifndef SIMT_BLAS_VIEWS_H
#define SIMT_BLAS_VIEWS_H

#include <algorithm>

#include "simt/blas/handle.h"

namespace simt::blas {

// With a negative increment it begins at the far end.
template <class T>
struct Vector {
    T *data;
    Index count, increment;

    T &operator[](Index i) const { return data[(increment < 0 ? i - count + 1 : i) * increment]; }
};

struct Rows {
    Index first, end;
};

inline bool is_operation(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}
inline bool is_triangle(cublasFillMode_t fill) {
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_leading(Index leading, Index rows) { return leading >= std::max<Index>(1, rows); }

template <class T>
struct General {
    const T *data;
    Index leading;
    bool transposed, conjugated;

    General(const T *first, Index stride, cublasOperation_t operation)
        : data(first),
          leading(stride),
          transposed(operation != CUBLAS_OP_N),
          conjugated(operation == CUBLAS_OP_C) {}

    Value<T> operator()(Index i, Index j) const {
        const Value<T> value = read(transposed ? data[j + i * leading] : data[i + j * leading]);
        return conjugated ? conjugate(value) : value;
    }
    Rows rows(Index, Index count) const { return {0, count}; }
};

template <class T>
struct Triangle {
    General<T> all;
    bool upper, unit;

    Triangle(const T *first, Index stride, cublasFillMode_t fill, cublasOperation_t operation, cublasDiagType_t diagonal)
        : all(first, stride, operation),
          upper((fill == CUBLAS_FILL_MODE_UPPER) != all.transposed),
          unit(diagonal == CUBLAS_DIAG_UNIT) {}

    Value<T> operator()(Index i, Index j) const { return unit && i == j ? Value<T>(1) : all(i, j); }
    Rows rows(Index j, Index count) const { return upper ? Rows{0, j + 1} : Rows{j, count}; }

    Triangle transposed() const {
        Triangle other = *this;
        other.all.transposed = !all.transposed;
        other.upper = !upper;
        return other;
    }
};

// Symmetric or Hermitian, of which one triangle is stored.
template <class T>
struct Mirrored {
    const T *data;
    Index leading;
    bool upper, hermitian;

    Mirrored(const T *first, Index stride, cublasFillMode_t fill, bool conjugates)
        : data(first), leading(stride), upper(fill == CUBLAS_FILL_MODE_UPPER), hermitian(conjugates) {}

    Value<T> operator()(Index i, Index j) const {
        if (hermitian && i == j) return real_part(read(data[i + i * leading]));
        const bool here = i == j || upper == (i < j);
        const Value<T> value = read(here ? data[i + j * leading] : data[j + i * leading]);
        return hermitian && !here ? conjugate(value) : value;
    }
    Rows rows(Index, Index count) const { return {0, count}; }
};

// The diagonals around the main one, each in a row of its own.
template <class T>
struct Band {
    General<T> all;
    Index below, above;

    Band(const T *first, Index stride, Index lower, Index upper, cublasOperation_t operation)
        : all(first, stride, operation), below(lower), above(upper) {}

    Value<T> operator()(Index i, Index j) const {
        return all.transposed ? all(i, above + j - i) : all(above + i - j, j);
    }
    Rows rows(Index j, Index count) const {
        const Index up = all.transposed ? below : above, down = all.transposed ? above : below;
        return {std::max<Index>(0, j - up), std::min(count, j + down + 1)};
    }
};

}  // namespace simt::blas

#endif
