#include <cassert>
#include <vector>

// warp_sums(input, output, n, gridDim.x, blockDim.x, dynamicShared)
template <typename T>
void warp_sums(const T *input, T *output, const size_t n, int blocks, int threads, size_t shared_bytes)
{
    assert(threads % 32 == 0);
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        std::vector<T> part(shared_bytes / sizeof(T));
        std::vector<T> var(threads);
        for (int warp = 0; warp < threads / 32; ++warp) {
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                unsigned int i = threads * block + t;
                var[t] = {i < n ? input[i] : 0};
            }
            for (unsigned int j = 32 / 2; j > 0; j /= 2) {
                for (int lane = 0; lane < 32; ++lane) {
                    int t = warp * 32 + lane;
                    var[t] += lane + j < 32 ? var[t + j] : var[t];
                }
            }
            part[warp] = var[warp * 32];
        }
        for (int warp = 0; warp < threads / 32; ++warp) {
            for (int lane = 0; lane < 32; ++lane) {
                int t = warp * 32 + lane;
                if (t < threads / 32) var[t] = part[t];
                else if (t < 32) var[t] = 0;
            }
            if (warp == 0) {
                for (unsigned int j = 32 / 2; j > 0; j /= 2) {
                    for (int lane = 0; lane < 32; ++lane) {
                        int t = warp * 32 + lane;
                        var[t] += lane + j < 32 ? var[t + j] : var[t];
                    }
                }
            }
        }
        #pragma omp atomic
        *output += var[0];
    }
}

// bins(data, size, width, histogram, gridDim.x, blockDim.x, dynamicShared)
void bins(const float *data, const size_t size, const size_t width, unsigned int *histogram,
          int blocks, int threads, size_t shared_bytes)
{
    #pragma omp parallel for
    for (long long block = 0; block < blocks; ++block) {
        std::vector<unsigned int> own(shared_bytes / sizeof(unsigned int));
        for (size_t j = 0; j < width; ++j) own[j] = 0u;
        for (int t = 0; t < threads; ++t) {
            size_t i = block * threads + t;
            if (i < size) {
                int value = rintf(data[i]);
                if (value >= 0 && value < (int)width) own[value] += 1;
            }
        }
        for (size_t j = 0; j < width; ++j) {
            unsigned int count = own[j];
            if (count > 0) {
                #pragma omp atomic
                histogram[j] += count;
            }
        }
    }
}

// sums(x, y, n, gridDim.x, blockDim.x)
template <typename T>
void sums(const T *x, T *y, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        T part[256];
        T all;
        for (int t = 0; t < threads; ++t) {
            int i = block * threads + t;
            T value = i < n ? x[i] : T(0);

            part[t] = value;
        }
        for (int half = threads / 2; half > 0; half /= 2) {
            for (int t = 0; t < half; ++t) {
                part[t] += part[t + half];
            }
        }
        all = part[0];
        y[block] = all;
    }
}

// mirrored(m, sums, n, gridDim.x, blockDim.x)
void mirrored(const float *m, float *sums, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        typedef double wide;
        using index = unsigned int;
        wide part[64];
        std::vector<wide> x(threads);
        for (int t = 0; t < threads; ++t) {
            index i = block * threads + t;
            x[t] = i < n ? m[i] : 0;
            part[t] = x[t];
        }
        static_assert(sizeof(wide) == 8, "wide");
        using other = wide;
        for (int t = 0; t < threads; ++t) {
            index i = block * threads + t;
            other y = part[63 - t];
            if (i < n) sums[i] = (float)(x[t] + y);
        }
    }
}
