// What a call changes beside its data: how numbers are rounded, OpenMP's settings, signals, open files, what is printed.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <clocale>
#include <csignal>
#include <fcntl.h>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

#include "regions.h"

namespace surroundings {

// The bits by which a change is told; those of Altered in calls.py.
enum Altered : std::uint64_t {
    arithmetic = 1,
    openmp = 2,
    signals = 4,
    descriptors = 8,
    printed = 16,
    process = 32,
};

inline int output = -1;          // where what is printed can be read

struct State {
    std::uint64_t arithmetic = 0;
    std::array<int, 8> openmp = {};
    std::uint64_t signals = 0, descriptors = 0, said = 0;
    std::string process;
};

// Without the flags of exceptions: every operation may raise them.
inline std::uint64_t arithmetic_mode() {
#if defined(__x86_64__)
    std::uint16_t control = 0;
    asm volatile("fnstcw %0" : "=m"(control));
    return std::uint64_t(_mm_getcsr() & ~0x3fu) << 16 | control;
#elif defined(__aarch64__)
    std::uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    return control;
#else
    return std::uint64_t(fegetround());
#endif
}

// Functions are looked up once; a library without OpenMP has none.
inline std::array<int, 8> openmp_settings() {
    using regions::real;
    static int (*const asked[])() = {real<int()>("omp_get_max_threads"),       real<int()>("omp_get_dynamic"),
                                     real<int()>("omp_get_max_active_levels"), real<int()>("omp_get_default_device"),
                                     real<int()>("omp_get_max_teams"),         real<int()>("omp_get_teams_thread_limit")};
    static auto *const schedule = real<void(int *, int *)>("omp_get_schedule");  // its kind, and its chunk
    std::array<int, 8> settings = {};
    for (std::size_t i = 0; i < std::size(asked); i++) settings[i] = asked[i] ? asked[i]() : 0;
    if (schedule) schedule(&settings[6], &settings[7]);
    return settings;
}

// Handlers, what is held back, and alarms that are to come; that of processor time is our own.
inline std::uint64_t signal_settings() {
    std::uint64_t found = 14695981039346656037u;
    auto mix = [&](std::uint64_t value) { found = (found ^ value) * 1099511628211u; };
    for (int number = 1; number < 32; number++) {
        struct sigaction action = {};
        sigaction(number, nullptr, &action);
        mix(reinterpret_cast<std::uintptr_t>(action.sa_handler));
    }
    sigset_t held;
    sigemptyset(&held);
    sigprocmask(SIG_BLOCK, nullptr, &held);
    for (int number = 1; number < 32; number++) mix(std::uint64_t(sigismember(&held, number)));
    for (int kind : {ITIMER_REAL, ITIMER_VIRTUAL}) {
        itimerval timer = {};
        getitimer(kind, &timer);
        mix(timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0);
    }
    return found;
}

// Which are open, and where the standard streams lead.
inline std::uint64_t open_descriptors() {
    std::uint64_t found = 0;
    for (int number = 0; number < 64; number++) found |= std::uint64_t(fcntl(number, F_GETFD) >= 0) << number;
    for (int number = 0; number < 3; number++) {
        struct stat status = {};
        if (!fstat(number, &status)) found = (found ^ status.st_dev ^ status.st_ino << 8) * 1099511628211u;
    }
    return found;
}

// Bytes that went to standard error, where that is a file.
inline std::uint64_t complaints() {
    struct stat status = {};
    return fstat(STDERR_FILENO, &status) || !S_ISREG(status.st_mode) ? 0 : std::uint64_t(status.st_size);
}

inline std::string process_settings() {
    char directory[4096] = {};
    const char *locale = setlocale(LC_ALL, nullptr);
    if (!getcwd(directory, sizeof directory)) directory[0] = 0;
    const mode_t mask = umask(0);
    umask(mask);
    std::string found = std::string(locale ? locale : "") + '\n' + directory + '\n' + std::to_string(mask);
    for (int resource = 0; resource < RLIM_NLIMITS; resource++) {
        rlimit limit = {};
        getrlimit(__rlimit_resource_t(resource), &limit);
        found += '\n' + std::to_string(limit.rlim_cur) + ' ' + std::to_string(limit.rlim_max);
    }
    return found;
}

inline State now() {
    return {arithmetic_mode(), openmp_settings(), signal_settings(), open_descriptors(), complaints(), process_settings()};
}

// Standard output becomes a pipe that we read: what does not fit is lost to whoever prints, and counts all the same.
// Standard error becomes a file, since whoever waits for us reads what the loader says of missing functions.
inline void watch_output(int complaints) {
    dup2(complaints, STDERR_FILENO);
    close(complaints);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) return;
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    output = ends[0];
}

inline bool has_printed() {
    fflush(nullptr);
    char bytes[4096];
    bool found = false;
    while (output >= 0 && read(output, bytes, sizeof bytes) > 0) found = true;
    return found;
}

// What has changed since the state was taken, which becomes the one of now.
inline std::uint64_t altered(State &before) {
    const State after = now();
    std::uint64_t found = 0;
    if (after.arithmetic != before.arithmetic) found |= arithmetic;
    if (after.openmp != before.openmp) found |= openmp;
    if (after.signals != before.signals) found |= signals;
    if (after.descriptors != before.descriptors) found |= descriptors;
    if (after.process != before.process) found |= process;
    if (has_printed() || complaints() != before.said) found |= printed;
    before = after;
    before.said = complaints();
    return found;
}

}  // namespace surroundings
