#include <array>
#include <cstdlib>
#include <vector>

template <int COUNT>
inline double mean(const double *x)
{
    double sum, count;
    sum = 0;
    count = COUNT;
    for (int k = 0; k < COUNT; ++k) sum += x[k];
    return sum / count;
}

// tiles(in, out, gridDim.x, blockDim.x)
void tiles(const double *in, double *out, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        alignas(16) double tile[64];
        alignas(8) double other[64];
        std::vector<std::array<double, 2>> own(threads);
        std::vector<std::array<double, 2>> pair(threads);
        for (int t = 0; t < threads; ++t) {
            int i = block * 64 + t;
            tile[t] = in[i];
            other[63 - t] = in[i];
        }
        for (int t = 0; t < threads; ++t) {
            int i = block * 64 + t;
            pair[t][0] = own[t][0] = tile[63 - t];
            pair[t][1] = own[t][1] = other[63 - t];
            out[i] = mean<2>(pair[t].data()) + own[t][0];
        }
    }
}

// sized(in, out, gridDim.x, blockDim.x, dynamicShared)
void sized(const double *in, double *out, int blocks, int threads, size_t shared_bytes)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        std::vector<unsigned char> bytes_storage(shared_bytes);
        unsigned char *bytes = bytes_storage.data();
        double *tile = reinterpret_cast<double *>(bytes);
        for (int t = 0; t < threads; ++t) {
            int i = block * threads + t;
            tile[t] = in[i];
        }
        for (int t = 0; t < threads; ++t) {
            int i = block * threads + t;
            out[i] = tile[threads - 1 - t];
        }
    }
}

// integers(in, out, x, y, n)
void integers(const int *in, unsigned *out, const double *x, double *y, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        out[i] = (unsigned)((unsigned)4 + std::llabs((long long)in[i] - 3)) + (unsigned)(1u + std::llabs((long long)7u - out[i])) + (unsigned long long)(((unsigned __int128)(unsigned long long)in[i] * 3ull) >> 64);
        out[i] ^= __brev(in[i]) + __funnelshift_l(in[i], in[i], 7);
        y[i] = __hiloint2double(__double2hiint(x[i]), __double2loint(x[i]) + __double2int_rd(x[i]));
    }
}
