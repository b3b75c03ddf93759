// Indices are declared first, as in C89, and assigned below.
__global__ void thin(const unsigned char *mag, unsigned char *out, int h, int w, int least) {
    int y, x, at; // of a pixel
    float sum;

    y = blockDim.y * blockIdx.y + threadIdx.y;
    x = blockDim.x * blockIdx.x + threadIdx.x;
    if (y >= h || x >= w) {
        return;
    }
    at = y * w + x;
    sum = mag[at];
    if (x > 0) sum += mag[at - 1];
    out[at] = sum < least ? 0 : mag[at];
}
