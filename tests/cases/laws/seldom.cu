// What few calls do, and what elements say has to be done often.
__global__ void relax(float *u, float *residual, const float *f, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = f[i] - u[i];
    u[i] += 0.5f * d;
    if (step % 100 == 0) residual[i] = d;
}

// The window grows with the square of an element.
__global__ void blur(const float *in, const int *radius, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int r = radius[y * width + x], count = 0;
    float sum = 0;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
            if (x >= r && x + r < width && y >= r && y + r < height) {
                sum += in[(y + dy) * width + x + dx];
                count++;
            }
    if (count) out[y * width + x] = sum / count;
}
