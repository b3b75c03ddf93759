// run: => exit 0
#include "expect.h"

#include <cuComplex.h>

// Pitched memory of three dimensions, and complex numbers.
__global__ void number_cells(cudaPitchedPtr volume, cudaExtent cells) {
    const auto *base = static_cast<char *>(volume.ptr);
    for (size_t y = 0; y < cells.height; ++y) {
        auto *row = (int *)(base + (threadIdx.x * volume.ysize + y) * volume.pitch);
        for (size_t x = 0; x < cells.width / sizeof(int); ++x) row[x] = threadIdx.x * 100 + y * 10 + x;
    }
}

template <class Complex, class Function>
__global__ void apply(Complex *out, Complex a, Complex b, Function function) {
    *out = function(a, b);
}

void volumes() {
    const cudaExtent extent = make_cudaExtent(3 * sizeof(int), 4, 5);
    cudaPitchedPtr device;
    EXPECT(cudaMalloc3D(&device, extent) == cudaSuccess);
    EXPECT(device.pitch % 256 == 0 && device.xsize == 12 && device.ysize == 4);
    EXPECT(cudaMemset3D(device, 0, extent) == cudaSuccess);
    number_cells<<<1, 5>>>(device, extent);

    int host[5][4][3] = {};
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = device;
    copy.srcPos = make_cudaPos(sizeof(int), 1, 2);
    copy.dstPtr = make_cudaPitchedPtr(host, 12, 12, 4);
    copy.extent = make_cudaExtent(2 * sizeof(int), 3, 3);
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
    EXPECT(host[0][0][0] == 211 && host[0][0][1] == 212 && host[0][0][2] == 0);
    EXPECT(host[2][2][1] == 432 && host[2][3][0] == 0 && host[3][0][0] == 0);

    copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 12, 12, 4);
    copy.dstPtr = device;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3DAsync(&copy) == cudaSuccess);
    int value = -1;
    EXPECT(cudaMemcpy(&value, static_cast<char *>(device.ptr) + (2 * 4 + 2) * device.pitch + 4, 4,
                      cudaMemcpyDeviceToHost) == cudaSuccess && value == 432);
    copy.dstPos.y = 1;
    EXPECT(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
    copy.dstPos = {};
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
    EXPECT(cudaFree(device.ptr) == cudaSuccess);
}

void complex_numbers() {
    Buffer<cuDoubleComplex> out(1);
    const cuDoubleComplex a = make_cuDoubleComplex(3, -4), b = make_cuDoubleComplex(1, 2);
    apply<<<1, 1>>>(out.device, a, b, cuCmul);
    EXPECT(cuCreal(out[0]) == 11 && cuCimag(out[0]) == 2);
    apply<<<1, 1>>>(out.device, a, b, cuCdiv);
    EXPECT(fabs(out[0].x + 1) < 1e-15 && fabs(out[0].y + 2) < 1e-15);
    const cuComplex c = make_cuComplex(3, -4), d = cuComplexDoubleToFloat(b);
    EXPECT(cuCabsf(c) == 5 && cuConjf(c).y == 4 && cuCsubf(cuCaddf(c, d), d).x == 3);
    EXPECT(cuCfmaf(c, d, c).x == 14 && cuCfmaf(c, d, c).y == -2);
    EXPECT(cuCabs(make_cuDoubleComplex(3e300, 4e300)) == 5e300);
}

int main() {
    volumes();
    complex_numbers();
    return failed_expectations != 0;
}
