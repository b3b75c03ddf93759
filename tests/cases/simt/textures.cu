// run: => exit 0
// run: SIMT_SEED=3 => exit 0
// run: type => abort tex2D of a type that is not the texture's
// run: shape => abort tex1D of a texture of another shape
// run: integers => abort tex1D with a linear filter of whole numbers
// run: unbound => abort tex1Dfetch of a texture that is not bound
// run: destroyed => abort 1 is no texture object
// run: level => abort tex2DLod of a level of detail that is not 0
#include "expect.h"

#include <cmath>
#include <vector>

// What textures give, against the guide's formulas over plain arrays.

constexpr int width = 7, height = 5, depth = 4;

struct Rule {
    cudaTextureAddressMode mode;
    cudaTextureFilterMode filter;
    bool normalized;
};

// The weights of the texels of one axis.
std::vector<double> weights(int size, float x, const Rule &rule) {
    std::vector<double> result(size, 0.0);
    cudaTextureAddressMode mode = rule.mode;
    if (rule.normalized) {
        if (mode == cudaAddressModeWrap) x = x - floorf(x);
        if (mode == cudaAddressModeMirror) {
            const int turns = (int)floorf(x);
            x = turns % 2 == 0 ? x - turns : 1 - (x - turns);
        }
        x *= size;
    } else if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) {
        mode = cudaAddressModeClamp;
    }
    const auto add = [&](int i, double weight) {
        if (mode == cudaAddressModeWrap) i = (i + size) % size;
        if (mode == cudaAddressModeBorder && (i < 0 || i >= size)) return;
        result[i < 0 ? 0 : i >= size ? size - 1 : i] += weight;
    };
    if (rule.filter == cudaFilterModePoint) {
        add((int)floorf(x), 1.0);
    } else {
        const float left = floorf(x - 0.5f);
        const double part = std::round((x - 0.5f - left) * 256.0) / 256.0;
        add((int)left, 1 - part);
        add((int)left + 1, part);
    }
    return result;
}

template <class T>
T *on_device(const std::vector<T> &values) {
    T *memory = nullptr;
    EXPECT(cudaMalloc(&memory, values.size() * sizeof(T)) == cudaSuccess);
    EXPECT(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
    return memory;
}

cudaTextureObject_t object(cudaResourceDesc resource, const Rule &rule, cudaTextureReadMode read = cudaReadModeElementType) {
    cudaTextureDesc how{};
    for (auto &mode : how.addressMode) mode = rule.mode;
    how.filterMode = rule.filter;
    how.readMode = read;
    how.normalizedCoords = rule.normalized;
    cudaTextureObject_t made = 0;
    EXPECT(cudaCreateTextureObject(&made, &resource, &how, nullptr) == cudaSuccess);
    return made;
}
cudaTextureObject_t object(cudaArray_t array, const Rule &rule, cudaTextureReadMode read = cudaReadModeElementType) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return object(resource, rule, read);
}
template <class T>
cudaTextureObject_t linear(T *memory, int count, cudaTextureReadMode read = cudaReadModeElementType) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
    return object(resource, {cudaAddressModeClamp, cudaFilterModePoint, false}, read);
}

__host__ __device__ float place(int i, int size, bool normalized) {
    const float x = i * 0.3137f - 3.1f;
    return normalized ? x / size * 1.9f : x;
}

constexpr int places = 45;

__global__ void line(cudaTextureObject_t texture, float *out, bool normalized) {
    const int i = threadIdx.x;
    out[i] = tex1D<float>(texture, place(i, width, normalized));
}
__global__ void plane(cudaTextureObject_t texture, float *out, bool normalized) {
    const int i = threadIdx.x, j = blockIdx.x;
    out[j * places + i] = tex2D<float>(texture, place(i, width, normalized), place(j, height, normalized));
}
__global__ void volume(cudaTextureObject_t texture, float *out, bool normalized) {
    const int i = threadIdx.x, j = blockIdx.x;
    out[j * places + i] = tex3D<float>(texture, place(i, width, normalized), place(j, height, normalized), place((i + 2 * j) % places, depth, normalized));
}

void filters() {
    std::vector<float> values(width * height * depth);
    for (size_t i = 0; i < values.size(); ++i) values[i] = (i * 37 % 101) * 0.25f - 9;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t row, rows, box;
    EXPECT(cudaMallocArray(&row, &format, width) == cudaSuccess);
    EXPECT(cudaMallocArray(&rows, &format, width, height) == cudaSuccess);
    EXPECT(cudaMalloc3DArray(&box, &format, make_cudaExtent(width, height, depth)) == cudaSuccess);
    EXPECT(cudaMemcpyToArray(row, 0, 0, values.data(), width * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
    EXPECT(cudaMemcpy2DToArray(rows, 0, 0, values.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice) == cudaSuccess);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(float), width, height);
    copy.dstArray = box;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);

    // Rows with gaps between them, in plain memory.
    float *gaps;
    size_t pitch;
    EXPECT(cudaMallocPitch(&gaps, &pitch, width * sizeof(float), height) == cudaSuccess);
    EXPECT(cudaMemcpy2D(gaps, pitch, values.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice) == cudaSuccess);
    cudaResourceDesc pitched{};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = gaps;
    pitched.res.pitch2D.desc = format;
    pitched.res.pitch2D.width = width;
    pitched.res.pitch2D.height = height;
    pitched.res.pitch2D.pitchInBytes = pitch;

    Buffer<float> out(places * places);
    const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder};
    for (auto mode : modes) {
        for (int kind = 0; kind < 4; ++kind) {
            const Rule rule{mode, kind & 1 ? cudaFilterModeLinear : cudaFilterModePoint, kind >= 2};
            line<<<1, places>>>(object(row, rule), out.device, rule.normalized);
            for (int i = 0; i < places; ++i) {
                const auto wx = weights(width, place(i, width, rule.normalized), rule);
                double expected = 0;
                for (int x = 0; x < width; ++x) expected += wx[x] * values[x];
                EXPECT(std::fabs(out[i] - expected) < 1e-4);
            }
            for (auto texture : {object(rows, rule), object(pitched, rule)}) {
                plane<<<places, places>>>(texture, out.device, rule.normalized);
                for (int at = 0; at < places * places; ++at) {
                    const auto wx = weights(width, place(at % places, width, rule.normalized), rule);
                    const auto wy = weights(height, place(at / places, height, rule.normalized), rule);
                    double expected = 0;
                    for (int i = 0; i < width * height; ++i) expected += wx[i % width] * wy[i / width] * values[i];
                    EXPECT(std::fabs(out[at] - expected) < 1e-4);
                }
                EXPECT(cudaDestroyTextureObject(texture) == cudaSuccess);
            }
            volume<<<places, places>>>(object(box, rule), out.device, rule.normalized);
            for (int at = 0; at < places * places; ++at) {
                const int i = at % places, j = at / places;
                const auto wx = weights(width, place(i, width, rule.normalized), rule);
                const auto wy = weights(height, place(j, height, rule.normalized), rule);
                const auto wz = weights(depth, place((i + 2 * j) % places, depth, rule.normalized), rule);
                double expected = 0;
                for (int n = 0; n < width * height * depth; ++n)
                    expected += wx[n % width] * wy[n / width % height] * wz[n / width / height] * values[n];
                EXPECT(std::fabs(out[at] - expected) < 1e-4);
            }
        }
    }
    std::vector<float> back(width * height);
    EXPECT(cudaMemcpy2DFromArray(back.data(), width * sizeof(float), rows, 0, 0, width * sizeof(float), height, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < width * height; ++i) EXPECT_EQUAL(i, back[i], values[i]);
    EXPECT(cudaMemcpy2DToArray(rows, 4, 0, values.data(), 4, width * sizeof(float), 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT(cudaFreeArray(row) == cudaSuccess && cudaFreeArray(rows) == cudaSuccess && cudaFreeArray(box) == cudaSuccess);
    EXPECT(cudaFree(gaps) == cudaSuccess);
}

template <class T>
__global__ void fetch(cudaTextureObject_t texture, T *out, int count) {
    const int i = threadIdx.x;
    T value;
    tex1Dfetch(&value, texture, i - 1);
    if (i < count) out[i] = value;
}
template <class F>
__global__ void fetch_float(cudaTextureObject_t texture, F *out) {
    out[threadIdx.x] = tex1Dfetch<F>(texture, threadIdx.x);
}

template <class T>
void elements() {
    constexpr int count = 20, bytes = count * sizeof(T);
    std::vector<T> values(count), found(count);
    for (int i = 0; i < bytes; ++i) reinterpret_cast<unsigned char *>(values.data())[i] = i * 29 % 63;
    T *memory = on_device(values), *out = on_device(found);
    fetch<<<1, 32>>>(linear(memory, count), out, count);
    EXPECT(cudaMemcpy(found.data(), out, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    T none{};
    EXPECT(memcmp(&found[0], &none, sizeof(T)) == 0);  // in front of the first is nothing
    EXPECT(memcmp(&found[1], &values[0], bytes - sizeof(T)) == 0);
    // The last one that is bound, and one behind it.
    fetch<<<1, 32>>>(linear(memory, 4), out, count);
    EXPECT(cudaMemcpy(found.data(), out, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(memcmp(&found[4], &values[3], sizeof(T)) == 0 && memcmp(&found[5], &none, sizeof(T)) == 0);
    EXPECT(cudaFree(memory) == cudaSuccess && cudaFree(out) == cudaSuccess);
}

// Whole numbers read as fractions of the greatest.
template <class T>
void fractions(double greatest) {
    std::vector<T> values(256);
    for (int i = 0; i < 256; ++i) values[i] = (T)(i * (sizeof(T) == 2 ? 257 : 1));
    Buffer<float> out(256);
    T *memory = on_device(values);
    fetch_float<<<1, 256>>>(linear(memory, 256, cudaReadModeNormalizedFloat), out.device);
    for (int i = 0; i < 256; ++i) EXPECT(std::fabs(out[i] - std::fmax(values[i] / greatest, -1.0)) < 1e-6);
    EXPECT(cudaFree(memory) == cudaSuccess);
}

__global__ void layered(cudaTextureObject_t texture, int *out) {
    out[threadIdx.x] = tex2DLayered<int>(texture, threadIdx.x % width + 0.5f, threadIdx.x / width % height + 0.5f, threadIdx.x / (width * height));
}
__global__ void layered_line(cudaTextureObject_t texture, int *out) {
    out[threadIdx.x] = tex1DLayered<int>(texture, threadIdx.x % width + 0.5f, threadIdx.x / width - 1);
}

void layers() {
    std::vector<int> values(width * height * depth);
    for (size_t i = 0; i < values.size(); ++i) values[i] = 3 * i - 11;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    cudaArray_t planes, lines;
    EXPECT(cudaMalloc3DArray(&planes, &format, make_cudaExtent(width, height, depth), cudaArrayLayered) == cudaSuccess);
    EXPECT(cudaMalloc3DArray(&lines, &format, make_cudaExtent(width, 0, depth), cudaArrayLayered) == cudaSuccess);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(int), width, height);
    copy.dstArray = planes;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
    copy.srcPtr.ysize = 1;
    copy.dstArray = lines;
    copy.extent = make_cudaExtent(width, 1, depth);
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
    copy.dstPos = make_cudaPos(0, 0, 1);
    EXPECT(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
    cudaGetLastError();
    const Rule rule{cudaAddressModeClamp, cudaFilterModePoint, false};
    Buffer<int> out(width * height * depth);
    layered<<<1, width * height * depth>>>(object(planes, rule), out.device);
    for (int i = 0; i < out.count; ++i) EXPECT_EQUAL(i, out[i], values[i]);
    layered_line<<<1, width * (depth + 2)>>>(object(lines, rule), out.device);
    for (int i = 0; i < width * (depth + 2); ++i) {
        const int layer = i / width - 1;
        EXPECT_EQUAL(i, out[i], values[(layer < 0 ? 0 : layer >= depth ? depth - 1 : layer) * width + i % width]);
    }
    EXPECT(cudaFreeArray(planes) == cudaSuccess && cudaFreeArray(lines) == cudaSuccess);
}

#ifndef ON_DEVICE  // References to textures are gone there.
texture<int> numbers;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colors;
texture<float, 2> grid;

__global__ void by_reference(int *whole, float4 *color, float *fraction) {
    const int i = threadIdx.x, x = i % width, y = i / width;
    whole[i] = tex1Dfetch(numbers, i);
    color[i] = tex2D(colors, x + 0.5f, y + 0.5f);
    fraction[i] = tex2D(grid, (x + 1.0f) / width, (y + 0.5f) / height);
}

void references() {
    constexpr int count = width * height;
    std::vector<int> whole(count);
    std::vector<uchar4> color(count);
    std::vector<float> fraction(count);
    for (int i = 0; i < count; ++i) {
        whole[i] = i * i;
        color[i] = make_uchar4(i, 2 * i, 255 - i, 7);
        fraction[i] = i * 0.5f;
    }
    int *numbers_memory = on_device(whole);
    size_t offset = 1;
    EXPECT(cudaBindTexture(&offset, numbers, numbers_memory, count * sizeof(int)) == cudaSuccess && offset == 0);
    cudaArray_t colors_array, grid_array;
    EXPECT(cudaMallocArray(&colors_array, &colors.channelDesc, width, height) == cudaSuccess);
    EXPECT(cudaMallocArray(&grid_array, &grid.channelDesc, width, height) == cudaSuccess);
    EXPECT(cudaMemcpyToArray(colors_array, 0, 0, color.data(), count * sizeof(uchar4), cudaMemcpyHostToDevice) == cudaSuccess);
    EXPECT(cudaMemcpyToArray(grid_array, 0, 0, fraction.data(), count * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
    EXPECT(cudaBindTextureToArray(colors, colors_array) == cudaSuccess);
    grid.normalized = true;
    grid.filterMode = cudaFilterModeLinear;
    grid.addressMode[0] = grid.addressMode[1] = cudaAddressModeWrap;
    EXPECT(cudaBindTextureToArray(grid, grid_array, grid.channelDesc) == cudaSuccess);
    Buffer<int> a(count);
    Buffer<float4> b(count);
    Buffer<float> c(count);
    by_reference<<<1, count>>>(a.device, b.device, c.device);
    for (int i = 0; i < count; ++i) {
        EXPECT_EQUAL(i, a[i], whole[i]);
        EXPECT(std::fabs(b[i].x - color[i].x / 255.0f) < 1e-6 && std::fabs(b[i].z - color[i].z / 255.0f) < 1e-6 && std::fabs(b[i].w - 7 / 255.0f) < 1e-6);
        const int next = i % width == width - 1 ? i - width + 1 : i + 1;
        EXPECT(std::fabs(c[i] - (fraction[i] + fraction[next]) / 2) < 1e-3 * (i + 1));
    }
    EXPECT(cudaUnbindTexture(numbers) == cudaSuccess && cudaUnbindTexture(grid) == cudaSuccess);
    EXPECT(cudaFreeArray(colors_array) == cudaSuccess && cudaFreeArray(grid_array) == cudaSuccess);
    EXPECT(cudaFree(numbers_memory) == cudaSuccess);
}

__global__ void wrong_type(cudaTextureObject_t texture, int *out) { *out = tex2D<int>(texture, 0, 0); }
__global__ void wrong_shape(cudaTextureObject_t texture, float *out) { *out = tex1D<float>(texture, 0); }
__global__ void whole_numbers(cudaTextureObject_t texture, int *out) { *out = tex1D<int>(texture, 0); }
__global__ void unbound(int *out) { *out = tex1Dfetch(numbers, 0); }
__global__ void level(cudaTextureObject_t texture, float *out) { *out = tex2DLod<float>(texture, 0, 0, 1); }

void misuse(const char *what) {
    Buffer<float> out(4);
    Buffer<int> whole(4);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), integers = cudaCreateChannelDesc<int>();
    cudaArray_t array, row;
    cudaMallocArray(&array, &format, 2, 2);
    cudaMallocArray(&row, &integers, 4);
    const Rule rule{cudaAddressModeClamp, cudaFilterModeLinear, false};
    const cudaTextureObject_t texture = object(array, rule);
    switch (what[0]) {
        case 't': wrong_type<<<1, 1>>>(texture, whole.device); break;
        case 's': wrong_shape<<<1, 1>>>(linear(out.device, 4), out.device); break;
        case 'i': whole_numbers<<<1, 1>>>(object(row, rule), whole.device); break;
        case 'u': unbound<<<1, 1>>>(whole.device); break;
        case 'l': level<<<1, 1>>>(texture, out.device); break;
        default:
            cudaDestroyTextureObject(texture);
            wrong_shape<<<1, 1>>>(texture, out.device);
    }
    cudaDeviceSynchronize();
}

#endif

int main(int count, char **arguments) {
#ifndef ON_DEVICE
    if (count > 1) misuse(arguments[1]);
    references();
#endif
    filters();
    elements<int>();
    elements<unsigned char>();
    elements<short2>();
    elements<uchar4>();
    elements<float4>();
    elements<int2>();
    fractions<unsigned char>(255);
    fractions<signed char>(127);
    fractions<unsigned short>(65535);
    fractions<short>(32767);
    layers();
    return failed_expectations;
}
