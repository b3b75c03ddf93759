// What a flag ends early does nothing in calls where that is set.
__device__ int done = 0;
__device__ bool ready;
__constant__ int mode;

__global__ void search(const int *in, int n, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    if (atomicAdd(&done, 0) != 0) return;
    if (in[t] == 700 && atomicCAS(&done, 0, 1) == 0) *out = 7;
}

__global__ void gather(const float *in, const int *at, int n, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (done || t >= n) return;
    if (mode == 7) out[2 * t + 1] = 0;
    out[2 * t] = in[at[t]];
}

__global__ void stopped(const int *in, int n, int *stop, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n || *stop) return;
    out[2 * t] = in[t];
}

__global__ void started(const float *in, int n, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (!ready || t >= n) return;
    out[3 * t] = in[t];
}
