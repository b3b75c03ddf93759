#include <cstdio>

typedef unsigned int uint;

__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir)
{
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA; keyA = keyB; keyB = t;
        t = valA; valA = valB; valB = t;
    }
}

#define SHARED_SIZE_LIMIT 128U

__global__ void oddEvenMergeSortShared(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint arrayLength, uint dir)
{
    // Shared memory storage for one or more small vectors
    __shared__ uint s_key[SHARED_SIZE_LIMIT];
    __shared__ uint s_val[SHARED_SIZE_LIMIT];

    // Offset to the beginning of subbatch and load data
    d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
    s_key[threadIdx.x + 0] = d_SrcKey[0];
    s_val[threadIdx.x + 0] = d_SrcVal[0];
    s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
    s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcVal[(SHARED_SIZE_LIMIT / 2)];

    for (uint size = 2; size <= arrayLength; size <<= 1) {
        uint stride = size / 2;
        uint offset = threadIdx.x & (stride - 1);

        {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
            stride >>= 1;
        }

        for (; stride > 0; stride >>= 1) {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));

            if (offset >= stride) {
                Comparator(s_key[pos - stride], s_val[pos - stride], s_key[pos + 0], s_val[pos + 0], dir);
            }
        }
    }

    __syncthreads();
    d_DstKey[0] = s_key[threadIdx.x + 0];
    d_DstVal[0] = s_val[threadIdx.x + 0];
    d_DstKey[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
    d_DstVal[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}

int main()
{
    const uint n = 4 * SHARED_SIZE_LIMIT;
    uint keys[n], vals[n], *sk, *sv, *dk, *dv;
    for (uint i = 0; i < n; ++i) { keys[i] = (i * 2654435761u) >> 20; vals[i] = i; }
    cudaMalloc((void **)&sk, sizeof(keys));
    cudaMalloc((void **)&sv, sizeof(keys));
    cudaMalloc((void **)&dk, sizeof(keys));
    cudaMalloc((void **)&dv, sizeof(keys));
    cudaMemcpy(sk, keys, sizeof(keys), cudaMemcpyHostToDevice);
    cudaMemcpy(sv, vals, sizeof(vals), cudaMemcpyHostToDevice);
    oddEvenMergeSortShared<<<n / SHARED_SIZE_LIMIT, SHARED_SIZE_LIMIT / 2>>>(dk, dv, sk, sv, SHARED_SIZE_LIMIT, 1);
    cudaMemcpy(keys, dk, sizeof(keys), cudaMemcpyDeviceToHost);
    cudaMemcpy(vals, dv, sizeof(vals), cudaMemcpyDeviceToHost);
    uint wrong = 0;
    for (uint i = 1; i < n; ++i) wrong += i % SHARED_SIZE_LIMIT != 0 && keys[i - 1] > keys[i];
    printf("wrong %u, %u %u\n", wrong, keys[0], vals[n - 1]);
    cudaFree(sk); cudaFree(sv); cudaFree(dk); cudaFree(dv);
    return 0;
}
