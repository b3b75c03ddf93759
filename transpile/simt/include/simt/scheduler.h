// The threads of a block, one block after the other, on one thread of the operating system.
//
// A fiber runs one CUDA thread after another until one has to wait; only then another fiber goes on, so a
// kernel without barriers is a plain loop. A thread that can go on goes first, then one that has not begun.
// Threads that exit are no longer waited for, as on the devices.
#ifndef SIMT_SCHEDULER_H
#define SIMT_SCHEDULER_H

#include <cstdint>
#include <cstring>

#include "simt/fail.h"
#include "simt/fiber.h"
#include "simt/qualifiers.h"
#include "simt/shared.h"
#include "simt/trace.h"
#include "vector_types.h"

inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;
inline constexpr int warpSize = SIMT_WARP_SIZE;

namespace simt {

inline constexpr unsigned maximum_threads = 1024;
inline constexpr unsigned warp_size = SIMT_WARP_SIZE;
inline constexpr unsigned maximum_warps = maximum_threads / warp_size;
using LaneMask = std::uint64_t;

struct Warp;
// Computes Lane::out of all lanes of a group that met at one operation.
using Resolve = void (*)(Warp &, LaneMask group);

// What a lane brings to an operation of its warp, and what it gets.
struct Lane {
    std::uint64_t in, out;
    LaneMask mask;     // lanes it asked for; 0: those that are converged with it
    std::uint64_t site;  // the call, where convergence matters
    Resolve resolve;
    unsigned source;
};

struct Warp {
    LaneMask present;  // lanes that the block has
    LaneMask live;     // lanes that have not exited
    LaneMask waiting;  // lanes that wait for an operation of the warp
    unsigned runnable; // lanes that neither wait nor have exited
    Lane lanes[warp_size];
};

struct Thread {
    Fiber *fiber;
    const char *waits;  // what for; null where it does not wait
    std::uint32_t number, epoch, warp_epoch;
    bool at_barrier;
    uint3 index;
};

struct Machine {
    bool running = false;
    bool abandoned = false;
    bool begin_first = false;  // the next fiber is to begin a thread even though others could go on
    const char *kernel = "";
    void (*invoke)(void *) = nullptr;
    void *closure = nullptr;
    std::uint64_t seed = 0;
    std::uint64_t random = 0;

    std::uint64_t blocks = 0, blocks_begun = 0;
    std::uint64_t block_stride = 1, block_start = 0;
    std::uint32_t block = 0;

    unsigned threads = 0, begun = 0, live = 0, at_barrier = 0;
    int predicates = 0, predicates_result = 0;
    Thread *current = nullptr;
    std::uint64_t ready_head = 0, ready_tail = 0;
    unsigned spins = 0;

    Fiber host;
    Fiber *free_fibers = nullptr;
    Fiber *starting = nullptr;
    unsigned fibers = 0;

    Fiber pool[maximum_threads];
    Thread *ready[maximum_threads];
    unsigned order[maximum_threads];
    Thread thread[maximum_threads];
    Warp warp[maximum_warps];
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
SIMT_QUIET inline unsigned lane_of(const Thread &thread) { return thread.number % warp_size; }
SIMT_QUIET inline Warp &warp_of(const Thread &thread) { return machine.warp[thread.number / warp_size]; }

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

[[noreturn]] void fiber_main();
void resolve_pending(Warp &warp);

SIMT_QUIET inline Fiber &take_fiber() {
    if (Fiber *fiber = machine.free_fibers) {
        machine.free_fibers = fiber->next_free;
        return *fiber;
    }
    if (machine.fibers == maximum_threads) fail("more fibers than threads");
    Fiber &fiber = machine.pool[machine.fibers];
    machine.starting = &fiber;
    prepare(fiber, fiber_main, machine.fibers++);
    return fiber;
}

[[noreturn]] SIMT_QUIET inline void report_deadlock() {
    const Thread *first = nullptr, *other = nullptr;
    unsigned waiting = 0;
    for (unsigned t = 0; t < machine.threads; ++t) {
        const Thread &thread = machine.thread[t];
        if (thread.waits == nullptr) continue;
        ++waiting;
        if (first == nullptr) first = &thread;
        if (other == nullptr && std::strcmp(first->waits, thread.waits) != 0) other = &thread;
    }
    if (first == nullptr) fail("deadlock in kernel %s, block (%u,%u,%u)", machine.kernel, blockIdx.x, blockIdx.y, blockIdx.z);
    const uint3 at = first->index, and_at = other == nullptr ? at : other->index;
    fail("deadlock in kernel %s, block (%u,%u,%u): thread (%u,%u,%u) waits at %s for ever; thread (%u,%u,%u) at %s%s "
         "(%u of %u threads wait, %u have exited)",
         machine.kernel, blockIdx.x, blockIdx.y, blockIdx.z, at.x, at.y, at.z, first->waits, and_at.x, and_at.y,
         and_at.z, other == nullptr ? first->waits : other->waits,
         other == nullptr ? ", with lanes missing from its mask or masks that differ" : "", waiting, machine.threads,
         machine.threads - machine.live);
}

SIMT_QUIET inline Thread *next_ready() {
    if (machine.ready_head == machine.ready_tail) return nullptr;
    return machine.ready[machine.ready_head++ % maximum_threads];
}

// Gives way until somebody has made this thread ready again. Its `waits` says what for.
SIMT_QUIET inline void suspend() {
    Thread &self = *machine.current;
    Warp &warp = warp_of(self);
    if (warp.runnable == 0 && warp.waiting != 0) resolve_pending(warp);
    if (Thread *next = next_ready()) {
        if (next != &self) switch_fiber(*self.fiber, *next->fiber);
    } else if (machine.begun < machine.threads) {
        switch_fiber(*self.fiber, take_fiber());
    } else {
        report_deadlock();
    }
    enter(self);
}

// Called where a thread may be polling what another thread has to change. After a few times in a row it
// gives way; where nobody is left to give way to, the thread polls for ever.
SIMT_QUIET inline void poll(const char *what) {
    if (!in_kernel() || ++machine.spins < 64) return;
    Thread &self = *machine.current;
    if (machine.begun < machine.threads || machine.ready_head != machine.ready_tail) {
        --warp_of(self).runnable;
        make_ready(self);
        if (machine.begun < machine.threads) {
            machine.begin_first = true;
            switch_fiber(*self.fiber, take_fiber());
            enter(self);
        } else {
            suspend();
        }
    } else if (machine.spins > 100000000) {
        fail("thread (%u,%u,%u) of block (%u,%u,%u) in kernel %s polls by %s for ever: no other thread of its block can go on",
             threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z, machine.kernel, what);
    }
}

// ---------------------------------------------------------------------------------------- block barrier

SIMT_QUIET inline void release_barrier() {
    machine.predicates_result = machine.predicates;
    machine.predicates = 0;
    machine.at_barrier = 0;
    for (unsigned i = 0; i < machine.threads; ++i) {
        Thread &thread = machine.thread[machine.order[i]];
        if (!thread.at_barrier) continue;
        thread.at_barrier = false;
        ++thread.epoch;
        make_ready(thread);
    }
}

// Waits for all threads of the block that have not exited; returns in how many the predicate holds.
SIMT_QUIET SIMT_NOINLINE inline int block_barrier(bool predicate, const char *what) {
    if (!in_kernel()) fail("%s outside of a kernel", what);
    Thread &self = *machine.current;
    machine.predicates += predicate ? 1 : 0;
    self.at_barrier = true;
    self.waits = what;
    --warp_of(self).runnable;
    if (++machine.at_barrier == machine.live) release_barrier();
    suspend();
    return machine.predicates_result;
}

// ------------------------------------------------------------------------------------------------ warps

SIMT_QUIET inline void release_group(Warp &warp, LaneMask group, Resolve resolve) {
    resolve(warp, group);
    warp.waiting &= ~group;
    const unsigned first = static_cast<unsigned>(&warp - machine.warp) * warp_size;
    const unsigned turn = machine.seed == 0 ? 0 : static_cast<unsigned>(next_random() % warp_size);
    for (unsigned i = 0; i < warp_size; ++i) {
        const unsigned lane = i ^ turn;
        if ((group >> lane & 1) != 0) make_ready(machine.thread[first + lane]);
    }
}

// Releases the lanes that `lane` asked for, if all that live are there and ask for the same.
SIMT_QUIET inline bool try_release(Warp &warp, unsigned lane) {
    const Lane &mine = warp.lanes[lane];
    const LaneMask group = mine.mask & warp.live;
    if (mine.mask == 0 || (group & ~warp.waiting) != 0) return false;
    for (unsigned other = 0; other < warp_size; ++other) {
        if ((group >> other & 1) == 0) continue;
        if (warp.lanes[other].mask != mine.mask || warp.lanes[other].resolve != mine.resolve) return false;
    }
    release_group(warp, group, mine.resolve);
    return true;
}

// Called when no lane of the warp can go on: the lanes waiting at one call are those that are converged.
SIMT_QUIET inline void resolve_pending(Warp &warp) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((warp.waiting >> lane & 1) == 0 || warp.lanes[lane].mask != 0) continue;
        LaneMask group = 0;
        for (unsigned other = lane; other < warp_size; ++other) {
            const Lane &theirs = warp.lanes[other];
            if ((warp.waiting >> other & 1) != 0 && theirs.mask == 0 && theirs.site == warp.lanes[lane].site &&
                theirs.resolve == warp.lanes[lane].resolve) {
                group |= LaneMask{1} << other;
            }
        }
        release_group(warp, group, warp.lanes[lane].resolve);
        return;
    }
}

// Meets the lanes of `mask` (0: those converged here) at an operation and returns its result for this lane. The
// line tells calls apart that a compiler merged into one.
SIMT_QUIET SIMT_NOINLINE inline std::uint64_t meet(Resolve resolve, LaneMask mask, std::uint64_t value, unsigned source,
                                                   const char *what, unsigned line = 0) {
    if (!in_kernel()) fail("%s outside of a kernel", what);
    Thread &self = *machine.current;
    Warp &warp = warp_of(self);
    const unsigned lane = lane_of(self);
    if (mask != 0 && (mask >> lane & 1) == 0) {
        fail("%s in kernel %s, block (%u,%u,%u), thread (%u,%u,%u): the calling lane %u is not in its mask 0x%llx", what,
             machine.kernel, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, lane,
             static_cast<unsigned long long>(mask));
    }
    const std::uint64_t site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) * 0x9E3779B97F4A7C15u + line;
    warp.lanes[lane] = {value, 0, mask, site, resolve, source};
    warp.waiting |= LaneMask{1} << lane;
    --warp.runnable;
    self.waits = what;
    try_release(warp, lane);
    suspend();
    return warp.lanes[lane].out;
}

// --------------------------------------------------------------------------------------- threads, blocks

SIMT_QUIET inline void exit_thread(Thread &thread) {
    Warp &warp = warp_of(thread);
    warp.live &= ~(LaneMask{1} << lane_of(thread));
    --warp.runnable;
    --machine.live;
    if (machine.live > 0 && machine.at_barrier == machine.live) release_barrier();
    for (unsigned lane = 0; warp.waiting != 0 && lane < warp_size; ++lane) {
        if ((warp.waiting >> lane & 1) != 0) try_release(warp, lane);
    }
    if (warp.runnable == 0 && warp.waiting != 0) resolve_pending(warp);
}

SIMT_QUIET inline void shuffle_order() {
    for (unsigned i = machine.threads; i > 1; --i) {
        const auto other = static_cast<unsigned>(next_random() % i);
        const unsigned kept = machine.order[i - 1];
        machine.order[i - 1] = machine.order[other];
        machine.order[other] = kept;
    }
}

SIMT_QUIET inline bool begin_block() {
    Machine &m = machine;
    if (m.blocks_begun == m.blocks) return false;
    const std::uint64_t linear = (m.block_start + m.blocks_begun++ % m.blocks * m.block_stride) % m.blocks;
    m.block = static_cast<std::uint32_t>(linear);
    blockIdx.x = static_cast<unsigned>(linear % gridDim.x);
    blockIdx.y = static_cast<unsigned>(linear / gridDim.x % gridDim.y);
    blockIdx.z = static_cast<unsigned>(linear / gridDim.x / gridDim.y);
    m.begun = 0;
    m.live = m.threads;
    m.at_barrier = 0;
    m.predicates = 0;
    m.ready_head = m.ready_tail = 0;
    for (unsigned w = 0; w * warp_size < m.threads; ++w) {
        const unsigned lanes = m.threads - w * warp_size < warp_size ? m.threads - w * warp_size : warp_size;
        m.warp[w].present = m.warp[w].live = lanes == 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
        m.warp[w].waiting = 0;
        m.warp[w].runnable = lanes;
    }
    if (m.seed != 0) shuffle_order();
    ++shared_arena.block;
    trace_block(m.block, shared_arena.base, shared_arena.dynamic() + shared_arena.dynamic_bytes);
    return true;
}

// What every fiber does: begin threads while no other can go on, then wait to be needed again.
SIMT_QUIET inline void fiber_main() {
    Machine &m = machine;
    Fiber *self = m.starting;
    arrive(*self);
    for (;;) {
        Thread *next = m.begin_first ? nullptr : next_ready();
        m.begin_first = false;
        if (next == nullptr && m.begun < m.threads) {
            Thread &thread = m.thread[m.order[m.begun++]];
            thread.fiber = self;
            thread.waits = nullptr;
            thread.epoch = thread.warp_epoch = 0;
            thread.at_barrier = false;
            enter(thread);
            m.invoke(m.closure);
            exit_thread(*m.current);
            continue;
        }
        if (next == nullptr && m.live == 0 && begin_block()) continue;
        if (next == nullptr && m.live != 0) report_deadlock();
        self->next_free = m.free_fibers;
        m.free_fibers = self;
        switch_fiber(*self, next == nullptr ? m.host : *next->fiber);
    }
}

SIMT_QUIET inline void number_threads() {
    Machine &m = machine;
    m.threads = blockDim.x * blockDim.y * blockDim.z;
    uint3 index = {0, 0, 0};
    for (unsigned t = 0; t < m.threads; ++t) {
        m.order[t] = t;
        m.thread[t].number = t;
        m.thread[t].index = index;
        if (++index.x < blockDim.x) continue;
        index.x = 0;
        if (++index.y < blockDim.y) continue;
        index.y = 0;
        ++index.z;
    }
}

// Forward for seed 0. Otherwise all blocks in an arithmetic progression with a stride that has no common
// divisor with their number.
SIMT_QUIET inline void order_blocks() {
    Machine &m = machine;
    m.block_stride = 1;
    m.block_start = 0;
    m.random = m.seed * 0x9E3779B97F4A7C15u | 1;
    if (m.seed == 0 || m.blocks < 2) return;
    for (int warm = 0; warm < 8; ++warm) next_random();
    m.block_start = next_random() % m.blocks;
    for (;;) {
        m.block_stride = next_random() % m.blocks;
        std::uint64_t a = m.blocks, b = m.block_stride;
        while (b != 0) {
            const std::uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return;
    }
}

// Runs a grid to its end: invoke(closure) once for every thread.
SIMT_QUIET inline void run_grid(const char *kernel, dim3 grid, dim3 block, std::size_t shared_bytes, std::uint64_t seed,
                                void (*invoke)(void *), void *closure) {
    Machine &m = machine;
    if (m.running) fail("kernel %s launched from within kernel %s (dynamic parallelism)", kernel, m.kernel);
    m.kernel = kernel;
    m.invoke = invoke;
    m.closure = closure;
    m.seed = seed;
    gridDim = grid;
    blockDim = block;
    m.blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    m.blocks_begun = 0;
    number_threads();
    order_blocks();
    begin_shared_launch(shared_bytes);
    trace_launch(true);
    m.running = true;
    m.host.stack = nullptr;
    begin_block();
    switch_fiber(m.host, take_fiber());
    m.running = false;
    trace_launch(false);
    if (m.abandoned) {
        m.abandoned = false;
        m.free_fibers = nullptr;
        m.fibers = 0;
    }
}

// Ends the grid at once: the threads' stacks are forgotten.
[[noreturn]] SIMT_QUIET SIMT_NOINLINE inline void abandon_grid() {
    machine.abandoned = true;
    switch_fiber(*machine.current->fiber, machine.host);
    fail("an abandoned grid went on");
}

}  // namespace simt

#endif
