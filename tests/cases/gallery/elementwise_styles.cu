// Kernels whose threads never meet, as different people write them.
#include <cmath>
#include <cstdio>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void clamp_pixels(float *image, int width, int height, float lo, float hi)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= width || row >= height) return;

    const int at = row * width + col;
    image[at] = fminf(fmaxf(image[at], lo), hi);  // stays in [lo, hi]
}

__global__ void decay(double *x, size_t n, double rate)
{
    // grid-stride loop
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    {
        x[i] *= exp(-rate * (double)i);
    }
}

__global__ void iota(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = (int)(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void count_above(const float *x, int n, float limit, unsigned int *count)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && x[i] > limit)
        atomicAdd(count, 1u);
}

int main()
{
    const int n = 1000, width = 40, height = 25;
    float host[n], result[n], *x, *y;
    double hd[n], *d;
    int hi[128], *numbers;
    unsigned int *count, above;
    for (int i = 0; i < n; ++i) { host[i] = (float)(i % 50); hd[i] = 1.0; }
    cudaMalloc(&x, sizeof(host));
    cudaMalloc(&y, sizeof(host));
    cudaMalloc(&d, sizeof(hd));
    cudaMalloc(&numbers, sizeof(hi));
    cudaMalloc(&count, sizeof(above));
    cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(y, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(d, hd, sizeof(hd), cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof(above));
    saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, y);
    clamp_pixels<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(x, width, height, 5.0f, 30.0f);
    decay<<<3, 64>>>(d, n, 0.001);
    iota<<<4, 32>>>(numbers);
    count_above<<<(n + 127) / 128, 128>>>(y, n, 100.0f, count);
    cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost);
    cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(hd, d, sizeof(hd), cudaMemcpyDeviceToHost);
    cudaMemcpy(hi, numbers, sizeof(hi), cudaMemcpyDeviceToHost);
    cudaMemcpy(&above, count, sizeof(above), cudaMemcpyDeviceToHost);
    printf("%.1f %.1f %.6f %d %u\n", result[999], host[999], hd[999], hi[127], above);
    cudaFree(x); cudaFree(y); cudaFree(d); cudaFree(numbers); cudaFree(count);
    return 0;
}
