// run: => exit 0
// run: apart => exit 0
// run: SIMT_SEED=9 apart => exit 0
#include "blas.cuh"

#define DONE(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

// The addresses of matrices that lie one after the other, on the device.
template <class T>
struct Batch {
    Device<T *> addresses;

    Batch(T *first, int apart, int count) : addresses(of(first, apart, count)) {}
    operator T **() const { return addresses.data; }
    static std::vector<T *> of(T *first, int apart, int count) {
        std::vector<T *> all;
        for (int i = 0; i < count; ++i) all.push_back(first + i * apart);
        return all;
    }
};

template <class T>
void products(cublasHandle_t handle) {
    const int m = 3, n = 2, k = 4, count = 3;
    const auto a = numbers<T>(m * k * count, 1), b = numbers<T>(n * k * count, 2);
    auto c = numbers<T>(m * n * count, 3);
    const Device<T> left(a), right(b);
    Device<T> batched(c), strided(c), shared(c);
    const Factor<T> alpha(handle, Wide(1, -1)), beta(handle, 2);
    const Batch<T> lefts(left.data, m * k, count), rights(right.data, n * k, count), results(batched.data, m * n, count);
    DONE(Blas<T>::gemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_C, m, n, k, alpha, lefts, m, rights, n, beta, results, m, count));
    DONE(Blas<T>::gemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_C, m, n, k, alpha, left, m, m * k, right, n, n * k, beta, strided, m, m * n, count));
    DONE(Blas<T>::gemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_C, m, n, k, alpha, left, m, m * k, right, n, 0, beta, shared, m, m * n, count));
    for (const bool same : {false, true}) {
        auto expected = c;
        for (int g = 0; g < count; ++g)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i) {
                    Wide sum = 0;
                    for (int p = 0; p < k; ++p) sum += wide(a[g * m * k + i + p * m]) * std::conj(wide(b[(same ? 0 : g) * n * k + j + p * n]));
                    T &to = expected[g * m * n + i + j * m];
                    to = narrow<T>(alpha.wide() * sum + 2.0 * wide(to));
                }
        expect_same(same ? shared.host() : batched.host(), expected, __LINE__);
        if (!same) expect_same(strided.host(), expected, __LINE__);
    }
}

// Factors, solutions and inverses, by what they give back when multiplied.
template <class T>
void systems(cublasHandle_t handle) {
    const int n = 4, columns = 2, count = 3;
    auto a = numbers<T>(n * n * count, 1);
    for (int i = 0; i < n; ++i) a[i + i * n] = narrow<T>(0), a[i + (i + 1) % n * n] = narrow<T>(20);  // wants pivots
    for (int i = 0; i < n; ++i) a[n * n + i + i * n] = narrow<T>(Wide(15, 3));
    for (int i = 0; i < n; ++i) a[2 * n * n + i] = a[2 * n * n + n + i] = narrow<T>(0);  // singular
    const auto b = numbers<T>(n * columns * count, 2);
    Device<T> factors(a), solved(b), inverse(a), direct(a);
    const Device<T> original(a);
    const Device<int> pivots{std::vector<int>(n * count)}, info{std::vector<int>(count)};
    const Batch<T> all(factors.data, n * n, count), sides(solved.data, n * columns, count), inverses(inverse.data, n * n, count);
    const Batch<T> sources(original.data, n * n, count), directs(direct.data, n * n, count);
    const auto expect_info = [&] {
        const auto told = info.host();
        EXPECT(told[0] == 0 && told[1] == 0 && told[2] == 1);
    };
    DONE(Blas<T>::matinvBatched(handle, n, sources, n, directs, n, info, count));
    if (simt::deferring()) cudaDeviceSynchronize();
    expect_info();
    DONE(Blas<T>::getrfBatched(handle, n, all, n, pivots, info, count));
    cudaDeviceSynchronize();
    expect_info();
    EXPECT(pivots.host()[0] != 1);
    DONE(Blas<T>::getriBatched(handle, n, all, n, pivots, inverses, n, info, count));
    cudaDeviceSynchronize();
    expect_info();
    for (const auto operation : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
        int refused = 9;
        cudaDeviceSynchronize();
        cudaMemcpy(solved, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
        DONE(Blas<T>::getrsBatched(handle, operation, n, columns, all, n, pivots, sides, n, &refused, 2));
        EXPECT_EQUAL(0, refused, 0);
        cudaDeviceSynchronize();
        const auto x = solved.host(), y = inverse.host(), z = direct.host();
        for (int g = 0; g < 2; ++g)
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < columns; ++j) {
                    Wide sum = 0;
                    for (int p = 0; p < n; ++p)
                        sum += element(std::vector<T>(a.begin() + g * n * n, a.begin() + (g + 1) * n * n), n, operation, i, p) * wide(x[(g * columns + j) * n + p]);
                    EXPECT(std::abs(sum - wide(b[(g * columns + j) * n + i])) < 1e-4);
                }
                for (int j = 0; j < n; ++j) {
                    Wide one = 0, other = 0;
                    for (int p = 0; p < n; ++p) {
                        one += wide(a[g * n * n + i + p * n]) * wide(y[g * n * n + p + j * n]);
                        other += wide(a[g * n * n + i + p * n]) * wide(z[g * n * n + p + j * n]);
                    }
                    EXPECT(std::abs(one - Wide(i == j)) < 1e-5 && std::abs(other - Wide(i == j)) < 1e-5);
                }
            }
    }
    int refused = 0;
    EXPECT(Blas<T>::getrsBatched(handle, CUBLAS_OP_N, n, columns, all, n - 1, pivots, sides, n, &refused, 1) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT_EQUAL(0, refused, -5);
    const Factor<T> one(handle, 1);
    cudaMemcpy(solved, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
    DONE(Blas<T>::trsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, columns, one, all, n, sides, n, 2));
    cudaDeviceSynchronize();
    const auto x = solved.host(), l = factors.host();
    for (int i = 0; i < n; ++i) {
        Wide sum = wide(x[n * columns + i]);
        for (int p = 0; p < i; ++p) sum += wide(l[n * n + i + p * n]) * wide(x[n * columns + p]);
        EXPECT(std::abs(sum - wide(b[n * columns + i])) < 1e-4);
    }
}


// Types that are told by the call: sums grow in the wider one, and are rounded once.
template <class In, class Out, class Scale>
void told(cublasHandle_t handle, cudaDataType in, cudaDataType out, cublasComputeType_t computed) {
    const int n = 3, k = 40;
    std::vector<In> a, b;
    for (int i = 0; i < n * k; ++i) a.push_back(In(i % 13 - 6)), b.push_back(In(i % 7 + 30));
    const Device<In> left(a), right(b);
    Device<Out> one{std::vector<Out>(n * n, Out(1))}, batched(one.host()), strided(one.host());
    const Device<Scale> factors(std::vector<Scale>{Scale(2), Scale(3)});
    const Scale here[] = {Scale(2), Scale(3)};
    const Scale *alpha = takes_host_pointers(handle) ? here : factors.data, *beta = alpha + 1;
    DONE(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, k, alpha, left, in, n, right, in, n, beta, one, out, n, computed, CUBLAS_GEMM_DEFAULT));
    const Batch<In> lefts(left.data, 0, 1), rights(right.data, 0, 1);
    const Batch<Out> results(batched.data, 0, 1);
    DONE(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, k, alpha, reinterpret_cast<void **>(lefts.addresses.data), in, n, reinterpret_cast<void **>(rights.addresses.data), in, n, beta, reinterpret_cast<void **>(results.addresses.data), out, n, 1, computed, CUBLAS_GEMM_DEFAULT));
    DONE(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, k, alpha, left, in, n, 0, right, in, n, 0, beta, strided, out, n, 0, 1, computed, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    cudaDeviceSynchronize();
    const auto first = one.host(), second = batched.host(), third = strided.host();
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            for (int p = 0; p < k; ++p) sum += double(a[i + p * n]) * double(b[j + p * n]);
            const double expected = double(Out(2 * sum + 3));
            EXPECT_EQUAL(i, double(first[i + j * n]), expected);
            EXPECT_EQUAL(i, double(second[i + j * n]), expected);
            EXPECT_EQUAL(i, double(third[i + j * n]), expected);
        }
}

void small_types(cublasHandle_t handle) {
    told<__half, __half, float>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    told<__half, __half, __half>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
    told<__half, float, float>(handle, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    told<__nv_bfloat16, __nv_bfloat16, float>(handle, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
    told<__nv_bfloat16, float, float>(handle, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    told<std::int8_t, std::int32_t, std::int32_t>(handle, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    told<std::int8_t, float, float>(handle, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    told<float, float, float>(handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
    told<double, double, double>(handle, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
    const Device<__half> a({__half(2), __half(3)});
    Device<__half> c({__half(0)});
    const __half host[] = {__half(1), __half(0)};
    const Device<__half> there({host[0], host[1]});
    const __half *alpha = takes_host_pointers(handle) ? host : there.data;
    DONE(cublasHgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, alpha, a, 2, a, 2, alpha + 1, c, 1));
    DONE(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, alpha, a, CUDA_R_16F, 2, a, CUDA_R_16F, 2, alpha, c, CUDA_R_16F, 1, CUDA_R_16F, CUBLAS_GEMM_DFALT));
    EXPECT_EQUAL(0, float(c.host()[0]), 26);
    const auto mixed = [&](cudaDataType left, cudaDataType right, cudaDataType result, cublasComputeType_t computed) {
        return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, alpha, a, left, 1, a, right, 1, alpha, c, result, 1, computed, CUBLAS_GEMM_DEFAULT);
    };
    EXPECT(mixed(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(mixed(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(mixed(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F_FAST_16F) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(mixed(CUDA_R_8I, CUDA_R_8I, CUDA_R_8I, CUBLAS_COMPUTE_32I) == CUBLAS_STATUS_NOT_SUPPORTED);
}

void vectors(cublasHandle_t handle) {
    const Device<__half> x({__half(2), __half(3)});
    Device<__half> y({__half(10), __half(20)});
    const float two = 2;
    const Device<float> there({2});
    const float *factor = takes_host_pointers(handle) ? &two : there.data;
    DONE(cublasAxpyEx(handle, 2, factor, CUDA_R_32F, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, CUDA_R_32F));
    DONE(cublasScalEx(handle, 1, factor, CUDA_R_32F, y, CUDA_R_16F, 1, CUDA_R_32F));
    EXPECT(float(y.host()[0]) == 28 && float(y.host()[1]) == 26);
    Device<__half> results({__half(0), __half(0)});
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    DONE(cublasDotEx(handle, 2, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, results, CUDA_R_16F, CUDA_R_32F));
    DONE(cublasNrm2Ex(handle, 1, y, CUDA_R_16F, 1, results + 1, CUDA_R_16F, CUDA_R_32F));
    EXPECT(float(results.host()[0]) == 134 && float(results.host()[1]) == 28);
    EXPECT(cublasDotEx(handle, 2, x, CUDA_R_16F, 1, y, CUDA_R_32F, 1, results, CUDA_R_16F, CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(cublasScalEx(handle, 1, there, CUDA_R_32F, y, CUDA_R_16F, 1, CUDA_R_16F) == CUBLAS_STATUS_NOT_SUPPORTED);
    const Device<cuComplex> z({{3, 4}});
    const Device<float> length({0});
    DONE(cublasNrm2Ex(handle, 1, z, CUDA_C_32F, 1, length, CUDA_R_32F, CUDA_R_32F));
    EXPECT_EQUAL(0, length.host()[0], 5);
    Device<float> p({1}), q({2});
    const Device<float> turn({3, 4});
    DONE(cublasRotEx(handle, 1, p, CUDA_R_32F, 1, q, CUDA_R_32F, 1, turn, turn + 1, CUDA_R_32F, CUDA_R_32F));
    EXPECT(p.host()[0] == 11 && q.host()[0] == 2);
}

template <class T>
void of_type(cublasHandle_t handle) {
    products<T>(handle);
    systems<T>(handle);
}

int main(int count, char **) {
    keep_apart(count);
    in_all_modes([](cublasHandle_t handle) {
        of_type<float>(handle), of_type<double>(handle), of_type<cuComplex>(handle), of_type<cuDoubleComplex>(handle);
        small_types(handle);
        vectors(handle);
    });
    return failed_expectations != 0;
}
