// Stencils that do nothing with small sizes: their halo is as wide as those.
#include <cuda_runtime.h>

__global__ void eighth_order(const double *u, double *v, double h, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < 4 || j < 4 || k < 4 || i >= nx - 4 || j >= ny - 4 || k >= nz - 4) return;
    int at = (k * ny + j) * nx + i;
    double sum = u[at];
    for (int r = 1; r <= 4; ++r)
        sum += h * (u[at + r] + u[at - r] + u[at + r * nx] + u[at - r * nx] + u[at + r * nx * ny]
                    + u[at - r * nx * ny]);
    v[at] = sum;
}

__global__ void wave(float *next, const float *now, const float *speed, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= 8 && j >= 8 && i < nx - 8 && j < ny - 8) {
        int at = j * nx + i;
        float sum = 0.0f;
        for (int r = 1; r <= 8; ++r) sum += now[at + r] + now[at - r] + now[at + r * nx] + now[at - r * nx];
        next[at] = 2.0f * now[at] - next[at] + speed[at] * sum;
    }
}

__global__ void along(const float *u, float *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 16;
    if (i < n - 16) v[i] = u[i + 16] - u[i - 16];
}

__global__ void tile_and_halo(const float *u, float *v, int nx, int ny)
{
    __shared__ float row[16][16];
    int i = blockIdx.x * 16 + threadIdx.x;
    int j = blockIdx.y * 16 + threadIdx.y;
    bool inside = i < nx && j < ny;
    if (inside) row[threadIdx.y][threadIdx.x] = u[j * nx + i];
    __syncthreads();
    if (inside && i >= 7 && i < nx - 7 && j >= 7 && j < ny - 7)
        v[j * nx + i] = row[threadIdx.y][threadIdx.x] + u[(j - 7) * nx + i] + u[(j + 7) * nx + i];
}
