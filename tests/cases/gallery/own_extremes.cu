// A source whose min and max are macros, as are names that a port would choose.
#include <cuda_runtime.h>
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define n 100000
#define blocks 3
__device__ int limited(int value, int most) { return max(0, min(value, most)); }
__global__ void capped(int *a, const int *b, int length, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int total = gridDim.x * blockDim.x;
    int each = (length + total - 1) / total;
    for (int k = i * each; k < min((i + 1) * each, length); k++) a[k] = limited(b[k], most);
}
__global__ void largest(const float *x, float *y, int length)
{
    __shared__ float part[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < length ? fabsf(x[i]) : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = max(part[0], 1.0f);
}
int main() { int *a, *b; float *x, *y; cudaMalloc(&a, 400); cudaMalloc(&b, 400); cudaMalloc(&x, 400); cudaMalloc(&y, 400);
  capped<<<4, 32>>>(a, b, 100, 7); largest<<<2, 128>>>(x, y, 100); return 0; }
