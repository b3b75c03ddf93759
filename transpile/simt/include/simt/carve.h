// What SIMT_CARVE=file writes: arguments, configuration and device buffers of launches, before and after.
//
// One JSON object a line, written when the launch has ended, with the bytes in the file named with ".bytes" appended:
//   {"kernel": NAME, "grid": [X, Y, Z], "block": [X, Y, Z], "shared": BYTES, "arguments": [ARGUMENT, ...]}
//   {"kernel": NAME, "large": BYTES}    a launch whose buffers are larger than what is carved
// An ARGUMENT that is a value is {"value": AT, "size": BYTES}; a pointer into an allocation is
// {"buffer": AT, "size": BYTES, "below": BYTES, "place": ADDRESS}, where AT is followed by the buffer as it was after
// the launch and BELOW is what lies before the pointer; any other pointer is {"unknown": ADDRESS}.
// One launch is taken of each kernel, configuration and set of whole numbers, and few of a kernel.
#ifndef SIMT_CARVE_H
#define SIMT_CARVE_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "simt/probe.h"

namespace simt {

// The allocation that a pointer leads into; defined with the allocations.
inline bool allocation_around(const void *pointer, unsigned char *&base, std::size_t &size);

struct Carver {
    static constexpr std::size_t one = std::size_t{4} << 20, all = std::size_t{64} << 20;
    static constexpr std::size_t most = 512, each = 6;

    std::FILE *lines = nullptr, *bytes = nullptr;
    std::size_t offset = 0, count = 0;
    std::uint64_t shapes[most], kernels[most];

    Carver() {
        const char *name = std::getenv("SIMT_CARVE");
        if (name == nullptr || *name == '\0' || std::strlen(name) > 4000) return;
        char other[4096];
        std::snprintf(other, sizeof other, "%s.bytes", name);
        lines = std::fopen(name, "w");
        bytes = std::fopen(other, "wb");
        if (bytes == nullptr) lines = nullptr;
    }

    bool takes(std::uint64_t kernel, std::uint64_t shape) {
        std::size_t of_kernel = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (shapes[i] == shape) return false;
            of_kernel += kernels[i] == kernel;
        }
        if (of_kernel >= each || count == most) return false;
        kernels[count] = kernel;
        shapes[count++] = shape;
        return true;
    }

    std::size_t write(const void *data, std::size_t size) {
        const std::size_t at = offset;
        offset += std::fwrite(data, 1, size, bytes);
        return at;
    }
};

inline Carver &carver() {
    static Carver only;
    return only;
}

struct CarvedBuffer {
    unsigned char *base;
    std::size_t size, at;
};

template <std::size_t N>
struct Carving {
    CarvedBuffer buffers[N + 1];
    std::size_t count = 0, needed = 0;
    bool open = false;

    template <class Configuration, class... Arguments>
    void begin(const char *name, const Configuration &c, const Arguments &...arguments) {
        Carver &out = carver();
        if (out.lines == nullptr) return;
        const std::uint64_t kernel = transpile_recording::hash(name, std::strlen(name));
        const unsigned shape[] = {c.grid.x,  c.grid.y,  c.grid.z, c.block.x,
                                  c.block.y, c.block.z, static_cast<unsigned>(c.shared_bytes)};
        std::uint64_t key = kernel ^ (transpile_recording::hash(shape, sizeof shape) * 3);
        (mix(key, arguments), ...);
        if (!out.takes(kernel, key)) return;
        (measure(arguments), ...);
        std::fputs("{\"kernel\": ", out.lines);
        transpile_recording::text(out.lines, name);
        if (needed > Carver::one || out.offset + 2 * needed > Carver::all) {
            std::fprintf(out.lines, ", \"large\": %zu}\n", needed);
            std::fflush(out.lines);
            return;
        }
        std::fprintf(out.lines, ", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared\": %zu, \"arguments\": [",
                     c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z, c.shared_bytes);
        open = true;
        [[maybe_unused]] const char *comma = "";
        ((std::fputs(comma, out.lines), comma = ", ", take(arguments)), ...);
    }

    void end() {
        if (!open) return;
        Carver &out = carver();
        for (std::size_t i = 0; i < count; ++i) {
            std::fseek(out.bytes, static_cast<long>(buffers[i].at + buffers[i].size), SEEK_SET);
            std::fwrite(buffers[i].base, 1, buffers[i].size, out.bytes);
        }
        std::fseek(out.bytes, 0, SEEK_END);
        std::fflush(out.bytes);
        std::fputs("]}\n", out.lines);
        std::fflush(out.lines);
    }

   private:
    template <class T>
    static void mix(std::uint64_t &key, const T &value) {
        if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
            key = (key ^ transpile_recording::hash(&value, sizeof value)) * 0x100000001B3u;
    }

    template <class T>
    void measure(const T &value) {
        if constexpr (std::is_pointer_v<T>) {
            unsigned char *base = nullptr;
            std::size_t size = 0;
            if (allocation_around(reinterpret_cast<const void *>(value), base, size)) needed += size;
        } else {
            needed += sizeof value;
        }
    }

    template <class T>
    void take(const T &value) {
        Carver &out = carver();
        if constexpr (std::is_pointer_v<T>) {
            const auto *place = reinterpret_cast<const unsigned char *>(value);
            unsigned char *base = nullptr;
            std::size_t size = 0;
            if (!allocation_around(place, base, size)) {
                std::fprintf(out.lines, "{\"unknown\": %zu}", reinterpret_cast<std::size_t>(place));
                return;
            }
            const std::size_t at = out.write(base, size);
            out.write(base, size);  // room for what the launch leaves
            buffers[count++] = {base, size, at};
            std::fprintf(out.lines, "{\"buffer\": %zu, \"size\": %zu, \"below\": %zu, \"place\": %zu}", at, size,
                         static_cast<std::size_t>(place - base), reinterpret_cast<std::size_t>(place));
        } else {
            const std::size_t at = out.write(static_cast<const void *>(&value), sizeof value);
            std::fprintf(out.lines, "{\"value\": %zu, \"size\": %zu}", at, sizeof value);
        }
    }
};

}  // namespace simt

#endif
