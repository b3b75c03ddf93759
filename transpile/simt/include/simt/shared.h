// Shared memory: one arena, in which every declaration has its place, with gaps between them.
//
// A block finds its shared memory poisoned (0xFF: a NaN, or -1), each variable when it is first reached.
#ifndef SIMT_SHARED_H
#define SIMT_SHARED_H

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>

#include "simt/fail.h"
#include "simt/qualifiers.h"

#ifdef SIMT_ADDRESS_SANITIZER
extern "C" void __asan_poison_memory_region(const volatile void *address, size_t size);
extern "C" void __asan_unpoison_memory_region(const volatile void *address, size_t size);
#endif

namespace simt {

struct SharedArena {
    static constexpr std::size_t capacity = std::size_t{64} << 20;
    static constexpr std::size_t gap = 128;
    static constexpr std::size_t alignment = 256;

    unsigned char *base = nullptr;
    std::size_t used = 0;           // by the declared variables
    std::size_t dynamic_bytes = 0;  // asked for by this launch
    std::uint64_t block = 1;        // counts blocks, so that a variable knows whether it is fresh
    std::uint64_t dynamic_block = 0;

    SIMT_QUIET unsigned char *dynamic() { return base + used; }
};

inline SharedArena shared_arena;

SIMT_QUIET inline void map_shared_arena() {
    if (shared_arena.base != nullptr) return;
    void *memory = mmap(nullptr, SharedArena::capacity, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("out of memory for shared memory");
    shared_arena.base = static_cast<unsigned char *>(memory);
#ifdef SIMT_ADDRESS_SANITIZER
    __asan_poison_memory_region(memory, SharedArena::capacity);
#endif
}

// A loop, since a tracing program sees what memset does as an access of the kernel.
SIMT_QUIET inline void poison(unsigned char *place, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) place[i] = 0xFF;
}

// The place of one declaration, taken when the program is loaded.
struct SharedSlot {
    std::size_t offset;
    std::uint64_t block = 0;

    SIMT_QUIET explicit SharedSlot(std::size_t bytes) {
        map_shared_arena();
        offset = shared_arena.used;
        const std::size_t end = offset + bytes + SharedArena::gap;
        shared_arena.used = (end + SharedArena::alignment - 1) / SharedArena::alignment * SharedArena::alignment;
        if (shared_arena.used > SharedArena::capacity / 2) fail("more shared memory declared than the emulator has");
#ifdef SIMT_ADDRESS_SANITIZER
        __asan_unpoison_memory_region(shared_arena.base + offset, bytes);
#endif
    }
};

template <class Variable, class Declaration>
inline SharedSlot shared_slot{sizeof(Variable)};

// The variable of this block. Each declaration passes a lambda of its own, whose type tells it apart.
template <class Variable, class Declaration>
SIMT_QUIET inline Variable &shared(Declaration) {
    static_assert(alignof(Variable) <= SharedArena::alignment, "shared variable aligned beyond 256 bytes");
    SharedSlot &slot = shared_slot<Variable, Declaration>;
    unsigned char *place = shared_arena.base + slot.offset;
    if (slot.block != shared_arena.block) {
        slot.block = shared_arena.block;
        poison(place, sizeof(Variable));
    }
    return *reinterpret_cast<Variable *>(place);
}

// The dynamic shared memory of this block: `extern __shared__ T name[]`.
template <class Element>
SIMT_QUIET inline Element *dynamic_shared() {
    if (shared_arena.dynamic_block != shared_arena.block) {
        shared_arena.dynamic_block = shared_arena.block;
        poison(shared_arena.dynamic(), shared_arena.dynamic_bytes);
    }
    return reinterpret_cast<Element *>(shared_arena.dynamic());
}

// The same as a variable, for declarations at file scope.
template <class Element>
struct DynamicShared {
    operator Element *() const { return dynamic_shared<Element>(); }
    template <class Other>
    explicit operator Other *() const {
        return reinterpret_cast<Other *>(dynamic_shared<Element>());
    }
};

SIMT_QUIET inline void begin_shared_launch(std::size_t dynamic_bytes) {
    map_shared_arena();
#ifdef SIMT_ADDRESS_SANITIZER
    __asan_poison_memory_region(shared_arena.dynamic(), shared_arena.dynamic_bytes);
    __asan_unpoison_memory_region(shared_arena.dynamic(), dynamic_bytes);
#endif
    shared_arena.dynamic_bytes = dynamic_bytes;
}

}  // namespace simt

#endif
