// run: lanes => abort deadlock in kernel wait_apart, block \(0,0,0\): thread \(0,0,0\) waits at __shfl_down_sync .*thread \(16,0,0\) at __syncthreads
// run: masks => abort deadlock in kernel other_masks, block \(0,0,0\): thread .* at __ballot_sync
// run: outside => abort __shfl_sync in kernel not_in_mask, block \(2,0,0\), thread \(7,1,0\): the calling lane 15 is not in its mask 0xff
// run: width => abort __shfl_xor_sync with width 12 in kernel odd_width
// run: empty => abort __syncwarp with an empty mask in kernel no_lane
// run: pointer => abort cudaLaunchKernel of a kernel whose type is not known
// run: spin => abort polls by atomicCAS for ever
// run: nested => abort kernel inner launched from within kernel outer
// run: host => abort __syncthreads outside of a kernel
#include <cstring>

__global__ void wait_apart(int *out) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = __shfl_down_sync(0xffffffff, 1, 1);
    } else {
        __syncthreads();
    }
}
__global__ void other_masks(unsigned *out) { out[threadIdx.x] = __ballot_sync(threadIdx.x < 16 ? 0xffffffffu : 0xfffffff0u, 1); }
__global__ void not_in_mask(int *out) {
    if (blockIdx.x == 2 && threadIdx.x == 7 && threadIdx.y == 1) *out = __shfl_sync(0xff, 1, 0);
}
__global__ void odd_width(int *out) { *out = __shfl_xor_sync(0xffffffff, 1, 1, 12); }
__global__ void no_lane() { __syncwarp(threadIdx.x / 64); }
__global__ void takes_lock(int *lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
}
__global__ void inner() {}
__global__ void outer() { inner<<<1, 1>>>(); }

int main(int, char **arguments) {
    const auto asked = [&](const char *name) { return std::strcmp(arguments[1], name) == 0; };
    int *memory = nullptr;
    cudaMalloc(&memory, 4096);
    cudaMemset(memory, 0, 4096);
    if (asked("lanes")) wait_apart<<<1, 32>>>(memory);
    if (asked("masks")) other_masks<<<1, 32>>>(reinterpret_cast<unsigned *>(memory));
    if (asked("outside")) not_in_mask<<<3, dim3(8, 4)>>>(memory);
    if (asked("width")) odd_width<<<1, 32>>>(memory);
    if (asked("empty")) no_lane<<<1, 32>>>();
    void *packed[] = {&memory};
    void *untyped = reinterpret_cast<void *>(takes_lock);
    if (asked("pointer")) cudaLaunchKernel(untyped, dim3(1), dim3(1), packed);
    if (asked("spin")) takes_lock<<<1, 2>>>(memory);
    if (asked("nested")) outer<<<1, 1>>>();
    if (asked("host")) __syncthreads();
    return 0;
}
