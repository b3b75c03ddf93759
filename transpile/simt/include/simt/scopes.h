// Among which threads synchronization holds, and sizes whose alignment is known.
#ifndef SIMT_SCOPES_H
#define SIMT_SCOPES_H

#include <cstddef>

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

template <std::size_t Alignment>
struct aligned_size_t {
    std::size_t value;
    explicit aligned_size_t(std::size_t bytes) : value(bytes) {}
    operator std::size_t() const { return value; }
};

}  // namespace cuda

#endif
