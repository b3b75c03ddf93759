// Blocks that have begun and are not the machine's own: they wait for the whole grid, or for their turn.
//
// A device runs as many blocks at once as fit, so blocks of one grid may wait for each other: at the barrier of a
// cooperative launch, or by polling memory. Here one block is the machine's own at a time. Where none of its threads
// can go on, its state and its shared memory are put aside, and another block's take their place.
#ifndef SIMT_RESIDENCY_H
#define SIMT_RESIDENCY_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "simt/fail.h"
#include "simt/machine.h"
#include "simt/qualifiers.h"
#include "simt/shared.h"
#include "simt/trace.h"

namespace simt {

struct Resident {
    Resident *next;
    Block state;
    uint3 index;
    std::uint64_t shared_block;
    unsigned char *shared;
};

// First come, first served.
struct ResidentQueue {
    Resident *first = nullptr, *last = nullptr;

    SIMT_QUIET void add(Resident *resident) {
        resident->next = nullptr;
        (first == nullptr ? first : last->next) = resident;
        last = resident;
    }
    SIMT_QUIET Resident *take() {
        Resident *resident = first;
        if (resident != nullptr) first = resident->next;
        return resident;
    }
};

struct Residency {
    ResidentQueue ready, at_grid;
    unsigned limit = 1;       // of blocks that have begun and not ended
    std::uint64_t ended = 0;  // blocks
};

inline Residency residency;

// How many blocks a multiprocessor has room for.
SIMT_QUIET inline int blocks_that_fit(unsigned threads, std::size_t shared_bytes) {
    const int by_threads = threads_per_multiprocessor / static_cast<int>((threads + 31) / 32 * 32);
    const int by_shared = static_cast<int>((shared_limit + 1024) / (shared_bytes + 1024));
    const int fewer = by_threads < by_shared ? by_threads : by_shared;
    return fewer < blocks_per_multiprocessor ? fewer : blocks_per_multiprocessor;
}

SIMT_QUIET inline bool may_begin_block() {
    return machine.blocks_begun < machine.blocks && machine.blocks_begun - residency.ended < residency.limit;
}

// A loop, since a tracing program sees what memcpy does as an access of the kernel.
SIMT_QUIET inline void copy_bytes(unsigned char *to, const unsigned char *from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

// Calls visit(place, bytes, block) for every part of shared memory; block: the last one that reached it.
template <class Visit>
SIMT_QUIET void visit_shared(Visit visit) {
    for (SharedSlot *slot = shared_slots; slot != nullptr; slot = slot->next)
        visit(slot->place, slot->bytes, slot->block);
    visit(shared_arena.dynamic, shared_arena.dynamic_bytes, shared_arena.dynamic_block);
}

// Puts the machine's block aside.
SIMT_QUIET SIMT_NOINLINE inline void put_aside(ResidentQueue &queue) {
    auto *resident = static_cast<Resident *>(std::malloc(sizeof(Resident)));
    std::size_t room = 0;
    visit_shared([&room](unsigned char *, std::size_t bytes, std::uint64_t &) { room += 1 + bytes; });
    auto *kept = static_cast<unsigned char *>(std::malloc(room));
    if (resident == nullptr || kept == nullptr) fail("out of memory for blocks that wait");
    *resident = {nullptr, machine, blockIdx, shared_arena.block, kept};
    visit_shared([&kept](unsigned char *place, std::size_t bytes, std::uint64_t &block) {
        *kept = block == shared_arena.block ? 1 : 0;
        if (*kept++ != 0) copy_bytes(kept, place, bytes);
        kept += bytes;
    });
    queue.add(resident);
}

// Makes a block the machine's own again.
SIMT_QUIET SIMT_NOINLINE inline void bring_back(Resident *resident) {
    static_cast<Block &>(machine) = resident->state;
    blockIdx = resident->index;
    shared_arena.block = resident->shared_block;
    const unsigned char *kept = resident->shared;
    visit_shared([&kept](unsigned char *place, std::size_t bytes, std::uint64_t &block) {
        if (*kept++ != 0) {
            block = shared_arena.block;
            copy_bytes(place, kept, bytes);
        }
        kept += bytes;
    });
    std::free(resident->shared);
    std::free(resident);
    trace_block(machine.block, shared_arena.base, shared_end());
}

// What an abandoned grid leaves behind.
SIMT_QUIET inline void forget_residents() {
    for (ResidentQueue *queue : {&residency.ready, &residency.at_grid}) {
        while (Resident *resident = queue->take()) {
            std::free(resident->shared);
            std::free(resident);
        }
    }
}

}  // namespace simt

#endif
