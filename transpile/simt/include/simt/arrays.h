// Arrays of the device, which textures read: rows without gaps in memory of their own, and copies to and from them.
#ifndef SIMT_ARRAYS_H
#define SIMT_ARRAYS_H

#include <cstddef>
#include <new>
#include <type_traits>

#include "simt/errors.h"
#include "simt/memory.h"
#include "vector_types.h"

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w;  // bits
    cudaChannelFormatKind f;
};
struct cudaExtent {
    std::size_t width, height, depth;
};
enum { cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayTextureGather = 8 };

struct cudaArray {
    cudaChannelFormatDesc format;
    cudaExtent extent;  // in elements; what it does not have is 0
    unsigned flags;
    unsigned char *data;
};
typedef cudaArray *cudaArray_t;
typedef const cudaArray *cudaArray_const_t;

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

namespace simt {

// What a texture can hold: the type of a channel, and how many there are.
template <class T>
struct Texel {
    using Channel = T;
    static constexpr int channels = 1;
};
template <>
struct Texel<char> {
    using Channel = signed char;
    static constexpr int channels = 1;
};
#define SIMT_TEXELS(name, scalar)                 \
    template <>                                   \
    struct Texel<name##1> {                       \
        using Channel = scalar;                   \
        static constexpr int channels = 1;        \
    };                                            \
    template <>                                   \
    struct Texel<name##2> {                       \
        using Channel = scalar;                   \
        static constexpr int channels = 2;        \
    };                                            \
    template <>                                   \
    struct Texel<name##4> {                       \
        using Channel = scalar;                   \
        static constexpr int channels = 4;        \
    };
SIMT_TEXELS(char, signed char)
SIMT_TEXELS(uchar, unsigned char)
SIMT_TEXELS(short, short)
SIMT_TEXELS(ushort, unsigned short)
SIMT_TEXELS(int, int)
SIMT_TEXELS(uint, unsigned)
SIMT_TEXELS(float, float)
#undef SIMT_TEXELS

template <class T>
constexpr cudaChannelFormatDesc format_of() {
    using Channel = typename Texel<T>::Channel;
    static_assert(std::is_arithmetic_v<Channel> && sizeof(Channel) <= 4,
                  "textures hold 1, 2 or 4 channels of 8, 16 or 32 bits");
    constexpr int bits = 8 * sizeof(Channel), channels = Texel<T>::channels;
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
            std::is_floating_point_v<Channel> ? cudaChannelFormatKindFloat
            : std::is_signed_v<Channel>       ? cudaChannelFormatKindSigned
                                              : cudaChannelFormatKindUnsigned};
}

inline std::size_t bytes_of(const cudaChannelFormatDesc &format) {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
}
inline std::size_t pitch_of(cudaArray_const_t array) { return array->extent.width * bytes_of(array->format); }
inline std::size_t at_least_one(std::size_t count) { return count == 0 ? 1 : count; }

inline bool has_texels(const cudaChannelFormatDesc &f) {
    const bool equal = (f.y == 0 || f.y == f.x) && (f.z == 0 || f.z == f.x) && f.w == f.z;
    const bool whole = f.f == cudaChannelFormatKindSigned || f.f == cudaChannelFormatKindUnsigned;
    return equal && (f.z == 0 || f.y != 0) &&
           (f.x == 32 ? whole || f.f == cudaChannelFormatKindFloat : whole && (f.x == 8 || f.x == 16));
}

// A copy between rows in memory and rows of an array, from a place in bytes and rows.
SIMT_NOINLINE inline cudaError_t copy_to_array(cudaArray_t array, std::size_t x, std::size_t y, const void *source,
                                               std::size_t pitch, std::size_t width, std::size_t height,
                                               cudaMemcpyKind kind, const char *what, bool waits = true,
                                               cudaStream_t stream = nullptr) {
    if (array == nullptr || x + width > pitch_of(array) || y + height > at_least_one(array->extent.height))
        return report(cudaErrorInvalidValue);
    return copy_rows(array->data + y * pitch_of(array) + x, pitch_of(array), source, pitch, width, height, kind, what,
                     waits, stream);
}
SIMT_NOINLINE inline cudaError_t copy_from_array(void *target, std::size_t pitch, cudaArray_const_t array,
                                                 std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                                                 cudaMemcpyKind kind, const char *what, bool waits = true,
                                                 cudaStream_t stream = nullptr) {
    if (array == nullptr || x + width > pitch_of(array) || y + height > at_least_one(array->extent.height))
        return report(cudaErrorInvalidValue);
    return copy_rows(target, pitch, array->data + y * pitch_of(array) + x, pitch_of(array), width, height, kind, what,
                     waits, stream);
}

// Whether so many bytes from a place on lie in the array; they go on in the next row.
inline bool holds(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t count) {
    return array != nullptr && x < pitch_of(array) &&
           y * pitch_of(array) + x + count <= pitch_of(array) * at_least_one(array->extent.height);
}

}  // namespace simt

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    return simt::format_of<T>();
}

inline cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                                     unsigned flags = cudaArrayDefault) {
    if (array == nullptr) return simt::report(cudaErrorInvalidValue);
    *array = nullptr;
    if (format == nullptr || extent.width == 0) return simt::report(cudaErrorInvalidValue);
    if (!simt::has_texels(*format)) simt::fail("an array of channels that are not 1, 2 or 4 of 8, 16 or 32 bits");
    if ((flags & ~(cudaArrayLayered | cudaArraySurfaceLoadStore)) != 0) simt::fail("an array with flags %u", flags);
    unsigned char *data = nullptr;
    const std::size_t bytes = extent.width * simt::at_least_one(extent.height) * simt::at_least_one(extent.depth) *
                              simt::bytes_of(*format);
    const cudaError_t error = simt::allocate(&data, bytes, simt::Space::device);
    if (error == cudaSuccess) *array = new cudaArray{*format, extent, flags, data};
    return error;
}
inline cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, std::size_t width,
                                   std::size_t height = 0, unsigned flags = cudaArrayDefault) {
    if ((flags & cudaArrayLayered) != 0) simt::fail("cudaMallocArray of layers");
    return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) return cudaSuccess;
    const cudaError_t error = simt::release(array->data, false);
    if (error == cudaSuccess) delete array;
    return error;
}
inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags,
                                    cudaArray_t array) {
    if (array == nullptr) return simt::report(cudaErrorInvalidValue);
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
}
inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
    if (array == nullptr) return simt::report(cudaErrorInvalidValue);
    *format = array->format;
    return cudaSuccess;
}

inline cudaError_t cudaMemcpy2DToArray(cudaArray_t array, std::size_t x, std::size_t y, const void *source,
                                       std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return simt::copy_to_array(array, x, y, source, pitch, width, height, kind, "cudaMemcpy2DToArray");
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, std::size_t x, std::size_t y, const void *source,
                                            std::size_t pitch, std::size_t width, std::size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return simt::copy_to_array(array, x, y, source, pitch, width, height, kind, "cudaMemcpy2DToArrayAsync", false,
                               stream);
}
inline cudaError_t cudaMemcpy2DFromArray(void *target, std::size_t pitch, cudaArray_const_t array, std::size_t x,
                                         std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return simt::copy_from_array(target, pitch, array, x, y, width, height, kind, "cudaMemcpy2DFromArray");
}
inline cudaError_t cudaMemcpy2DFromArrayAsync(void *target, std::size_t pitch, cudaArray_const_t array, std::size_t x,
                                              std::size_t y, std::size_t width, std::size_t height,
                                              cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return simt::copy_from_array(target, pitch, array, x, y, width, height, kind, "cudaMemcpy2DFromArrayAsync", false,
                                 stream);
}
inline cudaError_t cudaMemcpyToArray(cudaArray_t array, std::size_t x, std::size_t y, const void *source,
                                     std::size_t count, cudaMemcpyKind kind) {
    if (!simt::holds(array, x, y, count)) return simt::report(cudaErrorInvalidValue);
    return cudaMemcpy(array->data + y * simt::pitch_of(array) + x, source, count, kind);
}
inline cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, std::size_t x, std::size_t y, const void *source,
                                          std::size_t count, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    if (!simt::holds(array, x, y, count)) return simt::report(cudaErrorInvalidValue);
    return cudaMemcpyAsync(array->data + y * simt::pitch_of(array) + x, source, count, kind, stream);
}
inline cudaError_t cudaMemcpyFromArray(void *target, cudaArray_const_t array, std::size_t x, std::size_t y,
                                       std::size_t count, cudaMemcpyKind kind) {
    if (!simt::holds(array, x, y, count)) return simt::report(cudaErrorInvalidValue);
    return cudaMemcpy(target, array->data + y * simt::pitch_of(array) + x, count, kind);
}

#endif
