// Strides over the grid, and guards, by fields of a struct that is passed by value.
#include <cuda_runtime.h>

struct Shape { int width, height; float scale; };
struct Params { int n; int channels; int offset; };
typedef struct { int3 cells; double h; } Domain;

__global__ void shaped(float *image, Shape p)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.width * p.height; i += gridDim.x * blockDim.x)
        image[i] *= p.scale;
}

__global__ void filled(float *out, const Params p, float value)
{
    int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += step) out[i] = value + i;
}

__global__ void mixed(const float *in, float *out, Params p)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += gridDim.x * blockDim.x) {
        float sum = 0.0f;
        for (int c = 0; c < p.channels; c++) sum += in[i * p.channels + c];
        out[i] = sum;
    }
}

__global__ void rows_of(const float *in, float *out, Shape p)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < p.height; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < p.width; x += gridDim.x * blockDim.x)
            out[y * p.width + x] = in[y * p.width + x] + p.scale;
}

__global__ void guarded(double *u, Domain d)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= d.cells.x || y >= d.cells.y || z >= d.cells.z) return;
    u[(z * d.cells.y + y) * d.cells.x + x] *= d.h;
}

__global__ void shifted(float *out, const float *in, Params p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.n) return;
    out[i] = in[i + p.offset];
}

void run(float *a, float *b, Shape s, int w, int h)
{
    Params p = {w * h, 3, 0};
    mixed<<<64, 128>>>(a, b, p);
    rows_of<<<dim3(8, 8), dim3(16, 16)>>>(a, b, s);
}
