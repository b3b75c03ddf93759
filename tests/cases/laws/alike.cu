// Threads that all do the same: it adds up, they would meet, or it makes no difference how many they are.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void increment(int *counter) { atomicAdd(counter, 1); }

__global__ void alone(int *counter) { *counter += 1; }

__global__ void reset(int *counter) { *counter = 0; }

__global__ void greet() { printf("hello\n"); }

// Blocks write the same, and print it again.
__global__ void lanes(int *out)
{
    out[threadIdx.x] = 1;
    printf("%d\n", threadIdx.x);
}
