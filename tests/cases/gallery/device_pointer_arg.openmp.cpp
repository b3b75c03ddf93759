#include <vector>

float local_mean(const float *tile, int i, int width)
{
    float sum = 0.0f;
    int count = 0;
    for (int k = i - 2; k <= i + 2; ++k)
        if (k >= 0 && k < width) {
            sum += tile[k];
            ++count;
        }
    return sum / count;
}

void load_row(float *tile, const float *row, int width, int t, int step)
{
    for (int i = t; i < width; i += step)
        tile[i] = row[i];
}

// smooth_rows(in, out, width, gridDim.x, blockDim.x, dynamicShared)
void smooth_rows(const float *in, float *out, int width, int blocks, int threads, size_t shared_bytes)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        std::vector<float> tile_storage(shared_bytes / sizeof(float));
        float *tile = tile_storage.data();
        const float *row = in + block * width;
        for (int t = 0; t < threads; ++t) {
            load_row(tile, row, width, t, threads);
        }
        for (int i = 0; i < width; ++i)
            out[block * width + i] = local_mean(tile, i, width);
    }
}
