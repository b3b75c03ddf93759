// run: => exit 0
// run: apart => exit 0
// run: SIMT_SEED=9 apart => exit 0
#include "blas.cuh"

#define DONE(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

// Where a result goes: memory of the side that the pointer mode names.
template <class T>
struct Result {
    Device<T> there{std::vector<T>(1)};
    T here = {};
    bool by_host;

    explicit Result(cublasHandle_t handle) : by_host(takes_host_pointers(handle)) {}
    operator T *() { return by_host ? &here : there.data; }
    T value() const { return by_host ? here : there.host()[0]; }
};

template <class T>
void updates(cublasHandle_t handle) {
    for (const int n : {0, 1, 9})
        for (const int incx : {1, 3, -2})
            for (const int incy : {1, -1, 2}) {
                const auto x = numbers<T>(room(n, incx), 1), y = numbers<T>(room(n, incy), 2);
                Device<T> left(x), right(y);
                const Factor<T> alpha(handle, Wide(3, -2));
                auto sum = y;
                for (int i = 0; i < n; ++i) {
                    T &to = sum[place(i, n, incy)];
                    to = narrow<T>(alpha.wide() * wide(x[place(i, n, incx)]) + wide(to));
                }
                DONE(Blas<T>::axpy(handle, n, alpha, left, incx, right, incy));
                expect_same(right.host(), sum, __LINE__);

                auto swapped = x;
                for (int i = 0; i < n; ++i) std::swap(swapped[place(i, n, incx)], sum[place(i, n, incy)]);
                DONE(Blas<T>::swap(handle, n, left, incx, right, incy));
                expect_same(left.host(), swapped, __LINE__);
                expect_same(right.host(), sum, __LINE__);

                for (int i = 0; i < n; ++i) sum[place(i, n, incy)] = swapped[place(i, n, incx)];
                DONE(Blas<T>::copy(handle, n, left, incx, right, incy));
                expect_same(right.host(), sum, __LINE__);

                for (int i = 0; incx > 0 && i < n; ++i) swapped[i * incx] = narrow<T>(alpha.wide() * wide(swapped[i * incx]));
                DONE(Blas<T>::scal(handle, n, alpha, left, incx));
                expect_same(left.host(), swapped, __LINE__);
            }
}

template <class T, class Dot>
void products(cublasHandle_t handle, Dot dot, bool conjugated) {
    for (const int n : {0, 1, 10}) {
        const auto x = numbers<T>(room(n, 2), 3), y = numbers<T>(room(n, -1), 4);
        const Device<T> left(x), right(y);
        Wide expected = 0;
        for (int i = 0; i < n; ++i) {
            const Wide first = wide(x[place(i, n, 2)]);
            expected += (conjugated ? std::conj(first) : first) * wide(y[place(i, n, -1)]);
        }
        Result<T> result(handle);
        DONE(dot(handle, n, left, 2, right, -1, result));
        EXPECT(wide(result.value()) == expected);
    }
}

template <class T, class Norm, class Sum>
void reductions(cublasHandle_t handle, Norm norm, Sum sum) {
    using Real = typename Blas<T>::Real;
    for (const int n : {0, 1, 12}) {
        auto x = numbers<T>(room(n, 2), 5);
        if (n > 7) x[6] = x[10] = narrow<T>(Wide(-20, 1)), x[4] = x[8] = narrow<T>(0);
        const Device<T> vector(x);
        double squares = 0, sizes = 0;
        for (int i = 0; i < n; ++i) {
            squares += std::norm(wide(x[2 * i]));
            sizes += std::abs(wide(x[2 * i]).real()) + std::abs(wide(x[2 * i]).imag());
        }
        Result<Real> length(handle), total(handle);
        Result<int> largest(handle), least(handle), none(handle);
        DONE(norm(handle, n, vector, 2, length));
        DONE(sum(handle, n, vector, 2, total));
        DONE(Blas<T>::amax(handle, n, vector, 2, largest));
        DONE(Blas<T>::amin(handle, n, vector, 2, least));
        DONE(Blas<T>::amax(handle, n, vector, -2, none));
        EXPECT(std::abs(length.value() - std::sqrt(squares)) <= 1e-6 * std::sqrt(squares));
        EXPECT(total.value() == sizes);
        EXPECT_EQUAL(n, largest.value(), n > 7 ? 4 : n);
        EXPECT_EQUAL(n, least.value(), n > 7 ? 3 : n);
        EXPECT_EQUAL(n, none.value(), 0);
    }
}

void extremes(cublasHandle_t handle) {
    const Device<float> large({3e30f, 4e30f}), small({3e-30f, -4e-30f}), infinite({INFINITY, 1, -INFINITY});
    Result<float> length(handle);
    DONE(cublasSnrm2(handle, 2, large, 1, length));
    EXPECT(std::fabs(length.value() / 5e30f - 1) < 1e-6f);
    DONE(cublasSnrm2(handle, 2, small, 1, length));
    EXPECT(std::fabs(length.value() / 5e-30f - 1) < 1e-6f);
    DONE(cublasSnrm2(handle, 3, infinite, 1, length));
    EXPECT(std::isinf(length.value()));
    Result<std::int64_t> position(handle);
    DONE(cublasIsamax_64(handle, 2, large, 1, position));
    EXPECT(position.value() == 2);
}

// A rotation takes b to 0, and vectors to what it says of each pair.
void rotations(cublasHandle_t handle) {
    const Factor<double> c(handle, 3), s(handle, -2);
    const Factor<cuDoubleComplex> complex_s(handle, Wide(1, 2));
    const auto x = numbers<double>(5, 1), y = numbers<double>(5, 2);
    Device<double> left(x), right(y);
    auto first = x, second = y;
    for (int i = 0; i < 5; ++i) first[i] = 3 * x[i] - 2 * y[4 - i], second[4 - i] = 3 * y[4 - i] + 2 * x[i];
    DONE(cublasDrot(handle, 5, left, 1, right, -1, c, s));
    expect_same(left.host(), first, __LINE__);
    expect_same(right.host(), second, __LINE__);

    Device<cuDoubleComplex> one({{1, 2}}), other({{3, -1}});
    DONE(cublasZrot(handle, 1, one, 1, other, 1, c, complex_s));
    const Wide a(1, 2), b(3, -1), z(1, 2);
    EXPECT(wide(one.host()[0]) == 3.0 * a + z * b);
    EXPECT(wide(other.host()[0]) == 3.0 * b - std::conj(z) * a);

    DONE(cublasZdscal(handle, 1, c, one, 1));
    EXPECT(wide(one.host()[0]) == 9.0 * a + 3.0 * z * b);

    Result<cuDoubleComplex> length(handle), zeroed(handle), across(handle);
    Result<double> along(handle);
    length.here = narrow<cuDoubleComplex>(a), zeroed.here = narrow<cuDoubleComplex>(b);
    cudaMemcpy(length.there, &length.here, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(zeroed.there, &zeroed.here, sizeof b, cudaMemcpyHostToDevice);
    DONE(cublasZrotg(handle, length, zeroed, along, across));
    EXPECT(std::abs(along.value() * a + wide(across.value()) * b - wide(length.value())) < 1e-14);
    EXPECT(std::abs(along.value() * b - std::conj(wide(across.value())) * a) < 1e-14);

    for (const auto &[p, q] : {std::pair(3.0, 4.0), std::pair(-4.0, 3.0), std::pair(0.0, 2.0), std::pair(2.0, 0.0), std::pair(0.0, 0.0)}) {
        Result<double> r(handle), z_(handle), cosine(handle), sine(handle);
        r.here = p, z_.here = q;
        cudaMemcpy(r.there, &p, sizeof p, cudaMemcpyHostToDevice), cudaMemcpy(z_.there, &q, sizeof q, cudaMemcpyHostToDevice);
        DONE(cublasDrotg(handle, r, z_, cosine, sine));
        EXPECT(std::fabs(cosine.value() * p + sine.value() * q - r.value()) < 1e-14);
        EXPECT(std::fabs(cosine.value() * q - sine.value() * p) < 1e-14);
        EXPECT(std::fabs(std::hypot(cosine.value(), sine.value()) - 1) < 1e-14);
    }
}

// Scalars are read when the call is made, or when the work is done; a result by host pointer is there at once.
__global__ void write(float *to, float value) { *to = value; }

void order(cublasHandle_t handle) {
    cudaStream_t stream = nullptr;
    DONE(cublasGetStream(handle, &stream));
    const bool by_host = takes_host_pointers(handle);
    const Device<float> x({1, 2}), y({0, 0}), factor({0});
    Result<float> sum(handle);
    write<<<1, 1, 0, stream>>>(factor, 5);
    float alpha = 5;
    DONE(cublasSaxpy(handle, 2, by_host ? &alpha : factor.data, x, 1, y, 1));
    alpha = 7;
    write<<<1, 1, 0, stream>>>(factor, 7);
    write<<<1, 1, 0, stream>>>(x, 100);
    DONE(cublasSasum(handle, 2, y, 1, sum));
    if (!by_host) cudaStreamSynchronize(stream);
    EXPECT_EQUAL(0, sum.value(), 15);
    if (simt::deferring()) {
        write<<<1, 1, 0, stream>>>(y, 1);
        EXPECT(simt::stream_of(stream).first != nullptr);  // it waits
        DONE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
        alpha = 2;
        DONE(cublasSscal(handle, 2, &alpha, y, 1));
        EXPECT(simt::stream_of(stream).first != nullptr);
        DONE(cublasSetPointerMode(handle, by_host ? CUBLAS_POINTER_MODE_HOST : CUBLAS_POINTER_MODE_DEVICE));
        cudaStreamSynchronize(stream);
        EXPECT_EQUAL(1, y.host()[0], 2);
    }
}

void transfers() {
    const auto x = numbers<double>(20, 1);
    std::vector<double> back(20, -1), expected(20, -1);
    const Device<double> there(std::vector<double>(20, 9));
    DONE(cublasSetVector(5, sizeof(double), x.data(), 3, there, 2));
    DONE(cublasGetVector(5, sizeof(double), there, 2, back.data(), 4));
    for (int i = 0; i < 5; ++i) expected[4 * i] = x[3 * i];
    expect_same(back, expected, __LINE__);
    EXPECT(there.host()[1] == 9);
    DONE(cublasSetMatrix(3, 4, sizeof(double), x.data(), 5, there, 4));
    DONE(cublasGetMatrix(3, 4, sizeof(double), there, 4, back.data(), 3));
    for (int i = 0; i < 12; ++i) EXPECT(back[i] == x[i % 3 + i / 3 * 5]);
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    DONE(cublasSetVectorAsync(4, sizeof(double), x.data(), 1, there, 1, stream));
    DONE(cublasSetMatrixAsync(2, 2, sizeof(double), x.data() + 4, 2, there + 4, 3, stream));
    DONE(cublasGetVectorAsync(2, sizeof(double), there, 2, back.data(), 1, stream));
    DONE(cublasGetMatrixAsync(2, 2, sizeof(double), there + 4, 3, back.data() + 2, 2, stream));
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    EXPECT(back[0] == x[0] && back[1] == x[2]);
    for (int i = 0; i < 4; ++i) EXPECT(back[2 + i] == x[4 + i]);
    EXPECT(cublasSetVector(3, 0, x.data(), 1, there, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetVector(3, 8, x.data(), 0, there, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetMatrix(3, 4, 8, x.data(), 2, there, 4) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSetVector(22, 8, x.data(), 1, there, 1) == CUBLAS_STATUS_MAPPING_ERROR);
    cudaGetLastError();
}

void handles() {
    cublasHandle_t handle = nullptr;
    int version = 0;
    float one = 1;
    EXPECT(cublasSscal(handle, 1, &one, nullptr, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
    DONE(cublasCreate_v2(&handle));
    DONE(cublasGetVersion(handle, &version));
    EXPECT(version == CUBLAS_VERSION && version >= 120000);
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    DONE(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    DONE(cublasGetMathMode(handle, &math));
    EXPECT(math == CUBLAS_TF32_TENSOR_OP_MATH);
    const Device<float> workspace({0});
    DONE(cublasSetWorkspace(handle, workspace, 4));
    EXPECT(cublasSetWorkspace(handle, workspace + 1, 4) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSscal(handle, 1, nullptr, workspace, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(std::strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE") == 0);
    EXPECT(cublasGetStatusString(CUBLAS_STATUS_SUCCESS) != nullptr);
    DONE(cublasDestroy(handle));
}

int main(int count, char **) {
    keep_apart(count);
    in_all_modes([](cublasHandle_t handle) {
        updates<float>(handle), updates<double>(handle), updates<cuComplex>(handle), updates<cuDoubleComplex>(handle);
        products<float>(handle, cublasSdot, false), products<double>(handle, cublasDdot, false);
        products<cuComplex>(handle, cublasCdotu, false), products<cuDoubleComplex>(handle, cublasZdotc, true);
        reductions<float>(handle, cublasSnrm2, cublasSasum), reductions<double>(handle, cublasDnrm2, cublasDasum);
        reductions<cuComplex>(handle, cublasScnrm2, cublasScasum);
        reductions<cuDoubleComplex>(handle, cublasDznrm2, cublasDzasum);
        extremes(handle);
        rotations(handle);
        order(handle);
    });
    transfers();
    handles();
    return failed_expectations != 0;
}
