// run: => exit 0
// run: SIMT_SEED=5 => exit 0
#include "expect.h"

__global__ void reduce(const float *in, float *out, int n) {
    __shared__ float partial[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
        if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void reversed(int *data, int n) {
    extern __shared__ int staged[];
    const int t = threadIdx.x;
    if (t < n) staged[t] = data[t];
    __syncthreads();
    if (t < n) data[t] = staged[n - 1 - t];
}

// Every block has to find its shared memory poisoned, whatever the last one left there.
__global__ void poison(unsigned *out) {
    __shared__ unsigned fixed[4];
    extern __shared__ unsigned flexible[];
    if (threadIdx.x == 0) out[blockIdx.x] = fixed[1] & flexible[2];
    __syncthreads();
    fixed[threadIdx.x] = flexible[threadIdx.x] = 0;
}

__global__ void predicates(int *out) {
    const int count = __syncthreads_count(threadIdx.x % 3 == 0);
    const int any = __syncthreads_or(threadIdx.x == 77), none = __syncthreads_or(threadIdx.x == 1000);
    const int all = __syncthreads_and(threadIdx.x < 100), not_all = __syncthreads_and(threadIdx.x != 99);
    if (threadIdx.x == 5) out[0] = count, out[1] = any, out[2] = none, out[3] = all, out[4] = not_all;
}

// Threads that have exited are not waited for.
__global__ void early(int *out, int n) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (static_cast<int>(threadIdx.x) >= n) return;
    atomicAdd(&sum, 1);
    __syncthreads();
    out[threadIdx.x] = sum;
}

__global__ void shape(int *out) {
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

__device__ int spun(volatile int *flag) {
    int turns = 0;
    while (atomicAdd(const_cast<int *>(flag), 0) == 0) ++turns;
    return turns;
}

// The first thread polls for what the last one writes.
__global__ void handed_on(int *out) {
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = spun(&flag) > 0 ? 1 : 2;
    if (threadIdx.x == 63) atomicExch(&flag, 1);
}

__global__ void locked(int *lock, int *counter) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *counter += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

int main() {
    const int n = 1000;
    Buffer<float> in(n), out(4);
    for (int i = 0; i < n; ++i) in.set(i, static_cast<float>(i % 7));
    reduce<<<4, 256>>>(in.device, out.device, n);
    float sum = 0, expected = 0;
    for (int b = 0; b < 4; ++b) sum += out[b];
    for (int i = 0; i < n; ++i) expected += static_cast<float>(i % 7);
    EXPECT_EQUAL(0, sum, expected);

    Buffer<int> ints(1000);
    for (int i = 0; i < 500; ++i) ints.set(i, i);
    reversed<<<1, 512, 500 * sizeof(int)>>>(ints.device, 500);
    for (int i = 0; i < 500; ++i) EXPECT_EQUAL(i, ints[i], 499 - i);

    Buffer<unsigned> words(5);
    poison<<<5, 4, 16>>>(words.device);
#ifndef ON_DEVICE
    for (int b = 0; b < 5; ++b) EXPECT_EQUAL(b, words[b], simt::poison_byte() * 0x01010101u);
#endif

    predicates<<<1, 100>>>(ints.device);
    const int votes[] = {34, 1, 0, 1, 0};
    for (int i = 0; i < 5; ++i) EXPECT_EQUAL(i, ints[i], votes[i]);

    early<<<1, 128>>>(ints.device, 100);
    for (int i = 0; i < 100; ++i) EXPECT_EQUAL(i, ints[i], 100);

    shape<<<dim3(2, 3, 2), dim3(3, 4, 5)>>>(ints.device);
    for (int i = 0; i < 720; ++i) EXPECT_EQUAL(i, ints[i], i / 60 * 1000 + i % 60);

    handed_on<<<1, 64>>>(ints.device);
    EXPECT(ints[0] == 1 || ints[0] == 2);
    ints.clear();
    locked<<<3, 64>>>(ints.device, ints.device + 1);
    EXPECT_EQUAL(1, ints[1], 192);
    return failed_expectations != 0;
}
