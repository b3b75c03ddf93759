// stencil_1d(in, out, n, gridDim.x, blockDim.x)
void stencil_1d(const int *in, int *out, int n, int blocks, int threads) {
  #pragma omp parallel for
  for (int block = 0; block < blocks; ++block) {
    int temp[BLOCK_SIZE + 2 * RADIUS];
    for (int t = 0; t < threads; ++t) {
      int gindex = t + block * threads;
      int lindex = t + RADIUS;

      // Read input elements into shared memory
      temp[lindex] = gindex < n ? in[gindex] : 0;
      if (t < RADIUS) {
        temp[lindex - RADIUS] = gindex >= RADIUS ? in[gindex - RADIUS] : 0;
        temp[lindex + BLOCK_SIZE] = gindex + BLOCK_SIZE < n ? in[gindex + BLOCK_SIZE] : 0;
      }
    }

    // Apply the stencil
    for (int t = 0; t < threads; ++t) {
      int gindex = t + block * threads;
      int lindex = t + RADIUS;
      int result = 0;
      for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[lindex + offset];

      // Store the result
      if (gindex < n)
        out[gindex] = result;
    }
  }
}
