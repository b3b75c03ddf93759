#include <vector>

inline void swap(int &a, int &b)
{
    // Alternative swap doesn't use a temporary register
    int tmp = a;
    a = b;
    b = tmp;
}

// bitonicSort(values, blockDim.x, dynamicShared)
static void bitonicSort(int *values, int threads, size_t shared_bytes)
{
    std::vector<int> shared(shared_bytes / sizeof(int));
    // Copy input to shared mem.
    for (unsigned int tid = 0; tid < threads; ++tid) {
        shared[tid] = values[tid];
    }

    // Parallel bitonic sort.
    for (unsigned int k = 2; k <= NUM; k *= 2) {
        // Bitonic merge:
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            for (unsigned int tid = 0; tid < threads; ++tid) {
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
            }
        }
    }

    // Write result.
    for (unsigned int tid = 0; tid < threads; ++tid) {
        values[tid] = shared[tid];
    }
}
