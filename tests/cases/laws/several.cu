// Guards that are several, scaled, hidden, or no reason for anything.
#include <cuda_runtime.h>

__global__ void two_arrays(float *a, float *b, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 1.0f;
    if (i < m) b[i] = 2.0f;
}

__global__ void both(float *a, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < m) a[i] += 1.0f;
}

__global__ void either(float *a, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n || i < m) a[i] += 1.0f;
}

__device__ bool inside(int i, int n) { return i < n; }

__global__ void asked(float *a, int n, int spare)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (inside(i, n)) a[i] *= 3.0f;
}

__global__ void pairs(float *a, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
    }
}

__global__ void quads(const float *a, float *b, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int k = first; k < first + 4; k++)
        if (k < n) b[k] = 2.0f * a[k];
}

__global__ void halves(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        float t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

__global__ void never(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1000000) return;
    if (i < n) a[i] = i;
}

__global__ void inclusive(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    a[i] = 0.5f * i;
}

__global__ void ends(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) a[0] = 0.0f;
    else if (i == n - 1) a[n - 1] = 0.0f;
    else if (i < n - 1) a[i] = 1.0f;
}

__global__ void from_one(const double *r, const double *p, double *a, double *b, int nx, int ny, int nz, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1) return;
    for (int k = 1; k < nz - 1; k++) {
        int at = (i * ny + j) * nz + k;
        a[at] = r[at + 1] - 2.0 * r[at] + r[at - 1];
        b[at] = p[at + ny * nz] - 2.0 * p[at] + p[at - ny * nz];
    }
}

__global__ void clamped(const float *in, float *out, int width, int height, int radius, int unused)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int d = -radius; d <= radius; d++) {
        int at = min(max(x + d, 0), width - 1);
        sum += in[y * width + at];
    }
    out[y * width + x] = sum;
}

__global__ void box(const float *in, float *out, int ny, int nx, int steps, int p)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y > 0 && y < ny - 1 && x > 0 && x < nx - 1) {
        float sum = 0.0f;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) sum += in[(y + j) * nx + (x + i)];
        out[y * nx + x] = sum / 9.0f;
    }
}

// Four numbers at once, and what is left: which guard reaches further depends on the size.
__global__ void vectors(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int whole = n / 4;
    if (i < whole) {
        float4 v = reinterpret_cast<const float4 *>(a)[i];
        v.x *= 2.0f, v.y *= 2.0f, v.z *= 2.0f, v.w *= 2.0f;
        reinterpret_cast<float4 *>(b)[i] = v;
    }
    if (i < n % 4) b[whole * 4 + i] = 2.0f * a[whole * 4 + i];
}
