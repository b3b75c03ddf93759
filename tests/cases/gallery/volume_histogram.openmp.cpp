// histogram(level, weight, nx, ny, nz, counts)
void histogram(const unsigned char *level, const float *weight, int nx, int ny, int nz,
               unsigned int *counts) {
    const size_t voxels = static_cast<size_t>(nx) * ny * nz;
    #pragma omp parallel for
    for (size_t v = 0; v < voxels; ++v) {
        if (weight[v] > 0.0f) {
            #pragma omp atomic
            counts[level[v]] += 1u;
        }
    }
}
