// The library's handle, and how its work comes into the handle's stream. Scalars by host pointer are read at the
// call, those by device pointer when the work is done; a result by host pointer is there when the call returns.
#ifndef SIMT_BLAS_HANDLE_H
#define SIMT_BLAS_HANDLE_H

#include <cstddef>
#include <cstdint>
#include <new>

#include "simt/blas/numbers.h"
#include "simt/blas/types.h"
#include "simt/simt.h"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
    cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
};
typedef struct cublasContext *cublasHandle_t;

namespace simt::blas {

using Index = std::int64_t;

// Whether a call can be made; `valid` says what the routine asks of its arguments.
inline cublasStatus_t checked(cublasHandle_t handle, bool valid) {
    if (in_kernel()) fail("cuBLAS called from within kernel %s", machine.kernel);
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
    return sticky_error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline bool by_host(cublasHandle_t handle) { return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST; }

// A factor of a routine.
template <class T>
class Scalar {
  public:
    Scalar(cublasHandle_t handle, const T *pointer) : device_(pointer) {
        if (!by_host(handle)) return;
        value_ = *pointer;
        device_ = nullptr;
    }
    Value<T> operator()() const { return read(device_ != nullptr ? *device_ : value_); }

  private:
    T value_ = {};
    const T *device_;
};

template <class Action>
cublasStatus_t enqueue(cublasHandle_t handle, Action action) {
    const Exclusive exclusive;
    perform(handle->stream, [action] {
        const DeviceSide reach;
        action();
    });
    return CUBLAS_STATUS_SUCCESS;
}

// Does something that the host waits for.
template <class Action>
cublasStatus_t finish(cublasHandle_t handle, Action action) {
    const Exclusive exclusive;
    if (deferring()) wait_for(handle->stream);
    const DeviceSide reach;
    action();
    return CUBLAS_STATUS_SUCCESS;
}

// Puts what `compute` returns where the pointer mode says.
template <class T, class Compute>
cublasStatus_t answer(cublasHandle_t handle, T *result, Compute compute) {
    if (!by_host(handle)) return enqueue(handle, [=] { *result = compute(); });
    T computed;
    const cublasStatus_t status = finish(handle, [&] { computed = compute(); });
    *result = computed;
    return status;
}

}  // namespace simt::blas

inline cublasStatus_t cublasCreate(cublasHandle_t *handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new (std::nothrow) cublasContext;
    return *handle != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaDeviceSynchronize();
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

// What a handle holds, set and asked for.
#define SIMT_BLAS_SETTING(setter, getter, type, member)                            \
    inline cublasStatus_t setter(cublasHandle_t handle, type value) {              \
        if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;               \
        handle->member = value;                                                    \
        return CUBLAS_STATUS_SUCCESS;                                              \
    }                                                                              \
    inline cublasStatus_t getter(cublasHandle_t handle, type *value) {             \
        const cublasStatus_t status = simt::blas::checked(handle, value != nullptr); \
        if (status == CUBLAS_STATUS_SUCCESS) *value = handle->member;              \
        return status;                                                             \
    }
SIMT_BLAS_SETTING(cublasSetStream, cublasGetStream, cudaStream_t, stream)
SIMT_BLAS_SETTING(cublasSetPointerMode, cublasGetPointerMode, cublasPointerMode_t, pointer_mode)
SIMT_BLAS_SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math_mode)
SIMT_BLAS_SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics_mode)
#undef SIMT_BLAS_SETTING

inline cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, std::size_t) {
    return simt::blas::checked(handle, reinterpret_cast<std::uintptr_t>(workspace) % 256 == 0);
}
inline cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
    const cublasStatus_t status = simt::blas::checked(handle, version != nullptr);
    if (status == CUBLAS_STATUS_SUCCESS) *version = CUBLAS_VERSION;
    return status;
}
inline cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
    if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
    *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : type == MINOR_VERSION ? CUBLAS_VER_MINOR : CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
}
inline std::size_t cublasGetCudartVersion() { return SIMT_RUNTIME_VERSION; }

#endif
