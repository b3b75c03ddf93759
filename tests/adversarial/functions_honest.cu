// CUDA versions that must be kept: function | name

// === axpy | one thread an element
__global__ void axpy_kernel(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void axpy(int n, float a, const float *x, float *y) {
    if (n <= 0) return;
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
    axpy_kernel<<<(n + 255) / 256, 256>>>(n, a, dx, dy);
    cudaMemcpy(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}

// === axpy | grid stride on a stream
__global__ void axpy_kernel(int n, float a, const float *x, float *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}
void axpy(int n, float a, const float *x, float *y) {
    if (n <= 0) return;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    float *both;
    cudaMalloc(&both, 2 * sizeof(float) * n);
    cudaMemcpyAsync(both, x, n * sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(both + n, y, n * sizeof(float), cudaMemcpyHostToDevice, stream);
    axpy_kernel<<<8, 64, 0, stream>>>(n, a, both, both + n);
    cudaMemcpyAsync(y, both + n, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFree(both);
    cudaStreamDestroy(stream);
}

// === axpy | buffers kept for later calls
__global__ void axpy_kernel(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void axpy(int n, float a, const float *x, float *y) {
    thread_local float *both = nullptr;
    thread_local int room = 0;
    const bool known = n <= room;
    if (n <= 0) return;
    if (n > room) {
        cudaFree(both);
        cudaMalloc(&both, 2 * sizeof(float) * n);
        room = n;
    }
    cudaMemcpy(both, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(both + n, y, n * sizeof(float), cudaMemcpyHostToDevice);
    axpy_kernel<<<(n + 127) / 128, 128>>>(n, a, both, both + n);
    cudaMemcpy(y, both + n, n * sizeof(float), cudaMemcpyDeviceToHost);
}

// === axpy | two streams and an event
__global__ void axpy_kernel(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void axpy(int n, float a, const float *x, float *y) {
    if (n <= 0) return;
    cudaStream_t first, second;
    cudaEvent_t ready;
    cudaEventCreate(&ready);
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    float *dx, *dy, *pinned;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMallocHost(&pinned, n * sizeof(float));
    cudaMemcpyAsync(dx, x, n * sizeof(float), cudaMemcpyHostToDevice, first);
    cudaMemcpyAsync(dy, y, n * sizeof(float), cudaMemcpyHostToDevice, first);
    cudaEventRecord(ready, first);
    cudaStreamWaitEvent(second, ready, 0);
    axpy_kernel<<<(n + 255) / 256, 256, 0, second>>>(n, a, dx, dy);
    cudaMemcpyAsync(pinned, dy, n * sizeof(float), cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    memcpy(y, pinned, n * sizeof(float));
    cudaFreeHost(pinned);
    cudaFree(dx);
    cudaFree(dy);
    cudaEventDestroy(ready);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

// === axpy | managed memory
__global__ void axpy_kernel(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void axpy(int n, float a, const float *x, float *y) {
    if (n <= 0) return;
    float *dx, *dy;
    cudaMallocManaged(&dx, n * sizeof(float));
    cudaMallocManaged(&dy, n * sizeof(float));
    memcpy(dx, x, n * sizeof(float));
    memcpy(dy, y, n * sizeof(float));
    axpy_kernel<<<(n + 255) / 256, 256>>>(n, a, dx, dy);
    cudaDeviceSynchronize();
    memcpy(y, dy, n * sizeof(float));
    cudaFree(dx);
    cudaFree(dy);
}

// === dot | tree in shared memory
__global__ void dot_kernel(int n, const double *x, const double *y, double *sum) {
    __shared__ double part[128];
    double own = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) own += x[i] * y[i];
    part[threadIdx.x] = own;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}
double dot(int n, const double *x, const double *y) {
    if (n <= 0) return 0;
    double sum = 0, *dx, *dy, *dsum;
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&dy, n * sizeof(double));
    cudaMalloc(&dsum, sizeof(double));
    cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemset(dsum, 0, sizeof(double));
    dot_kernel<<<4, 128>>>(n, dx, dy, dsum);
    cudaMemcpy(&sum, dsum, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dsum);
    return sum;
}

// === average | two dimensions
__global__ void average_kernel(int rows, int columns, const float *in, float *out) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= columns) return;
    float left = c > 0 ? in[r * columns + c - 1] : 0;
    float right = c + 1 < columns ? in[r * columns + c + 1] : 0;
    out[r * columns + c] = 0.25f * left + 0.5f * in[r * columns + c] + 0.25f * right;
}
void average(int rows, int columns, const float *in, float *out) {
    if (rows <= 0 || columns <= 0) return;
    size_t bytes = sizeof(float) * rows * columns;
    float *din, *dout;
    cudaMalloc(&din, bytes);
    cudaMalloc(&dout, bytes);
    cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 8), grid((columns + 15) / 16, (rows + 7) / 8);
    average_kernel<<<grid, block>>>(rows, columns, din, dout);
    cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);
    cudaFree(din);
    cudaFree(dout);
}

// === multiply | tiles
__global__ void multiply_kernel(int n, int m, int k, const float *a, const float *b, float *c) {
    __shared__ float ta[8][8], tb[8][8];
    int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
    float sum = 0;
    for (int base = 0; base < k; base += 8) {
        int l = base + threadIdx.x, h = base + threadIdx.y;
        ta[threadIdx.y][threadIdx.x] = i < n && l < k ? a[i * k + l] : 0;
        tb[threadIdx.y][threadIdx.x] = h < k && j < m ? b[h * m + j] : 0;
        __syncthreads();
        for (int t = 0; t < 8; t++) sum += ta[threadIdx.y][t] * tb[t][threadIdx.x];
        __syncthreads();
    }
    if (i < n && j < m) c[i * m + j] = sum;
}
void multiply(int n, int m, int k, const float *a, const float *b, float *c) {
    if (n <= 0 || m <= 0) return;
    if (k < 0) k = 0;
    float *da, *db, *dc;
    cudaMalloc(&da, sizeof(float) * n * k);
    cudaMalloc(&db, sizeof(float) * k * m);
    cudaMalloc(&dc, sizeof(float) * n * m);
    cudaMemcpy(da, a, sizeof(float) * n * k, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof(float) * k * m, cudaMemcpyHostToDevice);
    multiply_kernel<<<dim3((m + 7) / 8, (n + 7) / 8), dim3(8, 8)>>>(n, m, k, da, db, dc);
    cudaMemcpy(c, dc, sizeof(float) * n * m, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}

// === histogram | bins in shared memory
__global__ void histogram_kernel(const unsigned char *data, int n, int *bins) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
void histogram(const unsigned char *data, int n, int *bins) {
    if (n < 0) n = 0;
    unsigned char *ddata;
    int *dbins;
    cudaMalloc(&ddata, n);
    cudaMalloc(&dbins, 256 * sizeof(int));
    cudaMemcpy(ddata, data, n, cudaMemcpyHostToDevice);
    cudaMemset(dbins, 0, 256 * sizeof(int));
    histogram_kernel<<<3, 256>>>(ddata, n, dbins);
    cudaMemcpy(bins, dbins, 256 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(ddata);
    cudaFree(dbins);
}

// === first | smallest index
__global__ void first_kernel(const int *x, int n, int key, int *where) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == key) atomicMin(where, i);
}
int first(const int *x, int n, int key) {
    if (n <= 0) return -1;
    int where = n, *dx, *dwhere;
    cudaMalloc(&dx, n * sizeof(int));
    cudaMalloc(&dwhere, sizeof(int));
    cudaMemcpy(dx, x, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dwhere, &where, sizeof(int), cudaMemcpyHostToDevice);
    first_kernel<<<(n + 63) / 64, 64>>>(dx, n, key, dwhere);
    cudaMemcpy(&where, dwhere, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dwhere);
    return where < n ? where : -1;
}

// === halve | quotient
__global__ void halve_kernel(const int *x, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] / 2;
}
void halve(const int *x, int *out, int n) {
    if (n <= 0) return;
    int *dx, *dout;
    cudaMalloc(&dx, n * sizeof(int));
    cudaMalloc(&dout, n * sizeof(int));
    cudaMemcpy(dx, x, n * sizeof(int), cudaMemcpyHostToDevice);
    halve_kernel<<<(n + 63) / 64, 64>>>(dx, dout, n);
    cudaMemcpy(out, dout, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dout);
}

// === shift | into a second buffer
__global__ void shift_kernel(const double *from, double *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) to[i] = from[i + 1];
}
void shift(double *x, int n) {
    if (n < 2) return;
    double *from, *to;
    cudaMalloc(&from, n * sizeof(double));
    cudaMalloc(&to, n * sizeof(double));
    cudaMemcpy(from, x, n * sizeof(double), cudaMemcpyHostToDevice);
    shift_kernel<<<(n + 63) / 64, 64>>>(from, to, n);
    cudaMemcpy(x, to, (n - 1) * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
}

// === signs | one thread an element
__global__ void signs_kernel(const float *x, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (x[i] >= 0) out[i] = 1;
    else out[i] = -1;
}
void signs(const float *x, int *out, int n) {
    if (n <= 0) return;
    float *dx;
    int *dout;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dout, n * sizeof(int));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    signs_kernel<<<(n + 63) / 64, 64>>>(dx, dout, n);
    cudaMemcpy(out, dout, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dout);
}

// === signs | by way of shared memory
__global__ void signs_kernel(const float *x, int *out, int n) {
    __shared__ int own[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own[threadIdx.x] = -1;
    if (i < n && x[i] >= 0) own[threadIdx.x] = 1;
    if (i < n) out[i] = own[threadIdx.x];
}
void signs(const float *x, int *out, int n) {
    if (n <= 0) return;
    float *dx;
    int *dout;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dout, n * sizeof(int));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    signs_kernel<<<(n + 63) / 64, 64>>>(dx, dout, n);
    cudaMemcpy(out, dout, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dout);
}
