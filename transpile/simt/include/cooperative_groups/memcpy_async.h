// Asynchronous copies of a group. The first thread makes them when the group waits.
#ifndef SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <algorithm>
#include <cstddef>

#include "cooperative_groups.h"
#include "simt/late_copies.h"
#include "simt/scopes.h"

namespace cooperative_groups {

template <class Group, class T, class Size>
SIMT_QUIET inline void memcpy_async(const Group &group, T *to, const T *from, const Size &bytes) {
    if (group.thread_rank() != 0) return;
    simt::copy_late(nullptr, to, from, bytes, 0, "cooperative_groups::memcpy_async");
    simt::close_batch("cooperative_groups::memcpy_async");
}

// As many elements as both sides have.
template <class Group, class T, class To, class From>
SIMT_QUIET inline void memcpy_async(const Group &group, T *to, const To &room, const T *from, const From &count) {
    const std::size_t elements = std::min<std::size_t>(room, count);
    memcpy_async(group, to, from, elements * sizeof(T));
}

template <unsigned Stages, class Group>
SIMT_INLINE void wait_prior(const Group &group) {
    if (group.thread_rank() == 0) simt::wait_for_batches(Stages, "cooperative_groups::wait_prior");
    group.sync();
}
template <class Group>
SIMT_INLINE void wait(const Group &group) {
    wait_prior<0>(group);
}

}  // namespace cooperative_groups

#endif
