// Pitched memory of three dimensions, and copies of boxes of it and of arrays.
#ifndef SIMT_VOLUMES_H
#define SIMT_VOLUMES_H

#include <cstddef>

#include "simt/arrays.h"
#include "simt/errors.h"
#include "simt/memory.h"

struct cudaPos {
    std::size_t x, y, z;
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

// One side of a copy: an array's rows, whose places are told in elements, or those of memory, in bytes.
struct Side {
    cudaPitchedPtr memory;
    cudaPos at;

    Side(cudaArray_const_t array, const cudaPitchedPtr &pointer, const cudaPos &from) : memory(pointer), at(from) {
        if (array == nullptr) return;
        memory = {array->data, pitch_of(array), array->extent.width, at_least_one(array->extent.height)};
        at.x *= bytes_of(array->format);
    }
};

inline bool fits(cudaArray_const_t array, const Side &side, const cudaExtent &extent) {
    if (!fits(side.memory, side.at, extent)) return false;
    return array == nullptr || (side.at.y + extent.height <= at_least_one(array->extent.height) &&
                                side.at.z + extent.depth <= at_least_one(array->extent.depth));
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
    const cudaArray_const_t array = copy->srcArray != nullptr ? copy->srcArray : copy->dstArray;
    const simt::Side from(copy->srcArray, copy->srcPtr, copy->srcPos), to(copy->dstArray, copy->dstPtr, copy->dstPos);
    cudaExtent extent = copy->extent;
    if (array != nullptr) extent.width *= simt::bytes_of(array->format);
    if (!simt::fits(copy->srcArray, from, extent) || !simt::fits(copy->dstArray, to, extent))
        return simt::report(cudaErrorInvalidValue);
    for (std::size_t z = 0; z < extent.depth; ++z) {
        const cudaError_t error = simt::copy_rows(
            simt::row_of(to.memory, to.at.y, to.at.z + z) + to.at.x, to.memory.pitch,
            simt::row_of(from.memory, from.at.y, from.at.z + z) + from.at.x, from.memory.pitch, extent.width,
            extent.height, copy->kind, "cudaMemcpy3D");
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
