// Atomic operations. One thread of the operating system runs all CUDA threads and they give way only where
// they wait, so that plain accesses are atomic. They are told to the trace as what they are.
#ifndef SIMT_ATOMICS_H
#define SIMT_ATOMICS_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/scheduler.h"
#include "simt/traits.h"

namespace simt {

template <class T, class... Others>
inline constexpr bool one_of = (std::is_same_v<T, Others> || ...);

// What CUDA's atomic functions take (CUDA C++ Programming Guide, "Atomic Functions"), and HIP's beside: a text that
// hands them another type compiles nowhere. Any floating type goes, since some builds have wider ones.
#ifdef SIMT_HIP
template <class T>
inline constexpr bool atomic_other = one_of<T, unsigned long>;
template <class T>
inline constexpr bool atomic_difference = one_of<T, unsigned long, unsigned long long> || std::is_floating_point_v<T>;
#else
template <class T>
inline constexpr bool atomic_other = false;
template <class T>
inline constexpr bool atomic_difference = false;
#endif
template <class T>
inline constexpr bool atomic_bits = one_of<T, int, unsigned, unsigned long long> || atomic_other<T>;
template <class T>
inline constexpr bool atomic_ordered = atomic_bits<T> || one_of<T, long long>;
template <class T>
inline constexpr bool atomic_addable = atomic_bits<T> || std::is_floating_point_v<T>;
template <class T>
inline constexpr bool atomic_subtractable = one_of<T, int, unsigned> || atomic_difference<T>;
template <class T>
inline constexpr bool atomic_exchangeable = atomic_bits<T> || std::is_floating_point_v<T>;
template <class T>
inline constexpr bool atomic_comparable = atomic_bits<T> || one_of<T, unsigned short>;

// Replaces *address by change(*address) and returns what it held.
template <class T, class Change>
SIMT_QUIET inline T exchange(T *address, Change change) {
    trace_atomic(address, sizeof(T), true);
    const T old = *address;
    if constexpr (std::is_class_v<T>) {  // whose assignment is a call, which the trace takes for a plain write
        const T changed = change(old);
        std::memcpy(static_cast<void *>(address), &changed, sizeof(T));
    } else {
        *address = change(old);
    }
    return old;
}

// The sum, by unsigned arithmetic, since it wraps around.
template <class T>
SIMT_QUIET inline T wrapping_sum(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
        return a + b;
    }
}

template <class T>
SIMT_QUIET inline T wrapping_difference(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
    } else {
        return a - b;
    }
}

template <class T>
SIMT_QUIET inline T compare_and_swap(T *address, T expected, T desired) {
    contend("atomicCAS");
    trace_atomic(address, sizeof(T), true);
    const T old = *address;
    if (std::memcmp(&old, &expected, sizeof(T)) == 0) {
        *address = desired;
    } else {
        poll("atomicCAS");
    }
    return old;
}

// What a compare-and-swap of the same place is to expect there, or nothing else is made of: lowering says so of plain
// reads. Threads meet there as they do at an atomic one.
template <class T>
SIMT_QUIET inline T expected(const T &place) {
    trace_atomic(&place, sizeof(T), false);
    return place;
}
template <class T>
SIMT_QUIET inline T expected(const volatile T &place) {
    trace_atomic(&place, sizeof(T), false);
    return place;
}

}  // namespace simt

#define SIMT_ATOMIC(name, condition, body)                                                             \
    template <class T>                                                                                 \
    SIMT_QUIET inline std::enable_if_t<condition, T> name(T *address, simt::Given<T> value) {          \
        return simt::exchange(address, [=](T old) SIMT_QUIET -> T { return body; });                   \
    }                                                                                                  \
    template <class T>                                                                                 \
    SIMT_QUIET inline std::enable_if_t<condition, T> name##_block(T *address, simt::Given<T> value) {  \
        return name(address, value);                                                                   \
    }                                                                                                  \
    template <class T>                                                                                 \
    SIMT_QUIET inline std::enable_if_t<condition, T> name##_system(T *address, simt::Given<T> value) { \
        return name(address, value);                                                                   \
    }

SIMT_ATOMIC(atomicSub, simt::atomic_subtractable<T>, simt::wrapping_difference<T>(old, value))
SIMT_ATOMIC(atomicMin, simt::atomic_ordered<T>, value < old ? value : old)
SIMT_ATOMIC(atomicMax, simt::atomic_ordered<T>, value > old ? value : old)
SIMT_ATOMIC(atomicAnd, simt::atomic_bits<T>, old &value)
SIMT_ATOMIC(atomicXor, simt::atomic_bits<T>, old ^ value)
SIMT_ATOMIC(atomicInc, (std::is_same_v<T, unsigned>), old >= value ? 0u : old + 1)
SIMT_ATOMIC(atomicDec, (std::is_same_v<T, unsigned>), (old == 0 || old > value) ? value : old - 1)
#undef SIMT_ATOMIC

// These may be how a thread polls: an addition of nothing, a lock taken again.
#define SIMT_POLLING_ATOMIC(name, condition, exchanges, body, polls)                                   \
    template <class T>                                                                                 \
    SIMT_QUIET inline std::enable_if_t<condition, T> name(T *address, simt::Given<T> value) {          \
        if (exchanges) simt::contend(#name);                                                           \
        const T old_value = simt::exchange(address, [=](T old) SIMT_QUIET -> T {                       \
            (void)old;                                                                                 \
            return body;                                                                               \
        });                                                                                            \
        if (polls) simt::poll(#name);                                                                  \
        return old_value;                                                                              \
    }                                                                                                  \
    template <class T>                                                                                 \
    SIMT_QUIET inline std::enable_if_t<condition, T> name##_block(T *address, simt::Given<T> value) {  \
        return name(address, value);                                                                   \
    }                                                                                                  \
    template <class T>                                                                                 \
    SIMT_QUIET inline std::enable_if_t<condition, T> name##_system(T *address, simt::Given<T> value) { \
        return name(address, value);                                                                   \
    }

SIMT_POLLING_ATOMIC(atomicAdd, simt::atomic_addable<T>, false, simt::wrapping_sum<T>(old, value), value == T(0))
SIMT_POLLING_ATOMIC(atomicOr, simt::atomic_bits<T>, false, old | value, value == T(0))
SIMT_POLLING_ATOMIC(atomicExch, simt::atomic_exchangeable<T>, true, value, old_value == value)
#undef SIMT_POLLING_ATOMIC

template <class T>
SIMT_QUIET inline std::enable_if_t<simt::atomic_comparable<T>, T> atomicCAS(T *address, simt::Given<T> expected,
                                                                       simt::Given<T> desired) {
    return simt::compare_and_swap<T>(address, expected, desired);
}
template <class T>
SIMT_QUIET inline std::enable_if_t<simt::atomic_comparable<T>, T> atomicCAS_block(T *address, simt::Given<T> expected,
                                                                             simt::Given<T> desired) {
    return simt::compare_and_swap<T>(address, expected, desired);
}
template <class T>
SIMT_QUIET inline std::enable_if_t<simt::atomic_comparable<T>, T> atomicCAS_system(T *address, simt::Given<T> expected,
                                                                              simt::Given<T> desired) {
    return simt::compare_and_swap<T>(address, expected, desired);
}

#endif
