// Waiting: how a thread gives way, and where threads meet: the barrier of a block, operations of a warp.
#ifndef SIMT_MEETING_H
#define SIMT_MEETING_H

#include <cstdint>
#include <cstring>

#include "simt/fail.h"
#include "simt/fiber.h"
#include "simt/machine.h"
#include "simt/qualifiers.h"

namespace simt {

[[noreturn]] void fiber_main();
void resolve_pending(Warp &warp);
void note_exits();
bool change_block();
bool may_change_block();
void leave_block(const char *what);

SIMT_QUIET inline Fiber &take_fiber() {
    if (Fiber *fiber = machine.free_fibers) {
        machine.free_fibers = fiber->next_free;
        return *fiber;
    }
    if (machine.fibers == maximum_fibers) fail("more fibers than threads");
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
    if (first == nullptr)
        fail("deadlock in kernel %s, block (%u,%u,%u)", machine.kernel, blockIdx.x, blockIdx.y, blockIdx.z);
    const uint3 at = first->index, and_at = other == nullptr ? at : other->index;
    fail(
        "deadlock in kernel %s, block (%u,%u,%u): thread (%u,%u,%u) waits at %s for ever; thread (%u,%u,%u) at %s%s "
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

// Goes on in another thread, or begins one, until the caller's is entered again.
SIMT_QUIET inline void switch_thread(Thread &self, Fiber &fiber) {
    if (Thread *next = next_ready()) {
        if (next->fiber != &fiber) switch_fiber(fiber, *next->fiber);
    } else {
        switch_fiber(fiber, take_fiber());
    }
    enter(self);
}

// Gives way until somebody has made this thread ready again. Its `waits` says what for.
SIMT_QUIET inline void suspend() {
    Thread &self = *machine.current;
    Fiber &fiber = *self.fiber;
    Warp &warp = warp_of(self);
    if (warp.runnable == 0 && warp.waiting != 0) resolve_pending(warp);
    if (machine.ready_head == machine.ready_tail && machine.begun == machine.threads && !change_block())
        report_deadlock();
    switch_thread(self, fiber);
}

// Lets a thread of the block go on in the place of the caller's, one that has not begun first, or another block
// where it is to be one or there is no thread. False where there is nobody.
SIMT_QUIET inline bool give_way(const char *what, bool to_block) {
    if (machine.alone) note_exits();
    Thread &self = *machine.current;
    Fiber &fiber = *self.fiber;
    const bool begins = machine.begun < machine.threads, others = machine.ready_head != machine.ready_tail;
    const bool leaves = (to_block || (!begins && !others)) && may_change_block();
    if (!begins && !others && !leaves) return false;
    --warp_of(self).runnable;
    make_ready(self);
    if (leaves) leave_block(what);
    if (begins && !leaves) {
        machine.begin_first = true;
        switch_fiber(fiber, take_fiber());
        enter(self);
    } else {
        switch_thread(self, fiber);
    }
    return true;
}

// Called before what does something else where another thread came first, such as a compare-and-swap. Threads that
// never meet there never show what is then lost. In the first schedule threads run one after the other, but for
// the trace, which counts what was run.
SIMT_QUIET inline void contend(const char *what) {
#ifdef SIMT_TRACE
    // Another block would make the trace forget what is known of shared memory.
    if (!in_kernel() || (machine.begun == machine.threads && machine.ready_head == machine.ready_tail)) return;
    if (next_random() % 4 == 0) give_way(what, false);
#else
    if (!in_kernel() || machine.seed == 0 || next_random() % 4 != 0) return;
    const unsigned turns = machine.turns;
    give_way(what, next_random() % 4 == 0);
    machine.turns = turns;  // nobody polls
#endif
}

// Called where a thread may be polling what another thread has to change. After a few times in a row it
// gives way; where nobody is left to give way to, the thread polls for ever.
SIMT_QUIET inline void poll(const char *what) {
    if (!in_kernel() || ++machine.spins < 64) return;
    const bool begins = machine.begun < machine.threads;
    if (!give_way(what, !begins && ++machine.polls % 1024 == 0) && machine.spins > 100000000) {
        fail("thread (%u,%u,%u) of block (%u,%u,%u) in kernel %s polls by %s for ever: no other thread can go on",
             threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z, machine.kernel, what);
    }
}

// ------------------------------------------------------------------------------------- barriers

// Lets the threads that wait for the block go on; those that wait for the grid are the residency's to release.
SIMT_QUIET inline void release_barrier() {
    if (machine.at_grid != 0) return;
    machine.turns = 0;
    machine.predicates_result = machine.predicates;
    machine.predicates = 0;
    machine.at_barrier = 0;
    const Thread *before = nullptr;
    for (unsigned i = 0; i < machine.threads; ++i) {
        Thread &thread = machine.thread[machine.order[i]];
        if (!thread.at_barrier) continue;
        if (thread.barrier != 0) {
            if (before && (before->barrier != thread.barrier || before->site != thread.site))
                trace_parted(before->barrier, thread.barrier);
            before = &thread;
        }
        thread.at_barrier = false;
        ++thread.epoch;
        make_ready(thread);
    }
}

// Waits for all threads of the block that have not exited; returns in how many the predicate holds.
SIMT_QUIET SIMT_NOINLINE inline int block_barrier(bool predicate, const char *what, int line = 0) {
    if (!in_kernel()) fail("%s outside of a kernel", what);
    if (machine.alone) note_exits();
    Thread &self = *machine.current;
    machine.predicates += predicate ? 1 : 0;
    self.at_barrier = true;
    self.barrier = line;
    self.site = call_site(__builtin_frame_address(0));
    self.waits = what;
    --warp_of(self).runnable;
    if (++machine.at_barrier == machine.live) release_barrier();
    suspend();
    return machine.predicates_result;
}

// Waits for all threads of all blocks.
SIMT_QUIET inline void grid_barrier() {
    if (in_kernel() && !machine.cooperative)
        fail("grid.sync() in kernel %s, which is not launched by cudaLaunchCooperativeKernel", machine.kernel);
    ++machine.at_grid;
    block_barrier(false, "grid.sync()");
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
SIMT_QUIET SIMT_NOINLINE inline Word meet(Resolve resolve, LaneMask mask, Word value, unsigned source, const char *what,
                                          unsigned line = 0) {
    if (!in_kernel()) fail("%s outside of a kernel", what);
    if (machine.alone) note_exits();
    Thread &self = *machine.current;
    Warp &warp = warp_of(self);
    const unsigned lane = lane_of(self);
    if (mask != 0 && (mask >> lane & 1) == 0) {
        fail("%s in kernel %s, block (%u,%u,%u), thread (%u,%u,%u): the calling lane %u is not in its mask 0x%llx",
             what, machine.kernel, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, lane,
             static_cast<unsigned long long>(mask));
    }
    const std::uint64_t site =
        reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) * 0x9E3779B97F4A7C15u + line;
    warp.lanes[lane] = {value, 0, mask, site, resolve, source};
    warp.waiting |= LaneMask{1} << lane;
    --warp.runnable;
    self.waits = what;
    try_release(warp, lane);
    suspend();
    return warp.lanes[lane].out;
}

}  // namespace simt

#endif
