// The library's handle, and how its work reaches the handle's stream.
#ifndef SIMT_SPARSE_CONTEXT_H
#define SIMT_SPARSE_CONTEXT_H

#include "simt/launch.h"
#include "simt/sparse/values.h"

namespace simt::sparse {

struct Context {
    cudaStream_t stream = nullptr;
    cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};

// A factor that the caller points to: read at once from the host, or in stream order from the device.
template <class T>
class Factor {
public:
    Factor(const Context &context, const void *pointer) : pointer_(static_cast<const T *>(pointer)) {
        if (context.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) return;
        value_ = *pointer_;
        pointer_ = nullptr;
    }
    Wide<T> get() const { return static_cast<Wide<T>>(pointer_ != nullptr ? *pointer_ : value_); }

private:
    const T *pointer_;
    T value_ = T();
};

// Adds to what was there; where the factor is zero, that is not read.
template <class T>
T added(Wide<T> sum, Wide<T> factor, const T &old) {
    return static_cast<T>(factor == Wide<T>() ? sum : sum + factor * static_cast<Wide<T>>(old));
}

template <class Action>
cusparseStatus_t in_stream(const Context &context, Action action) {
    const Exclusive exclusive;
    perform(context.stream, [action]() mutable {
        const BothSides reach;
        action();
    });
    return CUSPARSE_STATUS_SUCCESS;
}

// For what the caller may read when the call returns.
template <class Action>
cusparseStatus_t at_once(const Context &context, Action action) {
    const Exclusive exclusive;
    wait_for(context.stream);
    const BothSides reach;
    action();
    return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace simt::sparse

#endif
