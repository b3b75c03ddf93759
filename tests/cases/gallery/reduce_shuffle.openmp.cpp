#include <cassert>
#include <vector>

// deviceReduceKernel(in, out, N, gridDim.x, blockDim.x)
void deviceReduceKernel(const float *in, float *out, int N, int blocks, int threads) {
  assert(threads % 32 == 0);
  #pragma omp parallel for
  for (int block = 0; block < blocks; ++block) {
    float shared[32];
    std::vector<float> sum(threads, 0);
    for (int wid = 0; wid < threads / 32; ++wid) {
      for (int lane = 0; lane < 32; ++lane) {
        int t = wid * 32 + lane;
        for (int i = block * threads + t; i < N; i += threads * blocks) {
          sum[t] += in[i];
        }
      }
      for (int offset = 32 / 2; offset > 0; offset /= 2) {
        for (int lane = 0; lane < 32; ++lane) {
          int t = wid * 32 + lane;
          sum[t] += lane + offset < 32 ? sum[t + offset] : sum[t];
        }
      }
      shared[wid] = sum[wid * 32];
    }
    for (int wid = 0; wid < threads / 32; ++wid) {
      // only the first warp reads what the warps wrote
      for (int lane = 0; lane < 32; ++lane) {
        int t = wid * 32 + lane;
        sum[t] = (t < threads / 32) ? shared[lane] : 0;
      }
      if (wid == 0) {
        for (int offset = 32 / 2; offset > 0; offset /= 2) {
          for (int lane = 0; lane < 32; ++lane) {
            int t = wid * 32 + lane;
            sum[t] += lane + offset < 32 ? sum[t + offset] : sum[t];
          }
        }
      }
    }
    out[block] = sum[0];
  }
}
