// Guards by a product of sizes over launches of one axis.
#include <cuda_runtime.h>

__global__ void add_bias(float *out, const float *bias, int rows, int columns)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= rows * columns) return;
    int column = index % columns;
    out[index] += bias[column];
}

__global__ void scale_rows(const float *in, const float *factors, float *out, int rows, int columns)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < rows * columns) {
        int row = index / columns;
        out[index] = in[index] * factors[row];
    }
}

__global__ void transposed(const double *in, double *out, const int height, const int width)
{
    unsigned int at = threadIdx.x + blockDim.x * blockIdx.x;
    const int total = height * width;
    if (at >= total) return;
    int y = at / width, x = at % width;
    out[x * height + y] = in[at];
}

__global__ void channels_last(const float *in, float *out, int batch, int channels, int spatial)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * channels * spatial) {
        int s = i % spatial;
        int c = (i / spatial) % channels;
        int b = i / (spatial * channels);
        out[(b * spatial + s) * channels + c] = in[i];
    }
}

__global__ void upper(float *m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n) return;
    int row = i / n, column = i - row * n;
    if (column < row) m[i] = 0.0f;
}

__global__ void upsampled(const float *in, float *out, int w, int h, int c, int factor)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w * h * c * factor * factor) return;
    int x = i % (w * factor);
    int y = (i / (w * factor)) % (h * factor);
    int k = i / (w * factor * h * factor);
    out[i] = in[(k * h + y / factor) * w + x / factor];
}

__global__ void one_hot(const int *labels, float *out, int samples, int classes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples * classes) out[i] = labels[i / classes] == i % classes ? 1.0f : 0.0f;
}
