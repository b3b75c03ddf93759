#include <vector>

// reduceSum(g_idata, g_odata, n, gridDim.x, blockDim.x, dynamicShared)
void reduceSum(const float *g_idata, float *g_odata, unsigned int n,
               int blocks, int threads, size_t shared_bytes)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        std::vector<float> sdata(shared_bytes / sizeof(float));
        std::vector<float> mySum(threads);
        for (unsigned int tid = 0; tid < threads; ++tid) {
            unsigned int i = block * (threads * 2) + tid;

            mySum[tid] = (i < n) ? g_idata[i] : 0;
            if (i + threads < n)
                mySum[tid] += g_idata[i + threads];

            sdata[tid] = mySum[tid];
        }

        // do reduction in shared mem
        for (unsigned int s = threads / 2; s > 0; s >>= 1) {
            for (unsigned int tid = 0; tid < s; ++tid) {
                sdata[tid] = mySum[tid] = mySum[tid] + sdata[tid + s];
            }
        }

        // write result for this block to global mem
        g_odata[block] = sdata[0];
    }
}
