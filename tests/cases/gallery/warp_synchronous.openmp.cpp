#include <cassert>
#include <vector>

// sums(in, out, gridDim.x, blockDim.x)
void sums(const float *in, float *out, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float shared[BLOCK];
        for (unsigned int thread = 0; thread < threads; ++thread) {
            shared[thread] = in[block * BLOCK + thread];
        }
        for (unsigned int thread = 0; thread < threads; ++thread) {
            if (thread < 64) shared[thread] += shared[thread + 64];
        }
        for (int warp = 0; warp < threads / 32; ++warp) {
            if (warp == 0) {
                if (BLOCK >= 64) {
                    for (int lane = 0; lane < 32; ++lane) {
                        unsigned int thread = warp * 32 + lane;
                        shared[thread] += shared[thread + 32];
                    }
                }
                if (BLOCK >= 32) {
                    for (int lane = 0; lane < 32; ++lane) {
                        unsigned int thread = warp * 32 + lane;
                        shared[thread] += shared[thread + 16];
                    }
                }
                if (BLOCK >= 16) {
                    for (int lane = 0; lane < 32; ++lane) {
                        unsigned int thread = warp * 32 + lane;
                        shared[thread] += shared[thread + 8];
                    }
                }
                if (BLOCK >= 8) {
                    for (int lane = 0; lane < 32; ++lane) {
                        unsigned int thread = warp * 32 + lane;
                        shared[thread] += shared[thread + 4];
                    }
                }
                if (BLOCK >= 4) {
                    for (int lane = 0; lane < 32; ++lane) {
                        unsigned int thread = warp * 32 + lane;
                        shared[thread] += shared[thread + 2];
                    }
                }
                if (BLOCK >= 2) {
                    for (int lane = 0; lane < 32; ++lane) {
                        unsigned int thread = warp * 32 + lane;
                        shared[thread] += shared[thread + 1];
                    }
                }
            }
        }
        out[block] = shared[0];
    }
}

// scans(in, out, n, gridDim.x, blockDim.x)
void scans(const int *in, int *out, int n, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int shared[BLOCK];
        for (int warp = 0; warp < threads / 32; ++warp) {
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * BLOCK + t;
                shared[t] = i < n ? in[i] : 0;
            }
            int lane_value[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 1) lane_value[lane] = shared[t - 1] + shared[t];
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 1) shared[t] = lane_value[lane];
            }
            int lane_value2[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 2) lane_value2[lane] = shared[t - 2] + shared[t];
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 2) shared[t] = lane_value2[lane];
            }
            int lane_value3[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 4) lane_value3[lane] = shared[t - 4] + shared[t];
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 4) shared[t] = lane_value3[lane];
            }
            int lane_value4[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 8) lane_value4[lane] = shared[t - 8] + shared[t];
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 8) shared[t] = lane_value4[lane];
            }
            int lane_value5[32];
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 16) lane_value5[lane] = shared[t - 16] + shared[t];
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (lane >= 16) shared[t] = lane_value5[lane];
            }
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                const int i = block * BLOCK + t;
                int scanned = shared[t];
                if (i < n) out[i] = scanned;
            }
        }
    }
}

// lows(in, out, gridDim.x, blockDim.x)
void lows(const float *in, float *out, int blocks, int threads)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float low[32];
        std::vector<float> mine(threads);
        for (int thread = 0; thread < threads; ++thread) {
            mine[thread] = in[block * 32 + thread];
            low[thread] = mine[thread];
        }

        for (int warp = 0; warp < threads / 32; ++warp) {
            for (int lane = 0; lane < 32; ++lane) {
                int thread = warp * 32 + lane;
                if (thread < 16) { mine[thread] = fminf(mine[thread], low[thread + 16]); low[thread] = mine[thread]; }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int thread = warp * 32 + lane;
                if (thread < 16) { mine[thread] = fminf(mine[thread], low[thread + 8]); low[thread] = mine[thread]; }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int thread = warp * 32 + lane;
                if (thread < 16) { mine[thread] = fminf(mine[thread], low[thread + 4]); low[thread] = mine[thread]; }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int thread = warp * 32 + lane;
                if (thread < 16) { mine[thread] = fminf(mine[thread], low[thread + 2]); low[thread] = mine[thread]; }
            }
            for (int lane = 0; lane < 32; ++lane) {
                int thread = warp * 32 + lane;
                if (thread < 16) { mine[thread] = fminf(mine[thread], low[thread + 1]); low[thread] = mine[thread]; }
            }
        }
        out[block] = low[0];
    }
}
