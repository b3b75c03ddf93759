#include <cstdio>

#define FULL_MASK 0xffffffff

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    val += __shfl_down_sync(FULL_MASK, val, offset);
  return val;
}

__inline__ __device__ float blockReduceSum(float val) {
  static __shared__ float shared[32];  // partial sums of the warps
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;

  val = warpReduceSum(val);

  if (lane == 0) shared[wid] = val;
  __syncthreads();

  // only the first warp reads what the warps wrote
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) val = warpReduceSum(val);
  return val;
}

__global__ void deviceReduceKernel(const float *in, float *out, int N) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) {
    sum += in[i];
  }
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

int main() {
  const int N = 2000;
  float host[N], *in, *out;
  for (int i = 0; i < N; i++) host[i] = i % 23;
  cudaMalloc(&in, N * sizeof(float));
  cudaMalloc(&out, 4 * sizeof(float));
  cudaMemcpy(in, host, N * sizeof(float), cudaMemcpyHostToDevice);
  deviceReduceKernel<<<4, 128>>>(in, out, N);
  deviceReduceKernel<<<1, 32>>>(out, out, 4);
  float total;
  cudaMemcpy(&total, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", total);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
