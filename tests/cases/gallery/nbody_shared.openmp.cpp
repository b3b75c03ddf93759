#include <vector>

float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float distSixth = distSqr * distSqr * distSqr;
    float invDistCube = 1.0f / sqrtf(distSixth);
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

// calculate_forces(X, A, N, gridDim.x, blockDim.x, dynamicShared)
void calculate_forces(const float4 *X, float4 *A, int N, int blocks, int threads, size_t shared_bytes)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        std::vector<float4> shPosition(shared_bytes / sizeof(float4));
        std::vector<float3> acc(threads, {0.0f, 0.0f, 0.0f});
        std::vector<float4> myPosition(threads);
        for (int t = 0; t < threads; ++t) {
            int gtid = block * threads + t;
            myPosition[t] = X[gtid];
        }
        for (int i = 0, tile = 0; i < N; i += threads, tile++) {
            for (int t = 0; t < threads; ++t) {
                int idx = tile * threads + t;
                shPosition[t] = X[idx];
            }
            for (int t = 0; t < threads; ++t) {
                for (unsigned int j = 0; j < threads; j++)
                    acc[t] = bodyBodyInteraction(myPosition[t], shPosition[j], acc[t]);
            }
        }
        for (int t = 0; t < threads; ++t) {
            int gtid = block * threads + t;
            A[gtid] = make_float4(acc[t].x, acc[t].y, acc[t].z, 0.0f);
        }
    }
}
