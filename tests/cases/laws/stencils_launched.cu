// Interior points, with the launches of the program.
#include <cuda_runtime.h>
#define TX 16
#define TY 16

__global__ void diffuse(const float *now, float *next, int nx, int ny, float alpha)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x;
    int iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix > 0 && ix < nx - 1 && iy > 0 && iy < ny - 1) {
        int c = iy * nx + ix;
        next[c] = now[c] + alpha * (now[c - 1] + now[c + 1] + now[c - nx] + now[c + nx] - 4.0f * now[c]);
    }
}

__global__ void gradient(const float *p, float *gx, float *gy, int nx, int ny)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x;
    int iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix < 1 || ix >= nx - 1 || iy < 1 || iy >= ny - 1) return;
    int c = iy * nx + ix;
    gx[c] = 0.5f * (p[c + 1] - p[c - 1]);
    gy[c] = 0.5f * (p[c + nx] - p[c - nx]);
}

__global__ void volume(const double *u, double *v, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1) {
        int c = i + nx * (j + ny * k);
        v[c] = (u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] + u[c - nx * ny] + u[c + nx * ny]) / 6.0;
    }
}

void run(float *a, float *b, float *c, double *p, double *q, int nx, int ny, int nz)
{
    dim3 block(TX, TY);
    dim3 grid((nx + TX - 1) / TX, (ny + TY - 1) / TY);
    diffuse<<<grid, block>>>(a, b, nx, ny, 0.1f);
    gradient<<<grid, block>>>(a, b, c, nx, ny);
    dim3 cube(8, 8, 4);
    volume<<<dim3((nx + 7) / 8, (ny + 7) / 8, (nz + 3) / 4), cube>>>(p, q, nx, ny, nz);
}
