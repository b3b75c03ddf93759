#include <cmath>

// saxpy(n, a, x, y)
void saxpy(int n, float a, const float *x, float *y)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        y[i] = a * x[i] + y[i];
    }
}

// clamp_pixels(image, width, height, lo, hi)
void clamp_pixels(float *image, int width, int height, float lo, float hi)
{
    #pragma omp parallel for collapse(2)
    for (int row = 0; row < height; ++row)
        for (int col = 0; col < width; ++col) {
            const int at = row * width + col;
            image[at] = fminf(fmaxf(image[at], lo), hi);  // stays in [lo, hi]
        }
}

// decay(x, n, rate)
void decay(double *x, size_t n, double rate)
{
    // grid-stride loop
    #pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
    {
        x[i] *= std::exp(-rate * (double)i);
    }
}

// iota(out, gridDim.x * blockDim.x)
void iota(int *out, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        out[i] = (int)i;
    }
}

// count_above(x, n, limit, count)
void count_above(const float *x, int n, float limit, unsigned int *count)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        if (x[i] > limit) {
            #pragma omp atomic
            *count += 1u;
        }
    }
}
