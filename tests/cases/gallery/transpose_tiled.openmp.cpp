// transpose(in, out, width, height, gridDim.x, gridDim.y, blockDim.x, blockDim.y)
void transpose(const float *__restrict__ in, float *__restrict__ out, int width, int height,
               int blocks_x, int blocks_y, int threads_x, int threads_y)
{
    #pragma omp parallel for collapse(2)
    for (int block_y = 0; block_y < blocks_y; ++block_y)
        for (int block_x = 0; block_x < blocks_x; ++block_x) {
            float tile[TILE_DIM][TILE_DIM + 1];
            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    int x = block_x * TILE_DIM + tx;
                    int y = block_y * TILE_DIM + ty;
                    if (x < width && y < height)
                        tile[ty][tx] = in[y * width + x];
                }

            // swap the roles of the block indices
            for (int ty = 0; ty < threads_y; ++ty)
                for (int tx = 0; tx < threads_x; ++tx) {
                    int x = block_y * TILE_DIM + tx;
                    int y = block_x * TILE_DIM + ty;
                    if (x < height && y < width)
                        out[y * height + x] = tile[tx][ty];
                }
        }
}
