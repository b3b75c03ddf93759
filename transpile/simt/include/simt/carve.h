// What SIMT_CARVE=file writes of launches: arguments, configuration, device buffers and the variables that the kernel
// uses, before and after. The file is described in carver.h; a launch has its "grid", "block" and "shared" as well.
// One launch is taken of each kernel, configuration and set of whole numbers and allocations, and few of a kernel.
#ifndef SIMT_CARVE_H
#define SIMT_CARVE_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "simt/carver.h"

namespace simt {

// The allocation that a pointer leads into; defined with the allocations.
inline bool allocation_around(const void *pointer, unsigned char *&base, std::size_t &size);

template <class T>
const char *spelled() {
    return __PRETTY_FUNCTION__;
}

struct Carving {
    CarvedCall call;
    bool open = false;

    template <class Configuration, class... Arguments>
    void begin(const char *name, const Configuration &c, const Arguments &...arguments) {
        if (carver().lines == nullptr) return;
        const unsigned shape[] = {c.grid.x,  c.grid.y,  c.grid.z, c.block.x,
                                  c.block.y, c.block.z, static_cast<unsigned>(c.shared_bytes)};
        std::uint64_t key = transpile_recording::hash(shape, sizeof shape);
        char plain[256];
        plain_name(name, plain, sizeof plain);
        std::size_t needed = CarvedVariable::size_of_all(plain);
        (measure(arguments, key, needed), ...);
        if (!carver().takes(transpile_recording::hash(name, std::strlen(name)), key)) return;
        if (needed > Carver::one) return call.too_large(name, needed);
        open = true;
        call.begin(name);
        std::fprintf(call.text(), ", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared\": %zu", c.grid.x,
                     c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z, c.shared_bytes);
        (take(arguments), ...);
        call.variables(plain);
    }

    void end() {
        if (open) call.end();
    }

   private:
    static void mix(std::uint64_t &key, const void *data, std::size_t size) {
        key = (key ^ transpile_recording::hash(data, size)) * 0x100000001B3u;
    }

    template <class T>
    static void measure(const T &value, std::uint64_t &key, std::size_t &needed) {
        if constexpr (std::is_pointer_v<T>) {
            unsigned char *base = nullptr;
            std::size_t size = 0;
            if (!allocation_around((const void *)(value), base, size)) return;
            needed += size;
            const std::size_t place[] = {size, static_cast<std::size_t>((const unsigned char *)(value) - base)};
            mix(key, place, sizeof place);
        } else {
            needed += sizeof value;
            if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) mix(key, &value, sizeof value);
        }
    }

    template <class T>
    void take(const T &value) {
        if constexpr (std::is_pointer_v<T>) {
            unsigned char *base = nullptr;
            std::size_t size = 0;
            allocation_around((const void *)(value), base, size);
            call.pointer((const void *)(value), base, size, spelled<std::remove_cv_t<std::remove_pointer_t<T>>>());
        } else {
            call.value(static_cast<const void *>(&value), sizeof value);
        }
    }
};

}  // namespace simt

#endif
