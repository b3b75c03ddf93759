// A second kernel of a sum over parts: one block, with a thread for each block of the first.
struct Part {
    float sum;
    int count;
};

constexpr int BLOCK = 256;

__global__ void combine(const Part *parts, int n, int which, float *mean) {
    extern __shared__ Part kept[];
    int tid = threadIdx.x;
    kept[tid] = parts[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            kept[tid].sum += kept[tid + stride].sum;
            kept[tid].count += kept[tid + stride].count;
        }
        __syncthreads();
    }
    if (tid == 0) mean[which] = kept[0].count > 0 ? kept[0].sum / kept[0].count : 0.0f;
}

void average(const Part *parts, int n, float *mean) {
    const int blocks = (n + BLOCK - 1) / BLOCK;
    for (int which = 0; which < 4; which++)
        combine<<<1, blocks, sizeof(struct Part) * blocks>>>(parts, n, which, mean);
}
