// The threads of a block, one block after the other, on one thread of the operating system.
//
// A fiber runs one CUDA thread after another until one has to wait; only then another fiber goes on, so a
// kernel without barriers is a plain loop. A thread that can go on goes first, then one that has not begun.
// Threads that exit are no longer waited for, as on the devices.
#ifndef SIMT_SCHEDULER_H
#define SIMT_SCHEDULER_H

#include <cstdint>

#include "simt/fail.h"
#include "simt/fiber.h"
#include "simt/isolation.h"
#include "simt/machine.h"
#include "simt/meeting.h"
#include "simt/qualifiers.h"
#include "simt/residency.h"
#include "simt/shared.h"
#include "simt/trace.h"

namespace simt {

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

// Notes which threads have exited; to be called before one waits. Until then nobody asks.
SIMT_QUIET SIMT_NOINLINE inline void note_exits() {
    machine.alone = false;
    for (unsigned i = 0; i + 1 < machine.begun; ++i) exit_thread(machine.thread[machine.order[i]]);
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
    m.alone = true;
    m.turns = 0;
    m.begun = 0;
    m.live = m.threads;
    m.at_barrier = m.at_grid = 0;
    m.predicates = 0;
    m.ready_head = m.ready_tail = 0;
    for (unsigned w = 0; w * warp_size < m.threads; ++w) {
        const unsigned lanes = m.threads - w * warp_size < warp_size ? m.threads - w * warp_size : warp_size;
        m.warp[w].present = m.warp[w].live = lanes == 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
        m.warp[w].waiting = 0;
        m.warp[w].runnable = lanes;
    }
    if (m.seed != 0) shuffle_order();
    shared_arena.block = ++shared_arena.blocks;
    trace_block(m.block, shared_arena.base, shared_end());
    return true;
}

SIMT_QUIET inline bool may_change_block() { return residency.ready.first != nullptr || may_begin_block(); }

// Makes another block the machine's own: one that has not begun, one whose turn it is, or, when all wait for the
// grid, the first of those. False where there is none.
SIMT_QUIET inline bool next_block() {
    if (may_begin_block()) return begin_block();
    if (residency.ready.first == nullptr && residency.at_grid.first != nullptr) {
        if (residency.ended != 0)
            fail("deadlock in kernel %s: %llu of %llu blocks have ended, and others wait at grid.sync() for ever",
                 machine.kernel, static_cast<unsigned long long>(residency.ended),
                 static_cast<unsigned long long>(machine.blocks));
        residency.ready = residency.at_grid;
        residency.at_grid = {};
        trace_launch(false);  // what comes before is as far from what follows as two launches are
        trace_launch(true);
    }
    Resident *resident = residency.ready.take();
    if (resident == nullptr) return false;
    bring_back(resident);
    if (machine.at_grid == machine.live) {
        machine.at_grid = 0;
        release_barrier();
    }
    return true;
}

// Goes to another block where no thread of this one can go on. False where there is none, or where what they wait
// for cannot come.
SIMT_QUIET inline bool change_block() {
    if (machine.live == 0) {
        ++residency.ended;
        machine.turns = 0;
    } else if (machine.at_grid == machine.live) {
        put_aside(residency.at_grid);
    } else {
        return false;
    }
    return next_block();
}

// Goes to another block for a turn.
SIMT_QUIET SIMT_NOINLINE inline void leave_block(const char *what) {
    if (++machine.turns > 200000)
        fail("the blocks of kernel %s poll by %s for ever: none has gone on in 200000 turns", machine.kernel, what);
    put_aside(residency.ready);
    next_block();
}

SIMT_QUIET SIMT_INLINE void run_thread(Fiber &fiber) {
    Thread &thread = machine.thread[machine.order[machine.begun++]];
    thread.fiber = &fiber;
    thread.waits = nullptr;
    thread.epoch = thread.warp_epoch = 0;
    thread.at_barrier = false;
    thread.copies = nullptr;
    thread.batches = 0;
    enter(thread);
    machine.invoke(machine.closure);
}

// Runs a block's threads one after the other for as long as none waits: a plain loop.
SIMT_QUIET SIMT_NOINLINE inline void run_alone(Fiber &fiber) {
    while (machine.alone && machine.begun < machine.threads) run_thread(fiber);
    if (machine.alone) {
        machine.alone = false;
        machine.live = 0;
    } else {
        exit_thread(*machine.current);
    }
}

// What every fiber does: begin threads while no other can go on, then wait to be needed again.
SIMT_QUIET inline void fiber_main() {
    Machine &m = machine;
    Fiber *self = m.starting;
    arrive(*self);
    for (;;) {
        if (m.alone) run_alone(*self);
        Thread *next = m.begin_first ? nullptr : next_ready();
        m.begin_first = false;
        if (next == nullptr && m.begun < m.threads) {
            run_thread(*self);
            exit_thread(*m.current);
            continue;
        }
        if (next == nullptr) {
            if (change_block()) continue;
            if (m.live != 0) report_deadlock();
        }
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
SIMT_QUIET inline void run_grid(const char *kernel, dim3 grid, dim3 block, std::size_t shared_bytes, bool cooperative,
                                std::uint64_t seed, void (*invoke)(void *), void *closure) {
    Machine &m = machine;
    if (m.running) fail("kernel %s launched from within kernel %s (dynamic parallelism)", kernel, m.kernel);
    m.kernel = kernel;
    m.invoke = invoke;
    m.closure = closure;
    m.seed = seed;
    m.cooperative = cooperative;
    gridDim = grid;
    blockDim = block;
    m.blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    m.blocks_begun = 0;
    number_threads();
    residency = {};
    residency.limit = static_cast<unsigned>(multiprocessors * blocks_that_fit(m.threads, shared_bytes));
    order_blocks();
    begin_shared_launch(shared_bytes);
    trace_launch(true);
    if (simt_launched != nullptr) simt_launched(kernel, m.blocks * m.threads);
    m.running = true;
    m.host.stack = nullptr;
    begin_block();
    isolation.open_device(true);
    isolation.open_host(false);
    switch_fiber(m.host, take_fiber());
    isolation.open_host(true);
    isolation.open_device(false);
    m.running = false;
    trace_launch(false);
    if (m.abandoned) {
        m.abandoned = false;
        forget_residents();
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
