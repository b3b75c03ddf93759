// Lambdas: what returns from one, or leaves a loop in one, stays within it.
#include <cstdio>
__global__ void weighed(const float *x, float *y, int n, int kind)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        auto weight = [=](int at) {
            switch (kind) {
            case 0: return x[at] * 2.0f;
            case 1: return x[at] + 1.0f;
            default: return 0.5f;
            }
        };
        auto sum = [&](int from, int to) {
            float s = 0;
            for (int j = from; j < to; ++j) {
                if (j >= n) break;
                s += weight(j);
            }
            return s;
        };
        y[i] = sum(i, i + 3);
    }
}
__global__ void guarded(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    auto larger = [](float a, float b) { if (a > b) return a; return b; };
    y[i] = larger(x[i], 0.25f);
}
int main() {
    float *x, *y; cudaMallocManaged(&x, 4000); cudaMallocManaged(&y, 4000);
    for (int i = 0; i < 1000; i++) x[i] = i % 7 - 3;
    weighed<<<4, 128>>>(x, y, 1000, 1);
    guarded<<<8, 128>>>(x, y, 1000);
    cudaDeviceSynchronize();
    printf("%g %g\n", y[3], y[999]);
    return 0;
}
