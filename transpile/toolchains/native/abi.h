// The part of entry.h that C understands as well. It includes nothing: what a source asks of the C library by
// macros has to come before that library's first header.
#pragma once

#define TRANSPILE_EXPORT __attribute__((visibility("default")))

struct transpile_launch {
    __UINT32_TYPE__ grid[3];
    __UINT32_TYPE__ block[3];
    __UINT64_TYPE__ shared;
    __UINT64_TYPE__ seed;
};

struct transpile_global {
    const char *name;
    void *address;
    __UINT64_TYPE__ size;
};

// What an entry does before and after the call is none of the source's doing.
#define TRANSPILE_UNTRACED __attribute__((no_sanitize("thread")))

#ifdef __cplusplus
typedef bool transpile_bool;
#define TRANSPILE_ENTRY extern "C" TRANSPILE_EXPORT TRANSPILE_UNTRACED
#define TRANSPILE_TABLE extern "C" TRANSPILE_EXPORT
#define TRANSPILE_POINTER(address) (transpile::anything{(void *)(address)})
#define TRANSPILE_PREPARE(how) transpile::prepare(*static_cast<const transpile_launch *>(how))
#define TRANSPILE_STATUS(waits) transpile::status(waits)
#define TRANSPILE_ISOLATE(wanted) transpile::isolate(wanted)
#define TRANSPILE_MEMORY_OF(argument, device) transpile::memory_of(argument, device)
#else
typedef _Bool transpile_bool;
#define TRANSPILE_ENTRY TRANSPILE_EXPORT TRANSPILE_UNTRACED
#define TRANSPILE_TABLE TRANSPILE_EXPORT
#define TRANSPILE_POINTER(address) ((void *)(address))
#define TRANSPILE_PREPARE(how) ((void)(how))
#define TRANSPILE_STATUS(waits) ((void)(waits), 0)
#define TRANSPILE_ISOLATE(wanted) ((void)(wanted))
#define TRANSPILE_MEMORY_OF(argument, device) ((void)(argument), (void)(device))
#ifdef TRANSPILE_COVERAGE
void __gcov_dump(void);
TRANSPILE_EXPORT __attribute__((weak)) void transpile_write_coverage(void) { __gcov_dump(); }
#endif
#endif
