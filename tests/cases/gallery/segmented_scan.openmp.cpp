#include <vector>

// segmentedScan(values, flags, result, gridDim.x, blockDim.x)
template <int N>
void segmentedScan(const int *values, const int *flags, int *result, int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        int s_val[N];
        int s_flag[N];
        for (int tid = 0; tid < threads; ++tid) {
            int gid = block * N + tid;
            s_val[tid] = values[gid];
            s_flag[tid] = flags[gid];
        }
        for (int d = 1; d < N; d *= 2) {
            std::vector<int> v(threads);
            std::vector<int> f(threads);
            for (int tid = 0; tid < threads; ++tid) {
                v[tid] = s_val[tid];
                f[tid] = s_flag[tid];
                if (tid >= d) {
                    if (!f[tid]) v[tid] += s_val[tid - d];
                    f[tid] |= s_flag[tid - d];
                }
            }
            for (int tid = 0; tid < threads; ++tid) {
                s_val[tid] = v[tid];
                s_flag[tid] = f[tid];
            }
        }
        for (int tid = 0; tid < threads; ++tid) {
            int gid = block * N + tid;
            result[gid] = s_val[tid];
        }
    }
}
