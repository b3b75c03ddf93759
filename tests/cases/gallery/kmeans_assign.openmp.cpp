// assign_and_sum(points, centres, label, sums, counts, n, gridDim.x, blockDim.x)
void assign_and_sum(const float *points, const float *centres, int *label, float *sums, int *counts, int n,
                    int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        float c[K * DIM];
        float local_sum[K * DIM];
        int local_count[K];
        for (int t = 0; t < threads; ++t) {
            if (t < K * DIM) {
                c[t] = centres[t];
                local_sum[t] = 0.0f;
            }
            if (t < K) local_count[t] = 0;
        }

        for (int t = 0; t < threads; ++t) {
            const int i = block * threads + t;
            if (i < n) {
                int best = 0;
                float best_distance = FLT_MAX;
                for (int k = 0; k < K; ++k) {
                    float distance = 0.0f;
                    for (int d = 0; d < DIM; ++d) {
                        const float delta = points[i * DIM + d] - c[k * DIM + d];
                        distance += delta * delta;
                    }
                    if (distance < best_distance) {
                        best_distance = distance;
                        best = k;
                    }
                }
                label[i] = best;
                for (int d = 0; d < DIM; ++d) local_sum[best * DIM + d] += points[i * DIM + d];
                local_count[best] += 1;
            }
        }

        for (int t = 0; t < threads; ++t) {
            if (t < K * DIM) {
                #pragma omp atomic
                sums[t] += local_sum[t];
            }
            if (t < K) {
                #pragma omp atomic
                counts[t] += local_count[t];
            }
        }
    }
}
