#include <cassert>

// offsets(in, out, n, gridDim.x, blockDim.x)
void offsets(const unsigned *in, unsigned *out, int n, int blocks, int threads)
{
    assert(threads % 32 == 0);
    assert(threads == 128);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        unsigned held[256];
        for (int warp = 0; warp < threads / 32; ++warp) {
            unsigned own[32];
            unsigned before[32];
            unsigned result[32];
            int place[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                own[lane] = i < n ? in[i] : 0;
                place[lane] = 2 * t - lane;
                held[place[lane]] = 0;
                place[lane] += 32;
                held[place[lane]] = own[lane];
            }
            if (5 == 0) {
                for (int lane = 0; lane < 32; ++lane) {
                    result[lane] = 0;
                }
            } else {
                for (int step = 1; step < (1 << 5); step *= 2) {
                    unsigned before[32];
                    for (int lane = 0; lane < 32; ++lane) {
                        before[lane] = held[place[lane] - step];
                    }
                    for (int lane = 0; lane < 32; ++lane) {
                        held[place[lane]] += before[lane];
                    }
                }
                for (int lane = 0; lane < 32; ++lane) {
                    if (5 < 5) {
                        result[lane] = held[place[lane]] - own[lane];
                    } else {
                        result[lane] = held[place[lane]];
                    }
                }
            }
            for (int lane = 0; lane < 32; ++lane) {
                before[lane] = result[lane];
            }
            unsigned result_2[32];
            int place_2[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                place_2[lane] = 2 * t - lane;
                held[place_2[lane]] = 0;
                place_2[lane] += 32;
                held[place_2[lane]] = own[lane];
            }
            if (2 == 0) {
                for (int lane = 0; lane < 32; ++lane) {
                    result_2[lane] = 0;
                }
            } else {
                for (int step = 1; step < (1 << 2); step *= 2) {
                    unsigned before[32];
                    for (int lane = 0; lane < 32; ++lane) {
                        before[lane] = held[place_2[lane] - step];
                    }
                    for (int lane = 0; lane < 32; ++lane) {
                        held[place_2[lane]] += before[lane];
                    }
                }
                for (int lane = 0; lane < 32; ++lane) {
                    if (2 < 5) {
                        result_2[lane] = held[place_2[lane]] - own[lane];
                    } else {
                        result_2[lane] = held[place_2[lane]];
                    }
                }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * threads + t;
                unsigned few = result_2[lane];
                if (i < n) out[i] = before[lane] * 1000 + few;
            }
        }
    }
}

// sums(in, out, mode, n, gridDim.x, blockDim.x)
void sums(const int *in, int *out, int mode, int n, int blocks, int threads)
{
    assert(threads == 128);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int held[128];
        int value[128];
        int result_2[128];
        for (int t = 0; t < threads; ++t) {
            const int i = block * threads + t;
            value[t] = i < n ? in[i] : 0;
        }
        if (mode == 0) {
            for (int t = 0; t < threads; ++t) {
                result_2[t] = value[t];
            }
        } else {
            for (int t = 0; t < threads; ++t) {
                held[t] = value[t];
            }
            for (int half = 64; half > 0; half /= 2) {
                for (int t = 0; t < threads; ++t) {
                    if (t < half) held[t] += held[t + half];
                }
            }
            for (int t = 0; t < threads; ++t) {
                if (mode == 1) {
                    result_2[t] = held[0];
                } else {
                    result_2[t] = held[0] - value[t];
                }
            }
        }
        for (int t = 0; t < threads; ++t) {
            const int i = block * threads + t;
            int result = result_2[t];
            if (i < n) out[i] = result;
        }
    }
}
