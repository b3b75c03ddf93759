#include <cstdio>

#include <cublas_v2.h>
#include <cuda_runtime.h>

struct Layer {
    cublasHandle_t handle;
    cudaStream_t stream;
};

void apply(Layer &layer, const float *weights, const float *in, float *out, int n)
{
    const float one = 1.0f, zero = 0.0f;
    cudaStreamCreate(&layer.stream);
    cublasCreate(&layer.handle);
    cublasSetStream(layer.handle, layer.stream);
    float *matrix = (float *)malloc(n * n * sizeof(float));
    float *vector = (float *)malloc(n * sizeof(float));
    memcpy(matrix, weights, n * n * sizeof(float));
    memcpy(vector, in, n * sizeof(float));
    cublasSgemv(layer.handle, CUBLAS_OP_T, n, n, &one, matrix, n, vector, 1, &zero, out, 1);
    cudaStreamSynchronize(layer.stream);
    cublasDestroy(layer.handle);
    cudaStreamDestroy(layer.stream);
    free(matrix);
    free(vector);
}

int main()
{
    Layer layer;
    const float weights[4] = {1, 2, 3, 4}, in[2] = {5, 6};
    float out[2];
    apply(layer, weights, in, out, 2);
    std::printf("%g %g\n", out[0], out[1]);
}
