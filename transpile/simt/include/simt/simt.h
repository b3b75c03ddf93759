// CUDA on a CPU: kernels, launches and the runtime API for a plain C++17 compiler.
//
// Fidelity before speed. One thread of the operating system runs the threads of a block as fibers, one block
// after the other, in an order that SIMT_SEED shuffles. What is lacking does not compile, or ends the program
// with a message that names it.
#ifndef SIMT_SIMT_H
#define SIMT_SIMT_H

#if __cplusplus < 201703L
#error "the emulator of CUDA needs C++17 (-std=c++17)"
#endif

// What nvcc includes without being asked. The qualifiers come after it, for the sake of its headers.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "simt/qualifiers.h"

#include "vector_functions.h"
#include "vector_types.h"

#include "simt/arrays.h"
#include "simt/atomics.h"
#include "simt/device.h"
#include "simt/errors.h"
#include "simt/faults.h"
#include "simt/functions.h"
#include "simt/integers.h"
#include "simt/launch.h"
#include "simt/mathematics.h"
#include "simt/memory.h"
#include "simt/scheduler.h"
#include "simt/shared.h"
#include "simt/streams.h"
#include "simt/textures.h"
#include "simt/volumes.h"
#include "simt/warp.h"

// By these names programs ask whether CUDA's headers are there, which nvcc always includes.
#ifndef SIMT_HIP
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#endif

#endif
