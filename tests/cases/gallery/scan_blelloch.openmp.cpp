#include <vector>

// prescan(g_odata, g_idata, n, blockDim.x, dynamicShared)
void prescan(float *g_odata, float *g_idata, int n, int threads, size_t shared_bytes)
{
    std::vector<float> temp(shared_bytes / sizeof(float));
    int offset = 1;

    // load input into shared memory
    for (int thid = 0; thid < threads; ++thid) {
        temp[2 * thid] = g_idata[2 * thid];
        temp[2 * thid + 1] = g_idata[2 * thid + 1];
    }

    // build sum in place up the tree
    for (int d = n >> 1; d > 0; d >>= 1) {
        for (int thid = 0; thid < threads; ++thid) {
            if (thid < d) {
                int ai = offset * (2 * thid + 1) - 1;
                int bi = offset * (2 * thid + 2) - 1;
                temp[bi] += temp[ai];
            }
        }
        offset *= 2;
    }

    // clear the last element
    temp[n - 1] = 0;

    // traverse down tree & build scan
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        for (int thid = 0; thid < threads; ++thid) {
            if (thid < d) {
                int ai = offset * (2 * thid + 1) - 1;
                int bi = offset * (2 * thid + 2) - 1;
                float t = temp[ai];
                temp[ai] = temp[bi];
                temp[bi] += t;
            }
        }
    }

    // write results to device memory
    for (int thid = 0; thid < threads; ++thid) {
        g_odata[2 * thid] = temp[2 * thid];
        g_odata[2 * thid + 1] = temp[2 * thid + 1];
    }
}
