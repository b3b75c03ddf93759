// run: => exit 0
// run: SIMT_SEED=3 => exit 0
// run: SIMT_SEED=3 apart => exit 0
// run: outside => abort an entry in row 0, column 9 of a matrix of 2 x 3
// "apart" keeps host and device memory apart, and lets work wait in its stream.
#include "expect.h"

#include <cusparse.h>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#define EXPECT_SUCCESS(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)

template <class T>
struct Array {
    T *device = nullptr;
    std::size_t count;

    explicit Array(const std::vector<T> &values) : count(values.size()) {
        cudaMalloc(&device, (count + 1) * sizeof(T));
        cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    explicit Array(std::size_t n) : Array(std::vector<T>(n)) {}
    Array(const Array &) = delete;
    ~Array() { cudaFree(device); }
    std::vector<T> values() const {
        std::vector<T> found(count);
        cudaMemcpy(found.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
        return found;
    }
};

template <class T>
constexpr cudaDataType type_of = std::is_same_v<T, float>                 ? CUDA_R_32F
                                 : std::is_same_v<T, double>              ? CUDA_R_64F
                                 : std::is_same_v<T, std::complex<float>> ? CUDA_C_32F
                                                                          : CUDA_C_64F;
template <class Index>
constexpr cusparseIndexType_t index_type = sizeof(Index) == 4 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;

// Small whole numbers, so that every sum is exact.
template <class T>
T number(int i) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(i * 7 % 11 - 4);
    } else {
        return {number<typename T::value_type>(i), number<typename T::value_type>(i + 3)};
    }
}
template <class T>
T conjugated(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return value;
    } else {
        return std::conj(value);
    }
}

// A dense matrix of the host, row by row.
template <class T>
struct Matrix {
    int rows, columns;
    std::vector<T> values;

    Matrix(int m, int n) : rows(m), columns(n), values(static_cast<std::size_t>(m * n)) {}
    T &at(int i, int j) { return values[static_cast<std::size_t>(i * columns + j)]; }
    const T &at(int i, int j) const { return values[static_cast<std::size_t>(i * columns + j)]; }

    Matrix under(cusparseOperation_t operation) const {
        if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE) return *this;
        Matrix other(columns, rows);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                other.at(j, i) =
                    operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugated(at(i, j)) : at(i, j);
        return other;
    }
    Matrix times(const Matrix &right) const {
        Matrix product(rows, right.columns);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < right.columns; ++j)
                for (int k = 0; k < columns; ++k) product.at(i, j) += at(i, k) * right.at(k, j);
        return product;
    }
};

template <class T>
Matrix<T> full(int rows, int columns, int first = 0) {
    Matrix<T> made(rows, columns);
    for (std::size_t i = 0; i < made.values.size(); ++i) made.values[i] = number<T>(static_cast<int>(i) + first);
    return made;
}
template <class T>
Matrix<T> thin(int rows, int columns) {
    Matrix<T> made(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            if ((i * 5 + j * 3) % 4 == 0 && i != 2) made.at(i, j) = number<T>(i + 2 * j + 1);
    return made;
}

// The same on the device, in a format.
template <class T, class Index>
struct Sparse {
    std::vector<Index> rows, columns;
    std::vector<T> entries;
    Array<Index> major, minor;
    Array<T> values;
    cusparseSpMatDescr_t descriptor = nullptr;

    Sparse(const Matrix<T> &from, cusparseFormat_t format, cusparseIndexBase_t base)
        : major(begin(from, format, base)), minor(format == CUSPARSE_FORMAT_CSC ? rows : columns), values(entries) {
        const auto create = format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr : cusparseCreateCsc;
        const auto count = static_cast<std::int64_t>(entries.size());
        const cusparseIndexType_t index = index_type<Index>;
        if (format == CUSPARSE_FORMAT_COO) {
            EXPECT_SUCCESS(cusparseCreateCoo(&descriptor, from.rows, from.columns, count, major.device, minor.device,
                                             values.device, index, base, type_of<T>));
        } else {
            EXPECT_SUCCESS(create(&descriptor, from.rows, from.columns, count, major.device, minor.device,
                                  values.device, index, index, base, type_of<T>));
        }
    }
    ~Sparse() { cusparseDestroySpMat(descriptor); }

private:
    std::vector<Index> begin(const Matrix<T> &from, cusparseFormat_t format, cusparseIndexBase_t base) {
        const bool by_columns = format == CUSPARSE_FORMAT_CSC;
        const int lines = by_columns ? from.columns : from.rows, length = by_columns ? from.rows : from.columns;
        std::vector<Index> offsets{static_cast<Index>(base)};
        for (int line = 0; line < lines; ++line) {
            for (int k = 0; k < length; ++k) {
                const int i = by_columns ? k : line, j = by_columns ? line : k;
                if (from.at(i, j) == T()) continue;
                rows.push_back(static_cast<Index>(i + base));
                columns.push_back(static_cast<Index>(j + base));
                entries.push_back(from.at(i, j));
            }
            offsets.push_back(static_cast<Index>(entries.size() + base));
        }
        return format == CUSPARSE_FORMAT_COO ? rows : offsets;
    }
};

template <class T>
struct Dense {
    Array<T> values;
    cusparseDnMatDescr_t descriptor = nullptr;
    int rows, columns, leading;
    cusparseOrder_t order;

    Dense(const Matrix<T> &from, cusparseOrder_t asked)
        : values(laid_out(from, asked)), rows(from.rows), columns(from.columns),
          leading((asked == CUSPARSE_ORDER_ROW ? columns : rows) + 1), order(asked) {
        EXPECT_SUCCESS(cusparseCreateDnMat(&descriptor, rows, columns, leading, values.device, type_of<T>, order));
    }
    ~Dense() { cusparseDestroyDnMat(descriptor); }
    void expect(const Matrix<T> &expected) const {
        EXPECT(values.values() == laid_out(expected, order));
    }

private:
    // One element lies unused at the end of each line.
    static std::vector<T> laid_out(const Matrix<T> &from, cusparseOrder_t order) {
        const bool by_rows = order == CUSPARSE_ORDER_ROW;
        std::vector<T> made;
        for (int line = 0; line < (by_rows ? from.rows : from.columns); ++line) {
            for (int k = 0; k < (by_rows ? from.columns : from.rows); ++k)
                made.push_back(by_rows ? from.at(line, k) : from.at(k, line));
            made.push_back(number<T>(77));
        }
        return made;
    }
};

template <class T>
struct Vector {
    Array<T> values;
    cusparseDnVecDescr_t descriptor = nullptr;

    explicit Vector(const std::vector<T> &from) : values(from) {
        EXPECT_SUCCESS(cusparseCreateDnVec(&descriptor, static_cast<std::int64_t>(from.size()), values.device,
                                           type_of<T>));
    }
    ~Vector() { cusparseDestroyDnVec(descriptor); }
};

cusparseHandle_t handle;

// ------------------------------------------------------------------------------------------- products

template <class T, class Index>
void products(cusparseFormat_t format, cusparseIndexBase_t base, cusparseOperation_t operation) {
    const Matrix<T> a = thin<T>(5, 7), under = a.under(operation);
    const Sparse<T, Index> sparse(a, format, base);
    const T alpha = number<T>(8), beta = number<T>(5);
    std::size_t size = 0;

    const Matrix<T> x = full<T>(under.columns, 1), old = full<T>(under.rows, 1, 9);
    Vector<T> in(x.values), out(old.values);
    EXPECT_SUCCESS(cusparseSpMV_bufferSize(handle, operation, &alpha, sparse.descriptor, in.descriptor, &beta,
                                           out.descriptor, type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, &size));
    EXPECT(size > 0);
    EXPECT_SUCCESS(cusparseSpMV(handle, operation, &alpha, sparse.descriptor, in.descriptor, &beta, out.descriptor,
                                type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    Matrix<T> y = under.times(x);
    for (int i = 0; i < y.rows; ++i) y.at(i, 0) = alpha * y.at(i, 0) + beta * old.at(i, 0);
    EXPECT(out.values.values() == y.values);

    const cusparseOrder_t order = base == CUSPARSE_INDEX_BASE_ONE ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    const Matrix<T> b = full<T>(4, under.columns, 2), c = full<T>(under.rows, 4, 3);
    const Dense<T> right(b, CUSPARSE_ORDER_COL), result(c, order);
    EXPECT_SUCCESS(cusparseSpMM(handle, operation, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, &alpha, sparse.descriptor,
                                right.descriptor, &beta, result.descriptor, type_of<T>, CUSPARSE_SPMM_ALG_DEFAULT,
                                nullptr));
    Matrix<T> product = under.times(b.under(CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE));
    for (std::size_t i = 0; i < product.values.size(); ++i)
        product.values[i] = alpha * product.values[i] + beta * c.values[i];
    result.expect(product);

    // The entries of A take the product of two dense matrices.
    const Matrix<T> left = full<T>(3, 5, 1), tall = full<T>(3, 7, 6);
    const Dense<T> first(left, CUSPARSE_ORDER_ROW), second(tall, order);
    EXPECT_SUCCESS(cusparseSDDMM(handle, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha,
                                 first.descriptor, second.descriptor, &beta, sparse.descriptor, type_of<T>,
                                 CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    const Matrix<T> sampled = left.under(CUSPARSE_OPERATION_TRANSPOSE).times(tall);
    const auto entries = sparse.values.values();
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const auto i = static_cast<int>(sparse.rows[k] - base), j = static_cast<int>(sparse.columns[k] - base);
        EXPECT(entries[k] == alpha * sampled.at(i, j) + beta * a.at(i, j));
    }
}

template <class T, class Index>
void all_products() {
    for (auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
        for (auto base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE})
            for (auto operation : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                   CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE})
                products<T, Index>(format, base, operation);
}

// Factors on the device, and a result that need not be set where its factor is zero.
__global__ void set(double *factors) {
    factors[0] = 3;
    factors[1] = 0;
}

void factors_on_the_device() {
    const Matrix<double> a = thin<double>(4, 4), x = full<double>(4, 1);
    const Sparse<double, int> sparse(a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO);
    Vector<double> in(x.values), out(std::vector<double>(4, NAN));
    Array<double> factors(2);
    cudaStream_t stream, same;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    EXPECT_SUCCESS(cusparseSetStream(handle, stream));
    EXPECT_SUCCESS(cusparseGetStream(handle, &same));
    EXPECT(same == stream);
    EXPECT_SUCCESS(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    set<<<1, 1, 0, stream>>>(factors.device);
    EXPECT_SUCCESS(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, factors.device, sparse.descriptor,
                                in.descriptor, factors.device + 1, out.descriptor, CUDA_R_64F,
                                CUSPARSE_SPMV_CSR_ALG1, nullptr));
    // A result of the host is there when the call returns.
    const Array<int> index(std::vector<int>{0});
    Vector<double> both(std::vector<double>{5});
    cusparseSpVecDescr_t one;
    double result = 0;
    cusparseCreateSpVec(&one, 1, 1, index.device, factors.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                        CUDA_R_64F);
    EXPECT_SUCCESS(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    EXPECT_SUCCESS(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one, both.descriptor, &result, CUDA_R_64F,
                                nullptr));
    EXPECT_EQUAL(0, result, 15);
    cusparseDestroySpVec(one);
    cudaStreamSynchronize(stream);
    Matrix<double> y = a.times(x);
    for (double &value : y.values) value *= 3;
    EXPECT(out.values.values() == y.values);
    EXPECT_SUCCESS(cusparseSetStream(handle, nullptr));
    cudaStreamDestroy(stream);
}

// ---------------------------------------------------------------------------------- triangular systems

template <class T>
void triangles(cusparseFillMode_t fill, cusparseDiagType_t diagonal, cusparseOperation_t operation) {
    const int n = 6;
    Matrix<T> a = full<T>(n, n, 4), triangle(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const bool inside = fill == CUSPARSE_FILL_MODE_LOWER ? j < i : j > i;
            if (i == j) a.at(i, j) = diagonal == CUSPARSE_DIAG_TYPE_UNIT ? T(9) : T(i % 2 == 0 ? 2 : -1);
            if (inside) triangle.at(i, j) = a.at(i, j);
            if (i == j) triangle.at(i, j) = diagonal == CUSPARSE_DIAG_TYPE_UNIT ? T(1) : a.at(i, j);
        }
    const Matrix<T> solution = full<T>(n, 1, 1);
    const T alpha = T(4);
    Matrix<T> x = triangle.under(operation).times(solution);
    for (T &value : x.values) value /= alpha;
    const Sparse<T, int> sparse(a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ONE);
    EXPECT_SUCCESS(cusparseSpMatSetAttribute(sparse.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    EXPECT_SUCCESS(cusparseSpMatSetAttribute(sparse.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
    Vector<T> in(x.values), out(std::vector<T>(n, T(NAN)));
    cusparseSpSVDescr_t description;
    std::size_t size = 0;
    EXPECT_SUCCESS(cusparseSpSV_createDescr(&description));
    EXPECT_SUCCESS(cusparseSpSV_bufferSize(handle, operation, &alpha, sparse.descriptor, in.descriptor, out.descriptor,
                                           type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT, description, &size));
    EXPECT_SUCCESS(cusparseSpSV_analysis(handle, operation, &alpha, sparse.descriptor, in.descriptor, out.descriptor,
                                         type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT, description, nullptr));
    EXPECT_SUCCESS(cusparseSpSV_solve(handle, operation, &alpha, sparse.descriptor, in.descriptor, out.descriptor,
                                      type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT, description));
    EXPECT_SUCCESS(cusparseSpSV_destroyDescr(description));
    EXPECT(out.values.values() == solution.values);
}

// --------------------------------------------------------------------------- products of sparse matrices

template <class T, class Index>
void sparse_products(cusparseIndexBase_t base) {
    const Matrix<T> a = thin<T>(5, 6), b = thin<T>(6, 4), expected = a.times(b);
    const Sparse<T, Index> left(a, CUSPARSE_FORMAT_CSR, base), right(b, CUSPARSE_FORMAT_CSR, base);
    const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const auto algorithm = CUSPARSE_SPGEMM_DEFAULT;
    const T alpha = T(2), beta = T(0), one = T(1);
    Array<Index> offsets(6);
    cusparseSpMatDescr_t c;
    EXPECT_SUCCESS(cusparseCreateCsr(&c, 5, 4, 0, offsets.device, nullptr, nullptr, index_type<Index>,
                                     index_type<Index>, base, type_of<T>));
    cusparseSpGEMMDescr_t description;
    EXPECT_SUCCESS(cusparseSpGEMM_createDescr(&description));
    std::size_t size = 0;
    EXPECT_SUCCESS(cusparseSpGEMM_workEstimation(handle, plain, plain, &alpha, left.descriptor, right.descriptor,
                                                 &beta, c, type_of<T>, algorithm, description, &size, nullptr));
    Array<char> first(size);
    EXPECT_SUCCESS(cusparseSpGEMM_workEstimation(handle, plain, plain, &alpha, left.descriptor, right.descriptor,
                                                 &beta, c, type_of<T>, algorithm, description, &size, first.device));
    EXPECT_SUCCESS(cusparseSpGEMM_compute(handle, plain, plain, &alpha, left.descriptor, right.descriptor, &beta, c,
                                          type_of<T>, algorithm, description, &size, nullptr));
    Array<char> second(size);
    EXPECT(cusparseSpGEMM_compute(handle, plain, plain, &alpha, left.descriptor, right.descriptor, &one, c, type_of<T>,
                                  algorithm, description, &size, second.device) == CUSPARSE_STATUS_NOT_SUPPORTED);
    EXPECT_SUCCESS(cusparseSpGEMM_compute(handle, plain, plain, &alpha, left.descriptor, right.descriptor, &beta, c,
                                          type_of<T>, algorithm, description, &size, second.device));
    std::int64_t rows = 0, columns = 0, nonzeros = 0;
    EXPECT_SUCCESS(cusparseSpMatGetSize(c, &rows, &columns, &nonzeros));
    EXPECT(rows == 5 && columns == 4 && nonzeros > 0);
    Array<Index> indices(static_cast<std::size_t>(nonzeros));
    Array<T> values(static_cast<std::size_t>(nonzeros));
    EXPECT_SUCCESS(cusparseCsrSetPointers(c, offsets.device, indices.device, values.device));
    EXPECT_SUCCESS(cusparseSpGEMM_copy(handle, plain, plain, &alpha, left.descriptor, right.descriptor, &beta, c,
                                       type_of<T>, algorithm, description));
    EXPECT_SUCCESS(cusparseSpGEMM_destroyDescr(description));
    cusparseDestroySpMat(c);
    Matrix<T> product(5, 4);
    const auto begins = offsets.values(), found = indices.values();
    const auto entries = values.values();
    EXPECT_EQUAL(5, begins[5] - base, nonzeros);
    for (int i = 0; i < 5; ++i)
        for (Index k = begins[i] - base; k < begins[i + 1] - base; ++k) {
            EXPECT(k == begins[i] - base || found[k - 1] < found[k]);
            product.at(i, static_cast<int>(found[k] - base)) = entries[k] / alpha;
        }
    EXPECT(product.values == expected.values);
}

// ----------------------------------------------------------------------------------------- conversions

template <class T, class Index>
void conversions(cusparseFormat_t format, cusparseIndexBase_t base) {
    const Matrix<T> a = thin<T>(5, 7);
    const Sparse<T, Index> expected(a, format, base);
    const Dense<T> dense(a, CUSPARSE_ORDER_ROW), back(full<T>(5, 7), CUSPARSE_ORDER_COL);
    EXPECT_SUCCESS(cusparseSparseToDense(handle, expected.descriptor, back.descriptor,
                                         CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    back.expect(a);

    const std::size_t count = expected.entries.size();
    const Sparse<T, Index> made(Matrix<T>(5, 7), format, base);
    Array<Index> major(expected.major.count), minor(count);
    Array<T> values(count);
    EXPECT_SUCCESS(cusparseDenseToSparse_analysis(handle, dense.descriptor, made.descriptor,
                                                  CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    std::int64_t rows, columns, nonzeros;
    cusparseSpMatGetSize(made.descriptor, &rows, &columns, &nonzeros);
    EXPECT_EQUAL(0, static_cast<std::size_t>(nonzeros), count);
    const auto set = format == CUSPARSE_FORMAT_CSR   ? cusparseCsrSetPointers
                     : format == CUSPARSE_FORMAT_CSC ? cusparseCscSetPointers
                                                     : cusparseCooSetPointers;
    EXPECT_SUCCESS(set(made.descriptor, major.device, minor.device, values.device));
    EXPECT_SUCCESS(cusparseDenseToSparse_convert(handle, dense.descriptor, made.descriptor,
                                                 CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    EXPECT(major.values() == expected.major.values() && minor.values() == expected.minor.values());
    EXPECT(values.values() == expected.entries);
}

template <class T>
void transposition(cusparseIndexBase_t base) {
    const Matrix<T> a = thin<T>(5, 7);
    const Sparse<T, int> csr(a, CUSPARSE_FORMAT_CSR, base), csc(a, CUSPARSE_FORMAT_CSC, base);
    const auto count = static_cast<int>(csr.entries.size());
    Array<int> offsets(8), rows(csr.entries.size());
    Array<T> values(csr.entries.size());
    EXPECT_SUCCESS(cusparseCsr2cscEx2(handle, 5, 7, count, csr.values.device, csr.major.device, csr.minor.device,
                                      values.device, offsets.device, rows.device, type_of<T>, CUSPARSE_ACTION_NUMERIC,
                                      base, CUSPARSE_CSR2CSC_ALG1, nullptr));
    EXPECT(offsets.values() == csc.major.values() && rows.values() == csc.minor.values());
    EXPECT(values.values() == csc.entries);

    const Sparse<T, int> coo(a, CUSPARSE_FORMAT_COO, base);
    Array<int> compressed(6), expanded(csr.entries.size());
    EXPECT_SUCCESS(cusparseXcoo2csr(handle, coo.major.device, count, 5, compressed.device, base));
    EXPECT_SUCCESS(cusparseXcsr2coo(handle, csr.major.device, count, 5, expanded.device, base));
    EXPECT(compressed.values() == csr.major.values() && expanded.values() == coo.major.values());
}

void sorting() {
    const std::vector<int> rows = {2, 0, 1, 0, 2}, columns = {1, 3, 0, 2, 0};
    Array<int> i(rows), j(columns), permutation(5), offsets(std::vector<int>{0, 3, 5}), unsorted(columns), moved(5);
    EXPECT_SUCCESS(cusparseCreateIdentityPermutation(handle, 5, permutation.device));
    EXPECT_SUCCESS(cusparseXcoosortByRow(handle, 3, 4, 5, i.device, j.device, permutation.device, nullptr));
    EXPECT(i.values() == (std::vector<int>{0, 0, 1, 2, 2}) && j.values() == (std::vector<int>{2, 3, 0, 0, 1}));
    EXPECT(permutation.values() == (std::vector<int>{3, 1, 2, 4, 0}));
    EXPECT_SUCCESS(cusparseXcoosortByColumn(handle, 3, 4, 5, i.device, j.device, nullptr, nullptr));
    EXPECT(i.values() == (std::vector<int>{1, 2, 2, 0, 0}) && j.values() == (std::vector<int>{0, 0, 1, 2, 3}));
    cusparseMatDescr_t matrix;
    EXPECT_SUCCESS(cusparseCreateMatDescr(&matrix));
    EXPECT_SUCCESS(cusparseSetMatIndexBase(matrix, CUSPARSE_INDEX_BASE_ZERO));
    cusparseCreateIdentityPermutation(handle, 5, moved.device);
    EXPECT_SUCCESS(cusparseXcsrsort(handle, 2, 4, 5, matrix, offsets.device, unsorted.device, moved.device, nullptr));
    EXPECT(unsorted.values() == (std::vector<int>{0, 1, 3, 0, 2}));
    EXPECT(moved.values() == (std::vector<int>{2, 0, 1, 4, 3}));
    EXPECT_SUCCESS(cusparseDestroyMatDescr(matrix));
}

// ------------------------------------------------------------------------------------- sparse vectors

template <class T, class Index>
void vectors(cusparseIndexBase_t base) {
    const Index first = base;
    const Array<Index> indices(std::vector<Index>{first + 1, first + 4, first + 2});
    const Matrix<T> x = full<T>(3, 1, 2), y = full<T>(6, 1);
    const T alpha = number<T>(3), beta = number<T>(6);
    Array<T> entries(x.values);
    Vector<T> dense(y.values);
    cusparseSpVecDescr_t sparse;
    EXPECT_SUCCESS(cusparseCreateSpVec(&sparse, 6, 3, indices.device, entries.device, index_type<Index>, base,
                                       type_of<T>));
    T result{};
    EXPECT_SUCCESS(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense.descriptor, &result,
                                type_of<T>, nullptr));
    EXPECT(result == x.at(0, 0) * y.at(1, 0) + x.at(1, 0) * y.at(4, 0) + x.at(2, 0) * y.at(2, 0));
    EXPECT_SUCCESS(cusparseAxpby(handle, &alpha, sparse, &beta, dense.descriptor));
    Matrix<T> sum = y;
    for (T &value : sum.values) value *= beta;
    sum.at(1, 0) += alpha * x.at(0, 0), sum.at(4, 0) += alpha * x.at(1, 0), sum.at(2, 0) += alpha * x.at(2, 0);
    EXPECT(dense.values.values() == sum.values);
    EXPECT_SUCCESS(cusparseScatter(handle, sparse, dense.descriptor));
    EXPECT(dense.values.values()[4] == x.at(1, 0) && dense.values.values()[3] == sum.at(3, 0));
    Vector<T> other(y.values);
    EXPECT_SUCCESS(cusparseGather(handle, other.descriptor, sparse));
    EXPECT(entries.values() == (std::vector<T>{y.at(1, 0), y.at(4, 0), y.at(2, 0)}));
    cusparseDestroySpVec(sparse);
}

// ------------------------------------------------------------------------------------------- refusals

void refusals() {
    const Sparse<float, int> a(thin<float>(3, 4), CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_BASE_ZERO);
    Vector<float> x(std::vector<float>(4)), y(std::vector<float>(3));
    Vector<double> wide(std::vector<double>(3));
    const double one = 1;
    const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    EXPECT(cusparseSpMV(handle, plain, &one, a.descriptor, x.descriptor, &one, wide.descriptor, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_NOT_SUPPORTED);
    EXPECT(cusparseSpMV(handle, plain, &one, a.descriptor, x.descriptor, &one, y.descriptor, CUDA_R_16F,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_NOT_SUPPORTED);
    EXPECT(cusparseSpMV(handle, plain, &one, a.descriptor, y.descriptor, &one, x.descriptor, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSpMV(nullptr, plain, &one, a.descriptor, x.descriptor, &one, y.descriptor, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_NOT_INITIALIZED);
    cusparseSpMatDescr_t short_indices;
    EXPECT(cusparseCreateCsr(&short_indices, 1, 1, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_16U,
                             CUSPARSE_INDEX_16U, CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_32F) == CUSPARSE_STATUS_NOT_SUPPORTED);
    EXPECT(cusparseCsrSetPointers(a.descriptor, nullptr, nullptr, nullptr) == CUSPARSE_STATUS_SUCCESS);
    EXPECT(cusparseCooSetPointers(a.descriptor, nullptr, nullptr, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(std::string(cusparseGetErrorName(CUSPARSE_STATUS_NOT_SUPPORTED)) == "CUSPARSE_STATUS_NOT_SUPPORTED");
    EXPECT(std::string(cusparseGetErrorString(CUSPARSE_STATUS_SUCCESS)) == "success");
}

void outside() {
    const Array<int> offsets(std::vector<int>{0, 1, 1}), columns(std::vector<int>{9});
    const Array<float> values(std::vector<float>{1.0f});
    cusparseConstSpMatDescr_t a;
    cusparseCreateConstCsr(&a, 2, 3, 1, offsets.device, columns.device, values.device, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    Vector<float> x(std::vector<float>(3)), y(std::vector<float>(2));
    const float one = 1;
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x.descriptor, &one, y.descriptor, CUDA_R_32F,
                 CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
}

int main(int count, char **arguments) {
    const std::string asked = count > 1 ? arguments[1] : "";
    simt::isolation.wanted = asked == "apart";
    EXPECT_SUCCESS(cusparseCreate(&handle));
    if (asked == "outside") outside();
    all_products<float, std::int32_t>();
    all_products<double, std::int64_t>();
    all_products<std::complex<float>, std::int64_t>();
    all_products<std::complex<double>, std::int32_t>();
    factors_on_the_device();
    for (auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
        for (auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
            for (auto operation : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE})
                triangles<double>(fill, diagonal, operation), triangles<std::complex<float>>(fill, diagonal, operation);
    for (auto base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
        sparse_products<double, std::int32_t>(base);
        sparse_products<std::complex<float>, std::int64_t>(base);
        for (auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
            conversions<float, std::int32_t>(format, base);
            conversions<std::complex<double>, std::int64_t>(format, base);
        }
        transposition<double>(base);
        vectors<float, std::int32_t>(base);
        vectors<std::complex<double>, std::int64_t>(base);
    }
    sorting();
    refusals();
    EXPECT_SUCCESS(cusparseDestroy(handle));
    return failed_expectations;
}
