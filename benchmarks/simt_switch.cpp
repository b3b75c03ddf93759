// Nanoseconds for a switch between CUDA threads: barriers of a block, shuffles of a warp, and threads without
// either, which are the iterations of a loop.
#include <chrono>
#include <cstdio>

__global__ void barriers(int rounds) {
    for (int i = 0; i < rounds; ++i) __syncthreads();
}
__global__ void shuffles(int rounds, int *out) {
    int value = static_cast<int>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = __shfl_xor_sync(0xffffffff, value, 1);
    if (value < 0) *out = value;
}
__global__ void nothing(int *out) {
    if (out != nullptr) *out = static_cast<int>(threadIdx.x);
}

template <class Run>
double nanoseconds(double switches, Run run) {
    double best = 1e30;
    for (int repeat = 0; repeat < 7; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        run();
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
        if (spent.count() / switches < best) best = spent.count() / switches;
    }
    return best;
}

int main() {
    const int rounds = 400;
    for (unsigned threads : {32u, 128u, 256u, 1024u}) {
        const double switches = 1.0 * rounds * threads;
        std::printf("threads %4u:", threads);
        std::printf("  barrier %5.1f ns", nanoseconds(switches, [&] { simt::launch("barriers", {1, threads}, barriers, rounds); }));
        std::printf("  shuffle %5.1f ns", nanoseconds(switches, [&] { simt::launch("shuffles", {1, threads}, shuffles, rounds, nullptr); }));
        std::printf("  loop %4.1f ns\n", nanoseconds(switches, [&] { simt::launch("nothing", {rounds, threads}, nothing, nullptr); }));
    }
}
