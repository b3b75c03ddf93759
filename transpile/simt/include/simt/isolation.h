// Host and device memory kept apart by the protection of pages, where whoever calls the program asks for it: a
// kernel that reaches host memory faults, and so does a host that reaches device memory, as beside a device.
// Checking builds have their own means, and leave all memory open.
#ifndef SIMT_ISOLATION_H
#define SIMT_ISOLATION_H

#include <cstddef>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

#include "simt/fail.h"
#include "simt/qualifiers.h"

extern "C" {
// Opens or closes that memory of the host which the caller has provided.
__attribute__((visibility("default"), weak)) void simt_host_memory(int open);
// A grid begins to run, of so many threads.
__attribute__((visibility("default"), weak)) void simt_launched(const char *kernel, unsigned long long threads);
}

namespace simt {

struct Isolation {
    struct Region {
        unsigned char *first;
        std::size_t bytes, size;
    };

#if defined(__SANITIZE_ADDRESS__) || defined(SIMT_TRACE)
    static constexpr bool possible = false;
#else
    static constexpr bool possible = true;
#endif

    bool wanted = false;
    Region *regions = nullptr;
    std::size_t count = 0, capacity = 0;

    // Closed pages for so many bytes, with one behind them that stays closed; null where memory is not kept apart.
    SIMT_NOINLINE void *take(std::size_t size) {
        if (!wanted) return nullptr;
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t bytes = (size + page - 1) / page * page, room = (size + 255) / 256 * 256;
        void *memory = mmap(nullptr, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return nullptr;
        if (count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            regions = static_cast<Region *>(std::realloc(regions, capacity * sizeof(Region)));
            if (regions == nullptr) fail("out of memory");
        }
        auto *first = static_cast<unsigned char *>(memory);
        regions[count++] = {first, bytes, bytes + page};
        return first + bytes - room;  // as near to the closed page as the alignment of allocations lets it
    }

    // Whether the address was taken here; its pages are gone then.
    SIMT_NOINLINE bool give_back(const void *address) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto *byte = static_cast<const unsigned char *>(address);
            if (byte < regions[i].first || byte >= regions[i].first + regions[i].bytes) continue;
            munmap(regions[i].first, regions[i].size);
            regions[i] = regions[--count];
            return true;
        }
        return false;
    }

    SIMT_NOINLINE void open_device(bool open) const {
        for (std::size_t i = 0; i < count; ++i)
            mprotect(regions[i].first, regions[i].bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }

    void open_host(bool open) const {
        if (wanted && simt_host_memory != nullptr) simt_host_memory(open ? 1 : 0);
    }
};

inline Isolation isolation;

// While it lives, the runtime reaches the memory of both sides.
struct BothSides {
    BothSides() { isolation.open_device(true); }
    ~BothSides() { isolation.open_device(false); }
    BothSides(const BothSides &) = delete;
    BothSides &operator=(const BothSides &) = delete;
};

// While it lives, work of a library reaches what a kernel does.
struct DeviceSide {
    DeviceSide() {
        isolation.open_device(true);
        isolation.open_host(false);
    }
    ~DeviceSide() {
        isolation.open_host(true);
        isolation.open_device(false);
    }
    DeviceSide(const DeviceSide &) = delete;
    DeviceSide &operator=(const DeviceSide &) = delete;
};

}  // namespace simt

#endif
