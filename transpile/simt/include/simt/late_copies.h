// Asynchronous copies to shared memory. Each is made when its thread waits for it, as late as CUDA allows, so that
// what is read before shows.
#ifndef SIMT_LATE_COPIES_H
#define SIMT_LATE_COPIES_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "simt/fail.h"
#include "simt/machine.h"
#include "simt/qualifiers.h"

namespace simt {

// One of a thread's copies, in the order in which it began them.
struct LateCopy {
    LateCopy *next;
    const void *barrier;  // that waits for it; none where a batch does
    std::uint64_t batch;
    unsigned char *to;
    const unsigned char *from;
    std::size_t bytes, zeros;
};

SIMT_QUIET inline Thread &copying_thread(const char *what) {
    if (!in_kernel()) fail("%s outside of a kernel", what);
    return *machine.current;
}

SIMT_QUIET inline void copy_late(const void *barrier, void *to, const void *from, std::size_t bytes, std::size_t zeros,
                                 const char *what) {
    Thread &self = copying_thread(what);
    auto *copy = static_cast<LateCopy *>(std::malloc(sizeof(LateCopy)));
    if (copy == nullptr) fail("out of memory for asynchronous copies");
    *copy = {nullptr, barrier, self.batches, static_cast<unsigned char *>(to), static_cast<const unsigned char *>(from),
             bytes,   zeros};
    LateCopy **end = &self.copies;
    while (*end != nullptr) end = &(*end)->next;
    *end = copy;
}

SIMT_QUIET inline void close_batch(const char *what) { ++copying_thread(what).batches; }

// Accesses of the kernel, which a trace sees. A loop, since it would not see those of memcpy one by one.
SIMT_NOINLINE inline void make_copy(const LateCopy *copy) {
    const std::size_t kept = copy->bytes - copy->zeros;
    for (std::size_t i = 0; i < kept; ++i) copy->to[i] = copy->from[i];
    for (std::size_t i = kept; i < copy->bytes; ++i) copy->to[i] = 0;
}

// Makes those of the caller's copies that are due.
template <class Due>
SIMT_QUIET inline void make_copies(const char *what, Due due) {
    LateCopy **place = &copying_thread(what).copies;
    while (LateCopy *copy = *place) {
        if (!due(*copy)) {
            place = &copy->next;
            continue;
        }
        make_copy(copy);
        *place = copy->next;
        std::free(copy);
    }
}

// Makes the caller's copies of all closed batches but the last few.
SIMT_QUIET inline void wait_for_batches(std::uint64_t but_the_last, const char *what) {
    const std::uint64_t closed = copying_thread(what).batches;
    make_copies(what, [=](const LateCopy &copy) SIMT_QUIET {
        return copy.barrier == nullptr && copy.batch + but_the_last < closed;
    });
}

}  // namespace simt

#endif
