// run: => exit 0
// run: apart => exit 0
// run: SIMT_SEED=9 apart => exit 0
#include "blas.cuh"

#define DONE(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

// C = alpha A B + beta C by the elements that both give, where `counts` says so.
template <class T, class Left, class Right, class Counts>
std::vector<T> product(Left left, Right right, int m, int n, int k, Wide alpha, Wide beta, std::vector<T> c, int ldc, Counts counts) {
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            if (!counts(i, j)) continue;
            Wide sum = 0;
            for (int p = 0; p < k; ++p) sum += left(i, p) * right(p, j);
            T &to = c[i + j * ldc];
            to = narrow<T>(alpha * sum + (beta == 0.0 ? 0 : beta * wide(to)));
        }
    return c;
}
const auto everywhere = [](int, int) { return true; };

template <class T>
std::vector<T> nowhere(std::vector<T> c, int m, int n, int ldc) {
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) c[i + j * ldc] = narrow<T>(Wide(NAN, NAN));
    return c;
}

template <class T>
void general(cublasHandle_t handle) {
    const int shapes[][3] = {{0, 3, 2}, {1, 1, 1}, {4, 3, 5}, {3, 6, 0}};
    for (const auto &[m, n, k] : shapes)
        for (const auto left : operations)
            for (const auto right : operations)
                for (const Wide before : {Wide(0), Wide(2, 1)}) {
                    const int lda = (left == CUBLAS_OP_N ? m : k) + 1, ldb = (right == CUBLAS_OP_N ? k : n) + 2, ldc = m + 1;
                    const auto a = numbers<T>(lda * (left == CUBLAS_OP_N ? k : m), 1), b = numbers<T>(ldb * (right == CUBLAS_OP_N ? n : k), 2);
                    auto c = numbers<T>(ldc * n, 3);
                    if (before == 0.0) c = nowhere(c, m, n, ldc);
                    const Device<T> first(a), second(b);
                    Device<T> result(c);
                    const Factor<T> alpha(handle, Wide(1, -2)), beta(handle, before);
                    DONE(Blas<T>::gemm(handle, left, right, m, n, k, alpha, first, lda, second, ldb, beta, result, ldc));
                    const auto at = [&, left = left](int i, int j) { return element(a, lda, left, i, j); };
                    const auto by = [&, right = right](int i, int j) { return element(b, ldb, right, i, j); };
                    expect_same(result.host(), product(at, by, m, n, k, alpha.wide(), beta.wide(), c, ldc, everywhere), __LINE__);
                }
}

template <class T>
void sums(cublasHandle_t handle) {
    const int m = 3, n = 4, ld = 5;
    const auto a = numbers<T>(ld * ld, 1), b = numbers<T>(ld * ld, 2), x = numbers<T>(room(4, -2), 3);
    const Device<T> first(a), second(b), diagonal(x);
    const Factor<T> alpha(handle, Wide(1, -2)), beta(handle, Wide(0, 3)), zero(handle, 0);
    for (const auto left : operations)
        for (const auto right : operations) {
            auto c = numbers<T>(ld * n, 4);
            Device<T> result(c);
            DONE(Blas<T>::geam(handle, left, right, m, n, alpha, first, ld, beta, second, ld, result, ld));
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i)
                    c[i + j * ld] = narrow<T>(alpha.wide() * element(a, ld, left, i, j) + beta.wide() * element(b, ld, right, i, j));
            expect_same(result.host(), c, __LINE__);
        }
    Device<T> in_place(a);
    DONE(Blas<T>::geam(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, alpha, in_place, ld, zero, nullptr, ld, in_place, ld));
    EXPECT(wide(in_place.host()[1]) == rounded<T>(alpha.wide() * wide(a[1])));
    EXPECT(Blas<T>::geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, alpha, in_place, ld, zero, second, ld, in_place, ld) == CUBLAS_STATUS_INVALID_VALUE);
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
        auto c = numbers<T>(ld * n, 4);
        Device<T> result(c);
        DONE(Blas<T>::dgmm(handle, side, m, n, first, ld, diagonal, -2, result, ld));
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                const int at = side == CUBLAS_SIDE_LEFT ? place(i, m, -2) : place(j, n, -2);
                c[i + j * ld] = narrow<T>(wide(a[i + j * ld]) * wide(x[at]));
            }
        expect_same(result.host(), c, __LINE__);
    }
}

template <class T, class Multiply>
void mirrored(cublasHandle_t handle, Multiply multiply, bool hermitian) {
    const int m = 3, n = 4, ld = 5;
    const auto a = numbers<T>(ld * 4, 1), b = numbers<T>(ld * n, 2), c = numbers<T>(ld * n, 3);
    const Device<T> first(a), second(b);
    const Factor<T> alpha(handle, Wide(2, -1)), beta(handle, Wide(-1, 1));
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for (const auto fill : fills) {
            const auto symmetric = [&, fill = fill](int i, int j) {
                const bool here = i == j || (fill == CUBLAS_FILL_MODE_UPPER) == (i < j);
                const Wide value = here ? wide(a[i + j * ld]) : wide(a[j + i * ld]);
                return !hermitian ? value : i == j ? Wide(value.real()) : here ? value : std::conj(value);
            };
            const auto other = [&](int i, int j) { return wide(b[i + j * ld]); };
            Device<T> result(c);
            DONE(multiply(handle, side, fill, m, n, alpha, first, ld, second, ld, beta, result, ld));
            const auto expected = side == CUBLAS_SIDE_LEFT ? product(symmetric, other, m, n, m, alpha.wide(), beta.wide(), c, ld, everywhere)
                                                           : product(other, symmetric, m, n, n, alpha.wide(), beta.wide(), c, ld, everywhere);
            expect_same(result.host(), expected, __LINE__);
        }
}

// One triangle of op(A) op(B)^T, or with the conjugate; of a Hermitian result the diagonal is real.
template <class T, class Scale, class Update, class Twice, class Once>
void updates(cublasHandle_t handle, Update update, Twice twice, Once once, bool hermitian) {
    const int n = 4, k = 3, ld = 5;
    const auto a = numbers<T>(ld * 4, 1), b = numbers<T>(ld * 4, 2), c = numbers<T>(ld * n, 3);
    const Device<T> first(a), second(b);
    const Factor<Scale> scale(handle, 2), beta(handle, -3);
    const Factor<T> alpha(handle, Wide(1, 2));
    const auto other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    for (const auto operation : {CUBLAS_OP_N, other})
        for (const auto fill : fills) {
            const auto opposite = operation == CUBLAS_OP_N ? other : CUBLAS_OP_N;
            const auto inside = [fill = fill](int i, int j) { return i == j || (fill == CUBLAS_FILL_MODE_UPPER) == (i < j); };
            const auto real = [&](std::vector<T> all) {
                for (int i = 0; hermitian && i < n; ++i) all[i + i * ld] = narrow<T>(wide(all[i + i * ld]).real());
                return all;
            };
            const auto at = [&, operation = operation](const std::vector<T> &from) {
                return [&from, operation](int i, int j) { return element(from, ld, operation, i, j); };
            };
            const auto by = [&](const std::vector<T> &from) {
                return [&from, opposite](int i, int j) { return element(from, ld, opposite, i, j); };
            };
            Device<T> result(c);
            DONE(update(handle, fill, operation, n, k, scale, first, ld, beta, result, ld));
            expect_same(result.host(), real(product(at(a), by(a), n, n, k, scale.wide(), beta.wide(), c, ld, inside)), __LINE__);

            Device<T> both(c), single(c);
            const auto half = product(at(a), by(b), n, n, k, alpha.wide(), beta.wide(), c, ld, inside);
            const Wide back = hermitian ? std::conj(alpha.wide()) : alpha.wide();
            DONE(twice(handle, fill, operation, n, k, alpha, first, ld, second, ld, beta, both, ld));
            expect_same(both.host(), real(product(at(b), by(a), n, n, k, back, 1, half, ld, inside)), __LINE__);
            DONE(once(handle, fill, operation, n, k, alpha, first, ld, second, ld, beta, single, ld));
            expect_same(single.host(), real(half), __LINE__);
        }
}

// A product with a triangle, in place and out of it, and the solution that undoes it.
template <class T>
void triangular(cublasHandle_t handle) {
    const int m = 4, n = 3, ld = 5;
    const auto b = numbers<T>(ld * n, 2), c = numbers<T>(ld * n, 3);
    const Factor<T> alpha(handle, 2), inverse(handle, 0.5);
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for (const auto fill : fills)
            for (const auto operation : operations)
                for (const auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
                    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
                    auto a = numbers<T>(ld * order, 1);
                    std::vector<T> all(a.size(), narrow<T>(0));
                    for (int j = 0; j < order; ++j)
                        for (int i = 0; i < order; ++i) {
                            const bool unit = i == j && diagonal == CUBLAS_DIAG_UNIT;
                            const bool inside = !unit && (i == j || (fill == CUBLAS_FILL_MODE_UPPER) == (i < j));
                            if (i == j) a[i + j * ld] = narrow<T>(i % 2 == 0 ? -1 : 2);
                            if (!inside) a[i + j * ld] = narrow<T>(Wide(NAN, NAN));
                            all[i + j * ld] = inside ? a[i + j * ld] : narrow<T>(unit ? 1 : 0);
                        }
                    const auto triangle = [&, operation = operation](int i, int j) { return element(all, ld, operation, i, j); };
                    const auto other = [&](int i, int j) { return wide(b[i + j * ld]); };
                    const Device<T> matrix(a), from(b);
                    Device<T> result(c), in_place(b);
                    DONE(Blas<T>::trmm(handle, side, fill, operation, diagonal, m, n, alpha, matrix, ld, from, ld, result, ld));
                    const auto into = [&](const std::vector<T> &to) {
                        return side == CUBLAS_SIDE_LEFT ? product(triangle, other, m, n, m, 2, 0, to, ld, everywhere)
                                                        : product(other, triangle, m, n, n, 2, 0, to, ld, everywhere);
                    };
                    expect_same(result.host(), into(c), __LINE__);
                    DONE(Blas<T>::trmm(handle, side, fill, operation, diagonal, m, n, alpha, matrix, ld, in_place, ld, in_place, ld));
                    expect_same(in_place.host(), into(b), __LINE__);
                    DONE(Blas<T>::trsm(handle, side, fill, operation, diagonal, m, n, inverse, matrix, ld, in_place, ld));
                    expect_same(in_place.host(), b, __LINE__, 1e-4);
                }
}

void refused(cublasHandle_t handle) {
    const Device<float> a(numbers<float>(20, 1)), b(numbers<float>(20, 2));
    Device<float> c(numbers<float>(20, 3));
    const auto before = c.host();
    const Factor<float> one(handle, 1);
    const auto gemm = [&](cublasOperation_t left, int m, int lda, int ldb, int ldc) {
        return cublasSgemm(handle, left, CUBLAS_OP_N, m, 4, 3, one, a, lda, b, ldb, one, c, ldc);
    };
    const Factor<float> zero(handle, 0);
    DONE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, zero, nullptr, 5, nullptr, 3, one, c, 5));  // not read
    EXPECT(gemm(CUBLAS_OP_N, 5, 4, 3, 5) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(gemm(CUBLAS_OP_T, 5, 2, 3, 5) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(gemm(CUBLAS_OP_N, 5, 5, 2, 5) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(gemm(CUBLAS_OP_N, 5, 5, 3, 4) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(gemm(CUBLAS_OP_N, -1, 5, 3, 5) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, a, 1, b, 1, one, c, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasStrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 2, 4, one, a, 3, c, 2) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasCherk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 1, 1, one, nullptr, 1, one, nullptr, 1) == CUBLAS_STATUS_INVALID_VALUE);
    expect_same(c.host(), before, __LINE__);
}

template <class T>
void of_type(cublasHandle_t handle) {
    general<T>(handle);
    sums<T>(handle);
    mirrored<T>(handle, Blas<T>::symm, false);
    updates<T, T>(handle, Blas<T>::syrk, Blas<T>::syr2k, Blas<T>::syrkx, false);
    triangular<T>(handle);
}

int main(int count, char **) {
    keep_apart(count);
    in_all_modes([](cublasHandle_t handle) {
        of_type<float>(handle), of_type<double>(handle), of_type<cuComplex>(handle), of_type<cuDoubleComplex>(handle);
        mirrored<cuComplex>(handle, cublasChemm, true), mirrored<cuDoubleComplex>(handle, cublasZhemm, true);
        updates<cuComplex, float>(handle, cublasCherk, cublasCher2k, cublasCherkx, true);
        updates<cuDoubleComplex, double>(handle, cublasZherk, cublasZher2k, cublasZherkx, true);
        refused(handle);
    });
    return failed_expectations != 0;
}
