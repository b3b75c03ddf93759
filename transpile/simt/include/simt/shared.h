// Shared memory: one arena, in which every declaration has its place.
//
// A block finds its shared memory poisoned (simt/seed.h), each variable when it is first reached.
#ifndef SIMT_SHARED_H
#define SIMT_SHARED_H

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

#include "simt/fail.h"
#include "simt/qualifiers.h"
#include "simt/seed.h"

#ifdef SIMT_ADDRESS_SANITIZER
extern "C" void __asan_poison_memory_region(const volatile void *address, size_t size);
extern "C" void __asan_unpoison_memory_region(const volatile void *address, size_t size);
#endif

namespace simt {

inline constexpr std::size_t shared_limit = 163 << 10;  // of a block

// Every variable ends where a page begins that faults, so that an overrun is seen whatever the build. What is
// left of its pages is poison too. All pages fault but those of variables, and of this launch.
struct SharedArena {
    static constexpr std::size_t capacity = std::size_t{64} << 20;
    static constexpr std::size_t alignment = 16;

    unsigned char *base = nullptr;
    std::size_t page = 0;
    std::size_t used = 0;              // by the declared variables
    unsigned char *dynamic = nullptr;  // of this launch
    std::size_t dynamic_bytes = 0;
    unsigned char *dynamic_end = nullptr;  // behind its pages
    std::uint64_t blocks = 1;              // that have begun
    std::uint64_t block = 1;               // the one that is running, so that a variable knows whether it is fresh
    std::uint64_t dynamic_block = 0;
};

inline SharedArena shared_arena;

SIMT_QUIET inline std::size_t shared_round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

SIMT_QUIET inline void map_shared_arena() {
    if (shared_arena.base != nullptr) return;
    void *memory = mmap(nullptr, SharedArena::capacity, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("out of memory for shared memory");
    shared_arena.base = static_cast<unsigned char *>(memory);
    shared_arena.page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#ifdef SIMT_ADDRESS_SANITIZER
    __asan_poison_memory_region(memory, SharedArena::capacity);
#endif
    shared_arena.used = shared_arena.page;  // what lies before the first variable is nobody's
}

// Opens the pages of dynamic shared memory from where the declared variables end, and shuts others.
SIMT_QUIET inline void open_dynamic_pages(unsigned char *end) {
    SharedArena &arena = shared_arena;
    unsigned char *before = arena.dynamic_end != nullptr ? arena.dynamic_end : arena.base + arena.used;
    const int access = end > before ? PROT_READ | PROT_WRITE : PROT_NONE;
    unsigned char *first = end > before ? before : end;
    if (end != before) mprotect(first, static_cast<std::size_t>((end > before ? end : before) - first), access);
    arena.dynamic_end = end;
}

// A loop, since a tracing program sees what memset does as an access of the kernel.
SIMT_QUIET inline void poison(unsigned char *place, std::size_t bytes) {
    const unsigned char byte = poison_byte();
    for (std::size_t i = 0; i < bytes; ++i) place[i] = byte;
}

struct SharedSlot;
inline SharedSlot *shared_slots = nullptr;

// The place of one declaration, taken when the program is loaded.
struct SharedSlot {
    unsigned char *place;
    std::size_t bytes;
    std::uint64_t block = 0;
    SharedSlot *next;

    SIMT_QUIET SharedSlot(std::size_t size_of_variable, std::size_t alignment)
        : bytes(size_of_variable), next(shared_slots) {
        shared_slots = this;
        map_shared_arena();
        if (alignment < SharedArena::alignment) alignment = SharedArena::alignment;
        if (shared_arena.dynamic_end != nullptr) {  // another library is loaded after a launch
            open_dynamic_pages(shared_arena.base + shared_arena.used);
            shared_arena.dynamic_end = nullptr;
        }
        unsigned char *pages = shared_arena.base + shared_arena.used;
        const std::size_t size = shared_round_up(bytes, alignment), room = shared_round_up(size, shared_arena.page);
        shared_arena.used += room + shared_arena.page;
        if (shared_arena.used > SharedArena::capacity / 2) fail("more shared memory declared than the emulator has");
        mprotect(pages, room, PROT_READ | PROT_WRITE);
        place = pages + room - size;
#ifdef SIMT_ADDRESS_SANITIZER
        __asan_unpoison_memory_region(pages, room);
#endif
        poison(pages, room);
#ifdef SIMT_ADDRESS_SANITIZER
        __asan_poison_memory_region(pages, room);
        __asan_unpoison_memory_region(place, bytes);
#endif
    }
};

template <class Variable, class Declaration>
inline SharedSlot shared_slot{sizeof(Variable), alignof(Variable)};

// The variable of this block. Each declaration passes a lambda of its own, whose type tells it apart.
template <class Variable, class Declaration>
SIMT_QUIET inline Variable &shared(Declaration) {
    static_assert(alignof(Variable) <= 4096, "shared variable aligned beyond a page");
#ifndef SIMT_WIDE  // whose numbers take more room
    static_assert(sizeof(Variable) <= 48 << 10, "static shared memory is limited to 48 KiB");
#endif
    SharedSlot &slot = shared_slot<Variable, Declaration>;
    if (slot.block != shared_arena.block) {
        slot.block = shared_arena.block;
        poison(slot.place, sizeof(Variable));
    }
    return *reinterpret_cast<Variable *>(slot.place);
}

// The dynamic shared memory of this block: `extern __shared__ T name[]`.
template <class Element>
SIMT_QUIET inline Element *dynamic_shared() {
    if (shared_arena.dynamic_block != shared_arena.block) {
        shared_arena.dynamic_block = shared_arena.block;
        poison(shared_arena.dynamic, shared_arena.dynamic_bytes);
    }
    return reinterpret_cast<Element *>(shared_arena.dynamic);
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

// Makes room for the dynamic shared memory of a launch, behind the declared variables.
SIMT_QUIET inline void begin_shared_launch(std::size_t bytes) {
    map_shared_arena();
    SharedArena &arena = shared_arena;
    const std::size_t size = shared_round_up(bytes, SharedArena::alignment);
    unsigned char *end = arena.base + arena.used + shared_round_up(size, arena.page);
    if (arena.dynamic_end != end) open_dynamic_pages(end);
#ifdef SIMT_ADDRESS_SANITIZER
    if (arena.dynamic != nullptr) __asan_poison_memory_region(arena.dynamic, arena.dynamic_bytes);
    __asan_unpoison_memory_region(end - size, bytes);
#endif
    arena.dynamic = end - size;
    arena.dynamic_bytes = bytes;
}

// The end of all shared memory of this launch.
SIMT_QUIET inline const unsigned char *shared_end() { return shared_arena.dynamic + shared_arena.dynamic_bytes; }

}  // namespace simt

#endif
