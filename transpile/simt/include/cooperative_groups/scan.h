// What the values of all lanes up to one's own make.
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
T inclusive_scan(const Group &group, T value, Operation operation) {
    for (unsigned step = 1; step < group.size(); step *= 2) {
        const T other = group.shfl_up(value, step);
        if (group.thread_rank() >= step) value = operation(other, value);
    }
    return value;
}
template <class Group, class T>
T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T>
T exclusive_scan(const Group &group, T value) {
    const T before = group.shfl_up(inclusive_scan(group, value, plus<T>()), 1);
    return group.thread_rank() == 0 ? T() : before;
}

}  // namespace cooperative_groups

#endif
