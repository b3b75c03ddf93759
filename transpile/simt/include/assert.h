// The assertion of C, which in a kernel ends the grid with cudaErrorAssert instead of the program. Has no
// guard, since NDEBUG may differ where it is included again. Files that do not use the emulator get C's own.
#pragma GCC system_header
#include_next <assert.h>

#if defined(SIMT_SIMT_H) && !defined(SIMT_ASSERT_H)
#define SIMT_ASSERT_H
namespace simt {
[[noreturn]] void assertion_failed(const char *text, const char *file, unsigned line, const char *function);
}
#endif

#if defined(SIMT_SIMT_H) && !defined(NDEBUG)
#undef assert
#define assert(condition) \
    ((condition) ? static_cast<void>(0) : simt::assertion_failed(#condition, __FILE__, __LINE__, __func__))
#endif
