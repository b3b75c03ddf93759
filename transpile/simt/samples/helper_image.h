// Images, files of numbers and their comparison by the interface that CUDA's samples have, for programs whose own
// copy is not there.
#ifndef SIMT_HELPER_IMAGE_H
#define SIMT_HELPER_IMAGE_H

#include <fstream>
#include <iostream>
#include <math.h>
#include <stdlib.h>
#include <string>
#include <type_traits>
#include <vector>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

namespace transpile_images {
/// Bytes of an image as "P5" and "P6" files hold them, row by row.
struct Image {
    unsigned width = 0, height = 0, channels = 0;
    std::vector<unsigned char> bytes;
};

inline bool number(std::istream &in, unsigned &value) {
    while ((in >> std::ws) && in.peek() == '#') {
        std::string comment;
        std::getline(in, comment);
    }
    return static_cast<bool>(in >> value);
}

inline bool load(const char *name, Image &image) {
    std::ifstream in(name, std::ios::binary);
    std::string magic;
    unsigned most = 0;
    if (!(in >> magic) || (magic != "P5" && magic != "P6")) return false;
    if (!number(in, image.width) || !number(in, image.height) || !number(in, most)) return false;
    in.get();
    image.channels = magic == "P5" ? 1 : 3;
    image.bytes.resize(static_cast<size_t>(image.width) * image.height * image.channels);
    return static_cast<bool>(in.read(reinterpret_cast<char *>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size())));
}

inline bool save(const char *name, const Image &image) {
    std::ofstream out(name, std::ios::binary);
    out << (image.channels == 1 ? "P5" : "P6") << '\n' << image.width << '\n' << image.height << "\n255\n";
    out.write(reinterpret_cast<const char *>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
    return static_cast<bool>(out);
}

template <class T>
T from_byte(unsigned char value) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value) / static_cast<T>(255);
    else return static_cast<T>(value);
}

template <class T>
unsigned char to_byte(T value) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<unsigned char>(value * static_cast<T>(255));
    else return static_cast<unsigned char>(value);
}

/// Copy pixels between forms with different numbers of channels; a channel that is lacking is 0.
template <class To, class From, class Convert>
void copy(const From *from, unsigned had, To *to, unsigned has, size_t pixels, Convert convert) {
    for (size_t i = 0; i < pixels; ++i)
        for (unsigned channel = 0; channel < has; ++channel)
            to[i * has + channel] = channel < had ? convert(from[i * had + channel]) : To(0);
}

/// Load into memory of malloc, which is made where none is given.
template <class T>
bool load_into(const char *name, T **data, unsigned *width, unsigned *height, unsigned channels) {
    Image image;
    if (!load(name, image)) {
        std::cerr << "cannot load " << name << std::endl;
        return false;
    }
    *width = image.width;
    *height = image.height;
    const size_t pixels = static_cast<size_t>(image.width) * image.height;
    if (!*data) *data = static_cast<T *>(malloc(pixels * channels * sizeof(T)));
    copy(image.bytes.data(), image.channels, *data, channels, pixels, from_byte<T>);
    return true;
}

template <class T>
bool save_from(const char *name, const T *data, unsigned width, unsigned height, unsigned had, unsigned channels) {
    Image image{width, height, channels, std::vector<unsigned char>(static_cast<size_t>(width) * height * channels)};
    copy(data, had, image.bytes.data(), channels, static_cast<size_t>(width) * height, to_byte<T>);
    return save(name, image);
}
}  // namespace transpile_images

template <class T>
bool sdkLoadPGM(const char *file, T **data, unsigned int *w, unsigned int *h) {
    return transpile_images::load_into(file, data, w, h, 1);
}
template <class T>
bool sdkLoadPPM4(const char *file, T **data, unsigned int *w, unsigned int *h) {
    return transpile_images::load_into(file, data, w, h, 4);
}
template <class T>
bool sdkSavePGM(const char *file, T *data, unsigned int w, unsigned int h) {
    return transpile_images::save_from(file, data, w, h, 1, 1);
}
inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int w, unsigned int h) {
    return transpile_images::save_from(file, data, w, h, 4, 3);
}

/// Read numbers between white space; the memory is that of malloc where none is given.
template <class T>
bool sdkReadFile(const char *filename, T **data, unsigned int *len, bool verbose) {
    std::ifstream in(filename);
    std::vector<T> found;
    for (T value; in >> value;) found.push_back(value);
    if (found.empty()) {
        if (verbose) std::cerr << "cannot read " << filename << std::endl;
        return false;
    }
    if (!*data) *data = static_cast<T *>(malloc(found.size() * sizeof(T)));
    else if (found.size() > *len) found.resize(*len);
    for (size_t i = 0; i < found.size(); ++i) (*data)[i] = found[i];
    *len = static_cast<unsigned>(found.size());
    return true;
}

template <class T, class S>
bool sdkWriteFile(const char *filename, const T *data, unsigned int len, const S epsilon, bool verbose, bool append = false) {
    std::ofstream out(filename, append ? std::ios::app : std::ios::trunc);
    out << "# " << epsilon << '\n';
    for (unsigned i = 0; i < len; ++i) out << data[i] << ' ';
    out << std::endl;
    if (!out && verbose) std::cerr << "cannot write " << filename << std::endl;
    return static_cast<bool>(out);
}

/// Tell whether no more than a fraction of the elements differ by more than epsilon.
template <class T, class S>
bool compareData(const T *reference, const T *data, const unsigned int len, const S epsilon, const float threshold) {
    unsigned different = 0;
    for (unsigned i = 0; i < len; ++i) {
        const double by = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
        different += !(fabs(by) <= static_cast<double>(epsilon));
    }
    return threshold == 0.0f ? different == 0 : static_cast<float>(different) <= static_cast<float>(len) * threshold;
}

/// Tell whether the root of the squared differences, over that of the squares, stays below epsilon.
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int len, const float epsilon) {
    float error = 0, norm = 0;
    for (unsigned i = 0; i < len; ++i) {
        const float by = reference[i] - data[i];
        error += by * by;
        norm += reference[i] * reference[i];
    }
    return fabsf(norm) >= 1e-7f && sqrtf(error) / sqrtf(norm) < epsilon;
}

#endif
