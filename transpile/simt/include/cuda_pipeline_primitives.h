// Copies to shared memory that a thread starts, batches and waits for.
#ifndef SIMT_CUDA_PIPELINE_PRIMITIVES_H
#define SIMT_CUDA_PIPELINE_PRIMITIVES_H

#include "simt/late_copies.h"
#include "simt/simt.h"

inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes, std::size_t zeros = 0) {
    if (bytes != 4 && bytes != 8 && bytes != 16) simt::fail("__pipeline_memcpy_async of %zu bytes: 4, 8 or 16", bytes);
    if (zeros > bytes) simt::fail("__pipeline_memcpy_async: %zu zeros in %zu bytes", zeros, bytes);
    simt::copy_late(nullptr, to, from, bytes, zeros, "__pipeline_memcpy_async");
}
inline void __pipeline_commit() { simt::close_batch("__pipeline_commit"); }
inline void __pipeline_wait_prior(std::size_t batches) { simt::wait_for_batches(batches, "__pipeline_wait_prior"); }

#endif
