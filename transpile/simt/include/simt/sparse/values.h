// Numbers and indices in memory whose types are known when the program runs.
#ifndef SIMT_SPARSE_VALUES_H
#define SIMT_SPARSE_VALUES_H

#include <complex>
#include <cstdint>

#include "library_types.h"
#include "simt/sparse/enums.h"

namespace simt::sparse {

// Calls with a number of that type; other types are not supported.
template <class Call>
cusparseStatus_t with_number(cudaDataType type, Call call) {
    switch (type) {
        case CUDA_R_32F: return call(float());
        case CUDA_R_64F: return call(double());
        case CUDA_C_32F: return call(std::complex<float>());
        case CUDA_C_64F: return call(std::complex<double>());
        default: return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
}

// What sums are made in.
template <class T>
struct WideType {
    using type = double;
};
template <class T>
struct WideType<std::complex<T>> {
    using type = std::complex<double>;
};
template <class T>
using Wide = typename WideType<T>::type;

template <class T>
T conjugate(T value) {
    return value;
}
template <class T>
std::complex<T> conjugate(std::complex<T> value) {
    return std::conj(value);
}

inline bool is_transposed(cusparseOperation_t operation) { return operation != CUSPARSE_OPERATION_NON_TRANSPOSE; }

template <class T>
Wide<T> operated(cusparseOperation_t operation, T value) {
    return static_cast<Wide<T>>(operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value);
}

struct Indices {
    void *data;
    cusparseIndexType_t type;
    std::int64_t base;

    std::int64_t operator[](std::int64_t i) const {
        return (type == CUSPARSE_INDEX_32I ? static_cast<const std::int32_t *>(data)[i]
                                           : static_cast<const std::int64_t *>(data)[i]) -
               base;
    }
    void set(std::int64_t i, std::int64_t index) const {
        if (type == CUSPARSE_INDEX_32I) {
            static_cast<std::int32_t *>(data)[i] = static_cast<std::int32_t>(index + base);
        } else {
            static_cast<std::int64_t *>(data)[i] = index + base;
        }
    }
};

}  // namespace simt::sparse

#endif
