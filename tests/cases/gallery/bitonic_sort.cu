#include <cstdio>

#define NUM 256

__device__ inline void swap(int &a, int &b)
{
    // Alternative swap doesn't use a temporary register
    int tmp = a;
    a = b;
    b = tmp;
}

__global__ static void bitonicSort(int *values)
{
    extern __shared__ int shared[];

    const unsigned int tid = threadIdx.x;

    // Copy input to shared mem.
    shared[tid] = values[tid];

    __syncthreads();

    // Parallel bitonic sort.
    for (unsigned int k = 2; k <= NUM; k *= 2) {
        // Bitonic merge:
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;

            if (ixj > tid) {
                if ((tid & k) == 0) {
                    if (shared[tid] > shared[ixj]) {
                        swap(shared[tid], shared[ixj]);
                    }
                } else {
                    if (shared[tid] < shared[ixj]) {
                        swap(shared[tid], shared[ixj]);
                    }
                }
            }

            __syncthreads();
        }
    }

    // Write result.
    values[tid] = shared[tid];
}

int main(int argc, char **argv)
{
    int values[NUM], *dvalues;
    for (int i = 0; i < NUM; i++) values[i] = (i * 7919) % 1009;
    cudaMalloc((void **)&dvalues, sizeof(int) * NUM);
    cudaMemcpy(dvalues, values, sizeof(int) * NUM, cudaMemcpyHostToDevice);
    bitonicSort<<<1, NUM, sizeof(int) * NUM>>>(dvalues);
    cudaMemcpy(values, dvalues, sizeof(int) * NUM, cudaMemcpyDeviceToHost);
    cudaFree(dvalues);
    bool passed = true;
    for (int i = 1; i < NUM; i++) passed = passed && values[i - 1] <= values[i];
    printf("%s %d %d\n", passed ? "sorted" : "not sorted", values[0], values[NUM - 1]);
    return 0;
}
