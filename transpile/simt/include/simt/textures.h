// Textures: fetches as the programming guide describes them, from objects and from references of file scope.
//
// Weights of the linear filter have 8 bits behind the point, to the nearest. What a guide leaves to the device
// (levels of detail, sRGB, types of results that are not those of the channels) ends the program.
#ifndef SIMT_TEXTURES_H
#define SIMT_TEXTURES_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "simt/arrays.h"
#include "simt/errors.h"
#include "simt/fail.h"
#include "simt/memory.h"

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned flags;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

namespace simt {

struct Texture {
    const unsigned char *data;  // null where nothing is bound
    cudaChannelFormatDesc format;
    std::size_t pitch, slice;
    int size[3];  // in elements
    bool linear, layered;
    cudaTextureDesc how;
};

// The objects by their numbers, which begin at 1.
struct Textures {
    Texture **rows = nullptr;
    std::size_t count = 0;

    unsigned long long add(const Texture &texture) {
        const Exclusive exclusive;
        rows = static_cast<Texture **>(std::realloc(static_cast<void *>(rows), (count + 1) * sizeof(Texture *)));
        if (rows == nullptr) fail("out of memory");
        rows[count++] = new Texture(texture);
        return count;
    }
    Texture *&at(unsigned long long number) {
        if (number == 0 || number > count || rows[number - 1] == nullptr)
            fail("%llu is no texture object", number);
        return rows[number - 1];
    }
};

inline Textures textures;

inline int as_size(std::size_t count) { return static_cast<int>(at_least_one(count)); }

inline Texture of_array(cudaArray_const_t array) {
    const bool layered = (array->flags & cudaArrayLayered) != 0;
    const std::size_t pitch = pitch_of(array), rows = at_least_one(array->extent.height);
    const cudaExtent &e = array->extent;
    return {array->data, array->format, pitch, pitch * rows, {as_size(e.width), as_size(e.height), as_size(e.depth)},
            false,       layered,       {}};
}
inline Texture of_linear(const void *data, const cudaChannelFormatDesc &format, std::size_t bytes) {
    const std::size_t count = bytes / bytes_of(format);
    return {static_cast<const unsigned char *>(data), format, 0, 0, {static_cast<int>(count), 1, 1}, true, false, {}};
}
inline Texture of_rows(const void *data, const cudaChannelFormatDesc &format, std::size_t width, std::size_t height,
                       std::size_t pitch) {
    const int size[] = {static_cast<int>(width), static_cast<int>(height)};
    return {static_cast<const unsigned char *>(data), format, pitch, 0, {size[0], size[1], 1}, false, false, {}};
}

// One axis of a fetch: the texels that it takes (-1: the border), and the second one's weight.
struct Axis {
    int first, second;
    float weight;
};

inline int addressed(int index, int size, cudaTextureAddressMode mode) {
    if (index >= 0 && index < size) return index;
    if (mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeWrap) return index < 0 ? size - 1 : 0;  // only neighbours of what is inside
    return index < 0 ? 0 : size - 1;
}

inline Axis axis(const Texture &texture, int which, float x) {
    const int size = texture.size[which];
    cudaTextureAddressMode mode = texture.how.addressMode[which];
    if (x != x) x = 0.0f;
    if (texture.how.normalizedCoords == 0) {
        if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) mode = cudaAddressModeClamp;
    } else {
        const float whole = std::floor(x);
        if (mode == cudaAddressModeWrap) x -= whole;
        if (mode == cudaAddressModeMirror) x = std::fmod(whole, 2.0f) == 0.0f ? x - whole : 1.0f - (x - whole);
        x *= static_cast<float>(size);
    }
    x = std::fmin(std::fmax(x, -2.0f), static_cast<float>(size) + 2.0f);
    if (texture.how.filterMode == cudaFilterModePoint) {
        int index = static_cast<int>(std::floor(x));
        // A fraction below 1 may come to the size itself when it is multiplied.
        if (mode == cudaAddressModeWrap && index == size) index = size - 1;
        return {addressed(index, size, mode), 0, 0.0f};
    }
    const float left = std::floor(x - 0.5f);
    const float weight = std::floor((x - 0.5f - left) * 256.0f + 0.5f) / 256.0f;
    const int index = static_cast<int>(left);
    return {addressed(index, size, mode), addressed(index + 1, size, mode), weight};
}

inline Axis whole_axis(int index) { return {index, 0, 0.0f}; }
inline Axis layer_axis(const Texture &texture, int layer) {
    const int last = texture.size[2] - 1;
    return whole_axis(layer < 0 ? 0 : layer > last ? last : layer);
}

inline const unsigned char *texel_at(const Texture &texture, int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0) return nullptr;
    return texture.data + static_cast<std::size_t>(z) * texture.slice + static_cast<std::size_t>(y) * texture.pitch +
           static_cast<std::size_t>(x) * bytes_of(texture.format);
}

// A channel as a number; null is the border.
inline float channel_at(const Texture &texture, const unsigned char *texel, int channel) {
    if (texel == nullptr) return texture.how.borderColor[channel];
    const bool with_sign = texture.format.f == cudaChannelFormatKindSigned;
    if (texture.format.x == 32) return reinterpret_cast<const float *>(texel)[channel];
    if (texture.format.x == 16) {
        if (!with_sign) return static_cast<float>(reinterpret_cast<const std::uint16_t *>(texel)[channel]) / 65535.0f;
        return std::fmax(static_cast<float>(reinterpret_cast<const std::int16_t *>(texel)[channel]) / 32767.0f, -1.0f);
    }
    if (!with_sign) return static_cast<float>(texel[channel]) / 255.0f;
    return std::fmax(static_cast<float>(reinterpret_cast<const std::int8_t *>(texel)[channel]) / 127.0f, -1.0f);
}

inline float filtered(const Texture &texture, const Axis &x, const Axis &y, const Axis &z, int channel) {
    float sum = 0.0f;
    for (int corner = 0; corner < 8; ++corner) {
        const bool right = (corner & 1) != 0, below = (corner & 2) != 0, behind = (corner & 4) != 0;
        const float weight = (right ? x.weight : 1.0f - x.weight) * (below ? y.weight : 1.0f - y.weight) *
                             (behind ? z.weight : 1.0f - z.weight);
        if (weight == 0.0f) continue;
        const unsigned char *texel = texel_at(texture, right ? x.second : x.first, below ? y.second : y.first,
                                              behind ? z.second : z.first);
        sum += weight * channel_at(texture, texel, channel);
    }
    return sum;
}

// Whether a fetch may give this type.
template <class T>
inline void check_result(const Texture &texture, const char *what) {
    constexpr cudaChannelFormatDesc wanted = format_of<T>();
    const cudaChannelFormatDesc &has = texture.format;
    const int channels = 1 + (has.y != 0) + (has.z != 0) + (has.w != 0);
    const bool normalized = texture.how.readMode == cudaReadModeNormalizedFloat;
    const bool same = normalized ? wanted.f == cudaChannelFormatKindFloat && has.x < 32
                                 : wanted.f == has.f && wanted.x == has.x;
    if (!same || channels != Texel<T>::channels) fail("%s of a type that is not the texture's", what);
    if (texture.how.filterMode == cudaFilterModeLinear && wanted.f != cudaChannelFormatKindFloat)
        fail("%s with a linear filter of whole numbers", what);
}

template <class T>
T fetched(const Texture &texture, const Axis &x, const Axis &y, const Axis &z, const char *what) {
    check_result<T>(texture, what);
    T result{};
    using Channel = typename Texel<T>::Channel;
    if constexpr (std::is_floating_point_v<Channel>) {
        auto *channels = reinterpret_cast<float *>(&result);
        for (int channel = 0; channel < Texel<T>::channels; ++channel)
            channels[channel] = filtered(texture, x, y, z, channel);
    } else {
        const unsigned char *texel = texel_at(texture, x.first, y.first, z.first);
        for (float color : texture.how.borderColor)
            if (texel == nullptr && color != 0.0f) fail("%s at a border of whole numbers with a colour", what);
        if (texel != nullptr) result = *reinterpret_cast<const T *>(texel);
    }
    return result;
}

enum class Shape { linear, line, plane, volume, layers_of_lines, layers_of_planes };

inline void check_shape(const Texture &texture, Shape shape, const char *what) {
    if (texture.data == nullptr) fail("%s of a texture that is not bound", what);
    const bool layers = shape == Shape::layers_of_lines || shape == Shape::layers_of_planes;
    if (texture.linear != (shape == Shape::linear) || texture.layered != layers)
        fail("%s of a texture of another shape", what);
}

template <class T>
T fetch_linear(const Texture &texture, int index, const char *what) {
    check_shape(texture, Shape::linear, what);
    if (index < 0 || index >= texture.size[0]) {
        check_result<T>(texture, what);
        return T{};
    }
    return fetched<T>(texture, whole_axis(index), whole_axis(0), whole_axis(0), what);
}
template <class T>
T fetch(const Texture &texture, Shape shape, float x, const Axis &y, const Axis &z, const char *what) {
    check_shape(texture, shape, what);
    return fetched<T>(texture, axis(texture, 0, x), y, z, what);
}

inline const Texture &named_texture(cudaTextureObject_t object) { return *textures.at(object); }

inline void only_level_zero(float level, const char *what) {
    if (level != 0.0f) fail("%s of a level of detail that is not 0", what);
}

}  // namespace simt

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                           const cudaTextureDesc *how, const cudaResourceViewDesc *view) {
    if (object == nullptr || resource == nullptr || how == nullptr) return simt::report(cudaErrorInvalidValue);
    if (view != nullptr) simt::fail("a texture object with a view of its resource");
    if (how->sRGB != 0) simt::fail("a texture object with sRGB");
    simt::Texture texture{};
    switch (resource->resType) {
        case cudaResourceTypeArray:
            if (resource->res.array.array == nullptr) return simt::report(cudaErrorInvalidValue);
            texture = simt::of_array(resource->res.array.array);
            break;
        case cudaResourceTypeLinear: {
            const auto &memory = resource->res.linear;
            if (!simt::has_texels(memory.desc)) return simt::report(cudaErrorInvalidValue);
            if (!simt::acceptable(memory.devPtr, memory.sizeInBytes, true)) return simt::report(cudaErrorInvalidValue);
            texture = simt::of_linear(memory.devPtr, memory.desc, memory.sizeInBytes);
            break;
        }
        case cudaResourceTypePitch2D: {
            const auto &rows = resource->res.pitch2D;
            if (!simt::has_texels(rows.desc)) return simt::report(cudaErrorInvalidValue);
            const std::size_t width = rows.width * simt::bytes_of(rows.desc);
            if (rows.height == 0 || rows.pitchInBytes < width ||
                !simt::acceptable(rows.devPtr, rows.pitchInBytes * (rows.height - 1) + width, true))
                return simt::report(cudaErrorInvalidValue);
            texture = simt::of_rows(rows.devPtr, rows.desc, rows.width, rows.height, rows.pitchInBytes);
            break;
        }
        default: simt::fail("a texture object of levels of detail");
    }
    texture.how = *how;
    *object = simt::textures.add(texture);
    return cudaSuccess;
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    if (object == 0) return cudaSuccess;
    simt::wait_for_all();
    simt::Texture *&texture = simt::textures.at(object);
    delete texture;
    texture = nullptr;
    return cudaSuccess;
}

namespace simt {

// A texture of file scope: how it is read may be changed until it is, what it reads is bound. Lowering puts simt::
// before its name, since CUDA has it no longer and programs use the name for their own types.
struct TextureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB = 0;
    Texture bound{};
};

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : TextureReference {
    texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : TextureReference{norm, filter, {address, address, address}, format_of<T>()} {}
    texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc format)
        : TextureReference{norm, filter, {address, address, address}, format} {}

    Texture read() const {
        if (sRGB != 0) fail("a texture with sRGB");
        Texture result = bound;
        for (int axis = 0; axis < 3; ++axis) result.how.addressMode[axis] = addressMode[axis];
        result.how.filterMode = filterMode;
        result.how.readMode = mode;
        result.how.normalizedCoords = normalized;
        return result;
    }
};

template <int channels>
struct Floats;
template <>
struct Floats<1> {
    using type = float;
};
template <>
struct Floats<2> {
    using type = float2;
};
template <>
struct Floats<4> {
    using type = float4;
};
// What a fetch from a reference gives.
template <class T, cudaTextureReadMode mode>
using Result = std::conditional_t<mode == cudaReadModeElementType, T, typename Floats<Texel<T>::channels>::type>;

inline cudaError_t bind_linear(std::size_t *offset, TextureReference &reference, const void *data,
                               const cudaChannelFormatDesc &format, std::size_t bytes) {
    const Allocation *row = allocations.find(data);
    if (row == nullptr || row->space == Space::host) return report(cudaErrorInvalidValue);
    const auto rest = static_cast<std::size_t>(row->base + row->size - static_cast<const unsigned char *>(data));
    if (offset != nullptr) *offset = 0;
    reference.bound = of_linear(data, format, bytes < rest ? bytes : rest);
    return cudaSuccess;
}

}  // namespace simt

template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t *offset, simt::texture<T, type, mode> &reference, const void *data,
                            const cudaChannelFormatDesc &format, std::size_t size = 0xFFFFFFFFu) {
    return simt::bind_linear(offset, reference, data, format, size);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t *offset, simt::texture<T, type, mode> &reference, const void *data,
                            std::size_t size = 0xFFFFFFFFu) {
    return simt::bind_linear(offset, reference, data, reference.channelDesc, size);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t *offset, simt::texture<T, type, mode> &reference, const void *data,
                              const cudaChannelFormatDesc &format, std::size_t width, std::size_t height,
                              std::size_t pitch) {
    if (height == 0 || !simt::acceptable(data, pitch * (height - 1) + width * simt::bytes_of(format), true))
        return simt::report(cudaErrorInvalidValue);
    if (offset != nullptr) *offset = 0;
    reference.bound = simt::of_rows(data, format, width, height, pitch);
    return cudaSuccess;
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t *offset, simt::texture<T, type, mode> &reference, const void *data,
                              std::size_t width, std::size_t height, std::size_t pitch) {
    return cudaBindTexture2D(offset, reference, data, reference.channelDesc, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(simt::texture<T, type, mode> &reference, cudaArray_const_t array) {
    if (array == nullptr) return simt::report(cudaErrorInvalidValue);
    reference.bound = simt::of_array(array);
    return cudaSuccess;
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(simt::texture<T, type, mode> &reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &) {
    return cudaBindTextureToArray(reference, array);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(simt::texture<T, type, mode> &reference) {
    simt::wait_for_all();
    reference.bound = {};
    return cudaSuccess;
}

// A fetch from an object, into memory, and from a reference.
#define SIMT_WITH(...) __VA_ARGS__
#define SIMT_FETCH(name, kind, parameters, arguments, body)                                                  \
    namespace simt {                                                                                         \
    template <class T>                                                                                       \
    T name##_of(const Texture &t, parameters) {                                                              \
        return body;                                                                                         \
    }                                                                                                        \
    }                                                                                                        \
    template <class T>                                                                                       \
    T name(cudaTextureObject_t object, parameters) {                                                         \
        return simt::name##_of<T>(simt::named_texture(object), arguments);                                   \
    }                                                                                                        \
    template <class T>                                                                                       \
    void name(T *result, cudaTextureObject_t object, parameters) {                                           \
        *result = simt::name##_of<T>(simt::named_texture(object), arguments);                                \
    }                                                                                                        \
    template <class T, cudaTextureReadMode mode>                                                             \
    simt::Result<T, mode> name(const simt::texture<T, kind, mode> &reference, parameters) {                        \
        return simt::name##_of<simt::Result<T, mode>>(reference.read(), arguments);                          \
    }

SIMT_FETCH(tex1Dfetch, cudaTextureType1D, SIMT_WITH(int x), SIMT_WITH(x), fetch_linear<T>(t, x, "tex1Dfetch"))
SIMT_FETCH(tex1D, cudaTextureType1D, SIMT_WITH(float x), SIMT_WITH(x),
           fetch<T>(t, Shape::line, x, whole_axis(0), whole_axis(0), "tex1D"))
SIMT_FETCH(tex2D, cudaTextureType2D, SIMT_WITH(float x, float y), SIMT_WITH(x, y),
           fetch<T>(t, Shape::plane, x, axis(t, 1, y), whole_axis(0), "tex2D"))
SIMT_FETCH(tex3D, cudaTextureType3D, SIMT_WITH(float x, float y, float z), SIMT_WITH(x, y, z),
           fetch<T>(t, Shape::volume, x, axis(t, 1, y), axis(t, 2, z), "tex3D"))
SIMT_FETCH(tex1DLayered, cudaTextureType1DLayered, SIMT_WITH(float x, int layer), SIMT_WITH(x, layer),
           fetch<T>(t, Shape::layers_of_lines, x, whole_axis(0), layer_axis(t, layer), "tex1DLayered"))
SIMT_FETCH(tex2DLayered, cudaTextureType2DLayered, SIMT_WITH(float x, float y, int layer), SIMT_WITH(x, y, layer),
           fetch<T>(t, Shape::layers_of_planes, x, axis(t, 1, y), layer_axis(t, layer), "tex2DLayered"))
SIMT_FETCH(tex1DLod, cudaTextureType1D, SIMT_WITH(float x, float level), SIMT_WITH(x, level),
           (only_level_zero(level, "tex1DLod"), tex1D_of<T>(t, x)))
SIMT_FETCH(tex2DLod, cudaTextureType2D, SIMT_WITH(float x, float y, float level), SIMT_WITH(x, y, level),
           (only_level_zero(level, "tex2DLod"), tex2D_of<T>(t, x, y)))
SIMT_FETCH(tex3DLod, cudaTextureType3D, SIMT_WITH(float x, float y, float z, float level), SIMT_WITH(x, y, z, level),
           (only_level_zero(level, "tex3DLod"), tex3D_of<T>(t, x, y, z)))
#undef SIMT_FETCH
#undef SIMT_WITH

#endif
