// Rows of different lengths at one distance: a row may be as long as the distance.
__global__ void halve(const int *codes, const int *lengths, int stride, float *out) {
    int row = blockIdx.x, length = lengths[row];
    for (int i = threadIdx.x; i < length; i += blockDim.x) out[row * stride + i] = 0.5f * codes[row * stride + i];
}
