// run: => exit 0
// run: apart => exit 0
// run: SIMT_SEED=9 apart => exit 0
#include "blas.cuh"

#define DONE(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

// y = alpha A x + beta y by the elements that `matrix` gives.
template <class T, class Matrix>
std::vector<T> product(Matrix matrix, int m, int n, Wide alpha, const std::vector<T> &x, int incx, Wide beta, std::vector<T> y, int incy) {
    for (int i = 0; i < m; ++i) {
        Wide sum = 0;
        for (int j = 0; j < n; ++j) sum += matrix(i, j) * wide(x[place(j, n, incx)]);
        T &to = y[place(i, m, incy)];
        to = narrow<T>(alpha * sum + (beta == 0.0 ? 0 : beta * wide(to)));
    }
    return y;
}

template <class T>
void general(cublasHandle_t handle) {
    const int shapes[][2] = {{1, 1}, {5, 3}, {4, 7}};
    for (const auto &[m, n] : shapes)
        for (const auto operation : operations)
            for (const int increment : {1, -2})
                for (const Wide before : {Wide(0), Wide(2, 1)}) {
                    const int lda = m + 2, rows = operation == CUBLAS_OP_N ? m : n, columns = operation == CUBLAS_OP_N ? n : m;
                    const auto a = numbers<T>(lda * n, 1), x = numbers<T>(room(columns, increment), 2);
                    auto y = numbers<T>(room(rows, -increment), 3);
                    for (int i = 0; i < rows && before == 0.0; ++i) y[place(i, rows, -increment)] = narrow<T>(Wide(NAN, NAN));
                    const Device<T> matrix(a), from(x);
                    Device<T> to(y);
                    const Factor<T> alpha(handle, Wide(-1, 2)), beta(handle, before);
                    DONE(Blas<T>::gemv(handle, operation, m, n, alpha, matrix, lda, from, increment, beta, to, -increment));
                    const auto at = [&, lda = lda, operation = operation](int i, int j) { return element(a, lda, operation, i, j); };
                    const auto expected = product<T>(at, rows, columns, alpha.wide(), x, increment, beta.wide(), y, -increment);
                    expect_same(to.host(), expected, __LINE__);
                }
}

// A band of 2 diagonals below and 1 above the main one: what lies outside of the matrix is not read.
template <class T>
void banded(cublasHandle_t handle) {
    const int m = 6, n = 5, below = 2, above = 1, lda = 5;
    auto stored = numbers<T>(lda * n, 1);
    std::vector<T> a(m * n, narrow<T>(0));
    for (int j = 0; j < n; ++j)
        for (int row = 0; row < lda; ++row) {
            const int i = j + row - above;
            const bool inside = row <= below + above && i >= 0 && i < m;
            if (inside) a[i + j * m] = stored[row + j * lda];
            else stored[row + j * lda] = narrow<T>(Wide(NAN, NAN));
        }
    for (const auto operation : operations) {
        const int rows = operation == CUBLAS_OP_N ? m : n, columns = operation == CUBLAS_OP_N ? n : m;
        const auto x = numbers<T>(columns, 2), y = numbers<T>(rows, 3);
        const Device<T> matrix(stored), from(x);
        Device<T> to(y);
        const Factor<T> alpha(handle, Wide(1, 1)), beta(handle, 3);
        DONE(Blas<T>::gbmv(handle, operation, m, n, below, above, alpha, matrix, lda, from, 1, beta, to, 1));
        const auto at = [&](int i, int j) { return element(a, m, operation, i, j); };
        expect_same(to.host(), product<T>(at, rows, columns, alpha.wide(), x, 1, beta.wide(), y, 1), __LINE__);
    }
}

// What one triangle says of the whole matrix; the other one is not read.
template <class T>
std::vector<T> whole(const std::vector<T> &a, int n, int lda, cublasFillMode_t fill, bool hermitian) {
    std::vector<T> all(n * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const bool here = i == j || (fill == CUBLAS_FILL_MODE_UPPER) == (i < j);
            const Wide value = here ? wide(a[i + j * lda]) : wide(a[j + i * lda]);
            all[i + j * n] = narrow<T>(!hermitian ? value : i == j ? Wide(value.real()) : here ? value : std::conj(value));
        }
    return all;
}

template <class T, class Multiply>
void mirrored(cublasHandle_t handle, Multiply multiply, bool hermitian) {
    const int n = 5, lda = 6;
    for (const auto fill : fills) {
        const auto a = numbers<T>(lda * n, 1), x = numbers<T>(room(n, 2), 2), y = numbers<T>(room(n, -1), 3);
        const auto all = whole(a, n, lda, fill, hermitian);
        const Device<T> matrix(a), from(x);
        Device<T> to(y);
        const Factor<T> alpha(handle, Wide(2, 1)), beta(handle, Wide(-1, 1));
        DONE(multiply(handle, fill, n, alpha, matrix, lda, from, 2, beta, to, -1));
        const auto at = [&](int i, int j) { return wide(all[i + j * n]); };
        expect_same(to.host(), product<T>(at, n, n, alpha.wide(), x, 2, beta.wide(), y, -1), __LINE__);
    }
}

template <class T, class Update>
void rank1(cublasHandle_t handle, Update update, bool conjugates) {
    const int m = 4, n = 3, lda = 5;
    auto a = numbers<T>(lda * n, 1);
    const auto x = numbers<T>(room(m, -2), 2), y = numbers<T>(room(n, 1), 3);
    Device<T> matrix(a);
    const Device<T> left(x), right(y);
    const Factor<T> alpha(handle, Wide(1, -2));
    DONE(update(handle, m, n, alpha, left, -2, right, 1, matrix, lda));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            const Wide other = wide(y[j]);
            T &to = a[i + j * lda];
            to = narrow<T>(wide(to) + alpha.wide() * wide(x[place(i, m, -2)]) * (conjugates ? std::conj(other) : other));
        }
    expect_same(matrix.host(), a, __LINE__);
}

// Of one vector, or of two, onto one triangle.
template <class T, class Factor1, class One, class Two>
void mirrored_updates(cublasHandle_t handle, One one, Two two, bool hermitian) {
    const int n = 4, lda = 5;
    const auto conjugate = [=](Wide value) { return hermitian ? std::conj(value) : value; };
    for (const auto fill : fills) {
        auto a = numbers<T>(lda * n, 1);
        const auto x = numbers<T>(room(n, 2), 2), y = numbers<T>(room(n, -1), 3);
        Device<T> matrix(a);
        const Device<T> left(x), right(y);
        const Factor<Factor1> alpha(handle, Wide(3, 1));
        const Factor<T> both(handle, Wide(1, 2));
        const auto inside = [=](int i, int j) { return i == j || (fill == CUBLAS_FILL_MODE_UPPER) == (i < j); };
        const auto put = [&](int i, int j, Wide value) {
            if (inside(i, j)) a[i + j * lda] = narrow<T>(hermitian && i == j ? Wide(value.real()) : value);
        };
        DONE(one(handle, fill, n, alpha, left, 2, matrix, lda));
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                put(i, j, wide(a[i + j * lda]) + alpha.wide() * wide(x[2 * i]) * conjugate(wide(x[2 * j])));
        expect_same(matrix.host(), a, __LINE__);
        DONE(two(handle, fill, n, both, left, 2, right, -1, matrix, lda));
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const Wide xi = wide(x[2 * i]), xj = wide(x[2 * j]), yi = wide(y[place(i, n, -1)]), yj = wide(y[place(j, n, -1)]);
                put(i, j, wide(a[i + j * lda]) + both.wide() * xi * conjugate(yj) + conjugate(both.wide()) * yi * conjugate(xj));
            }
        expect_same(matrix.host(), a, __LINE__);
    }
}

// Numbers outside of the triangle, and on a diagonal that is 1, are not read; a solution undoes the product.
template <class T>
void triangular(cublasHandle_t handle) {
    const int lda = 7;
    for (const int n : {0, 1, 6})
        for (const auto fill : fills)
            for (const auto operation : operations)
                for (const auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
                    for (const int increment : {1, -2}) {
                        auto a = numbers<T>(lda * n, 1);
                        std::vector<T> triangle(a.size(), narrow<T>(0));
                        for (int j = 0; j < n; ++j)
                            for (int i = 0; i < n; ++i) {
                                const bool unit = i == j && diagonal == CUBLAS_DIAG_UNIT;
                                const bool inside = !unit && (i == j || (fill == CUBLAS_FILL_MODE_UPPER) == (i < j));
                                if (i == j) a[i + j * lda] = narrow<T>(i % 2 == 0 ? 1 : -1);
                                if (!inside) a[i + j * lda] = narrow<T>(Wide(NAN, NAN));
                                triangle[i + j * lda] = inside ? a[i + j * lda] : narrow<T>(unit ? 1 : 0);
                            }
                        const auto x = numbers<T>(room(n, increment), 2);
                        const Device<T> matrix(a);
                        Device<T> vector(x);
                        DONE(Blas<T>::trmv(handle, fill, operation, diagonal, n, matrix, lda, vector, increment));
                        const auto at = [&](int i, int j) { return element(triangle, lda, operation, i, j); };
                        expect_same(vector.host(), product<T>(at, n, n, 1, x, increment, 0, x, increment), __LINE__);
                        DONE(Blas<T>::trsv(handle, fill, operation, diagonal, n, matrix, lda, vector, increment));
                        expect_same(vector.host(), x, __LINE__);
                    }
}

void refused(cublasHandle_t handle) {
    const Device<float> a(numbers<float>(20, 1)), x(numbers<float>(5, 1));
    Device<float> y(numbers<float>(5, 1));
    const auto before = y.host();
    const Factor<float> one(handle, 1);
    const auto gemv = [&](cublasOperation_t operation, int m, int lda, int incx) {
        return cublasSgemv(handle, operation, m, 4, one, a, lda, x, incx, one, y, 1);
    };
    EXPECT(gemv(CUBLAS_OP_N, 5, 4, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(gemv(CUBLAS_OP_N, -1, 5, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(gemv(CUBLAS_OP_N, 5, 5, 0) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(gemv(CUBLAS_OP_CONJG, 5, 5, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSsymv(handle, CUBLAS_FILL_MODE_FULL, 4, one, a, 4, x, 1, one, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSger(handle, 5, 4, one, x, 1, x, 1, y, 4) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, 1, 1, one, a, 2, x, 1, one, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasStrsv(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, a, 3, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
    expect_same(y.host(), before, __LINE__);
}

template <class T>
void of_type(cublasHandle_t handle) {
    general<T>(handle);
    banded<T>(handle);
    mirrored<T>(handle, Blas<T>::symv, false);
    mirrored_updates<T, T>(handle, Blas<T>::syr, Blas<T>::syr2, false);
    triangular<T>(handle);
}

int main(int count, char **) {
    keep_apart(count);
    in_all_modes([](cublasHandle_t handle) {
        of_type<float>(handle), of_type<double>(handle), of_type<cuComplex>(handle), of_type<cuDoubleComplex>(handle);
        mirrored<cuComplex>(handle, cublasChemv, true), mirrored<cuDoubleComplex>(handle, cublasZhemv, true);
        rank1<float>(handle, cublasSger, false), rank1<double>(handle, cublasDger, false);
        rank1<cuComplex>(handle, cublasCgerc, true), rank1<cuDoubleComplex>(handle, cublasZgeru, false);
        mirrored_updates<cuComplex, float>(handle, cublasCher, cublasCher2, true);
        mirrored_updates<cuDoubleComplex, double>(handle, cublasZher, cublasZher2, true);
        refused(handle);
    });
    return failed_expectations != 0;
}
