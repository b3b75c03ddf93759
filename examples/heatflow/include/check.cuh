#pragma once

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Ends the program where a call of the CUDA runtime fails.
#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t status = (call);                                                      \
        if (status != cudaSuccess) {                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
                         cudaGetErrorString(status));                                     \
            std::exit(EXIT_FAILURE);                                                      \
        }                                                                                 \
    } while (0)
