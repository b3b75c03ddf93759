// Which kernels and parallel regions a call ran, and on how many threads at most: a call that took another way, such
// as the sequential form beside a port, says nothing of them. Kernels are told of by the emulator, regions of g++
// by the names of libgomp's functions, which are defined here and found before libgomp's own.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <string>

#include "trace.h"

namespace regions {

struct Site {
    const void *place;  // a kernel's name, or the function that threads run
    bool kernel;
    std::uint64_t threads;  // 2 for a region that nothing keeps to one thread, however many there were
    std::uint64_t runs;
};

constexpr std::size_t most = 256;
inline Site sites[most];
inline std::size_t used = 0;
inline std::atomic_flag busy = ATOMIC_FLAG_INIT;
inline void *library = nullptr;  // the one under test

inline void begin() { used = 0; }

inline bool same(const Site &site, const void *place, bool kernel) {
    if (site.kernel != kernel) return false;
    return site.place == place || (kernel && !strcmp(static_cast<const char *>(site.place), static_cast<const char *>(place)));
}

inline void note(const void *place, bool kernel, std::uint64_t threads) {
    while (busy.test_and_set(std::memory_order_acquire)) {}
    std::size_t at = 0;
    while (at < used && !same(sites[at], place, kernel)) at++;
    if (at == used && used < most) sites[used++] = {place, kernel, 0, 0};
    if (at < used) {
        sites[at].runs++;
        if (threads > sites[at].threads) sites[at].threads = threads;
    }
    busy.clear(std::memory_order_release);
}

// Kernels by their names, regions by where they stand in the library.
inline void report(std::string &out) {
    std::uint64_t count = used;
    trace::append(out, &count, sizeof count);
    for (std::size_t i = 0; i < used; i++) {
        const Site &site = sites[i];
        Dl_info found = {};
        std::string name;
        if (site.kernel) name = static_cast<const char *>(site.place);
        else if (dladdr(site.place, &found))
            name = "+" + std::to_string(static_cast<const char *>(site.place) - static_cast<const char *>(found.dli_fbase));
        const std::uint64_t head[4] = {site.kernel, site.threads, site.runs, name.size()};
        trace::append(out, head, sizeof head);
        trace::append(out, name.data(), name.size());
    }
}

template <class Function>
Function *real(const char *name) {
    return reinterpret_cast<Function *>(dlsym(library, name));
}

}  // namespace regions

#define TRANSPILE_HOOK extern "C" __attribute__((visibility("default")))

// Called by the emulator for every grid that it runs.
TRANSPILE_HOOK void simt_launched(const char *kernel, unsigned long long threads) {
    regions::note(kernel, true, threads);
}

#ifndef TRANSPILE_SANITIZED
// g++ passes 1 for the number of threads where the clause `if` of a region does not hold, 0 where nobody says.
#define TRANSPILE_REGION(result, name, parameters, ...)                                                 \
    TRANSPILE_HOOK result name parameters {                                                           \
        regions::note(reinterpret_cast<const void *>(body), false, threads == 1 ? 1 : 2);               \
        static auto *const next = regions::real<result parameters>(#name);                              \
        return next(__VA_ARGS__);                                                                       \
    }
#define TRANSPILE_PARALLEL_LOOP(name)                                                                            \
    TRANSPILE_REGION(void, GOMP_parallel_loop_##name,                                                            \
                     (void (*body)(void *), void *data, unsigned threads, long start, long end, long step,       \
                      long chunk, unsigned flags),                                                               \
                     body, data, threads, start, end, step, chunk, flags)
#define TRANSPILE_PARALLEL_LOOP_AT_RUN_TIME(name)                                                                \
    TRANSPILE_REGION(void, GOMP_parallel_loop_##name,                                                            \
                     (void (*body)(void *), void *data, unsigned threads, long start, long end, long step,       \
                      unsigned flags),                                                                           \
                     body, data, threads, start, end, step, flags)

TRANSPILE_REGION(void, GOMP_parallel, (void (*body)(void *), void *data, unsigned threads, unsigned flags), body, data,
                 threads, flags)
TRANSPILE_REGION(unsigned, GOMP_parallel_reductions,
                 (void (*body)(void *), void *data, unsigned threads, unsigned flags), body, data, threads, flags)
TRANSPILE_REGION(void, GOMP_parallel_sections,
                 (void (*body)(void *), void *data, unsigned threads, unsigned count, unsigned flags), body, data,
                 threads, count, flags)
TRANSPILE_PARALLEL_LOOP(static)
TRANSPILE_PARALLEL_LOOP(dynamic)
TRANSPILE_PARALLEL_LOOP(guided)
TRANSPILE_PARALLEL_LOOP(nonmonotonic_dynamic)
TRANSPILE_PARALLEL_LOOP(nonmonotonic_guided)
TRANSPILE_PARALLEL_LOOP_AT_RUN_TIME(runtime)
TRANSPILE_PARALLEL_LOOP_AT_RUN_TIME(nonmonotonic_runtime)
TRANSPILE_PARALLEL_LOOP_AT_RUN_TIME(maybe_nonmonotonic_runtime)
#endif
