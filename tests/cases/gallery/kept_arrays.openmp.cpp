#include <array>
#include <vector>

float last(const float *values) { return values[3]; }

// sums(in, out, n, blockDim.x)
void sums(const float *in, float *out, int n, int threads)
{
    float stage[64];
    std::vector<std::array<float, 4>> mine(threads);
    for (int t = 0; t < threads; ++t) {
        memset(mine[t].data(), 0, sizeof(mine[t]));
    }
    for (int start = 0; start < n; start += 64) {
        for (int t = 0; t < threads; ++t) {
            stage[t] = in[start + t];
        }
        for (int t = 0; t < threads; ++t) {
            for (int k = 0; k < 4; k++) mine[t][k] += stage[(t + k) % 64];
        }
    }
    for (int t = 0; t < threads; ++t) {
        out[t] = last(mine[t].data()) + *mine[t].data() + ((float *)mine[t].data())[1] + mine[t][2];
    }
}

// products(a, b, c, n, blockDim.x)
void products(const float *a, const float *b, float *c, int n, int threads)
{
    float rows[16];
    float columns[16];
    std::vector<std::array<std::array<float, 2>, 2>> held(threads);
    std::vector<std::array<int, 3>> counts(threads);
    for (int t = 0; t < threads; ++t) {
        held[t] = {{{{0.0f, 0.0f}}, {{0.0f, 0.0f}}}};
        counts[t] = {{1, 2}};
    }
    for (int k = 0; k < n; k++) {
        for (int t = 0; t < threads; ++t) {
            rows[t] = a[k * 16 + t];
            columns[t] = b[k * 16 + t];
        }
        for (int t = 0; t < threads; ++t) {
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++) held[t][i][j] += rows[(t + i) % 16] * columns[(t + j) % 16];
            counts[t][2] += counts[t][0] + counts[t][1];
        }
    }
    for (int t = 0; t < threads; ++t) {
        for (int i = 0; i < 4; i++) c[4 * t + i] = held[t][i / 2][i % 2] + counts[t][2];
    }
}
