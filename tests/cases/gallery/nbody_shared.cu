#include <cmath>
#include <cstdio>

#define SOFTENING 1e-3f

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float distSixth = distSqr * distSqr * distSqr;
    float invDistCube = 1.0f / sqrtf(distSixth);
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void calculate_forces(const float4 *X, float4 *A, int N)
{
    extern __shared__ float4 shPosition[];
    float3 acc = {0.0f, 0.0f, 0.0f};
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    float4 myPosition = X[gtid];
    for (int i = 0, tile = 0; i < N; i += blockDim.x, tile++) {
        int idx = tile * blockDim.x + threadIdx.x;
        shPosition[threadIdx.x] = X[idx];
        __syncthreads();
        for (unsigned int j = 0; j < blockDim.x; j++)
            acc = bodyBodyInteraction(myPosition, shPosition[j], acc);
        __syncthreads();
    }
    A[gtid] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}

int main()
{
    const int N = 128, p = 32;
    float4 host[N], *X, *A;
    for (int i = 0; i < N; ++i) host[i] = make_float4(i % 7, i % 11, i % 13, 1.0f + i % 2);
    cudaMalloc(&X, sizeof(host));
    cudaMalloc(&A, sizeof(host));
    cudaMemcpy(X, host, sizeof(host), cudaMemcpyHostToDevice);
    calculate_forces<<<N / p, p, p * sizeof(float4)>>>(X, A, N);
    cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int i = 0; i < N; ++i) sum += fabsf(host[i].x) + fabsf(host[i].y) + fabsf(host[i].z);
    printf("%.3f\n", sum);
    cudaFree(X);
    cudaFree(A);
    return 0;
}
