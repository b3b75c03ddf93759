#include <cstdio>

// Device functions that work on a tile through a pointer; the tile happens to be shared memory.
__device__ void load_row(float *tile, const float *row, int width, int t, int step)
{
    for (int i = t; i < width; i += step)
        tile[i] = row[i];
}

__device__ float local_mean(const float *tile, int i, int width)
{
    float sum = 0.0f;
    int count = 0;
    for (int k = i - 2; k <= i + 2; ++k)
        if (k >= 0 && k < width) {
            sum += tile[k];
            ++count;
        }
    return sum / count;
}

__global__ void smooth_rows(const float *in, float *out, int width)
{
    extern __shared__ float tile[];
    const float *row = in + blockIdx.x * width;
    load_row(tile, row, width, threadIdx.x, blockDim.x);
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[blockIdx.x * width + i] = local_mean(tile, i, width);
}

int main()
{
    const int width = 90, rows = 6;
    float host[width * rows], *in, *out;
    for (int i = 0; i < width * rows; ++i) host[i] = (float)((i * 17) % 40);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    smooth_rows<<<rows, 32, width * sizeof(float)>>>(in, out, width);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < width * rows; ++i) sum += host[i] * (i % 6);
    printf("%.4f\n", sum);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
