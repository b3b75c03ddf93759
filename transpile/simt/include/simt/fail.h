// The end of a program that the emulator cannot carry on truthfully.
#ifndef SIMT_FAIL_H
#define SIMT_FAIL_H

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace simt {

// Prints "simt: " and the message on stderr, then aborts.
[[noreturn]] __attribute__((noinline, format(printf, 1, 2))) inline void fail(const char *format, ...) {
    std::fflush(stdout);
    std::fputs("simt: ", stderr);
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fputc('\n', stderr);
    std::fflush(stderr);
    std::abort();
}

}  // namespace simt

#endif
