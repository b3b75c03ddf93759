// What the emulator keeps of a running grid: its threads, warps and fibers, and which of them go on next.
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "simt/fail.h"
#include "simt/fiber.h"
#include "simt/qualifiers.h"
#include "simt/shared.h"
#include "simt/trace.h"
#include "vector_types.h"

inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

namespace simt {

inline constexpr unsigned maximum_threads = 1024;
inline constexpr int multiprocessors = 4;
inline constexpr int threads_per_multiprocessor = 2048;
inline constexpr int blocks_per_multiprocessor = 32;
#ifdef SIMT_HIP
// AMD's devices differ, so a program is told when it begins: by SIMT_WARP_SIZE of the environment, 64 or 32.
inline constexpr unsigned most_lanes = 64;
SIMT_QUIET inline unsigned bits_of_lanes() {
    const char *asked = std::getenv("SIMT_WARP_SIZE");
    if (asked == nullptr || std::strcmp(asked, "64") == 0) return 6;
    if (std::strcmp(asked, "32") != 0) fail("SIMT_WARP_SIZE is %s, and not 32 or 64", asked);
    return 5;
}
inline const unsigned lane_bits = bits_of_lanes();
inline const unsigned warp_size = 1u << lane_bits;
#else
inline constexpr unsigned most_lanes = 32;
inline constexpr unsigned lane_bits = 5;
inline constexpr unsigned warp_size = 32;
#endif
inline constexpr unsigned maximum_warps = maximum_threads / 32;
inline constexpr unsigned maximum_fibers = multiprocessors * threads_per_multiprocessor;
using LaneMask = std::uint64_t;

struct Warp;
// Computes Lane::out of all lanes of a group that met at one operation.
using Resolve = void (*)(Warp &, LaneMask group);

#ifdef SIMT_WIDE
__extension__ typedef unsigned __int128 Word;
#else
using Word = std::uint64_t;
#endif

// What a lane brings to an operation of its warp, and what it gets.
struct Lane {
    Word in, out;
    LaneMask mask;       // lanes it asked for; 0: those that are converged with it
    std::uint64_t site;  // the call, where convergence matters
    Resolve resolve;
    unsigned source;
};

struct Warp {
    LaneMask present;   // lanes that the block has
    LaneMask live;      // lanes that have not exited
    LaneMask waiting;   // lanes that wait for an operation of the warp
    unsigned runnable;  // lanes that neither wait nor have exited
    Lane lanes[most_lanes];
};

struct LateCopy;

struct Thread {
    Fiber *fiber;
    const char *waits;  // what for; null where it does not wait
    std::uint32_t number, epoch, warp_epoch;
    bool at_barrier;
    int barrier;  // the line of the barrier at which it waits
    std::uintptr_t site;  // the call of it, and of the function that it is in (call_site)
    uint3 index;
    LateCopy *copies;       // asynchronous ones that are not made (late_copies.h)
    std::uint64_t batches;  // of these, that are closed
};

// A block that has begun. Blocks take turns as the machine's own, and are kept apart meanwhile (residency.h).
struct Block {
    bool alone = false;  // no thread of the block has waited, and those that exited are not noted yet
    std::uint32_t block = 0;
    unsigned begun = 0, live = 0;
    unsigned at_barrier = 0, at_grid = 0;  // threads that wait for the block; those of them that wait for the grid
    int predicates = 0, predicates_result = 0;
    std::uint64_t ready_head = 0, ready_tail = 0;
    Thread *ready[maximum_threads];
    unsigned order[maximum_threads];
    Thread thread[maximum_threads];
    Warp warp[maximum_warps];
};

struct Machine : Block {
    bool running = false;
    bool abandoned = false;
    bool cooperative = false;  // all blocks of the grid are to be there at once
    bool begin_first = false;  // the next fiber is to begin a thread even though others could go on
    const char *kernel = "";
    void (*invoke)(void *) = nullptr;
    void *closure = nullptr;
    std::uint64_t seed = 0;
    std::uint64_t random = 0;

    std::uint64_t blocks = 0, blocks_begun = 0;
    std::uint64_t block_stride = 1, block_start = 0;

    unsigned threads = 0;
    Thread *current = nullptr;
    unsigned spins = 0, polls = 0;
    unsigned turns = 0;  // that blocks gave each other since a block began, ended or passed a barrier

    Fiber host;
    Fiber *free_fibers = nullptr;
    Fiber *starting = nullptr;
    unsigned fibers = 0;

    Fiber pool[maximum_fibers];
};

inline Machine machine;

SIMT_QUIET inline std::uint64_t next_random() {
    std::uint64_t &x = machine.random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

SIMT_QUIET inline bool in_kernel() { return machine.running; }
SIMT_QUIET inline unsigned lane_of(const Thread &thread) { return thread.number & (warp_size - 1); }
SIMT_QUIET inline Warp &warp_of(const Thread &thread) { return machine.warp[thread.number >> lane_bits]; }

SIMT_QUIET inline void make_ready(Thread &thread) {
    thread.waits = nullptr;
    ++warp_of(thread).runnable;
    machine.ready[machine.ready_tail++ % maximum_threads] = &thread;
}

// Lets the thread be the one that threadIdx and the trace speak of.
SIMT_QUIET inline void enter(Thread &thread) {
    machine.current = &thread;
    machine.spins = 0;
    threadIdx = thread.index;
    trace_position(machine.block, thread.number, thread.epoch, thread.warp_epoch);
}

}  // namespace simt

#ifdef SIMT_HIP
inline const int warpSize = static_cast<int>(simt::warp_size);
#else
inline constexpr int warpSize = simt::warp_size;
#endif

#endif
