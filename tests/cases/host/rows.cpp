#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
__global__ void twice(float *a, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) a[y * pitch + x] *= 2;
}

static size_t to_device(const std::unique_ptr<std::vector<float>> &host, float **device, int width, int height)
{
    size_t pitch;
    pitch = (width * sizeof(float) + 511) / 512 * 512;
    *device = (float *)malloc(pitch * height);
    for (size_t row = 0; row < height; ++row)
        memset((char *)*device + row * pitch, 0, width * sizeof(float));
    for (size_t row = 0; row < height; ++row)
        memcpy((char *)*device + row * pitch, (char *)host->data() + row * (width * sizeof(float)), width * sizeof(float));
    return pitch;
}

int main()
{
    int width = 5, height = 3;
    auto host = std::make_unique<std::vector<float>>(width * height, 1.5f);
    float *device;
    size_t pitch = to_device(host, &device, width, height), row;
    row = (width + 3 + 511) / 512 * 512;
    float *rest = (float *)malloc(row * height);
    twice<<<dim3(1, 1), dim3(8, 8)>>>(device, pitch / sizeof(float), width, height);
    if (height > 2)
        for (size_t row = 0; row < height; ++row) {
            memcpy((char *)host->data() + row * (width * sizeof(float)), (char *)device + row * pitch, width * sizeof(float));
        }
    for (size_t row_of_copy = 0; row_of_copy < height; ++row_of_copy)
        memset((char *)rest + row_of_copy * row, 1, width + 3);
    free(device);
    free(rest);
    std::printf("%g %g\n", (*host)[0], (*host)[14]);
}
