#include "hip/hip_runtime.h"

#include "curand_kernel.h"
