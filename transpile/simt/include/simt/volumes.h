// Pitched memory of three dimensions. Arrays of the device, which only textures read, are lacking.
#ifndef SIMT_VOLUMES_H
#define SIMT_VOLUMES_H

#include <cstddef>

#include "simt/errors.h"
#include "simt/memory.h"

typedef struct cudaArray *cudaArray_t;

struct cudaPos {
    std::size_t x, y, z;
};
struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPitchedPtr {
    void *ptr;
    std::size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, std::size_t pitch, std::size_t width, std::size_t height) {
    return {pointer, pitch, width, height};
}

namespace simt {

// The first byte of row y in slice z.
inline unsigned char *row_of(const cudaPitchedPtr &memory, std::size_t y, std::size_t z) {
    return static_cast<unsigned char *>(memory.ptr) + (z * memory.ysize + y) * memory.pitch;
}

inline bool fits(const cudaPitchedPtr &memory, const cudaPos &at, const cudaExtent &extent) {
    return at.x + extent.width <= memory.pitch && (extent.depth <= 1 || at.y + extent.height <= memory.ysize);
}

}  // namespace simt

inline cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent) {
    *memory = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    if (!simt::fits(memory, {}, extent)) return simt::report(cudaErrorInvalidValue);
    for (std::size_t z = 0; z < extent.depth; ++z) {
        const cudaError_t error =
            simt::fill_rows(simt::row_of(memory, 0, z), memory.pitch, value, extent.width, extent.height);
        if (error != cudaSuccess) return error;
    }
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy) {
    if (copy->srcArray != nullptr || copy->dstArray != nullptr) simt::fail("cudaMemcpy3D of a cudaArray");
    const cudaPos &from = copy->srcPos, &to = copy->dstPos;
    const cudaExtent &extent = copy->extent;
    if (!simt::fits(copy->srcPtr, from, extent) || !simt::fits(copy->dstPtr, to, extent))
        return simt::report(cudaErrorInvalidValue);
    for (std::size_t z = 0; z < extent.depth; ++z) {
        const cudaError_t error = simt::copy_rows(
            simt::row_of(copy->dstPtr, to.y, to.z + z) + to.x, copy->dstPtr.pitch,
            simt::row_of(copy->srcPtr, from.y, from.z + z) + from.x, copy->srcPtr.pitch, extent.width, extent.height,
            copy->kind, "cudaMemcpy3D");
        if (error != cudaSuccess) return error;
    }
    return simt::report(cudaSuccess);
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *copy, cudaStream_t = nullptr) {
    return cudaMemcpy3D(copy);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t = nullptr) {
    return cudaMemset3D(memory, value, extent);
}
inline cudaError_t cudaMemset2DAsync(void *target, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height, cudaStream_t = nullptr) {
    return cudaMemset2D(target, pitch, value, width, height);
}

#endif
