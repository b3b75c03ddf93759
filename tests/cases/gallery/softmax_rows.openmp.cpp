#include <vector>

// softmax_kernel(input, output, rows, cols, gridDim.x, blockDim.x, dynamicShared)
template <typename scalar_t>
void softmax_kernel(const scalar_t *__restrict__ input, scalar_t *__restrict__ output, int rows, int cols,
                    int blocks, int threads, size_t shared_bytes)
{
    #pragma omp parallel for
    for (int row = 0; row < blocks; ++row) {
        if (row >= rows) continue;
        std::vector<float> buffer(shared_bytes / sizeof(float));
        const scalar_t *x = input + (size_t)row * cols;
        scalar_t *y = output + (size_t)row * cols;

        std::vector<float> maximum(threads, -FLT_MAX);
        for (int t = 0; t < threads; ++t) {
            for (int c = t; c < cols; c += threads) maximum[t] = fmaxf(maximum[t], x[c]);
            buffer[t] = maximum[t];
        }
        for (int half = threads / 2; half > 0; half /= 2) {
            for (int t = 0; t < half; ++t) {
                buffer[t] = fmaxf(buffer[t], buffer[t + half]);
            }
        }
        for (int t = 0; t < threads; ++t) {
            maximum[t] = buffer[0];
        }

        for (int t = 0; t < threads; ++t) {
            float sum = 0.0f;
            for (int c = t; c < cols; c += threads) {
                const float e = expf(x[c] - maximum[t]);
                y[c] = e;
                sum += e;
            }
            buffer[t] = sum;
        }
        for (int half = threads / 2; half > 0; half /= 2) {
            for (int t = 0; t < half; ++t) {
                buffer[t] += buffer[t + half];
            }
        }
        const float total = buffer[0];
        for (int c = 0; c < cols; ++c) y[c] /= total;
    }
}
