#include <cstdio>

template <int N>
__global__ void segmentedScan(const int *values, const int *flags, int *result)
{
    __shared__ int s_val[N];
    __shared__ int s_flag[N];
    int tid = threadIdx.x, gid = blockIdx.x * N + threadIdx.x;
    s_val[tid] = values[gid];
    s_flag[tid] = flags[gid];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        int v = s_val[tid];
        int f = s_flag[tid];
        if (tid >= d) {
            if (!f) v += s_val[tid - d];
            f |= s_flag[tid - d];
        }
        __syncthreads();
        s_val[tid] = v;
        s_flag[tid] = f;
        __syncthreads();
    }
    result[gid] = s_val[tid];
}

int main()
{
    constexpr int N = 64, blocks = 3;
    int v[N * blocks], f[N * blocks], *dv, *df, *dr;
    for (int i = 0; i < N * blocks; ++i) { v[i] = i % 8; f[i] = i % 13 == 0; }
    cudaMalloc(&dv, sizeof(v));
    cudaMalloc(&df, sizeof(f));
    cudaMalloc(&dr, sizeof(v));
    cudaMemcpy(dv, v, sizeof(v), cudaMemcpyHostToDevice);
    cudaMemcpy(df, f, sizeof(f), cudaMemcpyHostToDevice);
    segmentedScan<N><<<blocks, N>>>(dv, df, dr);
    cudaMemcpy(v, dr, sizeof(v), cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int i = 0; i < N * blocks; ++i) sum += (long)v[i] * (i + 1);
    printf("%ld\n", sum);
    cudaFree(dv); cudaFree(df); cudaFree(dr);
    return 0;
}
