// What SIMT_RECORD=file writes: the launches of a run, and the buffers copied from the device to the host.
//
// One JSON object a line, in program order. A launch is
//   {"kernel": NAME, "grid": [X, Y, Z], "block": [X, Y, Z], "shared": BYTES, "scalars": [[INDEX, VALUE], ...],
//    "arguments": COUNT, "variables": [[NAME, VALUE], ...]}
// with the arguments that are numbers, by position, and what small variables of the kernel hold that the build names,
// see variables.h; of variables and of small structs, "bytes:" and their bytes in hexadecimal digits. Buffers are
// described in probe.h; their label is the function that copied, such as "cudaMemcpy". Values that JSON lacks are the
// strings "nan", "inf", "-inf".
#ifndef SIMT_RECORD_H
#define SIMT_RECORD_H

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <type_traits>

#include "simt/probe.h"
#include "simt/variables.h"

namespace simt {

constexpr std::size_t largest_recorded = 512;

inline void record_bytes(std::FILE *file, const unsigned char *bytes, std::size_t size) {
    std::fputs("\"bytes:", file);
    for (std::size_t i = 0; i < size; ++i) std::fprintf(file, "%02x", bytes[i]);
    std::fputc('"', file);
}

template <class T>
void record_scalar(std::FILE *file, int index, const T &value, bool &first) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        std::fprintf(file, "%s[%d, ", first ? "" : ", ", index);
        first = false;
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isfinite(value)) {
                std::fprintf(file, "%.17g]", static_cast<double>(value));
            } else {
                std::fprintf(file, "\"%s\"]", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
            }
        } else if constexpr (std::is_enum_v<T> || std::is_signed_v<T>) {
            std::fprintf(file, "%lld]", static_cast<long long>(value));
        } else {
            std::fprintf(file, "%llu]", static_cast<unsigned long long>(value));
        }
    } else if constexpr (std::is_class_v<T> && std::is_trivially_copyable_v<T> && sizeof(T) <= largest_recorded) {
        std::fprintf(file, "%s[%d, ", first ? "" : ", ", index);
        first = false;
        record_bytes(file, reinterpret_cast<const unsigned char *>(&value), sizeof(T));
        std::fputc(']', file);
    } else {
        (void)file, (void)index, (void)value, (void)first;
    }
}

inline void record_variables(std::FILE *file, const char *kernel) {
    char user[256];
    plain_name(kernel, user, sizeof user);
    const char *before = "[";
    for (const CarvedVariable *row = CarvedVariable::first; row != nullptr; row = row->next) {
        if (std::strcmp(row->user, user) != 0 || row->size > largest_recorded) continue;
        std::fputs(before, file);
        before = ", [";
        transpile_recording::text(file, row->name);
        std::fputs(", ", file);
        record_bytes(file, row->address, row->size);
        std::fputc(']', file);
    }
}

template <class Configuration, class... Arguments>
void record_launch(const char *name, const Configuration &c, const Arguments &...arguments) {
    std::FILE *file = transpile_recording::files().lines;
    if (file == nullptr) return;
    std::fputs("{\"kernel\": ", file);
    transpile_recording::text(file, name);
    std::fprintf(file, ", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared\": %zu, \"scalars\": [", c.grid.x,
                 c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z, c.shared_bytes);
    [[maybe_unused]] bool first = true;
    [[maybe_unused]] int index = 0;
    (record_scalar(file, index++, arguments, first), ...);
    std::fprintf(file, "], \"arguments\": %zu, \"variables\": [", sizeof...(arguments));
    record_variables(file, name);
    std::fputs("]}\n", file);
    std::fflush(file);
}

}  // namespace simt

#endif
