// What the traced library calls: the emulator's hooks, the callbacks of -fsanitize=thread, and those functions
// of the C library that touch memory for it. Part of trace.cpp.
#pragma once

#define EXPORT __attribute__((visibility("default")))
#define SITE __builtin_return_address(0)

namespace trace {
namespace {

void plain(const volatile void *place, std::size_t size, bool reads, const void *site) {
    access(place, size, reads ? Kind::read : Kind::write, site);
}

// Exchanging counts as writing. What an atomic reads has to have been written before, too.
void atomic(const volatile void *place, std::size_t size, bool writes, const void *site) {
    access(place, size, writes ? Kind::atomic_write : Kind::atomic_read, site);
}

template <class Function>
Function real(const char *name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void *(*real_memcpy)(void *, const void *, std::size_t) = nullptr;
void *(*real_memmove)(void *, const void *, std::size_t) = nullptr;
void *(*real_memset)(void *, int, std::size_t) = nullptr;
using Compare = int (*)(const void *, const void *);
void (*real_qsort)(void *, std::size_t, std::size_t, Compare) = nullptr;

__attribute__((constructor)) void find_real() {
    real_memmove = real<decltype(real_memmove)>("memmove");
    real_memset = real<decltype(real_memset)>("memset");
    real_memcpy = real<decltype(real_memcpy)>("memcpy");
    real_qsort = real<decltype(real_qsort)>("qsort");
}

void copied(void *to, const void *from, std::size_t size, const void *site) {
    if (!watching || inside || !size) return;
    plain(from, size, true, site);
    plain(to, size, false, site);
}

}  // namespace
}  // namespace trace

extern "C" {

EXPORT void simt_trace_block(std::uint32_t, const void *low, const void *high) {
    trace::settle();
    trace::block_generation++;
    trace::watch_shared(const_cast<void *>(low), const_cast<void *>(high));
}

EXPORT void simt_trace_launch(int begins) {
    trace::settle();
    trace::launched = begins != 0;
    trace::launch_generation++;
    trace::block_generation++;
    trace::visits.clear();
    simt_trace_position = {};
}

EXPORT void simt_trace_memory(void *base, std::size_t size, int begins) {
    if (!trace::watching) return;
    trace::settle();
    trace::inside = true;
    if (begins) trace::watch_variable(static_cast<unsigned char *>(base), size);
    else trace::forget_variable(static_cast<unsigned char *>(base));
    trace::inside = false;
}

EXPORT void simt_trace_parted(int line, int other) {
    trace::parted[0] = line;
    trace::parted[1] = other;
}

EXPORT void simt_trace_atomic(const volatile void *address, std::uint32_t size, int writes) {
    trace::atomic(address, size, writes != 0, SITE);
}

EXPORT void __tsan_init() {}
EXPORT void __tsan_func_entry(void *) {}
EXPORT void __tsan_func_exit() {}
EXPORT void __tsan_vptr_update(void **, void *) {}
EXPORT void __tsan_vptr_read(void **) {}

#define PLAIN(size)                                                                             \
    EXPORT void __tsan_read##size(void *p) { trace::plain(p, size, true, SITE); }             \
    EXPORT void __tsan_write##size(void *p) { trace::plain(p, size, false, SITE); }            \
    EXPORT void __tsan_unaligned_read##size(void *p) { trace::plain(p, size, true, SITE); }   \
    EXPORT void __tsan_unaligned_write##size(void *p) { trace::plain(p, size, false, SITE); }  \
    EXPORT void __tsan_volatile_read##size(void *p) { trace::plain(p, size, true, SITE); }    \
    EXPORT void __tsan_volatile_write##size(void *p) { trace::plain(p, size, false, SITE); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

EXPORT void __tsan_read_range(void *p, unsigned long size) { trace::plain(p, size, true, SITE); }
EXPORT void __tsan_write_range(void *p, unsigned long size) { trace::plain(p, size, false, SITE); }

EXPORT void __tsan_atomic_thread_fence(int) {}
EXPORT void __tsan_atomic_signal_fence(int) {}

#define FETCH(bits, type, name, builtin)                                          \
    EXPORT type __tsan_atomic##bits##_##name(volatile type *p, type v, int) {     \
        trace::atomic(p, sizeof *p, true, SITE);                                  \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                   \
    }
#define EXCHANGE(bits, type, name, weak)                                                                 \
    EXPORT int __tsan_atomic##bits##_##name(volatile type *p, type *e, type v, int, int) {               \
        trace::atomic(p, sizeof *p, true, SITE);                                                         \
        return __atomic_compare_exchange_n(p, e, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    }
#define ATOMIC(bits, type)                                                                               \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *p, int) {                                \
        trace::atomic(p, sizeof *p, false, SITE);                                                        \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                     \
    }                                                                                                    \
    EXPORT void __tsan_atomic##bits##_store(volatile type *p, type v, int) {                             \
        trace::atomic(p, sizeof *p, true, SITE);                                                        \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                    \
    FETCH(bits, type, exchange, __atomic_exchange_n)                                                     \
    FETCH(bits, type, fetch_add, __atomic_fetch_add)                                                     \
    FETCH(bits, type, fetch_sub, __atomic_fetch_sub)                                                     \
    FETCH(bits, type, fetch_and, __atomic_fetch_and)                                                     \
    FETCH(bits, type, fetch_or, __atomic_fetch_or)                                                       \
    FETCH(bits, type, fetch_xor, __atomic_fetch_xor)                                                     \
    FETCH(bits, type, fetch_nand, __atomic_fetch_nand)                                                   \
    EXCHANGE(bits, type, compare_exchange_strong, false)                                                 \
    EXCHANGE(bits, type, compare_exchange_weak, true)                                                    \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type e, type v, int, int) { \
        trace::atomic(p, sizeof *p, true, SITE);                                                         \
        __atomic_compare_exchange_n(p, &e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
        return e;                                                                                        \
    }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

// Loops where the loader needs them before the real ones are known; a flag keeps them loops.
EXPORT void *memmove(void *to, const void *from, std::size_t size) {
    trace::copied(to, from, size, SITE);
    if (trace::real_memmove) return trace::real_memmove(to, from, size);
    auto *target = static_cast<unsigned char *>(to);
    auto *source = static_cast<const unsigned char *>(from);
    if (target < source)
        for (std::size_t i = 0; i < size; i++) target[i] = source[i];
    else
        for (std::size_t i = size; i-- > 0;) target[i] = source[i];
    return to;
}

EXPORT void *memcpy(void *__restrict to, const void *__restrict from, std::size_t size) {
    if (!trace::real_memcpy) return memmove(to, from, size);
    trace::copied(to, from, size, SITE);
    return trace::real_memcpy(to, from, size);
}

EXPORT void *memset(void *to, int value, std::size_t size) {
    if (trace::watching && !trace::inside && size) trace::plain(to, size, false, SITE);
    if (trace::real_memset) return trace::real_memset(to, value, size);
    auto *target = static_cast<unsigned char *>(to);
    for (std::size_t i = 0; i < size; i++) target[i] = static_cast<unsigned char>(value);
    return to;
}

// What is compared is traced in the comparison, what the C library moves is not.
EXPORT void qsort(void *base, std::size_t count, std::size_t size, trace::Compare compare) {
    const bool traced = trace::watching && !trace::inside && count && size;
    if (traced) trace::plain(base, count * size, true, SITE);
    trace::real_qsort(base, count, size, compare);
    if (traced) trace::plain(base, count * size, false, SITE);
}

}  // extern "C"
