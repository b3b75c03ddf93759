#include <cassert>

// pack_odd(in, packed, counts, n, gridDim.x, blockDim.x)
void pack_odd(const int *in, int *packed, int *counts, int n, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < threads / 32; ++warp) {
            int odd_numbers[32] = {};
            {
                int v[32];
                for (int lane = 0; lane < 32; ++lane) {
                    int t = warp * 32 + lane;
                    v[lane] = block * threads + t;
                }
                while (true) {
                    int vote = 0;
                    for (int lane = 0; lane < 32; ++lane) {
                        if (v[lane] < n) vote = 1;
                    }
                    if (!vote) break;
                    bool odd[32] = {};
                    for (int lane = 0; lane < 32; ++lane) {
                        if (v[lane] < n) odd[lane] = in[v[lane]] & 1;
                    }
                    unsigned votes = 0;
                    for (int lane = 0; lane < 32; ++lane) {
                        if (odd[lane]) votes |= 1u << lane;
                    }
                    for (int lane = 0; lane < 32; ++lane) {
                        odd_numbers[lane] += __builtin_popcount(votes);
                        if (odd[lane]) packed[v[lane] - lane + __builtin_popcount(votes & ((1u << lane) - 1))] = in[v[lane]];
                        v[lane] += blocks * threads;
                    }
                }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                counts[block * threads + t] = odd_numbers[lane];
            }
        }
    }
}

// halved(in, rounds, limit, n, gridDim.x, blockDim.x)
void halved(const int *in, int *rounds, int limit, int n, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < threads / 32; ++warp) {
            int value[32];
            int turns[32] = {};
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                value[lane] = i < n ? in[i] & 0xffff : 0;
            }
            while (true) {
                int vote = 1;
                for (int lane = 0; lane < 32; ++lane) {
                    if (!(value[lane] <= (limit & 0xff))) vote = 0;
                }
                if (vote) break;
                for (int lane = 0; lane < 32; ++lane) {
                    if (value[lane] > (limit & 0xff)) turns[lane]++;
                    value[lane] /= 2;
                }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                if (i < n) rounds[i] = turns[lane];
            }
        }
    }
}

// tasted(in, sums, n, gridDim.x, blockDim.x)
void tasted(const int *in, int *sums, int n, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < threads / 32; ++warp) {
            int turn = 0;
            int sum[32] = {};
            bool again[32];
            while (true) {
                for (int lane = 0; lane < 32; ++lane) {
                    int t = warp * 32 + lane;
                    const int i = block * threads + t;
                    const int next = i + turn * 32;
                    again[lane] = next < n && in[next] > 0;
                    if (again[lane]) sum[lane] += in[next];
                }
                ++turn;
                if (!(turn < 4)) break;
                int vote = 0;
                for (int lane = 0; lane < 32; ++lane) {
                    if (again[lane]) vote = 1;
                }
                if (!vote) break;
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                if (i < n) sums[i] = sum[lane];
            }
        }
    }
}
