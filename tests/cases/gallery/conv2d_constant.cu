#include <cstdio>

#define R 1
#define T 8

__constant__ float mask[(2 * R + 1) * (2 * R + 1)];

__global__ void convolve(const float *image, float *result, int width, int height)
{
    __shared__ float tile[T + 2 * R][T + 2 * R];
    const int x0 = blockIdx.x * T - R, y0 = blockIdx.y * T - R;

    // the block loads more cells than it has threads
    for (int k = threadIdx.y * T + threadIdx.x; k < (T + 2 * R) * (T + 2 * R); k += T * T) {
        const int x = x0 + k % (T + 2 * R), y = y0 + k / (T + 2 * R);
        const bool ok = x >= 0 && x < width && y >= 0 && y < height;
        tile[k / (T + 2 * R)][k % (T + 2 * R)] = ok ? image[y * width + x] : 0.0f;
    }
    __syncthreads();

    const int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int j = 0; j <= 2 * R; ++j)
        for (int i = 0; i <= 2 * R; ++i) sum += mask[j * (2 * R + 1) + i] * tile[threadIdx.y + j][threadIdx.x + i];
    result[y * width + x] = sum;
}

int main()
{
    const int width = 30, height = 21;
    const float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    float host[width * height], *image, *result;
    for (int i = 0; i < width * height; ++i) host[i] = (float)((i * 11) % 32);
    cudaMalloc(&image, sizeof(host));
    cudaMalloc(&result, sizeof(host));
    cudaMemcpyToSymbol(mask, weights, sizeof(weights));
    cudaMemcpy(image, host, sizeof(host), cudaMemcpyHostToDevice);
    convolve<<<dim3((width + T - 1) / T, (height + T - 1) / T), dim3(T, T)>>>(image, result, width, height);
    cudaMemcpy(host, result, sizeof(host), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < width * height; ++i) sum += host[i] * (i % 7);
    printf("%.1f %.1f\n", sum, host[0]);
    cudaFree(image);
    cudaFree(result);
    return 0;
}
