// convolve(image, result, width, height, gridDim.x, gridDim.y, blockDim.x, blockDim.y)
void convolve(const float *image, float *result, int width, int height,
              int blocks_x, int blocks_y, int threads_x, int threads_y)
{
    #pragma omp parallel for collapse(2)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
        for (int block_x = 0; block_x < blocks_x; ++block_x) {
            float tile[T + 2 * R][T + 2 * R];
            const int x0 = block_x * T - R;
            const int y0 = block_y * T - R;

            // the block loads more cells than it has threads
            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    for (int k = ty * T + tx; k < (T + 2 * R) * (T + 2 * R); k += T * T) {
                        const int x = x0 + k % (T + 2 * R);
                        const int y = y0 + k / (T + 2 * R);
                        const bool ok = x >= 0 && x < width && y >= 0 && y < height;
                        tile[k / (T + 2 * R)][k % (T + 2 * R)] = ok ? image[y * width + x] : 0.0f;
                    }
                }

            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    const int x = block_x * T + tx;
                    const int y = block_y * T + ty;
                    if (x >= width || y >= height) continue;
                    float sum = 0.0f;
                    for (int j = 0; j <= 2 * R; ++j)
                        for (int i = 0; i <= 2 * R; ++i) sum += mask[j * (2 * R + 1) + i] * tile[ty + j][tx + i];
                    result[y * width + x] = sum;
                }
        }
}
