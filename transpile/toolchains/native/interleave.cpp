// What a worker adds where races are looked for: time for other threads between atomic operations.
//
// An update made of two atomic operations, a load and a store, has no data race, and loses what another thread does
// in between. Threads hardly ever meet there by themselves. So behind an atomic operation a thread waits, now and
// then and not for long, until another one has changed the same place; one at a time, so that others get there. The
// library under test is linked with --wrap (recipes.py), so that its atomic operations come here first.
#include <cstdint>
#include <ctime>
#include <dlfcn.h>

#include "trace.h"

#define UNSEEN __attribute__((no_sanitize("thread")))
#define EXPORT extern "C" __attribute__((visibility("default"))) UNSEEN

namespace {

constexpr unsigned places = 1024, first_operations = 16, most_waits = 32, most_vain = 4, most_naps = 12;
constexpr long nap_nanoseconds = 20000;
unsigned changes[places];
thread_local unsigned own[places];
unsigned calls = 0;
unsigned waited_for = places;  // where a thread waits for another one

// What a thread has done in a call.
struct Done {
    unsigned call, operations, waits, chance;
    unsigned vain;  // waits in which nobody came
    bool turn;  // it has let another one go on, and waits next
};
thread_local Done mine = {0, 0, 0, 1, 0, false};

UNSEEN unsigned place_of(const volatile void *address) {
    return unsigned((reinterpret_cast<std::uintptr_t>(address) >> 2) * 0x9E3779B97F4A7C15u >> 32) % places;
}

UNSEEN unsigned changed(unsigned place) { return __atomic_load_n(&changes[place], __ATOMIC_RELAXED) - own[place]; }

UNSEEN void note_change(unsigned place) {
    if (__atomic_load_n(&waited_for, __ATOMIC_RELAXED) == place) mine.turn = true;
    __atomic_fetch_add(&changes[place], 1, __ATOMIC_RELAXED);
    ++own[place];
}

// Tells whether the thread is the one that waits: in turns where threads meet, else one of them now and then, more
// often in the beginning, when there is most to lose.
UNSEEN bool is_to_wait() {
    const unsigned call = __atomic_load_n(&calls, __ATOMIC_RELAXED);
    if (mine.call != call) mine = {call, 0, 0, mine.chance, 0, false};
    if (mine.waits == most_waits || mine.vain == most_vain) return false;
    if (mine.turn) return true;
    mine.chance = mine.chance * 1664525u + 1013904223u;
    const unsigned one_of = mine.operations++ < first_operations ? 2 : 16;
    return (mine.chance >> 16) % one_of == 0 && __atomic_load_n(&waited_for, __ATOMIC_RELAXED) == places;
}

UNSEEN void done(const volatile void *address, bool changes_it) {
    const unsigned place = place_of(address);
    const bool waits = is_to_wait();
    if (changes_it) note_change(place);
    if (!waits) return;
    mine.waits++;
    mine.turn = false;
    const unsigned before = changed(place);
    const timespec nap = {0, nap_nanoseconds};
    __atomic_store_n(&waited_for, place, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < most_naps && changed(place) == before; i++) nanosleep(&nap, nullptr);
    if (changed(place) == before) mine.vain++;
    __atomic_store_n(&waited_for, places, __ATOMIC_RELAXED);
}

}  // namespace

void trace::begin(const std::vector<placement::Buffer> &, const std::vector<unsigned char *> &,
                  const std::vector<std::size_t> &) {
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

#define FETCH(bits, type, name)                                               \
    extern "C" type __tsan_atomic##bits##_##name(volatile type *, type, int); \
    EXPORT type __wrap___tsan_atomic##bits##_##name(volatile type *place, type value, int order) { \
        const type before = __tsan_atomic##bits##_##name(place, value, order); \
        done(place, true);                                                    \
        return before;                                                        \
    }
#define EXCHANGE(bits, type, name)                                                                          \
    extern "C" int __tsan_atomic##bits##_##name(volatile type *, type *, type, int, int);                  \
    EXPORT int __wrap___tsan_atomic##bits##_##name(volatile type *place, type *expected, type desired, int order, \
                                                   int failed) {                                            \
        const int swapped = __tsan_atomic##bits##_##name(place, expected, desired, order, failed);         \
        done(place, swapped != 0);                                                                          \
        return swapped;                                                                                     \
    }
#define ATOMIC(bits, type)                                                                                  \
    extern "C" type __tsan_atomic##bits##_load(const volatile type *, int);                                \
    EXPORT type __wrap___tsan_atomic##bits##_load(const volatile type *place, int order) {                  \
        const type value = __tsan_atomic##bits##_load(place, order);                                        \
        done(place, false);                                                                                 \
        return value;                                                                                       \
    }                                                                                                       \
    extern "C" void __tsan_atomic##bits##_store(volatile type *, type, int);                               \
    EXPORT void __wrap___tsan_atomic##bits##_store(volatile type *place, type value, int order) {           \
        __tsan_atomic##bits##_store(place, value, order);                                                   \
        done(place, true);                                                                                  \
    }                                                                                                       \
    extern "C" type __tsan_atomic##bits##_compare_exchange_val(volatile type *, type, type, int, int);     \
    EXPORT type __wrap___tsan_atomic##bits##_compare_exchange_val(volatile type *place, type expected, type desired, \
                                                                  int order, int failed) {                  \
        const type before = __tsan_atomic##bits##_compare_exchange_val(place, expected, desired, order, failed); \
        done(place, before == expected);                                                                    \
        return before;                                                                                      \
    }                                                                                                       \
    FETCH(bits, type, exchange)                                                                             \
    FETCH(bits, type, fetch_add)                                                                            \
    FETCH(bits, type, fetch_sub)                                                                            \
    FETCH(bits, type, fetch_and)                                                                            \
    FETCH(bits, type, fetch_or)                                                                             \
    FETCH(bits, type, fetch_xor)                                                                            \
    FETCH(bits, type, fetch_nand)                                                                           \
    EXCHANGE(bits, type, compare_exchange_strong)                                                           \
    EXCHANGE(bits, type, compare_exchange_weak)
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

// Two critical sections that follow each other are two operations as well.
EXPORT void __kmpc_end_critical(void *place, int thread, void *name) {
    using End = void (*)(void *, int, void *);
    static const auto end = reinterpret_cast<End>(dlsym(RTLD_NEXT, "__kmpc_end_critical"));
    end(place, thread, name);
    done(name, true);
}
