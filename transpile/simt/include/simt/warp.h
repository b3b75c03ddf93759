// Shuffles, votes and the other operations among the lanes of a warp, and the barriers of a block.
//
// All lanes' values are taken when the last lane arrives. Lanes that exited take no part, and what is read
// from a lane that takes no part is poison. The forms without a mask, and __activemask, take the lanes that
// stand at the same call when no lane of the warp can go on.
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/scheduler.h"

namespace simt {

using Mask = std::conditional_t<most_lanes == 32, unsigned, unsigned long long>;
inline constexpr LaneMask converged = 0;

template <class T>
using Promoted = std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(int), int, T>;

template <class T>
SIMT_QUIET inline Word pack(T value) {
    static_assert(plain<T> && sizeof(T) <= sizeof(Word),
                  "warp operations take scalars of at most 8 bytes");
    Word word = 0;
    std::memcpy(&word, &value, sizeof value);
    return word;
}

template <class T>
SIMT_QUIET inline T unpack(Word word) {
    T value;
    std::memcpy(static_cast<void *>(&value), &word, sizeof value);
    return value;
}

SIMT_QUIET inline LaneMask named(LaneMask mask, const char *what) {
    if (mask == 0) fail("%s with an empty mask in kernel %s", what, machine.kernel);
    return mask;
}

SIMT_QUIET inline void resolve_shuffle(Warp &warp, LaneMask group) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) == 0) continue;
        Lane &mine = warp.lanes[lane];
        mine.out = (group >> mine.source & 1) != 0 ? warp.lanes[mine.source].in : poison_byte() * (~Word{0} / 0xFF);
    }
}

SIMT_QUIET inline void resolve_ballot(Warp &warp, LaneMask group) {
    LaneMask ballot = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) != 0 && warp.lanes[lane].in != 0) ballot |= LaneMask{1} << lane;
    }
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) == 0) continue;
        warp.lanes[lane].out = ballot;
        warp.lanes[lane].source = ballot == group ? 1 : 0;
    }
}

SIMT_QUIET inline void resolve_match(Warp &warp, LaneMask group) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) == 0) continue;
        LaneMask same = 0;
        for (unsigned other = 0; other < warp_size; ++other) {
            if ((group >> other & 1) != 0 && warp.lanes[other].in == warp.lanes[lane].in) same |= LaneMask{1} << other;
        }
        warp.lanes[lane].out = same;
        warp.lanes[lane].source = same == group ? 1 : 0;
    }
}

SIMT_QUIET inline void resolve_members(Warp &warp, LaneMask group) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) != 0) warp.lanes[lane].out = group;
    }
}

// Orders the memory accesses of the warp for the trace, where the mask leaves out no lane of the block.
SIMT_QUIET inline void resolve_sync(Warp &warp, LaneMask group) {
    const unsigned first = static_cast<unsigned>(&warp - machine.warp) * warp_size;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) != 0 && (warp.present & ~warp.lanes[lane].mask) == 0)
            ++machine.thread[first + lane].warp_epoch;
    }
}

template <class T, class Operation>
SIMT_QUIET void resolve_reduction(Warp &warp, LaneMask group) {
    bool first = true;
    T total{};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) == 0) continue;
        const T value = unpack<T>(warp.lanes[lane].in);
        total = first ? value : Operation::apply(total, value);
        first = false;
    }
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((group >> lane & 1) != 0) warp.lanes[lane].out = pack(total);
    }
}

enum class Shuffle { index, up, down, exclusive };

// PTX: shfl.sync takes the lowest five bits of what it is passed. HIP compares all of them.
SIMT_QUIET inline unsigned shuffle_source(Shuffle kind, unsigned argument, int width, const char *what) {
#ifndef SIMT_HIP
    argument &= warp_size - 1;
#endif
    const auto size = static_cast<unsigned>(width);
    if (width < 1 || size > warp_size || (size & (size - 1)) != 0) {
        fail("%s with width %d in kernel %s: not a power of two up to %u", what, width, machine.kernel, warp_size);
    }
    if (!in_kernel()) fail("%s outside of a kernel", what);
    const unsigned lane = lane_of(*machine.current), first = lane & ~(size - 1), last = first + size - 1;
    switch (kind) {
        case Shuffle::index: return first | (argument & (size - 1));
        case Shuffle::up: return lane - first >= argument ? lane - argument : lane;
        case Shuffle::down: return last - lane >= argument ? lane + argument : lane;
        default: return (lane ^ argument) <= last ? lane ^ argument : lane;
    }
}

template <class T>
SIMT_INLINE Promoted<T> shuffle(Shuffle kind, LaneMask mask, T value, unsigned argument, int width, const char *what,
                                unsigned line = 0) {
    const unsigned source = shuffle_source(kind, argument, width, what);
    return unpack<Promoted<T>>(meet(resolve_shuffle, mask, pack<Promoted<T>>(value), source, what, line));
}

// Whether the operation held for the whole group, as the resolve functions left it.
SIMT_QUIET inline bool unanimous() { return warp_of(*machine.current).lanes[lane_of(*machine.current)].source != 0; }

}  // namespace simt

#define SIMT_SHUFFLE(name, kind, argument_type)                                                                       \
    template <class T>                                                                                                \
    SIMT_INLINE simt::Promoted<T> __##name##_sync(simt::Mask mask, T value, argument_type argument,                   \
                                                  int width = warpSize) {                                             \
        return simt::shuffle(kind, simt::named(mask, "__" #name "_sync"), value, static_cast<unsigned>(argument),     \
                             width, "__" #name "_sync");                                                              \
    }                                                                                                                 \
    template <class T>                                                                                                \
    SIMT_INLINE simt::Promoted<T> __##name(T value, argument_type argument, int width = warpSize,                     \
                                           unsigned line = __builtin_LINE()) {                                        \
        return simt::shuffle(kind, simt::converged, value, static_cast<unsigned>(argument), width, "__" #name, line); \
    }

SIMT_SHUFFLE(shfl, simt::Shuffle::index, int)
SIMT_SHUFFLE(shfl_up, simt::Shuffle::up, unsigned)
SIMT_SHUFFLE(shfl_down, simt::Shuffle::down, unsigned)
SIMT_SHUFFLE(shfl_xor, simt::Shuffle::exclusive, int)
#undef SIMT_SHUFFLE

SIMT_INLINE simt::Mask __ballot_sync(simt::Mask mask, int predicate) {
    return static_cast<simt::Mask>(
        simt::meet(simt::resolve_ballot, simt::named(mask, "__ballot_sync"), predicate != 0, 0, "__ballot_sync"));
}
SIMT_INLINE int __any_sync(simt::Mask mask, int predicate) {
    return simt::meet(simt::resolve_ballot, simt::named(mask, "__any_sync"), predicate != 0, 0, "__any_sync") != 0;
}
SIMT_INLINE int __all_sync(simt::Mask mask, int predicate) {
    simt::meet(simt::resolve_ballot, simt::named(mask, "__all_sync"), predicate != 0, 0, "__all_sync");
    return simt::unanimous();
}
SIMT_INLINE int __uni_sync(simt::Mask mask, int predicate) {
    const auto ballot =
        simt::meet(simt::resolve_ballot, simt::named(mask, "__uni_sync"), predicate != 0, 0, "__uni_sync");
    return ballot == 0 || simt::unanimous();
}
SIMT_INLINE simt::Mask __ballot(int predicate, unsigned line = __builtin_LINE()) {
    return static_cast<simt::Mask>(
        simt::meet(simt::resolve_ballot, simt::converged, predicate != 0, 0, "__ballot", line));
}
SIMT_INLINE int __any(int predicate, unsigned line = __builtin_LINE()) {
    return simt::meet(simt::resolve_ballot, simt::converged, predicate != 0, 0, "__any", line) != 0;
}
SIMT_INLINE int __all(int predicate, unsigned line = __builtin_LINE()) {
    simt::meet(simt::resolve_ballot, simt::converged, predicate != 0, 0, "__all", line);
    return simt::unanimous();
}
SIMT_INLINE simt::Mask __activemask(unsigned line = __builtin_LINE()) {
    return static_cast<simt::Mask>(simt::meet(simt::resolve_members, simt::converged, 0, 0, "__activemask", line));
}

template <class T>
SIMT_INLINE simt::Mask __match_any_sync(simt::Mask mask, T value) {
    return static_cast<simt::Mask>(simt::meet(simt::resolve_match, simt::named(mask, "__match_any_sync"),
                                              simt::pack(value), 0, "__match_any_sync"));
}
template <class T>
SIMT_INLINE simt::Mask __match_all_sync(simt::Mask mask, T value, int *predicate) {
    simt::meet(simt::resolve_match, simt::named(mask, "__match_all_sync"), simt::pack(value), 0, "__match_all_sync");
    const bool all = simt::unanimous();
    *predicate = all ? 1 : 0;
    return all ? mask : 0;
}

#define SIMT_REDUCTION(name, type, expression)                                                                   \
    namespace simt {                                                                                             \
    struct Reduce_##name##_##type {                                                                              \
        static type apply(type a, type b) { return expression; }                                                 \
    };                                                                                                           \
    }                                                                                                            \
    SIMT_INLINE type __reduce_##name##_sync(simt::Mask mask, type value) {                                       \
        return simt::unpack<type>(simt::meet(simt::resolve_reduction<type, simt::Reduce_##name##_##type>,        \
                                             simt::named(mask, "__reduce_" #name "_sync"), simt::pack(value), 0, \
                                             "__reduce_" #name "_sync"));                                        \
    }

SIMT_REDUCTION(add, unsigned, a + b)
SIMT_REDUCTION(min, unsigned, a < b ? a : b)
SIMT_REDUCTION(max, unsigned, a > b ? a : b)
SIMT_REDUCTION(and, unsigned, a &b)
SIMT_REDUCTION(or, unsigned, a | b)
SIMT_REDUCTION(xor, unsigned, a ^ b)
SIMT_REDUCTION(add, int, static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)))
SIMT_REDUCTION(min, int, a < b ? a : b)
SIMT_REDUCTION(max, int, a > b ? a : b)
#undef SIMT_REDUCTION

SIMT_INLINE void __syncwarp(simt::Mask mask = static_cast<simt::Mask>(~0ull)) {
    simt::meet(simt::resolve_sync, simt::named(mask, "__syncwarp"), 0, 0, "__syncwarp");
}

inline void __syncthreads(int line = __builtin_LINE()) { simt::block_barrier(false, "__syncthreads", line); }
inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return simt::block_barrier(predicate != 0, "__syncthreads_count", line);
}
inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return simt::block_barrier(predicate != 0, "__syncthreads_or", line) != 0;
}
inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    return simt::block_barrier(predicate == 0, "__syncthreads_and", line) == 0;
}
inline void __barrier_sync(unsigned name) {
    if (name != 0) simt::fail("named barrier %u in kernel %s", name, simt::machine.kernel);
    __syncthreads();
}

// One thread of the operating system runs everything: all accesses are in order everywhere.
inline void __threadfence() { simt::poll("__threadfence"); }
inline void __threadfence_block() { simt::poll("__threadfence_block"); }
inline void __threadfence_system() { simt::poll("__threadfence_system"); }
inline void __nanosleep(unsigned) { simt::poll("__nanosleep"); }

#endif
