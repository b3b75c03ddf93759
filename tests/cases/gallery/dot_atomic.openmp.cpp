// dot(a, b, c, N, gridDim.x, blockDim.x)
void dot(double *a, double *b, double *c, int N, int blocks, int threads) {
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        double cache[threadsPerBlock];
        for (int cacheIndex = 0; cacheIndex < threads; ++cacheIndex) {
            int tid = cacheIndex + block * threads;

            double temp = 0;
            while (tid < N) {
                temp += a[tid] * b[tid];
                tid += threads * blocks;
            }
            cache[cacheIndex] = temp;
        }

        // threadsPerBlock must be a power of two for this reduction
        int i = threads / 2;
        while (i != 0) {
            for (int cacheIndex = 0; cacheIndex < i; ++cacheIndex) {
                cache[cacheIndex] += cache[cacheIndex + i];
            }
            i /= 2;
        }

        #pragma omp atomic
        *c += cache[0];
    }
}
