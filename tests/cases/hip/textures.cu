// A texture of two dimensions, and sums over the lanes that read it.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void sums(cudaTextureObject_t picture, float *out, int width) {
    const int i = threadIdx.x;
    float sum = tex2D<float>(picture, i % width + 0.5f, i / width + 0.5f);
    for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(0xffffffff, sum, by);
    out[i] = sum;
}

int main() {
    const int width = 16, height = 8;
    std::vector<float> in(width * height), wanted(width * height);
    for (int i = 0; i < width * height; ++i) in[i] = i * 7 % 31;
    for (int i = 0; i < width * height; ++i)
        for (int j = 0; j < 32; ++j) wanted[i] += in[i / 32 * 32 + j];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, width, height);
    cudaMemcpy2DToArray(array, 0, 0, in.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t picture;
    cudaCreateTextureObject(&picture, &resource, &how, nullptr);
    float *result = on_device(std::vector<float>(width * height));
    sums<<<1, width * height>>>(picture, result, width);
    expect(result, wanted);
    cudaDestroyTextureObject(picture);
    cudaFreeArray(array);
    return 0;
}
