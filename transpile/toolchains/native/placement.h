// Where the buffers of a call lie: each kind of placement shows another kind of bad access.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "batch.h"

namespace placement {

enum class Kind { guard_high, guard_low, arena, heap };

struct Buffer {
    unsigned char *start = nullptr, *pointer = nullptr;
    std::size_t size = 0;
    unsigned char *low = nullptr, *high = nullptr;  // with what surrounds it
    bool of_host = false, of_device = false;        // as the call says; both where arguments of both lead to it
    bool fixed = false;                             // the call may not write it

    bool on_device() const { return of_device && !of_host; }
    bool on_both() const { return of_device && of_host; }
};

inline Kind kind;
inline std::size_t alignment = 1;  // of the pointers into guarded buffers; 1: data touch the guard to the byte
inline bool closed = false;  // The host's buffers: a kernel of the call is running that may not reach them.
inline std::vector<Buffer> buffers;  // of the current call; values have none

inline constexpr std::size_t arena_bytes = std::size_t{1} << 32;
inline constexpr unsigned most_arenas = 128;
inline unsigned char *arenas = nullptr;

inline constexpr std::size_t guard_bytes = 64 << 10;
inline constexpr std::size_t field_bytes = std::size_t{1} << 36, field_turn = std::size_t{1} << 30;
inline unsigned char *field = nullptr;
inline std::size_t field_used = 0;

inline Progress *progress = nullptr;

// We cannot go on. The status alone does not say so: a call may end with any.
[[noreturn]] inline void give_up(const char *what) {
    perror(what);
    if (progress) progress->reason = reason_given_up;
    _exit(98);
}

inline unsigned char *reserve(std::size_t size, int protection) {
    void *memory = mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) give_up("cannot reserve addresses");
    return static_cast<unsigned char *>(memory);
}

// What lies between a guarded buffer and its page's other end: a number in every type, since a huge one or no number
// hides what is added to it. Not the same on both sides, so that what is read there cannot be right on both.
inline unsigned char beside() { return kind == Kind::guard_high ? 0x42 : 0xC2; }

// How far the data of a guarded buffer lie from the guard that they should touch, for the pointer to be aligned.
inline std::size_t gap(std::size_t size, std::size_t before) {
    const std::size_t away = kind == Kind::guard_high ? before - size : -before;  // page boundaries are aligned
    const std::size_t over = away & (alignment - 1);
    return kind == Kind::guard_high ? over : (alignment - over) & (alignment - 1);
}

// A buffer of its own between pages that fault. Addresses are not used again soon, so that a pointer
// kept from an earlier call faults too.
inline Buffer guarded(std::size_t size, std::size_t before) {
    static const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
    if (!field) field = reserve(field_bytes, PROT_NONE);
    const std::size_t away = size ? gap(size, before) : 0;
    const std::size_t pages = (size + away + page - 1) / page * page;
    if (field_used > field_turn) field_used = 0;
    unsigned char *first = field + field_used + guard_bytes;
    field_used += pages + guard_bytes;
    if (field_used + guard_bytes > field_bytes) give_up("buffers too large");
    if (pages && mprotect(first, pages, PROT_READ | PROT_WRITE)) give_up("out of memory");
    Buffer buffer;
    buffer.size = size;
    buffer.start = kind == Kind::guard_high ? first + pages - size - away : first + away;
    buffer.low = first - guard_bytes;
    buffer.high = first + pages + guard_bytes;
    memset(first, beside(), std::size_t(buffer.start - first));
    memset(buffer.start + size, beside(), std::size_t(first + pages - buffer.start) - size);
    buffer.pointer = buffer.start + before;
    return buffer;
}

// The first byte beside the data of a guarded buffer, on its own pages, that was written; null where none was.
inline const unsigned char *trespassed(const Buffer &buffer) {
    if (!buffer.start) return nullptr;
    for (const unsigned char *byte = buffer.low + guard_bytes; byte < buffer.high - guard_bytes; byte++) {
        if (byte == buffer.start) byte += buffer.size;
        if (byte < buffer.high - guard_bytes && *byte != beside()) return byte;
    }
    return nullptr;
}

inline Buffer in_arena(std::size_t size, std::size_t before, std::size_t index) {
    if (index >= most_arenas) give_up("too many buffers");
    if (!arenas) arenas = reserve(arena_bytes * most_arenas, PROT_READ | PROT_WRITE);
    Buffer buffer;
    buffer.size = size;
    buffer.low = arenas + arena_bytes * index;
    buffer.high = buffer.low + arena_bytes;
    buffer.pointer = buffer.low + arena_bytes / 2;
    buffer.start = buffer.pointer - before;
    return buffer;
}

// As malloc aligns it, and further where its size says that elements may need it.
inline Buffer on_heap(std::size_t size, std::size_t before) {
    constexpr std::size_t around = 4096, least = 16, most = 256;
    std::size_t aligned = least;
    while (aligned < most && size % (2 * aligned) == 0) aligned *= 2;
    Buffer buffer;
    buffer.size = size;
    void *memory = nullptr;
    if (posix_memalign(&memory, aligned, size)) give_up("out of memory");
    buffer.start = static_cast<unsigned char *>(memory);
    buffer.pointer = buffer.start + before;
    buffer.low = buffer.start - around;
    buffer.high = buffer.start + size + around;
    return buffer;
}

inline Buffer place(std::size_t size, std::size_t before, std::size_t index) {
    switch (kind) {
        case Kind::arena: return in_arena(size, before, index);
        case Kind::heap: return on_heap(size, before);
        default: return guarded(size, before);
    }
}

// The bytes between the guards of a buffer that has some.
inline std::size_t unguarded(const Buffer &buffer) { return std::size_t(buffer.high - buffer.low) - 2 * guard_bytes; }

inline void release(const Buffer &buffer) {
    if (!buffer.start) return;
    if (kind == Kind::heap) {
        free(buffer.start);
    } else if (kind == Kind::arena) {
        madvise(buffer.low, arena_bytes, MADV_DONTNEED);
    } else {
        unsigned char *first = buffer.low + guard_bytes;
        const std::size_t pages = unguarded(buffer);
        if (pages == 0) return;
        madvise(first, pages, MADV_DONTNEED);
        mprotect(first, pages, PROT_NONE);
    }
}

inline bool guards() { return kind == Kind::guard_high || kind == Kind::guard_low; }

inline void protect(const Buffer &buffer, bool open) {
    const std::size_t pages = buffer.start ? unguarded(buffer) : 0;
    const int rights = !open ? PROT_NONE : buffer.fixed ? PROT_READ : PROT_READ | PROT_WRITE;
    if (pages) mprotect(buffer.low + guard_bytes, pages, rights);
}

// What a call may not write is closed to it once its data are there.
inline void fix(Buffer &buffer) {
    buffer.fixed = guards();
    if (buffer.fixed) protect(buffer, true);
}

// Opens or closes the buffers of the call that lie on pages of their own; of those of the device the other way round.
inline void open(bool open) {
    if (!guards()) return;
    for (const Buffer &buffer : buffers) protect(buffer, buffer.on_both() || buffer.on_device() != open);
    closed = !open;
}

// Takes the buffer that an argument leads to for memory of the device, or of the host.
inline void assign(const void *argument, bool device) {
    const auto *byte = static_cast<const unsigned char *>(argument);
    for (Buffer &buffer : buffers)
        if (buffer.start && byte >= buffer.start && byte <= buffer.start + buffer.size)
            (device ? buffer.of_device : buffer.of_host) = true;
    open(true);
}

// Whoever collects what a call left behind reaches all of it.
inline void open_all() {
    if (!guards()) return;
    for (const Buffer &buffer : buffers) protect(buffer, true);
}

// Says in the progress which argument an address belongs to, or lies next to.
inline void attribute(Progress &progress, const void *address) {
    const auto *byte = static_cast<const unsigned char *>(address);
    progress.argument = -1;
    std::size_t best = SIZE_MAX;
    for (std::size_t i = 0; i < buffers.size(); i++) {
        const Buffer &buffer = buffers[i];
        if (!buffer.start || byte < buffer.low || byte >= buffer.high) continue;
        const std::size_t away = byte < buffer.start ? std::size_t(buffer.start - byte)
                                 : byte >= buffer.start + buffer.size ? std::size_t(byte - buffer.start) - buffer.size : 0;
        if (away >= best) continue;
        best = away;
        progress.argument = std::int64_t(i);
        progress.offset = byte - buffer.pointer;
    }
}

}  // namespace placement
