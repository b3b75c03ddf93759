// Small kernels that honest mistakes and cheats are made from.
#include <math.h>

#include <cuComplex.h>
#include <cuda_fp16.h>

__constant__ float weights[4];

__device__ float weighted(float value, int k) { return value * weights[k % 4]; }

__global__ void axpy(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + 1.0f;
}

__global__ void total(const float *x, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}

__global__ void transpose(const float *in, float *out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

__global__ void row_sums(const float *a, float *out, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int j = 0; j < m; j++) sum += a[i * m + j];
    out[i] = sum;
}

__global__ void row_sums_double(const double *a, double *out, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0.0;
    for (int j = 0; j < m; j++) sum += a[i * m + j];
    out[i] = sum;
}

__global__ void row_sums_mixed(const float *a, float *out, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0.0;
    for (int j = 0; j < m; j++) sum += a[i * m + j];
    out[i] = sum;
}

__global__ void row_sums_half(const __half *a, __half *out, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half sum = __float2half(0.0f);
    for (int j = 0; j < m; j++) sum = __hadd(sum, a[i * m + j]);
    out[i] = sum;
}

__global__ void scale_double(const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.123456789 * x[i] + 1.0 / 3.0;
}

__global__ void products(const cuDoubleComplex *x, const cuDoubleComplex *z, cuDoubleComplex *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = cuCmul(cuCmul(x[i], z[i]), make_cuDoubleComplex(0.3, -0.1));
}

__global__ void divide(const int *x, int *y, int k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] / k;
}

__global__ void square(const int *x, long long *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (long long)x[i] * x[i];
}

__global__ void threshold(const int *x, int *y, int limit, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] < limit ? 1 : 0;
}

__global__ void upper_bits(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (x[i] >> 24) & 0x7F;
}

__global__ void roots(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (x[i] < 0.0f) return;
    y[i] = sqrtf(x[i]);
}

__global__ void histogram(const int *x, int *bins, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}

__global__ void smooth(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == 0 || i == n - 1) b[i] = a[i];
    else b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0f;
}

__global__ void weigh(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = weighted(x[i], i);
}

template <typename T, int STEP>
__global__ void strided(const T *x, T *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * T(STEP);
}

__global__ void staged(const float *x, float *y, int n) {
    __shared__ float tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n) y[i] = tile[threadIdx.x] + tile[63 - threadIdx.x];
}

__global__ void variance(const float *a, float *out, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float mean = 0.0f, sum = 0.0f;
    for (int j = 0; j < m; j++) mean += a[i * m + j];
    mean /= m;
    for (int j = 0; j < m; j++) {
        float off = a[i * m + j] - mean;
        sum += off * off;
    }
    out[i] = sum / m;
}

__global__ void gather(const float *x, const int *index, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[index[i]];
}

__global__ void scatter(const float *x, const int *index, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[index[i]] = x[i];
}

__global__ void first_above(const int *a, int *out, int limit, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int found = -1;
    for (int j = 0; j < m; j++) {
        if (a[i * m + j] > limit) {
            found = j;
            break;
        }
    }
    out[i] = found;
}

__global__ void spmv(const int *row, const int *column, const float *value, const float *x, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
}

__global__ void search(const int *a, const int *keys, int *where, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] < keys[i]) low = middle + 1;
        else high = middle;
    }
    where[i] = low;
}

__global__ void segments(const int *row, const float *value, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = row[i]; k < row[i + 1]; k++) sum += value[k];
    y[i] = sum;
}

__global__ void largest(const int *x, int *best, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(best, x[i]);
}

__global__ void position(const int *x, int *where, int key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == key) where[0] = i;
}

__global__ void pitched(const float *x, float *y, int n, int pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[(size_t)i * pitch] = x[(size_t)i * pitch];
}

__global__ void blend(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + (1.0f - a) * x[i] * x[i];
}

// Kernels that are no base for a verdict.

__global__ void racy(const float *x, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[0] += x[i];
}

__global__ void beyond(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i + 1];
}

__global__ void ordered(const int *x, int *y, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) y[atomicAdd(count, 1)] = i;
}

__global__ void unwritten(const float *x, float *y, int n) {
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x > 0) s[threadIdx.x % 64] = 1.0f;
    if (i < n) y[i] = s[0] * x[i];
}

__global__ void unset(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s;
    for (int k = 0; k <= i && i < n; k++) s += x[k];
    if (i < n) y[i] = s;
}

__global__ void idle(const float *x, float *y, int n) {
    float kept = n > 0 ? x[0] : 0.0f;
    if (kept > 0.0f && kept < 0.0f) y[0] = kept;
}

__global__ void hidden(const int *x, int *y, int key, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i];
    if (x[i] * 7 + 3 * key == 1000003) y[i] = -1;
}

int main() {
    strided<float, 3><<<1, 1>>>(nullptr, nullptr, 0);
    strided<int, 2><<<1, 1>>>(nullptr, nullptr, 0);
    return 0;
}
