#include <cmath>
#include <cstdio>

__device__ __forceinline__ float warpAllReduceSum(float v)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, mask, 32);
    return v;
}

// A warp normalizes a row; rows are spread over the warps of a block.
__global__ void layernorm_forward(float *out, float *mean, float *rstd, const float *inp, const float *weight,
                                  const float *bias, int N, int C)
{
    const int lane = threadIdx.x % 32;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= N) return;
    const float *x = inp + row * C;

    float sum = 0.0f;
    for (int i = lane; i < C; i += 32) sum += x[i];
    sum = warpAllReduceSum(sum);
    float m = sum / C;
    if (lane == 0) mean[row] = m;

    float var = 0.0f;
    for (int i = lane; i < C; i += 32) {
        float diff = x[i] - m;
        var += diff * diff;
    }
    var = warpAllReduceSum(var);
    float s = rsqrtf(var / C + 1e-5f);
    if (lane == 0) rstd[row] = s;

    float *o = out + row * C;
    for (int c = lane; c < C; c += 32) {
        float n = s * (__ldg(&x[c]) - m);
        o[c] = n * weight[c] + bias[c];
    }
}

int main()
{
    const int N = 7, C = 80;
    float host[N * C], w[C], b[C], stats[N], *x, *y, *dw, *db, *mean, *rstd;
    for (int i = 0; i < N * C; ++i) host[i] = (float)((i * 13) % 29) / 8;
    for (int i = 0; i < C; ++i) { w[i] = 1.0f + i % 3; b[i] = (float)(i % 2); }
    cudaMalloc(&x, sizeof(host));
    cudaMalloc(&y, sizeof(host));
    cudaMalloc(&dw, sizeof(w));
    cudaMalloc(&db, sizeof(b));
    cudaMalloc(&mean, sizeof(stats));
    cudaMalloc(&rstd, sizeof(stats));
    cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(dw, w, sizeof(w), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice);
    layernorm_forward<<<(N * 32 + 63) / 64, 64>>>(y, mean, rstd, x, dw, db, N, C);
    cudaMemcpy(host, y, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(stats, rstd, sizeof(stats), cudaMemcpyDeviceToHost);
    printf("%.5f %.5f %.5f %.5f\n", host[0], host[3 * C + 7], host[N * C - 1], stats[N - 1]);
    cudaFree(x); cudaFree(y); cudaFree(dw); cudaFree(db); cudaFree(mean); cudaFree(rstd);
    return 0;
}
