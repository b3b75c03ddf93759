#include <algorithm>
#include <cmath>

// cell_mean(weight, value, cells, mean)
void cell_mean(const float *weight, const float *value, int cells, float *mean) {
    #pragma omp parallel for
    for (int cell = 0; cell < cells; ++cell) {
        float sum = 0.0f, least = INFINITY;
        bool done = false;
        for (int corner = 0; corner < CORNERS; ++corner) {
            if (weight[cell * CORNERS + corner] == 0.0f) {
                done = true;
                break;
            }  // nobody saw it
            sum += value[cell * CORNERS + corner];
            least = std::min(least, value[cell * CORNERS + corner]);
        }
        if (done) continue;
        mean[cell] = sum / CORNERS - least;
    }
}

// first_above(rows, count, width, limit, found)
void first_above(const float *rows, int count, int width, float limit, int *found) {
    #pragma omp parallel for
    for (int row = 0; row < count; ++row) {
        bool done = false;
        for (int tile = 0; tile < width; tile += 4) {
            for (int k = tile; k < tile + 4 && k < width; ++k) {
                if (rows[row * width + k] > limit) {
                    found[row] = k;
                    done = true;
                    break;
                }
            }
            if (done) break;
        }
        if (done) continue;
        found[row] = -1;
    }
}

// until_negative(x, n, y, gridDim.x * blockDim.x)
void until_negative(const float *x, int n, float *y, int threads) {
    #pragma omp parallel for
    for (int index = 0; index < threads; ++index) {
        for (int i = index; i < n; i += threads) {
            if (x[i] < 0.0f) break;
            y[i] = x[i] * 2.0f;
        }
    }
}
