// run: => exit 0
// run: SIMT_SEED=5 => exit 0
// run: SIMT_SEED=5 apart => exit 0
// "apart" keeps host and device memory apart, and lets work wait in its stream.
#include "expect.h"

#include <cufft.h>

#include <cmath>
#include <complex>
#include <vector>

typedef std::complex<double> Number;
typedef std::vector<Number> Numbers;

double value_at(std::size_t i) { return std::sin(static_cast<double>(i * i % 257) * 0.7) + 0.25 * (i % 3); }

Numbers numbers(std::size_t count, std::size_t first = 0) {
    Numbers made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = {value_at(2 * (first + i)), value_at(2 * (first + i) + 1)};
    return made;
}

// By its definition, along one dimension after another.
Numbers transformed(Numbers data, const std::vector<int> &lengths, int direction) {
    std::size_t stride = 1;
    for (std::size_t dimension = lengths.size(); dimension-- > 0;) {
        const std::size_t n = lengths[dimension];
        Numbers out(data.size());
        for (std::size_t at = 0; at < data.size(); ++at) {
            const std::size_t k = at / stride % n, first = at - k * stride;
            for (std::size_t j = 0; j < n; ++j) {
                const double angle = direction * 2.0 * M_PI * static_cast<double>(j * k % n) / static_cast<double>(n);
                out[at] += data[first + j * stride] * std::polar(1.0, angle);
            }
        }
        data = out;
        stride *= n;
    }
    return data;
}

template <class T>
struct Array {
    T *device = nullptr;
    explicit Array(const std::vector<T> &values) {
        cudaMalloc(&device, values.size() * sizeof(T));
        cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Array() { cudaFree(device); }
    std::vector<T> values(std::size_t count) const {
        std::vector<T> found(count);
        cudaMemcpy(found.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
        return found;
    }
};

template <class T>
std::vector<T> as(const Numbers &from) {
    std::vector<T> made;
    for (const Number &number : from) {
        T value;
        value.x = number.real(), value.y = number.imag();
        made.push_back(value);
    }
    return made;
}

template <class T>
bool close(T got, Number expected, double tolerance) {
    return std::abs(Number(got.x, got.y) - expected) < tolerance;
}

// ----------------------------------------------------------------------------------- one dimension

void lengths_of_all_kinds() {
    for (int n : {1, 2, 3, 4, 5, 6, 7, 12, 16, 31, 37, 60, 64, 74, 97, 105, 128, 211, 243}) {
        const Numbers data = numbers(n);
        Array<double2> in(as<double2>(data)), out(as<double2>(data));
        cufftHandle plan;
        EXPECT(cufftPlan1d(&plan, n, CUFFT_Z2Z, 1) == CUFFT_SUCCESS);
        for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
            EXPECT(cufftExecZ2Z(plan, in.device, out.device, direction) == CUFFT_SUCCESS);
            const Numbers expected = transformed(data, {n}, direction);
            const auto got = out.values(n);
            for (int i = 0; i < n; ++i) EXPECT(close(got[i], expected[i], 1e-11 * n));
        }
        EXPECT(cufftDestroy(plan) == CUFFT_SUCCESS);
    }
}

void there_and_back() {
    const int n = 4099, batches = 3;  // a prime
    const Numbers data = numbers(n * batches);
    Array<float2> array(as<float2>(data));
    cufftHandle plan;
    EXPECT(cufftPlan1d(&plan, n, CUFFT_C2C, batches) == CUFFT_SUCCESS);
    EXPECT(cufftExecC2C(plan, array.device, array.device, CUFFT_FORWARD) == CUFFT_SUCCESS);
    const Numbers second = transformed(Numbers(data.begin() + n, data.begin() + 2 * n), {n}, -1);
    const auto there = array.values(n * batches);
    for (int i = 0; i < n; ++i) EXPECT(close(there[n + i], second[i], 1e-3));
    EXPECT(cufftExecC2C(plan, array.device, array.device, CUFFT_INVERSE) == CUFFT_SUCCESS);
    const auto back = array.values(n * batches);
    for (int i = 0; i < n * batches; ++i) EXPECT(close(back[i], data[i] * Number(n), 1e-2));
    cufftDestroy(plan);
}

// ------------------------------------------------------------------------------- several dimensions

template <class Make>
void in_dimensions(const std::vector<int> &lengths, Make make) {
    std::size_t count = 1;
    for (int length : lengths) count *= length;
    const Numbers data = numbers(count);
    Array<float2> array(as<float2>(data));
    cufftHandle plan;
    EXPECT(make(&plan, CUFFT_C2C) == CUFFT_SUCCESS);
    EXPECT(cufftExecC2C(plan, array.device, array.device, CUFFT_FORWARD) == CUFFT_SUCCESS);
    const Numbers expected = transformed(data, lengths, -1);
    const auto got = array.values(count);
    for (std::size_t i = 0; i < count; ++i) EXPECT(close(got[i], expected[i], 1e-3));
    cufftDestroy(plan);

    // Real numbers: the half of the last dimension, out of place, then back in place.
    const std::size_t last = lengths.back(), half = last / 2 + 1, rows = count / last;
    std::vector<double> real(count), padded(rows * half * 2, 99.0);
    Numbers complex(count);
    for (std::size_t i = 0; i < count; ++i) {
        real[i] = value_at(i);
        complex[i] = real[i];
        padded[i / last * half * 2 + i % last] = real[i];
    }
    const Numbers spectrum = transformed(complex, lengths, -1);
    Array<double> in(real), in_place(padded);
    Array<double2> out(std::vector<double2>(rows * half));
    EXPECT(make(&plan, CUFFT_D2Z) == CUFFT_SUCCESS);
    auto *same = reinterpret_cast<cufftDoubleComplex *>(in_place.device);
    EXPECT(cufftExecD2Z(plan, in.device, out.device) == CUFFT_SUCCESS);
    EXPECT(cufftExecD2Z(plan, in_place.device, same) == CUFFT_SUCCESS);
    const auto apart = out.values(rows * half);
    const auto together = in_place.values(rows * half * 2);
    for (std::size_t i = 0; i < rows * half; ++i) {
        const Number wanted = spectrum[i / half * last + i % half];
        EXPECT(close(apart[i], wanted, 1e-9));
        EXPECT(together[2 * i] == apart[i].x && together[2 * i + 1] == apart[i].y);
    }
    cufftDestroy(plan);
    EXPECT(make(&plan, CUFFT_Z2D) == CUFFT_SUCCESS);
    EXPECT(cufftExecZ2D(plan, out.device, in.device) == CUFFT_SUCCESS);
    EXPECT(cufftExecZ2D(plan, same, in_place.device) == CUFFT_SUCCESS);
    const auto back = in.values(count), back_in_place = in_place.values(rows * half * 2);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT(std::fabs(back[i] - static_cast<double>(count) * real[i]) < 1e-9);
        EXPECT(back_in_place[i / last * half * 2 + i % last] == back[i]);
    }
    cufftDestroy(plan);
}

void dimensions() {
    in_dimensions({12}, [](cufftHandle *plan, cufftType type) { return cufftPlan1d(plan, 12, type, 1); });
    in_dimensions({15}, [](cufftHandle *plan, cufftType type) { return cufftPlan1d(plan, 15, type, 1); });
    in_dimensions({6, 10}, [](cufftHandle *plan, cufftType type) { return cufftPlan2d(plan, 6, 10, type); });
    in_dimensions({37, 5}, [](cufftHandle *plan, cufftType type) { return cufftPlan2d(plan, 37, 5, type); });
    in_dimensions({3, 4, 7}, [](cufftHandle *plan, cufftType type) { return cufftPlan3d(plan, 3, 4, 7, type); });
    in_dimensions({5, 2, 8}, [](cufftHandle *plan, cufftType type) {
        std::size_t size = 0, known = 0;
        EXPECT(cufftCreate(plan) == CUFFT_SUCCESS);
        const cufftResult result = cufftMakePlan3d(*plan, 5, 2, 8, type, &size);
        EXPECT(cufftGetSize(*plan, &known) == CUFFT_SUCCESS && known == size);
        return result;
    });
}

// ------------------------------------------------------------------------------------------ layouts

// The columns of a matrix: numbers stand a row apart, batches beside each other.
void columns() {
    int n = 9, columns = 5;
    const Numbers data = numbers(n * columns);
    Array<float2> in(as<float2>(data)), out(as<float2>(numbers(n * columns)));
    cufftHandle plan;
    EXPECT(cufftPlanMany(&plan, 1, &n, &n, columns, 1, &n, 1, n, CUFFT_C2C, columns) == CUFFT_SUCCESS);
    EXPECT(cufftExecC2C(plan, in.device, out.device, CUFFT_FORWARD) == CUFFT_SUCCESS);
    const auto got = out.values(n * columns);
    for (int column = 0; column < columns; ++column) {
        Numbers one;
        for (int i = 0; i < n; ++i) one.push_back(data[i * columns + column]);
        const Numbers expected = transformed(one, {n}, -1);
        for (int i = 0; i < n; ++i) EXPECT(close(got[column * n + i], expected[i], 1e-4));
    }
    cufftDestroy(plan);
}

// Parts of larger arrays, two batches; what lies between stays.
void embedded() {
    int lengths[] = {3, 4}, in_embedding[] = {3, 6}, out_embedding[] = {4, 5};
    const int in_distance = 40, out_distance = 21, batches = 2;
    std::vector<float> real(in_distance * batches);
    for (std::size_t i = 0; i < real.size(); ++i) real[i] = value_at(i);
    Array<float> in(real);
    Array<float2> out(std::vector<float2>(out_distance * batches, float2{7, 7}));
    cufftHandle plan;
    EXPECT(cufftPlanMany(&plan, 2, lengths, in_embedding, 2, in_distance, out_embedding, 1, out_distance, CUFFT_R2C,
                         batches) == CUFFT_SUCCESS);
    EXPECT(cufftExecR2C(plan, in.device, out.device) == CUFFT_SUCCESS);
    const auto got = out.values(out_distance * batches);
    std::vector<bool> written(got.size());
    for (int batch = 0; batch < batches; ++batch) {
        Numbers one;
        for (int i = 0; i < 12; ++i) one.push_back(real[batch * in_distance + (i / 4 * 6 + i % 4) * 2]);
        const Numbers expected = transformed(one, {3, 4}, -1);
        for (int row = 0; row < 3; ++row)
            for (int k = 0; k < 3; ++k) {
                const int at = batch * out_distance + row * 5 + k;
                written[at] = true;
                EXPECT(close(got[at], expected[row * 4 + k], 1e-4));
            }
    }
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT(written[i] || (got[i].x == 7 && got[i].y == 7));
    cufftDestroy(plan);
}

void batches_in_place() {
    int n = 6;
    const int batches = 2, row = 2 * (6 / 2 + 1);
    std::vector<float> padded(row * batches);
    for (std::size_t i = 0; i < padded.size(); ++i) padded[i] = value_at(i);
    Array<float> array(padded);
    cufftHandle plan;
    EXPECT(cufftPlanMany(&plan, 1, &n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, batches) == CUFFT_SUCCESS);
    EXPECT(cufftExecR2C(plan, array.device, reinterpret_cast<cufftComplex *>(array.device)) == CUFFT_SUCCESS);
    const auto got = array.values(row * batches);
    for (int batch = 0; batch < batches; ++batch) {
        const Numbers one(padded.begin() + batch * row, padded.begin() + batch * row + n);
        const Numbers expected = transformed(one, {n}, -1);
        for (int k = 0; k <= n / 2; ++k) {
            const float2 number = {got[batch * row + 2 * k], got[batch * row + 2 * k + 1]};
            EXPECT(close(number, expected[k], 1e-4));
        }
    }
    cufftDestroy(plan);
}

// ---------------------------------------------------------------------------------- streams and errors

__global__ void fill(float2 *data, unsigned n) {
    if (threadIdx.x < n) data[threadIdx.x] = make_float2(threadIdx.x == 1, 0);
}

__global__ void add_one(float2 *data) { data[0].x += 1; }

void in_stream_order() {
    const int n = 8;
    Array<float2> array(as<float2>(numbers(n)));
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    EXPECT(cufftSetStream(plan, stream) == CUFFT_SUCCESS);
    fill<<<1, 32, 0, stream>>>(array.device, n);
    EXPECT(cufftExecC2C(plan, array.device, array.device, CUFFT_FORWARD) == CUFFT_SUCCESS);
    add_one<<<1, 1, 0, stream>>>(array.device);
    EXPECT(cufftDestroy(plan) == CUFFT_SUCCESS);
    cudaStreamSynchronize(stream);
    const auto got = array.values(n);
    for (int k = 0; k < n; ++k) EXPECT(close(got[k], std::polar(1.0, -2.0 * M_PI * k / n) + (k == 0 ? 1.0 : 0.0), 1e-6));
    cudaStreamDestroy(stream);
}

void refusals() {
    Array<float2> array(as<float2>(numbers(8)));
    cufftHandle plan, empty;
    EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    EXPECT(cufftPlan1d(&plan, 8, static_cast<cufftType>(1), 1) == CUFFT_INVALID_TYPE);
    EXPECT(cufftCreate(&empty) == CUFFT_SUCCESS);
    EXPECT(cufftExecC2C(empty, array.device, array.device, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    EXPECT(cufftPlan1d(&plan, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS);
    EXPECT(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_PLAN);
    EXPECT(cufftExecC2C(plan, array.device, array.device, 0) == CUFFT_INVALID_VALUE);
    EXPECT(cufftExecC2R(plan, array.device, &array.device->x) == CUFFT_INVALID_TYPE);
    EXPECT(cufftExecC2C(plan, nullptr, array.device, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
    EXPECT(cufftDestroy(plan) == CUFFT_SUCCESS);
    EXPECT(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
}

int main(int count, char **) {
    simt::isolation.wanted = count > 1;
    lengths_of_all_kinds();
    there_and_back();
    dimensions();
    columns();
    embedded();
    batches_in_place();
    in_stream_order();
    refusals();
    return failed_expectations;
}
