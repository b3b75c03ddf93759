#include <cstdio>
#include <vector>

constexpr int BX = 16;
constexpr int BY = 8;

// Five-point heat step; a block loads its tile and a halo of one cell.
__global__ void heat_step(const double *__restrict__ u, double *__restrict__ v, int nx, int ny, double c)
{
    __shared__ double s[BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = i < nx && j < ny;

    if (inside) {
        s[ty][tx] = u[j * nx + i];
        if (threadIdx.x == 0) s[ty][0] = i > 0 ? u[j * nx + i - 1] : 0.0;
        if (threadIdx.x == BX - 1 || i == nx - 1) s[ty][tx + 1] = i < nx - 1 ? u[j * nx + i + 1] : 0.0;
        if (threadIdx.y == 0) s[0][tx] = j > 0 ? u[(j - 1) * nx + i] : 0.0;
        if (threadIdx.y == BY - 1 || j == ny - 1) s[ty + 1][tx] = j < ny - 1 ? u[(j + 1) * nx + i] : 0.0;
    }
    __syncthreads();

    if (!inside) return;
    v[j * nx + i] = s[ty][tx] + c * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.0 * s[ty][tx]);
}

int main()
{
    const int nx = 41, ny = 30;
    std::vector<double> host(nx * ny);
    for (int k = 0; k < nx * ny; ++k) host[k] = (k * 37) % 64;
    double *u, *v;
    cudaMalloc(&u, nx * ny * sizeof(double));
    cudaMalloc(&v, nx * ny * sizeof(double));
    cudaMemcpy(u, host.data(), nx * ny * sizeof(double), cudaMemcpyHostToDevice);
    for (int step = 0; step < 4; ++step) {
        heat_step<<<dim3((nx + BX - 1) / BX, (ny + BY - 1) / BY), dim3(BX, BY)>>>(u, v, nx, ny, 0.125);
        double *t = u;
        u = v;
        v = t;
    }
    cudaMemcpy(host.data(), u, nx * ny * sizeof(double), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int k = 0; k < nx * ny; ++k) sum += host[k] * (k % 9);
    printf("%.6f\n", sum);
    cudaFree(u);
    cudaFree(v);
}
