// run: => exit 0
// run: SIMT_SEED=9 => exit 0
#include "expect.h"

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#ifndef ON_DEVICE  // Newer releases do not have these any more.
struct Sum : thrust::binary_function<int, int, long> {
    long operator()(int one, int other) const { return one + other; }
};
static_assert(sizeof(Sum::result_type) == sizeof(long) && sizeof(Sum::first_argument_type) == sizeof(int));
struct Negated : thrust::unary_function<int, long> {};
static_assert(sizeof(Negated::argument_type) == sizeof(int) && sizeof(Negated::result_type) == sizeof(long));
#endif

#ifdef ON_DEVICE  // Newer releases have these elsewhere.
#include <cuda/functional>
namespace cub {
using Max = cuda::maximum<>;
using Min = cuda::minimum<>;
}  // namespace cub
#endif

__global__ void of_a_block(const int *in, int *out) {
    typedef cub::BlockReduce<int, 96> Reduction;
    typedef cub::BlockScan<int, 96> Scan;
    typedef cub::WarpReduce<int, 16> Warps;
    __shared__ typename Reduction::TempStorage reduction;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Warps::TempStorage warps;
    const int t = static_cast<int>(threadIdx.x), value = in[t];
    int before = 0, until = 0, total = 0;
    Scan(scan).ExclusiveSum(value, before, total);
    __syncthreads();
    Scan(scan).InclusiveScan(value, until, cub::Max());
    const int sum = Reduction(reduction).Sum(value);
    __syncthreads();
    const int least = Reduction(reduction).Reduce(value, cub::Min(), 50);
    const int part = Warps(warps).Sum(value);
    out[t] = before;
    out[96 + t] = until;
    if (t == 0) out[192] = sum, out[193] = least;
    if (t == 5) out[194] = total;
    if (t == 32) out[195] = part;
    if (t == 33) out[196] = part;  // not promised to this lane
}

int value_at(int i) { return (i * 37 + 11) % 101 - 20; }

void blocks() {
    Buffer<int> in(96), out(197);
    for (int i = 0; i < 96; ++i) in.set(i, value_at(i));
    of_a_block<<<1, 96>>>(in.device, out.device);
    int sum = 0, largest = -1000, least = 1000, part = 0;
    for (int i = 0; i < 96; ++i) {
        EXPECT_EQUAL(i, out[i], sum);
        sum += value_at(i);
        if (value_at(i) > largest) largest = value_at(i);
        if (i < 50 && value_at(i) < least) least = value_at(i);
        if (i >= 32 && i < 48) part += value_at(i);
        EXPECT_EQUAL(i, out[96 + i], largest);
    }
    const int expected[] = {sum, least, sum, part};
    for (int i = 0; i < 4; ++i) EXPECT_EQUAL(i, out[192 + i], expected[i]);
#ifndef ON_DEVICE
    EXPECT_EQUAL(4, out[196], static_cast<int>(simt::poison_byte() * 0x01010101u));
#endif
}

template <class Run>
void in_two_phases(Run run) {
    void *storage = nullptr;
    std::size_t bytes = 0;
    EXPECT(run(storage, bytes) == cudaSuccess && bytes > 0);
    cudaMalloc(&storage, bytes);
    EXPECT(run(storage, bytes) == cudaSuccess);
    cudaFree(storage);
}

void whole_arrays() {
    const int n = 500;
    Buffer<int> in(n), out(n), payload(n), moved(n);
    for (int i = 0; i < n; ++i) in.set(i, value_at(i)), payload.set(i, i);
    in_two_phases([&](void *s, std::size_t &b) { return cub::DeviceReduce::Sum(s, b, in.device, out.device, n); });
    in_two_phases([&](void *s, std::size_t &b) { return cub::DeviceReduce::Max(s, b, in.device, out.device + 1, n); });
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += value_at(i);
    EXPECT_EQUAL(0, out[0], sum);
    EXPECT_EQUAL(1, out[1], 80);
    Buffer<cub::KeyValuePair<int, int>> places(3);
    in_two_phases([&](void *s, std::size_t &b) { return cub::DeviceReduce::ArgMax(s, b, in.device, places.device, n); });
    in_two_phases([&](void *s, std::size_t &b) { return cub::DeviceReduce::ArgMin(s, b, in.device, places.device + 1, n); });
    in_two_phases([&](void *s, std::size_t &b) { return cub::DeviceReduce::ArgMin(s, b, in.device, places.device + 2, 0); });
    EXPECT_EQUAL(0, places[0].value, 80);
    int first_of_most = 0, first_of_least = 0;
    for (int i = n - 1; i >= 0; --i) {
        if (value_at(i) == 80) first_of_most = i;
        if (value_at(i) == places[1].value) first_of_least = i;
        EXPECT(value_at(i) >= places[1].value);
    }
    EXPECT_EQUAL(1, places[0].key, first_of_most);
    EXPECT_EQUAL(2, places[1].key, first_of_least);
    EXPECT_EQUAL(3, places[2].key, 1);
    in_two_phases([&](void *s, std::size_t &b) { return cub::DeviceScan::ExclusiveSum(s, b, in.device, out.device, n); });
    EXPECT_EQUAL(499, out[499], sum - value_at(499));
    in_two_phases([&](void *s, std::size_t &b) {
        return cub::DeviceRadixSort::SortPairs(s, b, in.device, out.device, payload.device, moved.device, n);
    });
    for (int i = 1; i < n; ++i) {
        EXPECT(out[i - 1] < out[i] || (out[i - 1] == out[i] && moved[i - 1] < moved[i]));
        EXPECT_EQUAL(i, value_at(moved[i]), out[i]);
    }
    in_two_phases([&](void *s, std::size_t &b) { return cub::DeviceRadixSort::SortKeys(s, b, in.device, out.device, n, 0, 2); });
    for (int i = 1; i < n; ++i) EXPECT((out[i - 1] & 3) <= (out[i] & 3));
}

struct Greater {
    __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};
struct Positive {
    __host__ __device__ bool operator()(int x) const { return x > 0; }
};

void sorted_by_comparison() {
    const int n = 300;
    Buffer<int> keys(n), items(n);
    for (int i = 0; i < n; ++i) keys.set(i, value_at(i)), items.set(i, i);
    in_two_phases([&](void *s, std::size_t &b) {
        return cub::DeviceMergeSort::StableSortPairs(s, b, keys.device, items.device, n, Greater());
    });
    for (int i = 1; i < n; ++i) {
        EXPECT(keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && items[i - 1] < items[i]));
        EXPECT_EQUAL(i, value_at(items[i]), keys[i]);
    }
}

void chosen_and_counted() {
    const int n = 9, values[n] = {3, 3, -1, 7, 7, 7, 0, 3, -1}, flags[n] = {1, 0, 0, 1, 0, 1, 1, 0, 0};
    Buffer<int> in(n), flag(n), out(n), lengths(n), count(1), ends(4), bins(3);
    for (int i = 0; i < n; ++i) in.set(i, values[i]), flag.set(i, flags[i]);
    in_two_phases([&](void *s, std::size_t &b) {
        return cub::DevicePartition::Flagged(s, b, in.device, flag.device, out.device, count.device, n);
    });
    const int parted[n] = {3, 7, 7, 0, -1, 3, 7, -1, 3};
    EXPECT_EQUAL(0, count[0], 4);
    for (int i = 0; i < n; ++i) EXPECT_EQUAL(i, out[i], parted[i]);
    in_two_phases([&](void *s, std::size_t &b) {
        return cub::DeviceSelect::If(s, b, in.device, out.device, count.device, n, Positive());
    });
    EXPECT_EQUAL(1, count[0], 6);
    EXPECT_EQUAL(5, out[5], 3);
    in_two_phases([&](void *s, std::size_t &b) {
        return cub::DeviceRunLengthEncode::Encode(s, b, in.device, out.device, lengths.device, count.device, n);
    });
    const int runs[] = {3, -1, 7, 0, 3, -1}, times[] = {2, 1, 3, 1, 1, 1};
    EXPECT_EQUAL(2, count[0], 6);
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQUAL(i, out[i], runs[i]);
        EXPECT_EQUAL(i, lengths[i], times[i]);
    }
    for (int i = 0; i < 4; ++i) ends.set(i, 3 * i);
    in_two_phases([&](void *s, std::size_t &b) {
        return cub::DeviceSegmentedReduce::Sum(s, b, in.device, out.device, 3, ends.device, ends.device + 1);
    });
    EXPECT_EQUAL(0, out[0], 5);
    EXPECT_EQUAL(2, out[2], 2);
    in_two_phases([&](void *s, std::size_t &b) {
        return cub::DeviceHistogram::HistogramEven(s, b, in.device, bins.device, 4, -1, 8, n);
    });
    const int counts[] = {3, 3, 3};
    for (int i = 0; i < 3; ++i) EXPECT_EQUAL(i, bins[i], counts[i]);
}

struct Square {
    __host__ __device__ double operator()(double x) const { return x * x; }
};

void vectors() {
    thrust::device_vector<int> numbers(10);
    thrust::sequence(numbers.begin(), numbers.end(), 1);
    EXPECT_EQUAL(0, thrust::reduce(thrust::device, numbers.begin(), numbers.end()), 55);
    EXPECT_EQUAL(1, thrust::reduce(numbers.begin(), numbers.end(), 1, thrust::multiplies<int>()), 3628800);
    thrust::device_vector<int> scanned(10);
    thrust::exclusive_scan(numbers.begin(), numbers.end(), scanned.begin());
    EXPECT_EQUAL(9, scanned[9], 45);
    thrust::inclusive_scan(numbers.begin(), numbers.end(), scanned.begin());
    EXPECT_EQUAL(9, scanned[9], 55);
    EXPECT_EQUAL(0, thrust::transform_reduce(numbers.begin(), numbers.end(), Square(), 0.0, thrust::plus<double>()), 385.0);
    thrust::sort(numbers.begin(), numbers.end(), thrust::greater<int>());
    EXPECT_EQUAL(0, numbers[0], 10);
    EXPECT_EQUAL(0, thrust::distance(numbers.begin(), thrust::min_element(thrust::device, numbers.begin(), numbers.end())), 9);
    const int *raw = thrust::raw_pointer_cast(numbers.data());
    int first = 0;
    EXPECT(cudaMemcpy(&first, raw, sizeof first, cudaMemcpyDeviceToHost) == cudaSuccess && first == 10);
    thrust::host_vector<int> copy = numbers;
    thrust::device_vector<int> again = copy;
    const thrust::device_vector<long long> wide = copy, wider = again;
    EXPECT(wide.size() == copy.size() && wider.size() == copy.size());
    EXPECT(wide[1] == copy[1] && wider[1] == copy[1]);
    thrust::sort_by_key(again.begin(), again.end(), scanned.begin());
    EXPECT_EQUAL(0, scanned[0], 55);
    EXPECT_EQUAL(0, again[0], 1);
}

int main() {
    blocks();
    whole_arrays();
    sorted_by_comparison();
    chosen_and_counted();
    vectors();
    return failed_expectations != 0;
}
