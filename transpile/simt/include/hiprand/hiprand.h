#include "hip/hip_runtime.h"

#include "curand.h"
