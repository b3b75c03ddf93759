// What a tracing build (-DSIMT_TRACE) tells the program that loads it. The hooks are defined there; plain
// accesses arrive through the callbacks of -fsanitize=thread.
#ifndef SIMT_TRACE_H
#define SIMT_TRACE_H

#include <cstddef>
#include <cstdint>

#include "simt/qualifiers.h"

// Where execution stands. Two accesses of different threads to one byte, one of them a write, conflict
// unless both are atomic or one of these orders them: same block and another epoch (block barriers passed),
// or same warp and another warp_epoch (__syncwarp passed with a mask of all lanes of the warp; a shuffle, a
// vote or the meeting of some lanes orders nothing here).
struct simt_position {
    std::uint32_t block, thread, epoch, warp_epoch;
};

#ifdef SIMT_TRACE
extern "C" {
extern __attribute__((visibility("default"))) simt_position simt_trace_position;
__attribute__((visibility("default"))) void simt_trace_block(std::uint32_t block, const void *shared_low,
                                                             const void *shared_high);
__attribute__((visibility("default"))) void simt_trace_launch(int begins);
__attribute__((visibility("default"))) void simt_trace_atomic(const volatile void *address, std::uint32_t size,
                                                              int writes);
// Device memory comes or goes. Not everybody who traces wants to know.
__attribute__((visibility("default"), weak)) void simt_trace_memory(void *base, std::size_t size, int begins);
// Threads of one block wait for each other at different barriers, in these lines.
__attribute__((visibility("default"), weak)) void simt_trace_parted(int line, int other);
}
#endif

namespace simt {

// Which call of a barrier it is, from the frame of the function that a barrier calls: several stand in one line, or one
// in a function that is called in several places. Only code that is not optimised has every frame, and every call once.
SIMT_QUIET inline std::uintptr_t call_site(void *frame) {
#if defined(SIMT_TRACE) && !defined(__OPTIMIZE__)
    std::uintptr_t *const barrier = *static_cast<std::uintptr_t **>(frame);
    const std::uintptr_t *const caller = reinterpret_cast<std::uintptr_t *>(*barrier);
    return barrier[1] * 31 + caller[1];
#else
    static_cast<void>(frame);
    return 0;
#endif
}

#ifdef SIMT_TRACE
inline void trace_position(std::uint32_t block, std::uint32_t thread, std::uint32_t epoch, std::uint32_t warp_epoch) {
    simt_trace_position = {block, thread, epoch, warp_epoch};
}
inline void trace_block(std::uint32_t block, const void *low, const void *high) { simt_trace_block(block, low, high); }
inline void trace_launch(bool begins) { simt_trace_launch(begins ? 1 : 0); }
inline void trace_atomic(const volatile void *address, std::uint32_t size, bool writes) {
    simt_trace_atomic(address, size, writes ? 1 : 0);
}
inline void trace_memory(void *base, std::size_t size, bool begins) {
    if (simt_trace_memory) simt_trace_memory(base, size, begins ? 1 : 0);
}
inline void trace_parted(int line, int other) {
    if (simt_trace_parted) simt_trace_parted(line, other);
}
#else
inline void trace_position(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) {}
inline void trace_block(std::uint32_t, const void *, const void *) {}
inline void trace_launch(bool) {}
inline void trace_atomic(const volatile void *, std::uint32_t, bool) {}
inline void trace_memory(void *, std::size_t, bool) {}
inline void trace_parted(int, int) {}
#endif

}  // namespace simt

#endif
