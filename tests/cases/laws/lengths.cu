// Rows of different lengths at one distance: a row may be as long as the distance.
__global__ void smooth(const int *codes, const int *lengths, int stride, float *out, int *peaks) {
    extern __shared__ float tile[];
    int row = blockIdx.x, length = lengths[row];
    for (int i = threadIdx.x; i < length; i += blockDim.x) tile[i] = 0.5f * codes[row * stride + i];
    __syncthreads();
    for (int i = threadIdx.x; i < length; i += blockDim.x) out[row * stride + i] = tile[i] + tile[i > 0 ? i - 1 : i];
    __syncthreads();
    if (threadIdx.x == 0) {
        int peak = 0;
        for (int i = 1; i < length; i++)
            if (out[row * stride + i] > out[row * stride + peak]) peak = i;
        peaks[row] = peak;
    }
}
