// run: => exit 0
// run: SIMT_SEED=1 => exit 0
// run: SIMT_SEED=987654321 => exit 0
#include "expect.h"

__global__ void by_width(int *out, int kind, int argument, int width) {
    const int lane = threadIdx.x % 32, value = 1000 + threadIdx.x;
    int got = -1;
    if (kind == 0) got = __shfl_sync(0xffffffff, value, argument, width);
    if (kind == 1) got = __shfl_up_sync(0xffffffff, value, argument, width);
    if (kind == 2) got = __shfl_down_sync(0xffffffff, value, argument, width);
    if (kind == 3) got = __shfl_xor_sync(0xffffffff, value, argument, width);
    out[threadIdx.x] = got + 0 * lane;
}

// What the PTX manual says of shfl, with the maximal lane of a segment and a predicate.
int expected_lane(int lane, int kind, int argument, int width) {
    argument &= 31;  // bval[4:0] = b[4:0]
    const int first = lane / width * width, last = first + width - 1;
    if (kind == 0) return first + ((argument % width) + width) % width;
    if (kind == 1) return lane - argument >= first ? lane - argument : lane;
    if (kind == 2) return lane + argument <= last ? lane + argument : lane;
    return (lane ^ argument) <= last ? (lane ^ argument) : lane;
}

// Shuffles back to back: each has to give the values of its own moment.
__global__ void chain(int *out) {
    int value = threadIdx.x;
    for (int step = 0; step < 40; ++step) value = __shfl_sync(0xffffffff, value, (threadIdx.x + 1) % 32) + 1;
    out[threadIdx.x] = value;
}

__global__ void halves_of_a_warp(int *out) {
    const int lane = threadIdx.x;
    int value = lane;
    if (lane < 16) {
        for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(0x0000ffff, value, step, 16);
    } else {
        for (int step = 8; step > 0; step /= 2) value += __shfl_xor_sync(0xffff0000, value, step, 16);
    }
    out[lane] = value;
}

__global__ void after_exits(unsigned *out, int n) {
    if (static_cast<int>(threadIdx.x) >= n) return;
    const unsigned value = 7;
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, value, 1);
}

template <class T>
__global__ void of_type(T *out) {
    const T value = static_cast<T>(threadIdx.x) + static_cast<T>(1) / static_cast<T>(2);
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, value, 1);
}

__global__ void warp_sums(float *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? 1.0f : 0.0f;
    for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, sum);
}

#ifndef ON_DEVICE  // Shuffles without a mask are gone there.
__global__ void without_mask(int *out) {
    int value = threadIdx.x;
    if (threadIdx.x % 2 == 0) value = __shfl(value, 4);  // only the even lanes are converged here
    out[threadIdx.x] = value;
}
#endif

int main() {
    Buffer<int> ints(64);
    const int widths[] = {32, 16, 8, 4, 2, 1}, arguments[] = {0, 1, 3, 5, 7, 8, 15, 16, 31, 32, 33, 75, -1, -3};
    for (int kind = 0; kind < 4; ++kind) {
        for (int width : widths) {
            for (int argument : arguments) {
                by_width<<<1, 64>>>(ints.device, kind, argument, width);
                for (int t = 0; t < 64; t += 5) {
                    EXPECT_EQUAL(t, ints[t], 1000 + t / 32 * 32 + expected_lane(t % 32, kind, argument, width));
                }
            }
        }
    }
    chain<<<1, 32>>>(ints.device);
    for (int t = 0; t < 32; ++t) EXPECT_EQUAL(t, ints[t], (t + 40) % 32 + 40);
    halves_of_a_warp<<<1, 32>>>(ints.device);
    EXPECT_EQUAL(0, ints[0], 120);
    for (int t = 16; t < 32; ++t) EXPECT_EQUAL(t, ints[t], 376);

    Buffer<unsigned> words(32);
    words.clear();
    after_exits<<<1, 32>>>(words.device, 20);
    EXPECT_EQUAL(18, words[18], 7u);
#ifndef ON_DEVICE
    EXPECT_EQUAL(19, words[19], simt::poison_byte() * 0x01010101u);  // read from a lane that has exited: poison
#endif
    EXPECT_EQUAL(20, words[20], 0u);

    Buffer<double> doubles(32);
    of_type<double><<<1, 32>>>(doubles.device);
    EXPECT_EQUAL(3, doubles[3], 2.5);
    Buffer<long long> longs(32);
    of_type<long long><<<1, 32>>>(longs.device);
    EXPECT_EQUAL(30, longs[30], 31);

    Buffer<float> sum(1);
    sum.clear();
    warp_sums<<<3, 96>>>(sum.device, 201);
    EXPECT_EQUAL(0, sum[0], 201.0f);

#ifndef ON_DEVICE
    without_mask<<<1, 32>>>(ints.device);
    for (int t = 0; t < 32; ++t) EXPECT_EQUAL(t, ints[t], t % 2 == 0 ? 4 : t);
#endif
    return failed_expectations != 0;
}
