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
    float *matrix, *vector, *result;
    cudaStreamCreate(&layer.stream);
    cublasCreate(&layer.handle);
    cublasSetStream(layer.handle, layer.stream);
    cudaMalloc(&matrix, n * n * sizeof(float));
    cudaMalloc(&vector, n * sizeof(float));
    cudaMalloc(&result, n * sizeof(float));
    cudaMemcpyAsync(matrix, weights, n * n * sizeof(float), cudaMemcpyHostToDevice, layer.stream);
    cudaMemcpyAsync(vector, in, n * sizeof(float), cudaMemcpyHostToDevice, layer.stream);
    cublasSgemv(layer.handle, CUBLAS_OP_T, n, n, &one, matrix, n, vector, 1, &zero, result, 1);
    cudaMemcpyAsync(out, result, n * sizeof(float), cudaMemcpyDeviceToHost, layer.stream);
    cudaStreamSynchronize(layer.stream);
    cublasDestroy(layer.handle);
    cudaStreamDestroy(layer.stream);
    cudaFree(matrix);
    cudaFree(vector);
    cudaFree(result);
}

int main()
{
    Layer layer;
    const float weights[4] = {1, 2, 3, 4}, in[2] = {5, 6};
    float out[2];
    apply(layer, weights, in, out, 2);
    std::printf("%g %g\n", out[0], out[1]);
}
