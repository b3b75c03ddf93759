// heat_step(u, v, nx, ny, c, gridDim.x, gridDim.y, blockDim.x, blockDim.y)
void heat_step(const double *__restrict__ u, double *__restrict__ v, int nx, int ny, double c,
               int blocks_x, int blocks_y, int threads_x, int threads_y)
{
    #pragma omp parallel for collapse(2)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
        for (int block_x = 0; block_x < blocks_x; ++block_x) {
            double s[BY + 2][BX + 2];
            for (int thread_y = 0; thread_y < threads_y; ++thread_y)
                for (int thread_x = 0; thread_x < threads_x; ++thread_x) {
                    const int tx = thread_x + 1;
                    const int ty = thread_y + 1;
                    const int i = block_x * threads_x + thread_x;
                    const int j = block_y * threads_y + thread_y;
                    const bool inside = i < nx && j < ny;

                    if (inside) {
                        s[ty][tx] = u[j * nx + i];
                        if (thread_x == 0) s[ty][0] = i > 0 ? u[j * nx + i - 1] : 0.0;
                        if (thread_x == BX - 1 || i == nx - 1) s[ty][tx + 1] = i < nx - 1 ? u[j * nx + i + 1] : 0.0;
                        if (thread_y == 0) s[0][tx] = j > 0 ? u[(j - 1) * nx + i] : 0.0;
                        if (thread_y == BY - 1 || j == ny - 1) s[ty + 1][tx] = j < ny - 1 ? u[(j + 1) * nx + i] : 0.0;
                    }
                }

            for (int thread_y = 0; thread_y < threads_y; ++thread_y)
                for (int thread_x = 0; thread_x < threads_x; ++thread_x) {
                    const int tx = thread_x + 1;
                    const int ty = thread_y + 1;
                    const int i = block_x * threads_x + thread_x;
                    const int j = block_y * threads_y + thread_y;
                    const bool inside = i < nx && j < ny;
                    if (!inside) continue;
                    v[j * nx + i] = s[ty][tx] + c * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.0 * s[ty][tx]);
                }
        }
}
