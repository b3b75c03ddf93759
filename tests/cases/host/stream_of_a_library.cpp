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
    float *result = (float *)malloc(n * sizeof(float));
    memcpy(matrix, weights, n * n * sizeof(float));
    memcpy(vector, in, n * sizeof(float));
    cublasSgemv(layer.handle, CUBLAS_OP_T, n, n, &one, matrix, n, vector, 1, &zero, result, 1);
    memcpy(out, result, n * sizeof(float));
    cudaStreamSynchronize(layer.stream);
    cublasDestroy(layer.handle);
    cudaStreamDestroy(layer.stream);
    free(matrix);
    free(vector);
    free(result);
}
