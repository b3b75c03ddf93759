void say() { printf("device\n"); }

// told(gridDim.x * gridDim.y * gridDim.z, blockDim.x * blockDim.y * blockDim.z)
void told(int blocks, int threads) {
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int t = 0; t < threads; ++t) {
            say();
            printf("kernel\n");
        }
    }
}

// lanes(gridDim.x, blockDim.x)
void lanes(int blocks, int threads) {
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        for (int t = 0; t < threads; ++t) {
            printf("lane %d\n", t);
        }
    }
}

// where(gridDim.x, gridDim.y, blockDim.x)
void where(int blocks_x, int blocks_y, int threads)
{
    #pragma omp parallel for collapse(2)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
        for (int block_x = 0; block_x < blocks_x; ++block_x) {
            int block = block_x + block_y * blocks_x;
            for (int t = 0; t < threads; ++t) {
                printf("%04d | block %d %d\n", block * threads + t, block_x, block_y);
            }
        }
}

// large(x, y, n)
void large(const int *x, int *y, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        y[i] = 2 * x[i];
        if (x[i] > 2) printf("%d: %d\n", i, x[i]);
    }
}
