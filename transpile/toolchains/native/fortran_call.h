// Calls of routines as gfortran makes them, with what they print and how they end: STOP ends the call, not the worker.
#pragma once

#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "abi.h"

extern "C" {
__attribute__((weak)) void _gfortran_flush_i4(int *unit);
__attribute__((weak)) void _gfortran_set_options(int count, int *options);
[[noreturn]] void __real_exit(int status);
}

namespace fortran_call {

enum Ending : std::int64_t { returned, stopped, runtime_error, unseen };

// What is known of a call beside its data; testers/fortran/calls.py reads it.
struct Outcome {
    std::int64_t ending, status, printed;
    std::uint64_t digest;  // of all that was printed
    std::uint64_t heard;   // digest of all that was passed to procedures that are arguments
    char text[1000];       // as much of it as fits
};

inline std::jmp_buf before;
inline bool running = false;
inline Ending ending;
inline int ended_with;
inline std::uint64_t heard;
inline std::int64_t times;  // that procedures were called

inline bool waiting = false;  // for the process to end
inline int recording;         // where what a call prints goes

// Leaves the call, whatever it was doing: what it has taken is lost.
[[noreturn]] inline void leave(Ending how, int status) {
    running = false;
    ending = how;
    ended_with = status;
    std::longjmp(before, 1);
}

// Of the source: the options that gfortran's main programs set, with checks of shapes within its library.
struct Options {
    Options() {
        int options[] = {2116, 4095, 0, 1, 1, 1, 31};
        if (_gfortran_set_options) _gfortran_set_options(7, options);
    }
};
inline const Options options;

inline void flush() {
    if (_gfortran_flush_i4) _gfortran_flush_i4(nullptr);
    std::fflush(nullptr);
}

// Standard output and standard error lead to one file while a call runs.
class Recording {
  public:
    Recording() {
        flush();
        for (int i = 0; i < 2; i++) kept_[i] = dup(i + 1);
        file_ = open("printed", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
        if (file_ < 0) _exit(98);
        recording = file_;
        for (int i = 0; i < 2; i++) dup2(file_, i + 1);
    }
    void end(Outcome &outcome) {
        flush();
        for (int i = 0; i < 2; i++) {
            dup2(kept_[i], i + 1);
            close(kept_[i]);
        }
        read_into(outcome);
        close(file_);
    }

  private:
    int kept_[2], file_;

    void read_into(Outcome &outcome) {
        lseek(file_, 0, SEEK_SET);
        outcome.digest = 14695981039346656037u;
        unsigned char bytes[4096];
        for (ssize_t count; (count = read(file_, bytes, sizeof bytes)) > 0;) {
            for (ssize_t i = 0; i < count; i++, outcome.printed++) {
                outcome.digest = (outcome.digest ^ bytes[i]) * 1099511628211u;
                if (outcome.printed < std::int64_t(sizeof outcome.text)) outcome.text[outcome.printed] = char(bytes[i]);
            }
        }
    }
};


// An error of input or output, which gfortran's library names a line for, leaves locks behind.
inline bool of_input_or_output() {
    char text[4096];
    const ssize_t count = pread(recording, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = 0;
    return std::strstr(text, "At line ") != nullptr;
}

// Leaves a call that gfortran's library ends because a shape is wrong: it ends the process, which we do not see.
inline void leave_exit() {
    waiting = false;
    if (running && !of_input_or_output()) leave(runtime_error, 2);
}

// Makes a call, and says in `out` how it ended and what it printed.
template <class Function> void record(void *out, Function call) {
    Recording recording;
    heard = 0;
    times = 0;
    if (!waiting) std::atexit(leave_exit);
    waiting = true;
    if (setjmp(before) == 0) {
        running = true;
        call();
        running = false;
        ending = returned;
        ended_with = 0;
    }
    Outcome outcome = {};
    outcome.ending = ending;
    outcome.status = ended_with;
    outcome.heard = heard;
    recording.end(outcome);
    std::memcpy(out, &outcome, sizeof outcome);
}

template <class T> T *pointer(void *slot) { return static_cast<T *>(*static_cast<void **>(slot)); }
inline std::int64_t number(void *slot, int index = 0) { return static_cast<std::int64_t *>(slot)[index]; }

// An argument that a call may leave out, by its flag.
inline void *given(void *flags, int index, void *argument) { return number(flags, index) ? argument : nullptr; }

// A variable of a module or common block: calls set it, and read it when they are over.
struct Stored {
    const char *name;
    char *place;  // of the module's variable or of the block; null where this side has none
    std::size_t offset, bytes;
    char *data() const { return place + offset; }
};

// Those of the call that is being made, which procedures that are passed to it may see.
inline const Stored *watched;
inline std::size_t watched_count;

// The bytes that variables had before the first call.
inline std::string &first_value(const Stored &of) {
    static auto &values = *new std::map<char *, std::string>;  // outlives handlers of exit
    return values.try_emplace(of.data(), of.data(), of.bytes).first->second;
}

// Gives all variables their values, which follow flags that say whether each has one or keeps its first; false, with
// its name in `out`, where one is not seen.
template <std::size_t Count> bool set(const Stored (&state)[Count], void **slots, void *out) {
    for (const Stored &item : state) {
        if (item.place) continue;
        Outcome outcome = {};
        outcome.ending = unseen;
        outcome.printed = std::int64_t(std::strlen(item.name));
        std::strncpy(outcome.text, item.name, sizeof outcome.text - 1);
        std::memcpy(out, &outcome, sizeof outcome);
        return false;
    }
    for (const Stored &item : state) first_value(item);
    for (std::size_t i = 0; i < Count; i++) {
        const void *value = number(slots[0], int(i)) ? pointer<void>(slots[i + 1]) : first_value(state[i]).data();
        std::memcpy(state[i].data(), value, state[i].bytes);
    }
    watched = state;
    watched_count = Count;
    return true;
}

// Reads all variables when a call is over.
template <std::size_t Count> void get(const Stored (&state)[Count], void **slots) {
    for (std::size_t i = 0; i < Count; i++) std::memcpy(pointer<void>(slots[i + 1]), state[i].data(), state[i].bytes);
    watched_count = 0;
}

// An array of assumed shape, as gfortran passes it from version 9 on.
template <int Rank> struct Descriptor {
    void *data;
    std::size_t offset = 0, element_length;
    int version = 0;
    signed char rank = Rank, type;
    short attribute = 0;
    std::ptrdiff_t span;
    struct {
        std::ptrdiff_t stride, lower, upper;
    } dimensions[Rank];

    // Of no array yet.
    Descriptor(std::size_t size, signed char of)
        : data(nullptr), element_length(size), type(of), attribute(0), span(std::ptrdiff_t(size)), dimensions() {}
    // Extents and strides alternate in `shape`.
    Descriptor(void *slot, void *shape, std::size_t size, signed char of)
        : data(pointer<void>(slot)), element_length(size), type(of), span(std::ptrdiff_t(size)) {
        for (int d = 0; d < Rank; d++) {
            dimensions[d] = {number(shape, 2 * d + 1), 1, number(shape, 2 * d)};
            // One that runs backwards begins at the end.
            const std::ptrdiff_t back = -dimensions[d].stride * (dimensions[d].upper - 1);
            if (back > 0) data = static_cast<char *>(data) + back * span;
            offset -= std::size_t(dimensions[d].stride);
        }
    }
};

// An allocatable array, by a buffer that holds whether there is one, of each dimension its lower bound and its
// extent, and its elements.
template <int Rank> class Allocated {
  public:
    Allocated(void *slot, std::size_t size, signed char of) : own_(size, of) {
        if (!number(slot_numbers(slot), 0)) return;
        std::size_t count = size;
        for (int d = 0; d < Rank; d++) {
            const std::int64_t lower = number(slot_numbers(slot), 2 * d + 1), extent = number(slot_numbers(slot), 2 * d + 2);
            own_.dimensions[d] = {std::ptrdiff_t(count / size), lower, lower + extent - 1};
            own_.offset -= std::size_t(own_.dimensions[d].stride * lower);
            count *= std::size_t(extent);
        }
        own_.data = std::malloc(count ? count : 1);
        std::memcpy(own_.data, pointer<char>(slot) + head, count);
    }
    void *descriptor() { return &own_; }
    // What the call has left there; an array that has no room in the buffer ends it.
    void tell(void *slot, std::size_t room) {
        std::int64_t numbers[1 + 2 * Rank] = {own_.data != nullptr};
        std::size_t count = own_.data ? own_.element_length : 0;
        for (int d = 0; d < Rank && own_.data; d++) {
            const auto &bounds = own_.dimensions[d];
            const std::ptrdiff_t extent = bounds.upper < bounds.lower ? 0 : bounds.upper - bounds.lower + 1;
            numbers[2 * d + 1] = bounds.lower;
            numbers[2 * d + 2] = extent;
            if (extent && count > room / std::size_t(extent)) leave(runtime_error, 2);
            count *= std::size_t(extent);
        }
        std::memcpy(pointer<char>(slot), numbers, sizeof numbers);
        std::memcpy(pointer<char>(slot) + head, own_.data, count);
        std::free(own_.data);
    }

  private:
    static constexpr std::size_t head = 8 * (1 + 2 * Rank);
    static void *slot_numbers(void *slot) { return pointer<void>(slot); }
    Descriptor<Rank> own_;
};

}  // namespace fortran_call

extern "C" {

TRANSPILE_EXPORT void __wrap_exit(int status) {
    if (!fortran_call::running) __real_exit(status);
    fortran_call::leave(fortran_call::stopped, status);
}

TRANSPILE_EXPORT void __wrap__gfortran_exit_i4(int *status) { __wrap_exit(status ? *status : 0); }

// As gfortran says it, but for floating-point exceptions.
TRANSPILE_EXPORT void __wrap__gfortran_stop_numeric(int status, bool quiet) {
    if (!quiet) std::fprintf(stderr, "STOP %d\n", status);
    fortran_call::flush();
    __wrap_exit(status);
}

TRANSPILE_EXPORT void __wrap__gfortran_stop_string(const char *text, std::size_t length, bool quiet) {
    if (text && !quiet) std::fprintf(stderr, "STOP %.*s\n", int(length), text);
    fortran_call::flush();
    __wrap_exit(0);
}

TRANSPILE_EXPORT void __wrap__gfortran_error_stop_numeric(int status, bool quiet) {
    if (!quiet) std::fprintf(stderr, "ERROR STOP %d\n", status);
    fortran_call::flush();
    __wrap_exit(status);
}

TRANSPILE_EXPORT void __wrap__gfortran_error_stop_string(const char *text, std::size_t length, bool quiet) {
    if (!quiet) std::fprintf(stderr, "ERROR STOP%s%.*s\n", text ? " " : "", int(length), text ? text : "");
    fortran_call::flush();
    __wrap_exit(1);
}

// What -fcheck finds, of the source alone: such a call shows nothing.
TRANSPILE_EXPORT void __wrap__gfortran_runtime_error_at(const char *where, const char *message, ...) {
    std::va_list values;
    va_start(values, message);
    std::fprintf(stderr, "%s: ", where);
    std::vfprintf(stderr, message, values);
    va_end(values);
    if (!fortran_call::running) __real_exit(2);
    fortran_call::leave(fortran_call::runtime_error, 2);
}

TRANSPILE_EXPORT void __wrap__gfortran_runtime_error(const char *message, ...) {
    std::va_list values;
    va_start(values, message);
    std::vfprintf(stderr, message, values);
    va_end(values);
    if (!fortran_call::running) __real_exit(2);
    fortran_call::leave(fortran_call::runtime_error, 2);
}

#ifdef TRANSPILE_COVERAGE
void __gcov_dump(void);
TRANSPILE_EXPORT __attribute__((weak)) void transpile_write_coverage(void) { __gcov_dump(); }
#endif
}
