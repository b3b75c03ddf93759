// What one value is made of all lanes' values of a group.
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

// The values of all lanes of a warp's group, combined in the order of a tree of halves.
template <class Group, class T, class Operation>
T reduce(const Group &group, T value, Operation operation) {
    const unsigned size = group.size(), rank = group.thread_rank();
    for (unsigned step = 1; step < size; step *= 2) {
        const T other = group.shfl_down(value, step);
        if (rank + step < size && rank % (2 * step) == 0) value = operation(value, other);
    }
    return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#endif
