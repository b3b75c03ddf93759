// Ranges for a profiler that live as long as a scope (NVTX's C++ interface), of which nobody hears.
#ifndef SIMT_NVTX3_HPP
#define SIMT_NVTX3_HPP

#include "nvToolsExt.h"

namespace nvtx3 {

struct scoped_range {
    template <class... Arguments>
    explicit scoped_range(const Arguments &...) {}
};
template <class... Arguments>
void mark(const Arguments &...) {}

}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() static_cast<void>(0)

#endif
