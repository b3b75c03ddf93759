#include <cfloat>
#include <cstdio>

#define K 4
#define DIM 2

// Assigns points to the nearest centre and sums the members of each cluster.
__global__ void assign_and_sum(const float *points, const float *centres, int *label, float *sums, int *counts, int n)
{
    __shared__ float c[K * DIM];
    __shared__ float local_sum[K * DIM];
    __shared__ int local_count[K];

    const int t = threadIdx.x;
    if (t < K * DIM) {
        c[t] = centres[t];
        local_sum[t] = 0.0f;
    }
    if (t < K) local_count[t] = 0;
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        int best = 0;
        float best_distance = FLT_MAX;
        for (int k = 0; k < K; ++k) {
            float distance = 0.0f;
            for (int d = 0; d < DIM; ++d) {
                const float delta = points[i * DIM + d] - c[k * DIM + d];
                distance += delta * delta;
            }
            if (distance < best_distance) {
                best_distance = distance;
                best = k;
            }
        }
        label[i] = best;
        for (int d = 0; d < DIM; ++d) atomicAdd(&local_sum[best * DIM + d], points[i * DIM + d]);
        atomicAdd(&local_count[best], 1);
    }
    __syncthreads();

    if (t < K * DIM) atomicAdd(sums + t, local_sum[t]);
    if (t < K) atomicAdd(counts + t, local_count[t]);
}

int main()
{
    const int n = 500;
    float host[n * DIM], centres[K * DIM] = {2, 2, 10, 3, 4, 12, 14, 14}, sums[K * DIM];
    int counts[K], *label, *dcounts;
    for (int i = 0; i < n; ++i) { host[2 * i] = i % 16; host[2 * i + 1] = (i * 7) % 16; }
    float *p, *c, *s;
    cudaMalloc(&p, sizeof(host));
    cudaMalloc(&c, sizeof(centres));
    cudaMalloc(&s, sizeof(sums));
    cudaMalloc(&label, n * sizeof(int));
    cudaMalloc(&dcounts, sizeof(counts));
    cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(c, centres, sizeof(centres), cudaMemcpyHostToDevice);
    cudaMemset(s, 0, sizeof(sums));
    cudaMemset(dcounts, 0, sizeof(counts));
    assign_and_sum<<<(n + 127) / 128, 128>>>(p, c, label, s, dcounts, n);
    cudaMemcpy(sums, s, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(counts, dcounts, sizeof(counts), cudaMemcpyDeviceToHost);
    for (int k = 0; k < K; ++k) printf("%d: %d %.0f %.0f\n", k, counts[k], sums[2 * k], sums[2 * k + 1]);
    cudaFree(p); cudaFree(c); cudaFree(s); cudaFree(label); cudaFree(dcounts);
    return 0;
}
