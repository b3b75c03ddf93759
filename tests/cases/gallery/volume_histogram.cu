// A guard whose bound is a product that has to be wide.
__global__ void histogram(const unsigned char *level, const float *weight, int nx, int ny, int nz,
                          unsigned int *counts) {
    const size_t voxels = static_cast<size_t>(nx) * ny * nz;
    const size_t v = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (v >= voxels) return;
    if (weight[v] > 0.0f) atomicAdd(&counts[level[v]], 1u);
}
