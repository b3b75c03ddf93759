// Interior points of grids of two and three dimensions.
#include <cuda_runtime.h>
#define AT(x, y) ((y) * nx + (x))

__global__ void jacobi(const float *u, float *v, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        v[AT(x, y)] = 0.25f * (u[AT(x - 1, y)] + u[AT(x + 1, y)] + u[AT(x, y - 1)] + u[AT(x, y + 1)]);
}

__global__ void nine(const double *u, double *v, int width, int height)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || j < 1 || i >= height - 1 || j >= width - 1) return;
    double sum = 0.0;
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) sum += u[(i + di) * width + j + dj];
    v[i * width + j] = sum / 9.0;
}

__global__ void shifted_by_one(const float *u, float *v, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < nx - 1 && y < ny - 1) v[AT(x, y)] = u[AT(x, y)] + 0.5f * (u[AT(x + 1, y)] - u[AT(x - 1, y)]);
}

__global__ void seven(const float *u, float *v, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        int c = (z * ny + y) * nx + x;
        v[c] = u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] + u[c - nx * ny] + u[c + nx * ny] - 6.0f * u[c];
    }
}

__global__ void marching(const float *u, float *v, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x > nx - 2 || y < 1 || y > ny - 2) return;
    for (int z = 1; z < nz - 1; z++) {
        int c = z * nx * ny + y * nx + x;
        v[c] = u[c - nx * ny] + u[c + nx * ny] - 2.0f * u[c];
    }
}

__global__ void wide(const float *u, float *v, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= 2 && i < n - 2 && j >= 2 && j < m - 2)
        v[i * m + j] = u[(i - 2) * m + j] + u[(i + 2) * m + j] + u[i * m + j - 2] + u[i * m + j + 2];
}

__global__ void flat_interior(const float *u, float *v, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % nx, y = i / nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        v[i] = u[i - nx] + u[i + nx] + u[i - 1] + u[i + 1] - 4.0f * u[i];
}

__global__ void edges(float *u, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        u[i] = 0.0f;
        u[(ny - 1) * nx + i] = 0.0f;
    }
}
