// Device memory and copies. It is host memory of its own, poisoned when allocated (simt/seed.h), and
// what the API is told of a pointer is checked against the allocations.
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#include "simt/errors.h"
#include "simt/isolation.h"
#include "simt/launch.h"
#include "simt/probe.h"
#include "simt/seed.h"
#include "simt/trace.h"

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4

namespace simt {

inline constexpr std::size_t device_memory_bytes = std::size_t{4} << 30;
inline constexpr std::size_t largest_device_bytes = std::size_t{1} << 40;  // no device has more

enum class Space { device, managed, host, symbol };

struct Allocation {
    unsigned char *base;
    std::size_t size;
    Space space;
};

// The allocations, in order of their addresses.
struct Allocations {
    Allocation *rows = nullptr;
    std::size_t count = 0, capacity = 0;
    std::size_t device_bytes = 0;
    std::size_t refused = 0;  // the size last asked for in vain

    // The number of allocations that begin at or below the address.
    std::size_t below(const void *address) const {
        std::size_t low = 0, high = count;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (rows[middle].base <= static_cast<const unsigned char *>(address)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    // The allocation that holds the address; one past the end counts too.
    const Allocation *find(const void *address) const {
        const std::size_t index = below(address);
        if (index == 0) return nullptr;
        const Allocation &row = rows[index - 1];
        return static_cast<const unsigned char *>(address) <= row.base + row.size ? &row : nullptr;
    }

    void insert(const Allocation &row) {
        if (count == capacity) {
            capacity = capacity == 0 ? 64 : 2 * capacity;
            auto *grown = static_cast<Allocation *>(std::realloc(rows, capacity * sizeof(Allocation)));
            if (grown == nullptr) fail("out of memory");
            rows = grown;
        }
        const std::size_t index = below(row.base);
        std::memmove(static_cast<void *>(rows + index + 1), rows + index, (count - index) * sizeof(Allocation));
        rows[index] = row;
        ++count;
    }

    void remove(const Allocation *row) {
        const auto index = static_cast<std::size_t>(row - rows);
        std::memmove(static_cast<void *>(rows + index), rows + index + 1, (count - index - 1) * sizeof(Allocation));
        --count;
    }
};

inline Allocations allocations;

inline bool allocation_around(const void *pointer, unsigned char *&base, std::size_t &size) {
    const Allocation *row = allocations.find(pointer);
    if (row == nullptr) return false;
    base = row->base;
    size = row->size;
    return true;
}

// The pointer is stored as bytes, since programs pass the address of a float * as void **.
template <class T>
cudaError_t allocate(T **pointer, std::size_t size, Space space) {
    const Exclusive exclusive;
    if (pointer == nullptr) return report(cudaErrorInvalidValue);
    void *memory = nullptr;
    std::memcpy(static_cast<void *>(pointer), &memory, sizeof memory);
    if (sticky_error != cudaSuccess) return report(sticky_error);
    if (size == 0) return cudaSuccess;
    const bool too_much = space != Space::host && size > device_memory_bytes - allocations.device_bytes;
    // What a larger device has room for must not be left undone for want of it.
    if (too_much && isolation.wanted && size < largest_device_bytes)
        fail("%zu bytes of device memory are too much", size);
    if (!too_much && space == Space::device) memory = isolation.take(size);
    if (too_much || (memory == nullptr && posix_memalign(&memory, 256, size) != 0)) {
        allocations.refused = size;
        return report(cudaErrorMemoryAllocation);
    }
    {
        const BothSides reach;
        std::memset(memory, poison_byte(), size);
    }
    if (space != Space::host) trace_memory(memory, size, true);
    if (space != Space::host) allocations.device_bytes += size;
    allocations.insert({static_cast<unsigned char *>(memory), size, space});
    std::memcpy(static_cast<void *>(pointer), &memory, sizeof memory);
    return cudaSuccess;
}

SIMT_NOINLINE inline cudaError_t release(void *pointer, bool host) {
    const Exclusive exclusive;
    wait_for_all();
    if (sticky_error != cudaSuccess) return report(sticky_error);
    if (pointer == nullptr) return cudaSuccess;
    const Allocation *row = allocations.find(pointer);
    if (row == nullptr || row->base != pointer || row->space == Space::symbol || (row->space == Space::host) != host) {
        return report(cudaErrorInvalidValue);
    }
    if (!host) allocations.device_bytes -= row->size;
    if (!host) trace_memory(row->base, row->size, false);
    allocations.remove(row);
    if (!isolation.give_back(pointer)) std::free(pointer);
    return cudaSuccess;
}

inline bool on_device(const Allocation *row) { return row != nullptr && row->space != Space::host; }

// Whether a side of a copy may be where it is said to be.
inline bool acceptable(const void *pointer, std::size_t size, bool device) {
    const Allocation *row = allocations.find(pointer);
    if (row != nullptr && static_cast<const unsigned char *>(pointer) + size > row->base + row->size) {
        // Memory that begins where an allocation ends is not part of it.
        if (static_cast<const unsigned char *>(pointer) < row->base + row->size) return false;
        row = nullptr;
    }
    if (device) return row != nullptr;  // pinned and managed memory can be reached from the device
    return !(row != nullptr && row->space == Space::device);
}

struct Rows {
    void *target;
    std::size_t target_pitch;
    const void *source;
    std::size_t source_pitch, width, height;

    void copy() const {
        const BothSides reach;
        for (std::size_t row = 0; row < height; ++row)
            std::memmove(static_cast<unsigned char *>(target) + row * target_pitch,
                         static_cast<const unsigned char *>(source) + row * source_pitch, width);
    }
};

// Puts a copy into its stream. Pageable memory of the host is read before the call returns, and is written by then.
SIMT_NOINLINE inline void put_copy(const Rows &rows, bool from_device, bool to_device, bool waits,
                                   cudaStream_t stream) {
    const bool pageable_source = !from_device && allocations.find(rows.source) == nullptr;
    const bool pageable_target = !to_device && allocations.find(rows.target) == nullptr;
    if (pageable_target || (waits && !(from_device && to_device))) {
        wait_for(stream);
        rows.copy();
    } else if (pageable_source) {
        const std::size_t size = rows.source_pitch * (rows.height - 1) + rows.width;
        auto *staged = static_cast<unsigned char *>(std::malloc(size));
        if (staged == nullptr) fail("out of memory");
        std::memcpy(staged, rows.source, size);
        Rows upload = rows;
        upload.source = staged;
        put(stream, [upload, staged] {
            upload.copy();
            std::free(staged);
        });
    } else {
        put(stream, [rows] { rows.copy(); });
    }
}

// A copy of rows; `what` names the function for the record. It waits for itself unless it is given a stream.
SIMT_NOINLINE inline cudaError_t copy_rows(void *target, std::size_t target_pitch, const void *source,
                                           std::size_t source_pitch, std::size_t width, std::size_t height,
                                           cudaMemcpyKind kind, const char *what, bool waits = true,
                                           cudaStream_t stream = nullptr) {
    const Exclusive exclusive;
    if (sticky_error != cudaSuccess) return report(sticky_error);
    if (width == 0 || height == 0) return cudaSuccess;
    if (target == nullptr || source == nullptr) return report(cudaErrorInvalidValue);
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return report(cudaErrorInvalidMemcpyDirection);
    if (height > 1 && (target_pitch < width || source_pitch < width)) return report(cudaErrorInvalidPitchValue);
    const std::size_t target_size = target_pitch * (height - 1) + width,
                      source_size = source_pitch * (height - 1) + width;
    const bool from_device =
        kind == cudaMemcpyDefault ? on_device(allocations.find(source)) : kind >= cudaMemcpyDeviceToHost;
    const bool to_device = kind == cudaMemcpyDefault ? on_device(allocations.find(target)) : (kind & 1) != 0;
    if (!acceptable(source, source_size, from_device) || !acceptable(target, target_size, to_device))
        return misuse();
    const Rows rows{target, target_pitch, source, source_pitch, width, height};
    if (deferring()) {
        put_copy(rows, from_device, to_device, waits, stream);
        return cudaSuccess;
    }
    rows.copy();
    for (std::size_t row = 0; from_device && !to_device && row < height; ++row)
        transpile_recording::buffer(what, static_cast<unsigned char *>(target) + row * target_pitch, width);
    return cudaSuccess;
}

SIMT_NOINLINE inline cudaError_t fill_rows(void *target, std::size_t pitch, int value, std::size_t width,
                                           std::size_t height, cudaStream_t stream = nullptr) {
    const Exclusive exclusive;
    if (sticky_error != cudaSuccess) return report(sticky_error);
    if (width == 0 || height == 0) return cudaSuccess;
    if (!acceptable(target, pitch * (height - 1) + width, true)) return misuse();
    perform(stream, [=] {
        const BothSides reach;
        for (std::size_t row = 0; row < height; ++row)
            std::memset(static_cast<unsigned char *>(target) + row * pitch, value, width);
    });
    return cudaSuccess;
}

// Makes a variable on the device known, so that its address is device memory.
template <class Symbol>
unsigned char *symbol_address(const Symbol &symbol) {
    static_assert(!std::is_same_v<std::remove_extent_t<Symbol>, const char> &&
                      !std::is_same_v<std::remove_extent_t<Symbol>, char>,
                  "symbols by name are not supported: pass the variable");
    static_assert(!std::is_same_v<Symbol, const void *> && !std::is_same_v<Symbol, void *>,
                  "symbols by address are not supported: pass the variable");
    auto *address = reinterpret_cast<unsigned char *>(&const_cast<std::remove_const_t<Symbol> &>(symbol));
    const Exclusive exclusive;
    const Allocation *row = allocations.find(address);
    if (row == nullptr || address >= row->base + row->size)
        allocations.insert({address, sizeof(Symbol), Space::symbol});
    return address;
}

}  // namespace simt

template <class T>
cudaError_t cudaMalloc(T **pointer, std::size_t size) {
    return simt::allocate(pointer, size, simt::Space::device);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, std::size_t size, cudaStream_t) {
    return simt::allocate(pointer, size, simt::Space::device);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, std::size_t size, unsigned = cudaMemAttachGlobal) {
    return simt::allocate(pointer, size, simt::Space::managed);
}
template <class T>
cudaError_t cudaMallocHost(T **pointer, std::size_t size, unsigned = 0) {
    return simt::allocate(pointer, size, simt::Space::host);
}
template <class T>
cudaError_t cudaHostAlloc(T **pointer, std::size_t size, unsigned = 0) {
    return simt::allocate(pointer, size, simt::Space::host);
}
template <class T>
cudaError_t cudaMallocPitch(T **pointer, std::size_t *pitch, std::size_t width, std::size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return simt::allocate(pointer, *pitch * height, simt::Space::device);
}
inline cudaError_t cudaFree(void *pointer) { return simt::release(pointer, false); }
inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t) { return simt::release(pointer, false); }
inline cudaError_t cudaFreeHost(void *pointer) { return simt::release(pointer, true); }

template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned) {
    std::memcpy(static_cast<void *>(device), &host, sizeof host);
    return simt::allocations.find(host) != nullptr ? cudaSuccess : simt::report(cudaErrorInvalidValue);
}
inline cudaError_t cudaHostRegister(void *pointer, std::size_t size, unsigned) {
    const simt::Exclusive exclusive;
    const simt::Allocation *row = simt::allocations.find(pointer);
    if (row != nullptr && row->base == pointer) return simt::report(cudaErrorHostMemoryAlreadyRegistered);
    simt::allocations.insert({static_cast<unsigned char *>(pointer), size, simt::Space::host});
    return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *pointer) {
    const simt::Exclusive exclusive;
    const simt::Allocation *row = simt::allocations.find(pointer);
    if (row == nullptr || row->base != pointer) return simt::report(cudaErrorHostMemoryNotRegistered);
    simt::allocations.remove(row);
    return cudaSuccess;
}

inline cudaError_t cudaMemcpy(void *target, const void *source, std::size_t size, cudaMemcpyKind kind) {
    return simt::copy_rows(target, size, source, size, size, 1, kind, "cudaMemcpy");
}
inline cudaError_t cudaMemcpyAsync(void *target, const void *source, std::size_t size, cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr) {
    return simt::copy_rows(target, size, source, size, size, 1, kind, "cudaMemcpyAsync", false, stream);
}
inline cudaError_t cudaMemcpy2D(void *target, std::size_t target_pitch, const void *source, std::size_t source_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return simt::copy_rows(target, target_pitch, source, source_pitch, width, height, kind, "cudaMemcpy2D");
}
inline cudaError_t cudaMemcpy2DAsync(void *target, std::size_t target_pitch, const void *source,
                                     std::size_t source_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return simt::copy_rows(target, target_pitch, source, source_pitch, width, height, kind, "cudaMemcpy2DAsync",
                           false, stream);
}
inline cudaError_t cudaMemcpyPeer(void *target, int, const void *source, int, std::size_t size) {
    return cudaMemcpy(target, source, size, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void *target, int, const void *source, int, std::size_t size,
                                       cudaStream_t stream = nullptr) {
    return cudaMemcpyAsync(target, source, size, cudaMemcpyDeviceToDevice, stream);
}
inline cudaError_t cudaMemset(void *target, int value, std::size_t size) {
    return simt::fill_rows(target, size, value, size, 1);
}
inline cudaError_t cudaMemsetAsync(void *target, int value, std::size_t size, cudaStream_t stream = nullptr) {
    return simt::fill_rows(target, size, value, size, 1, stream);
}
inline cudaError_t cudaMemset2D(void *target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return simt::fill_rows(target, pitch, value, width, height);
}

template <class Symbol>
cudaError_t cudaMemcpyToSymbol(const Symbol &symbol, const void *source, std::size_t size, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return simt::copy_rows(simt::symbol_address(symbol) + offset, size, source, size, size, 1, kind,
                           "cudaMemcpyToSymbol");
}
template <class Symbol>
cudaError_t cudaMemcpyFromSymbol(void *target, const Symbol &symbol, std::size_t size, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return simt::copy_rows(target, size, simt::symbol_address(symbol) + offset, size, size, 1, kind,
                           "cudaMemcpyFromSymbol");
}
template <class Symbol>
cudaError_t cudaMemcpyToSymbolAsync(const Symbol &symbol, const void *source, std::size_t size, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
    return simt::copy_rows(simt::symbol_address(symbol) + offset, size, source, size, size, 1, kind,
                           "cudaMemcpyToSymbolAsync", false, stream);
}
template <class Symbol>
cudaError_t cudaMemcpyFromSymbolAsync(void *target, const Symbol &symbol, std::size_t size, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
    return simt::copy_rows(target, size, simt::symbol_address(symbol) + offset, size, size, 1, kind,
                           "cudaMemcpyFromSymbolAsync", false, stream);
}
template <class T, class Symbol>
cudaError_t cudaGetSymbolAddress(T **pointer, const Symbol &symbol) {
    const void *address = simt::symbol_address(symbol);
    std::memcpy(static_cast<void *>(pointer), &address, sizeof address);
    return cudaSuccess;
}
template <class Symbol>
cudaError_t cudaGetSymbolSize(std::size_t *size, const Symbol &) {
    *size = sizeof(Symbol);
    return cudaSuccess;
}

struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
};
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
    auto *address = const_cast<void *>(pointer);
    *attributes = {cudaMemoryTypeUnregistered, -1, nullptr, address};
    const simt::Allocation *row = simt::allocations.find(pointer);
    if (row == nullptr) return cudaSuccess;
    if (row->space == simt::Space::host) *attributes = {cudaMemoryTypeHost, 0, address, address};
    if (row->space == simt::Space::managed) *attributes = {cudaMemoryTypeManaged, 0, address, address};
    if (row->space == simt::Space::device || row->space == simt::Space::symbol)
        *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(std::size_t *free_bytes, std::size_t *total) {
    *total = simt::device_memory_bytes;
    *free_bytes = simt::device_memory_bytes - simt::allocations.device_bytes;
    return cudaSuccess;
}

#endif
