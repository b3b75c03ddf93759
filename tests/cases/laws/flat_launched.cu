// Guards by a product of sizes, with the launches of the program.
#include <cuda_runtime.h>
#define THREADS 256

__global__ void mean_shift(float *x, const float *mean, int batch, int filters, int spatial)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= batch * filters * spatial) return;
    int f = (index / spatial) % filters;
    x[index] = x[index] - mean[f];
}

__global__ void pairwise(const float *points, float *distances, int count, int dimensions)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    int total = count * count;
    if (index < total) {
        int i = index / count;
        int j = index % count;
        float sum = 0.0f;
        for (int d = 0; d < dimensions; d++) {
            float difference = points[i * dimensions + d] - points[j * dimensions + d];
            sum += difference * difference;
        }
        distances[index] = sum;
    }
}

__global__ void row_sums(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = 0; c < columns; c++) sum += in[row * columns + c];
    out[row] = sum;
}

void run(float *a, float *b, float *c, int n, int filters, int w, int h)
{
    int size = n * filters * w * h;
    mean_shift<<<(size + THREADS - 1) / THREADS, THREADS>>>(a, b, n, filters, w * h);
    dim3 grid((n * n + 127) / 128);
    pairwise<<<grid, 128>>>(a, c, n, filters);
    row_sums<<<(h + THREADS - 1) / THREADS, THREADS>>>(a, b, h, w);
}
