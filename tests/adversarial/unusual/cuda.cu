// CUDA in place of functions.c that must be kept, however it looks: function | name

// === axpy | a capped grid and a stride
__global__ void axpy_kernel(int n, double a, const double *x, double *y) {
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        if (i < n) y[i] += a * x[i];
}
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0) return;
    double *dx = nullptr, *dy = nullptr;
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&dy, n * sizeof(double));
    cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(double), cudaMemcpyHostToDevice);
    int blocks = (n + 255) / 256;
    if (blocks > 65535) blocks = 65535;
    axpy_kernel<<<blocks, 256>>>(n, a, dx, dy);
    cudaDeviceSynchronize();
    cudaMemcpy(y, dy, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}

// === axpy | errors that are looked at
__global__ void axpy_kernel(int n, double a, const double *__restrict__ x, double *__restrict__ y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0) return;
    double *dx = nullptr, *dy = nullptr;
    if (cudaMalloc(&dx, n * sizeof(double)) != cudaSuccess) return;
    if (cudaMalloc(&dy, n * sizeof(double)) != cudaSuccess) {
        cudaFree(dx);
        return;
    }
    cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(double), cudaMemcpyHostToDevice);
    axpy_kernel<<<(n + 127) / 128, 128>>>(n, a, dx, dy);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) cudaMemcpy(y, dy, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}

// === axpy | two streams with a half each
__global__ void axpy_kernel(int n, double a, const double *x, double *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
void axpy(int n, double a, const double *x, double *y) {
    if (n <= 0) return;
    double *dx, *dy;
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&dy, n * sizeof(double));
    cudaStream_t streams[2];
    int begin = 0;
    for (int s = 0; s < 2; s++) {
        cudaStreamCreate(&streams[s]);
        int count = s == 0 ? n / 2 : n - n / 2;
        if (count > 0) {
            cudaMemcpyAsync(dx + begin, x + begin, count * sizeof(double), cudaMemcpyHostToDevice, streams[s]);
            cudaMemcpyAsync(dy + begin, y + begin, count * sizeof(double), cudaMemcpyHostToDevice, streams[s]);
            axpy_kernel<<<(count + 63) / 64, 64, 0, streams[s]>>>(count, a, dx + begin, dy + begin);
            cudaMemcpyAsync(y + begin, dy + begin, count * sizeof(double), cudaMemcpyDeviceToHost, streams[s]);
        }
        begin += count;
    }
    for (int s = 0; s < 2; s++) {
        cudaStreamSynchronize(streams[s]);
        cudaStreamDestroy(streams[s]);
    }
    cudaFree(dx);
    cudaFree(dy);
}

// === dot | warp shuffles
__global__ void dot_kernel(int n, const double *x, const double *y, double *sum) {
    __shared__ double warps[32];
    double own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += x[i] * y[i];
    for (int step = 16; step > 0; step >>= 1) own += __shfl_down_sync(0xffffffff, own, step);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) warps[warp] = own;
    __syncthreads();
    if (warp == 0) {
        own = lane < (int)(blockDim.x >> 5) ? warps[lane] : 0.0;
        for (int step = 16; step > 0; step >>= 1) own += __shfl_down_sync(0xffffffff, own, step);
        if (lane == 0) atomicAdd(sum, own);
    }
}
double dot(int n, const double *x, const double *y) {
    if (n <= 0) return 0.0;
    double *dx, *dy, *dsum, sum = 0.0;
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&dy, n * sizeof(double));
    cudaMalloc(&dsum, sizeof(double));
    cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dsum, &sum, sizeof(double), cudaMemcpyHostToDevice);
    int blocks = (n + 127) / 128;
    dot_kernel<<<blocks < 16 ? blocks : 16, 128>>>(n, dx, dy, dsum);
    cudaMemcpy(&sum, dsum, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dsum);
    return sum;
}

// === dot | a tree of an odd size and the rest on the host
#include <vector>
__global__ void dot_kernel(int n, const double *x, const double *y, double *part) {
    extern __shared__ double own[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    own[t] = i < n ? x[i] * y[i] : 0.0;
    __syncthreads();
    for (int left = blockDim.x; left > 1;) {
        int half = (left + 1) / 2;
        if (t + half < left) own[t] += own[t + half];
        __syncthreads();
        left = half;
    }
    if (t == 0) part[blockIdx.x] = own[0];
}
double dot(int n, const double *x, const double *y) {
    if (n <= 0) return 0.0;
    const int threads = 96;
    int blocks = (n + threads - 1) / threads;
    double *dx, *dy, *dpart, sum = 0.0;
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&dy, n * sizeof(double));
    cudaMalloc(&dpart, blocks * sizeof(double));
    cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(double), cudaMemcpyHostToDevice);
    dot_kernel<<<blocks, threads, threads * sizeof(double)>>>(n, dx, dy, dpart);
    std::vector<double> part(blocks);
    cudaMemcpy(part.data(), dpart, blocks * sizeof(double), cudaMemcpyDeviceToHost);
    for (double one : part) sum += one;
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dpart);
    return sum;
}

// === rows | a block for each row
__global__ void rows_kernel(int n, int m, const double *x, double *y) {
    __shared__ double own[64];
    int row = blockIdx.x;
    if (row >= n) return;
    double sum = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x) sum += x[row * m + j];
    own[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step >>= 1) {
        if (threadIdx.x < step) own[threadIdx.x] += own[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[row] = own[0];
}
void rows(int n, int m, const double *x, double *y) {
    if (n <= 0) return;
    if (m < 0) m = 0;
    double *dx, *dy;
    cudaMalloc(&dx, (size_t)n * m * sizeof(double) + 8);
    cudaMalloc(&dy, n * sizeof(double));
    if (m > 0) cudaMemcpy(dx, x, (size_t)n * m * sizeof(double), cudaMemcpyHostToDevice);
    rows_kernel<<<n, 64>>>(n, m, dx, dy);
    cudaMemcpy(y, dy, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}

// === histogram | cleared by a kernel
__global__ void clear_kernel(int *bins) {
    int b = threadIdx.x;
    if (b < 256) bins[b] = 0;
}
__global__ void histogram_kernel(int n, const unsigned char *x, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int b = x[i];
        if (b >= 0 && b < 256) atomicAdd(&bins[b], 1);
    }
}
void histogram(int n, const unsigned char *x, int *bins) {
    unsigned char *dx = NULL;
    int *dbins = NULL;
    size_t bytes = n > 0 ? n : 0;
    cudaMalloc((void **)&dbins, 256 * sizeof(int));
    clear_kernel<<<1, 256>>>(dbins);
    if (bytes > 0) {
        cudaMalloc((void **)&dx, bytes);
        cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
        histogram_kernel<<<(n + 511) / 512, 512>>>(n, dx, dbins);
    }
    cudaMemcpy(bins, dbins, 256 * sizeof(int), cudaMemcpyDeviceToHost);
    if (dx) cudaFree(dx);
    cudaFree(dbins);
}

// === transpose | tiles with a column to spare
__global__ void transpose_kernel(int n, int m, const float *a, float *b) {
    __shared__ float t[16][17];
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < m) t[threadIdx.y][threadIdx.x] = a[i * m + j];
    __syncthreads();
    int c = blockIdx.y * 16 + threadIdx.x, r = blockIdx.x * 16 + threadIdx.y;
    if (c < n && r < m) b[r * n + c] = t[threadIdx.x][threadIdx.y];
}
void transpose(int n, int m, const float *a, float *b) {
    if (n <= 0 || m <= 0) return;
    size_t bytes = (size_t)n * m * sizeof(float);
    float *da, *db;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((m + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    transpose_kernel<<<grid, block>>>(n, m, da, db);
    cudaMemcpy(b, db, bytes, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
}

// === smooth | a tile with a halo
__global__ void smooth_kernel(int n, const float *x, float *y) {
    __shared__ float t[66];
    int i = blockIdx.x * 64 + threadIdx.x, l = threadIdx.x + 1;
    if (i < n) {
        t[l] = x[i];
        if (threadIdx.x == 0) t[0] = x[i > 0 ? i - 1 : 0];
        if (threadIdx.x == 63 || i == n - 1) t[l + 1] = x[i + 1 < n ? i + 1 : n - 1];
    }
    __syncthreads();
    if (i < n) y[i] = 0.25f * t[l - 1] + 0.5f * t[l] + 0.25f * t[l + 1];
}
void smooth(int n, const float *x, float *y) {
    if (n <= 0 || x == nullptr || y == nullptr) return;
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    smooth_kernel<<<(n + 63) / 64, 64>>>(n, dx, dy);
    cudaMemcpy(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}

// === relax | two buffers of the device in turn
__global__ void relax_kernel(int n, const double *a, double *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    b[i] = i > 0 && i + 1 < n ? 0.5 * (a[i - 1] + a[i + 1]) : a[i];
}
void relax(int n, int steps, double *a, double *b) {
    if (n <= 0 || steps <= 0) return;
    double *da, *db;
    size_t bytes = n * sizeof(double);
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; ++s) {
        relax_kernel<<<(n + 31) / 32, 32>>>(n, da, db);
        double *t = da;
        da = db;
        db = t;
    }
    cudaMemcpy(a, da, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(b, da, bytes, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
}

// === count | votes of a warp
__global__ void count_kernel(int n, const int *x, int key, int *found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned votes = __ballot_sync(0xffffffffu, i < n && x[i] == key);
    if ((threadIdx.x & 31) == 0 && votes != 0) atomicAdd(found, __popc(votes));
}
int count(int n, const int *x, int key) {
    if (n <= 0) return 0;
    int found = 0, *dx, *dfound;
    cudaMalloc(&dx, n * sizeof(int));
    cudaMalloc(&dfound, sizeof(int));
    cudaMemset(dfound, 0, sizeof(int));
    cudaMemcpy(dx, x, n * sizeof(int), cudaMemcpyHostToDevice);
    count_kernel<<<(n + 63) / 64, 64>>>(n, dx, key, dfound);
    cudaMemcpy(&found, dfound, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dfound);
    return found;
}

// === bits | many words for a thread
__global__ void bits_kernel(int n, const unsigned *x, int *y) {
    int begin = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    #pragma unroll
    for (int k = 0; k < 4; k++)
        if (begin + k < n) y[begin + k] = __popc(x[begin + k]);
}
void bits(int n, const unsigned *x, int *y) {
    if (n <= 0) return;
    unsigned *dx;
    int *dy, threads = (n + 3) / 4;
    cudaMalloc(&dx, n * sizeof(unsigned));
    cudaMalloc(&dy, n * sizeof(int));
    cudaMemcpy(dx, x, n * sizeof(unsigned), cudaMemcpyHostToDevice);
    bits_kernel<<<(threads + 31) / 32, 32>>>(n, dx, dy);
    cudaMemcpy(y, dy, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}
