#include <vector>

// rows(x, sums, most, n, gridDim.x, blockDim.x)
void rows(const float *x, float *sums, float *most, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float storage[THREADS];
        float temp_storage[THREADS];
        const float *row = x + (size_t)block * n;
        std::vector<float> sum(threads, 0);
        std::vector<float> largest(threads);
        for (int t = 0; t < threads; ++t) {
            largest[t] = row[0];
            for (int i = t; i < n; i += threads) {
                sum[t] += row[i];
                largest[t] = fmaxf(largest[t], row[i]);
            }

            temp_storage[t] = sum[t];
        }
        for (int k = 1; k < THREADS; ++k) temp_storage[0] = temp_storage[0] + temp_storage[k];
        for (int t = 0; t < threads; ++t) {
            sum[t] = temp_storage[0];
            storage[t] = largest[t];
        }
        for (int k = 1; k < THREADS; ++k) storage[0] = storage[k] > storage[0] ? storage[k] : storage[0];
        float all = storage[0];
        sums[block] = sum[0];
        most[block] = all;
    }
}

// least(x, result, n, gridDim.x, blockDim.x)
template <int SIZE>
void least(const int *x, int *result, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int storage[SIZE];
        int start = block * SIZE;
        int count = n - start < SIZE ? n - start : SIZE;
        for (int t = 0; t < threads; ++t) {
            int own = start + t < n ? x[start + t] : 0;

            storage[t] = own;
        }
        for (int k = 1; k < count; ++k) storage[0] = Smaller()(storage[0], storage[k]);
        int smallest = storage[0];
        result[block] = smallest;
    }
}

// offsets(counts, before, totals, n, gridDim.x, blockDim.x)
void offsets(const int *counts, int *before, int *totals, int n, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int storage[128];
        int total;
        std::vector<int> place(threads);
        for (int t = 0; t < threads; ++t) {
            int i = block * 128 + t;
            int count = i < n ? counts[i] : 0;

            storage[t] = count;
        }
        for (int k = 1; k < 128; ++k) storage[k] = storage[k - 1] + storage[k];
        for (int t = 0; t < threads; ++t) {
            place[t] = t == 0 ? 0 : storage[t - 1];
        }
        total = storage[128 - 1];
        for (int t = 0; t < threads; ++t) {
            int i = block * 128 + t;
            if (i < n) before[i] = place[t];
        }
        totals[block] = total;
    }
}
