// The file of calls that a worker is given. Offsets count from the start of the file; see wire.py.
#pragma once

#include <cstdint>

constexpr std::uint64_t null_buffer = ~std::uint64_t(0);

struct BatchArgument {
    std::uint64_t buffer;  // 1: a pointer to a copy of the data, 0: the data are the value, n + 2: into the buffer of n
                           // null_buffer: a null pointer
    std::uint64_t size;
    std::uint64_t before;  // bytes below the pointer
    std::uint64_t data;
    std::uint64_t fixed;  // on guarded pages, these cannot be written
};

struct BatchGlobal {
    std::uint64_t name;  // ends with a null byte
    std::uint64_t size;
    std::uint64_t data;
};

struct BatchCall {
    std::uint64_t entry;
    std::uint64_t grid[3];
    std::uint64_t block[3];
    std::uint64_t shared;
    std::uint64_t seed;
    std::uint64_t returns;
    std::uint64_t alignment;  // of the pointers into guarded buffers
    std::uint64_t arguments;
    std::uint64_t globals;
    // BatchArgument[arguments], BatchGlobal[globals]
};

// Shared with the process that waits for the worker: what is going on, and why it ended.
struct Progress {
    std::uint64_t begun;  // calls begun, counted from the start of the batch
    std::uint64_t done;   // calls done
    std::uint64_t reason;
    std::int64_t argument;  // that a bad access was near; -1 for none
    std::int64_t offset;    // of the access from the argument's pointer
};

enum Reason : std::uint64_t {
    reason_none, reason_segmentation, reason_bus, reason_arithmetic, reason_illegal, reason_timeout,
    reason_stack, reason_sanitizer, reason_load, reason_wild, reason_host_memory,
    reason_device_memory, reason_misaligned, reason_beside, reason_fixed, reason_results,
    reason_given_up,
};
