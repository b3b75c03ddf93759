#include <cassert>

// deviceReduceKernel(in, out, N, gridDim.x, blockDim.x)
void deviceReduceKernel(const float *in, float *out, int N, int blocks, int threads) {
  assert(threads % 32 == 0);
  #pragma omp parallel for
  for (int block = 0; block < blocks; ++block) {
    float shared[32];
    for (int wid = 0; wid < threads / 32; ++wid) {
      float sum[32] = {};
      for (int lane = 0; lane < 32; ++lane) {
        int t = wid * 32 + lane;
        for (int i = block * threads + t; i < N; i += threads * blocks) {
          sum[lane] += in[i];
        }
      }
      for (int offset = 32 / 2; offset > 0; offset /= 2) {
        for (int lane = 0; lane < 32; ++lane) {
          sum[lane] += lane + offset < 32 ? sum[lane + offset] : sum[lane];
        }
      }
      shared[wid] = sum[0];
    }
    for (int wid = 0; wid < threads / 32; ++wid) {
      float sum[32] = {};
      for (int lane = 0; lane < 32; ++lane) {
        int t = wid * 32 + lane;
        // only the first warp reads what the warps wrote
        sum[lane] = (t < threads / 32) ? shared[lane] : 0;
      }
      if (wid == 0) {
        for (int offset = 32 / 2; offset > 0; offset /= 2) {
          for (int lane = 0; lane < 32; ++lane) {
            sum[lane] += lane + offset < 32 ? sum[lane + offset] : sum[lane];
          }
        }
      }
      for (int lane = 0; lane < 32; ++lane) {
        int t = wid * 32 + lane;
        if (t == 0)
          out[block] = sum[lane];
      }
    }
  }
}
